"""Reading the heads of NFCom, NF3e, BP-e, GTV-e, DC-e, CF-e-SAT and MDF-e: enough to name, date, find and sum them.

Items are not read, nor is the cargo; who opens one of them sees its groups as they stand (`detail.HeadDetail`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from lxml.etree import _Element

from confere.fiscal import document_models
from confere.fiscal.detail import HeadDetail
from confere.fiscal.document_parts import Party, Protocol, Totals, Warning
from confere.fiscal.model import Document
from confere.fiscal.reading.amounts import cents
from confere.fiscal.reading.common import head, party, signed_body
from confere.fiscal.reading.cte.cte_parties import full_party
from confere.fiscal.reading.elements import LOCAL, child, children, own_text, texts
from confere.fiscal.reading.xml_leaves import leaves
from confere.fiscal.references import RelationKind, collect
from confere.fiscal.warnings import Trait

_ADDED: Final = {
    "document": "total/vNF",
    "products": "total/vProd",
    "discount": "total/vDesc",
    "other": "total/vOutro",
    "icms": "total/ICMSTot/vICMS",
    "icms_st": "total/ICMSTot/vST",
    "pis": "total/vPIS",
    "cofins": "total/vCOFINS",
    "with_reform": "total/vTotDFe",
}
_TICKET: Final = {
    "document": "infValorBPe/vPgto",
    "products": "infValorBPe/vBP",
    "discount": "infValorBPe/vDesconto",
    "icms": "imp/ICMS/*/vICMS",
    "with_reform": "imp/vTotDFe",
}
_URBAN: Final = {"document": "total/vBP", "icms": "total/ICMSTot/vICMS", "with_reform": "total/vTotDFe"}
_COUPON: Final = {
    "document": "total/vCFe",
    **{name: f"total/ICMSTot/{tag}" for name, tag in (("products", "vProd"), ("discount", "vDesc"))},
    **{name: f"total/ICMSTot/{tag}" for name, tag in (("other", "vOutro"), ("icms", "vICMS"))},
    **{name: f"total/ICMSTot/{tag}" for name, tag in (("pis", "vPIS"), ("cofins", "vCOFINS"))},
}
_SOLD: Final = {"emit": "emitter", "dest": "recipient"}
_TICKET_PARTIES: Final = {"emit": "emitter", "comp": "recipient", "agencia": "intermediary"}
# Who pays for a GTV-e, by the code in `toma`; another one is named in `tomaTerceiro`.
_TAKERS: Final = {"0": "sender", "1": "recipient"}


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where one element keeps what the head has: roles by group, totals by path, claims by the tag of the key."""

    model: str
    parties: Mapping[str, str] = field(default_factory=lambda: _SOLD)
    totals: Mapping[str, str] = field(default_factory=dict)
    claims: Mapping[str, RelationKind] = field(default_factory=dict)  # `group/tag`, the group at any depth
    notes: str = "infAdic/infCpl"


LAYOUTS: Final = {
    "NFCom": _Layout(
        "62",
        totals=_ADDED,
        claims={"gSub/chNFCom": RelationKind.REPLACES, "gCofat/chNFComLocal": RelationKind.REFERENCES},
    ),
    "NF3e": _Layout(
        "66", totals=_ADDED, claims={"gSub/chNF3e": RelationKind.REPLACES, "gJudic/chNF3e": RelationKind.REFERENCES}
    ),
    "BPe": _Layout("63", _TICKET_PARTIES, _TICKET, {"infBPeSub/chBPe": RelationKind.REPLACES}),
    "BPeTA": _Layout("63", _TICKET_PARTIES, _TICKET, {"infBPeSub/chBPe": RelationKind.REPLACES}),
    "BPeTM": _Layout("63", _TICKET_PARTIES, _URBAN),
    "GTVe": _Layout("64", {"emit": "emitter", "rem": "sender", "dest": "recipient"}, notes="compl/xObs"),
    "DCe": _Layout(
        "99",
        {**_SOLD, "Marketplace": "intermediary", "Transportadora": "carrier", "ECT": "carrier"},
        {"document": "total/vDC"},
    ),
    "CFe": _Layout(document_models.COUPON_MODEL, totals=_COUPON),
    "MDFe": _Layout(
        "58",
        {"emit": "emitter"},
        claims={
            "infCTe/chCTe": RelationKind.MANIFESTS,
            "infNFe/chNFe": RelationKind.MANIFESTS,
            "infMDFeTransp/chMDFe": RelationKind.MANIFESTS,
        },
    ),
}


