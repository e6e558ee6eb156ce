"""Reading a CT-e, a simplified CT-e or a CT-e OS, layouts 1.03 to 4.00: what lists and searches need of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from lxml.etree import _Element

from confere.fiscal.document_parts import Party, Protocol, Totals, Warning
from confere.fiscal.model import Document, DocumentType
from confere.fiscal.reading.amounts import cents
from confere.fiscal.reading.common import head, observations, party, signed_body
from confere.fiscal.reading.cte.cte_detail import detail_of
from confere.fiscal.reading.cte.cte_totals import tax_of, weight_of
from confere.fiscal.reading.elements import LOCAL, children, own_text, texts
from confere.fiscal.reading.quoted_orders import quoted_in
from confere.fiscal.references import RelationKind, collect
from confere.fiscal.warnings import Trait

_PARTIES: Final = (
    ("emit", "emitter"),
    ("rem", "sender"),
    ("exped", "dispatcher"),
    ("receb", "receiver"),
    ("dest", "recipient"),
)
# Who pays for the freight, by the code in `toma`; 4 is somebody else, named beside the code.
_TAKERS: Final = {"0": "sender", "1": "dispatcher", "2": "receiver", "3": "recipient"}
_TAKER_GROUPS: Final = ("toma3", "toma03", "toma4", "toma04", "tomaTerceiro")
_ADJUSTMENTS: Final = {
    "infCteComp": RelationKind.COMPLEMENTS,
    "infCteAnu": RelationKind.ANNULS,
    "infCteSub": RelationKind.REPLACES,
}
# What a substitution names beside the CT-e it replaces: its annulment, the taker's own note.
_SUBSTITUTION_TAGS: Final = ("{*}refCteAnu", "{*}refCTeAnu", "{*}refNFe", "{*}refCte")
_MENTIONS: Final = frozenset({"infServVinc", "infGTVe", "infDocRef", "refCTeCanc"})
_MENTION_TAGS: Final = ("{*}chCTeMultimodal", "{*}chCTe", "{*}chBPe", "{*}refCTeCanc")

Claim = tuple[RelationKind, str | None]


def read_cte(
    freight: _Element,
    answer: Protocol | None,
    *,
    embedded: bool = False,
    traits: tuple[Warning, ...] = (),
    whole: bool = False,
) -> Document | None:
    """The document in `CTe`, `CTeSimp` or `CTeOS`; None where it holds no `infCte`.

    `answer` is the protocol found beside it; `embedded` says that events were; `traits` are the file's.
    """
    body, digest = signed_body(freight, "infCte")
    if body is None:
        return None

    warnings = list(traits)
    sections = children(body)
    ide_section = sections.get("ide")
    ide = texts(ide_section)
    groups = children(ide_section) if ide_section is not None else {}
    taker_group = _taker_group(sections, groups)
    role = _TAKERS.get(texts(taker_group).get("toma", ""))
    parties = _parties(sections, taker_group, role)
    emitter = parties[0].tax_id if parties and parties[0].role == "emitter" else None
    named = head(body, ide, ("nCT", "cCT"), emitter, answer, warnings, digest)
    if embedded:
        warnings.append(Warning(Trait.EMBEDDED_EVENT))
    cfop = ide.get("CFOP")
    remarks = sections.get("compl")
    notes = texts(remarks).get("xObs")
    external_id: str | None = None
    others: list[str | None] = []
    if remarks is not None:
        external_id, others = observations(remarks, "{*}ObsCont", "external_id")
    totals = _totals(sections, warnings)
    return Document(
        type=DocumentType.CTEOS if named.model == "67" or LOCAL[freight.tag] == "CTeOS" else DocumentType.CTE,
        access_key=named.access_key,
        model=named.model,
        series=named.series,
        number=named.number,
        layout=body.get("versao"),
        issued_at=named.issued_at,
        operation=ide.get("natOp"),
        direction=None,
        purpose=ide.get("tpCTe"),
        destination=None,
        environment=named.environment,
        cfops=(cfop,) if cfop is not None else (),
        parties=tuple(parties),
        items=(),
        totals=totals,
        protocol=answer,
        references=collect(_claims(body, groups), warnings),
        digest=digest,
        external_id=external_id,
        order_hint=None,
        notes=notes,
        warnings=tuple(warnings),
        detail=detail_of(freight, body, parties, taker_group, role) if whole else None,
        freight_mode=None,
        weight=weight_of(sections),
        quoted=quoted_in((notes, *others)),
        taxes=tax_of(cfop, sections.get("imp"), totals.document),
    )


def _parties(sections: dict[str, _Element], taker_group: _Element | None, taker_role: str | None) -> list[Party]:
    found = [party(role, sections[name]) for name, role in _PARTIES if name in sections]
    taker = _taker(taker_group, taker_role, found)
    return [*found, taker] if taker is not None else found


def _taker_group(sections: dict[str, _Element], groups: dict[str, _Element]) -> _Element | None:
    own = sections.get("toma")  # CT-e OS and the simplified CT-e
    return own if own is not None else next((groups[name] for name in _TAKER_GROUPS if name in groups), None)


def _taker(group: _Element | None, role: str | None, parties: list[Party]) -> Party | None:
    """Who takes the service: one of the parties again, or a party of its own."""
    if group is None:
        return None
    for known in parties:
        if known.role == role:
            return replace(known, role="taker")
    own = party("taker", group)
    return own if own.tax_id is not None or own.name is not None else None


def _totals(sections: dict[str, _Element], warnings: list[Warning]) -> Totals:
    service = texts(sections.get("vPrest"))
    summary = texts(sections.get("total"))  # the simplified CT-e
    taxes_section = sections.get("imp")
    taxes = texts(taxes_section)
    icms = None
    if taxes_section is not None:
        # One group under `ICMS`, named after its CST, holds the amount.
        icms = next((own_text(entry) for entry in taxes_section.iter("{*}vICMS")), None)
    return Totals(
        document=cents(service.get("vTPrest") or summary.get("vTPrest"), "vTPrest", warnings),
        icms=cents(icms, "vICMS", warnings),
        with_reform=cents(taxes.get("vTotDFe") or summary.get("vTotDFe"), "vTotDFe", warnings),
    )


def _claims(body: _Element, groups: dict[str, _Element]) -> Iterator[Claim]:
    """Every key this CT-e names, with what it names it for."""
    if "gPagAntecipado" in groups:
        for entry in groups["gPagAntecipado"].iterchildren("{*}chDFePagAnt"):
            yield RelationKind.PREPAYMENT, own_text(entry)
    for section in body:
        name = LOCAL[section.tag]
        if name == "infCTeNorm":
            yield from _normal_claims(section)
        elif name in _ADJUSTMENTS:
            yield _ADJUSTMENTS[name], _cte_key(section)
        elif name in ("rem", "det"):  # the sender's group in 1.03; the deliveries of a simplified CT-e
            yield from _cargo_claims(section)


def _cte_key(section: _Element) -> str | None:
    get = texts(section).get
    return get("chCTe") or get("chCte") or get("chave")  # over the layouts


def _normal_claims(section: _Element) -> Iterator[Claim]:
    for group in section:
        name = LOCAL[group.tag]
        if name == "infDoc":
            yield from _cargo_claims(group)
        elif name == "docAnt":
            for entry in group.iter("{*}chCTe", "{*}chave"):
                yield RelationKind.CONTINUES, own_text(entry)
        elif name == "infCteSub":
            yield RelationKind.REPLACES, _cte_key(group)
            for entry in group.iter(*_SUBSTITUTION_TAGS):
                yield RelationKind.REFERENCES, own_text(entry)
        elif name in _MENTIONS:
            for entry in group.iter(*_MENTION_TAGS):
                yield RelationKind.REFERENCES, own_text(entry)


def _cargo_claims(section: _Element) -> Iterator[Claim]:
    for entry in section:
        name = LOCAL[entry.tag]
        if name in ("infNFe", "infDCe"):
            get = texts(entry).get
            yield RelationKind.CARRIES, get("chave") or get("chNFe")
        elif name == "infDocAnt":
            yield RelationKind.CONTINUES, texts(entry).get("chCTe")
            for part in entry.iterchildren("{*}infNFeTranspParcial"):
                yield RelationKind.CARRIES, texts(part).get("chNFe")
