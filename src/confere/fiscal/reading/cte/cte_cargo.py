"""What a CT-e carries: the goods with their measures and insurance, and the papers that travel with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from lxml.etree import _Element

from confere.fiscal.detail import Cargo, CargoMeasure, CarriedDocument, Fields, Insurance
from confere.fiscal.document_parts import Warning
from confere.fiscal.reading.amounts import cents, quantity
from confere.fiscal.reading.elements import LOCAL, child, texts
from confere.fiscal.reading.unread_fields import left_of, under
from confere.fiscal.reading.xml_leaves import leaves

DOCUMENTS: Final = frozenset({"infNFe", "infNF", "infOutros", "infDCe", "infNFeTranspParcial", "infDocRef"})
"""The groups that name a paper of the cargo."""

_CARGO_TAGS: Final = frozenset({"vCarga", "vMerc", "proPred", "xOutCat", "xDescServ", "vCargaAverb"})
_MEASURE_TAGS: Final = frozenset({"cUnid", "tpMed", "qCarga"})
_INSURANCE_TAGS: Final = frozenset({"respSeg", "xSeg", "nApol", "nAver", "vCarga", "vMerc"})


def cargo_of(group: _Element, warnings: list[Warning]) -> tuple[Cargo, Fields]:
    """`infCarga`, or the `infServico` of a CT-e OS; and what of it no field holds."""
    own = texts(group)
    get = own.get
    left = left_of(group, own, _CARGO_TAGS, skip=("infQ",))
    measures: list[CargoMeasure] = []
    for entry in group.iterchildren("{*}infQ"):
        told = texts(entry).get
        measures.append(CargoMeasure(told("cUnid"), told("tpMed"), quantity(told("qCarga"), "qCarga", warnings)))
        left += under("infQ", left_of(entry, texts(entry), _MEASURE_TAGS))
    found = Cargo(
        cents(get("vCarga") or get("vMerc"), "vCarga", warnings),
        get("proPred"),
        get("xOutCat") or get("xDescServ"),
        cents(get("vCargaAverb"), "vCargaAverb", warnings),
        tuple(measures),
    )
    return found, left


def insurance_of(group: _Element, warnings: list[Warning]) -> tuple[Insurance, Fields]:
    """`seg`, of the first layouts, of a CT-e OS or within `multimodal`; and what of it no field holds."""
    own, insurer = texts(group), texts(child(group, "infSeg")).get("xSeg")
    get = own.get
    found = Insurance(
        get("respSeg"),
        get("xSeg") or insurer,
        get("nApol"),
        get("nAver"),
        cents(get("vCarga") or get("vMerc"), "vCarga", warnings),
    )
    return found, left_of(group, own, _INSURANCE_TAGS)


def carried_in(groups: Iterable[_Element], warnings: list[Warning]) -> Iterator[CarriedDocument]:
    """The papers of the cargo that stand in `groups`: `infDoc`, `rem` of the first layouts, `det`, `infCTeNorm`."""
    for group in groups:
        for entry in group:
            name = LOCAL[entry.tag]
            if name in DOCUMENTS:
                yield _carried(name, entry, warnings)
            elif name == "infDocAnt":
                for part in entry.iterchildren("{*}infNFeTranspParcial"):
                    yield _carried("infNFeTranspParcial", part, warnings)


def _carried(name: str, entry: _Element, warnings: list[Warning]) -> CarriedDocument:
    get = texts(entry).get
    return CarriedDocument(
        name,
        get("chave") or get("chNFe") or get("chBPe"),
        get("nDoc"),
        cents(get("vNF") or get("vDocFisc") or get("vDoc"), "vNF", warnings),
        get("dPrev"),
        leaves(entry),
    )