def read_head(
    document: _Element,
    answer: Protocol | None,
    *,
    embedded: bool = False,
    traits: tuple[Warning, ...] = (),
    whole: bool = False,
) -> Document | None:
    """The head in one of the elements above; None where it holds no signed element of its kind.

    An MDF-e and a GTV-e have no value of their own: what they name is the worth of the cargo.
    """
    layout = LAYOUTS[LOCAL[document.tag]]
    kind = document_models.OF_MODEL[layout.model]
    body, digest = signed_body(document, kind.body)
    if body is None:
        return None

    warnings = list(traits)
    ide = head_fields(body)
    groups = tuple(_parties(body, layout))
    parties = tuple(found for found, _ in groups)
    emitter = next((found.tax_id for found in parties if found.role == "emitter"), None)
    named = head(body, ide, (kind.number_tag, kind.code_tag), emitter, answer, warnings, digest)
    if embedded:
        warnings.append(Warning(Trait.EMBEDDED_EVENT))
    return Document(
        type=kind.type,
        access_key=named.access_key,
        model=named.model or layout.model,
        series=named.series,
        number=named.number,
        layout=body.get("versao"),
        issued_at=named.issued_at,
        operation=ide.get("natOp"),
        direction=None,
        purpose=None,
        destination=None,
        environment=named.environment,
        cfops=(),
        parties=parties,
        items=(),
        totals=Totals(**{name: cents(_text(body, path), path, warnings) for name, path in layout.totals.items()}),
        protocol=answer,
        references=collect(_claims(body, layout), warnings),
        digest=digest,
        external_id=None,
        order_hint=None,
        notes=_text(body, layout.notes),
        warnings=tuple(warnings),
        detail=_detail(document, body, groups) if whole else None,
    )


def head_fields(body: _Element) -> dict[str, str]:
    """`ide` of any of these kinds; of a CF-e with its day and time as `dhEmi`, and its equipment as `serie`."""
    fields = texts(children(body).get("ide"))  # of several the last one, as everywhere
    day = fields.get("dEmi", "")
    if LOCAL[body.tag] == "infCFe" and len(day) == _DIGITS_OF_DAY and day.isdecimal():
        time = fields.get("hEmi", "").ljust(6, "0")
        del fields["dEmi"]
        fields["dhEmi"] = f"{day[:4]}-{day[4:6]}-{day[6:]}T{time[:2]}:{time[2:4]}:{time[4:6]}"
        fields.setdefault("serie", fields.get("nserieSAT", ""))
    return fields


_DIGITS_OF_DAY: Final = 8


def _parties(body: _Element, layout: _Layout) -> Iterator[tuple[Party, _Element]]:
    sections = children(body)
    known: dict[str, tuple[Party, _Element]] = {}
    for name, role in layout.parties.items():
        if name in sections and len(sections[name]):
            known.setdefault(role, (party(role, sections[name]), sections[name]))
    yield from known.values()
    if layout.model == "58":
        for group in body.iter("{*}infContratante"):  # who contracts the transport
            yield party("taker", group), group
    elif layout.model == "64":
        yield from _takers(child(body, "ide"), known)
    passenger = next(body.iter("{*}infPassageiro"), None) if layout.model == "63" else None
    if passenger is not None:
        yield party("passenger" if "recipient" in known else "recipient", passenger), passenger


def _takers(ide: _Element | None, known: Mapping[str, tuple[Party, _Element]]) -> Iterator[tuple[Party, _Element]]:
    for group in ide if ide is not None else ():
        name = LOCAL[group.tag]
        if name == "tomaTerceiro":
            yield party("taker", group), group
        elif name == "toma":
            found = known.get(_TAKERS.get(texts(group).get("toma", ""), ""))
            if found is not None:
                yield replace(found[0], role="taker"), found[1]


def _claims(body: _Element, layout: _Layout) -> Iterator[tuple[RelationKind, str | None]]:
    for path, relation in layout.claims.items():
        group_name, _, tag = path.partition("/")
        for group in body.iter(f"{{*}}{group_name}"):
            for entry in group.iterchildren(f"{{*}}{tag}"):
                yield relation, own_text(entry)


def _text(body: _Element, path: str) -> str | None:
    """The text at a path of local names; `*` is any one group."""
    steps = "/".join(step if step == "*" else f"{{*}}{step}" for step in path.split("/"))
    found = body.find(steps)
    return own_text(found) if found is not None else None


def _detail(document: _Element, body: _Element, groups: tuple[tuple[Party, _Element], ...]) -> HeadDetail:
    ide = child(body, "ide")
    read = [(full_party(known, group), LOCAL[group.tag]) for known, group in groups]
    taken = {id(group) for _, group in groups}
    sections = [(name, left) for (_, left), name in read if left]
    sections += [
        (LOCAL[part.tag], leaves(part))
        for part in body
        if LOCAL[part.tag] and part is not ide and id(part) not in taken
    ]
    sections += [(LOCAL[part.tag], leaves(part)) for part in document if LOCAL[part.tag].endswith("Supl")]
    return HeadDetail(
        identification=leaves(ide) if ide is not None else (),
        parties=tuple(found for (found, _), _ in read),
        service=None,
        sections=tuple((name, found) for name, found in sections if found),
    )
