"""Reading an NF-e or NFC-e, layouts 1.10 to 4.00, in one pass over the direct children of its groups."""

from __future__ import annotations

from decimal import Decimal
from typing import Final

from lxml.etree import _Element

from confere.errors import PaperHostile, message
from confere.fiscal import taxpayers
from confere.fiscal.document_parts import Item, ItemReference, Party, Protocol, Reference, Totals, Warning
from confere.fiscal.model import Document, DocumentType
from confere.fiscal.reading.amounts import cents, integer, quantity
from confere.fiscal.reading.common import head, observations, party, signed_body
from confere.fiscal.reading.elements import LOCAL, child, own_text, texts
from confere.fiscal.reading.nfe.nfe_detail import detail_of
from confere.fiscal.reading.nfe.nfe_items import NO_EAN
from confere.fiscal.reading.nfe.nfe_totals import NoteSums
from confere.fiscal.reading.quoted_orders import quoted_in
from confere.fiscal.references import RelationKind, collect
from confere.fiscal.warnings import Trait

_PARTIES: Final = (
    ("emit", "emitter"),
    ("dest", "recipient"),
    ("entrega", "delivery"),
    ("retirada", "pickup"),
)
_REFERENCE_TAGS: Final = ("{*}refNFe", "{*}refNFeSig", "{*}refCTe")
_REFERRING: Final = {
    "NFref": RelationKind.REFERENCES,
    "gPagAntecipado": RelationKind.PREPAYMENT,
    "gCompraGov": RelationKind.EARLIER,
}
_REFERRING_TAGS: Final = tuple(f"{{*}}{name}" for name in _REFERRING)

MOST_ITEMS: Final = 5000
"""Items from which a note is not read: the law allows 990, and each costs far more memory than its bytes.

Source: Manual de Orientação do Contribuinte (MOC), group H01: `det`, 1 to 990 times.
"""

Claims = list[tuple[RelationKind, str | None]]


def read_nfe(
    note: _Element,
    answer: Protocol | None,
    *,
    embedded: bool = False,
    traits: tuple[Warning, ...] = (),
    whole: bool = False,
) -> Document | None:
    """The document in the element `NFe`; None where it holds no `infNFe`.

    `answer` is the protocol found beside it; `embedded` says that events were; `traits` are the file's;
    `whole` adds its detail. Raises `PaperHostile` where it has more items than any note.
    """
    body, digest = signed_body(note, "infNFe")
    if body is None:
        return None

    warnings = list(traits)
    sections: dict[str, _Element] = {}
    items: list[Item] = []
    named_by_items: list[ItemReference] = []
    item_order: str | None = None
    sums = NoteSums()
    words: list[str | None] = []
    for section in body:
        name = LOCAL[section.tag]
        if name == "det":
            if len(items) == MOST_ITEMS:
                raise PaperHostile(
                    message("The note has more than {count} items; the law allows 990.", count=MOST_ITEMS),
                    message("It is kept as it came. Ask its sender for a valid one."),
                )
            item, order = _item(section, len(items) + 1, named_by_items, warnings, sums, words)
            items.append(item)
            item_order = item_order or order
        else:
            sections[name] = section

    ide_section = sections.get("ide")
    ide = texts(ide_section)
    carrier, freight_mode, weight = _transport(sections.get("transp"))
    parties = _parties(sections, carrier)
    emitter = parties[0].tax_id if parties and parties[0].role == "emitter" else None
    named = head(body, ide, ("nNF", "cNF"), emitter, answer, warnings, digest)
    if embedded:
        warnings.append(Warning(Trait.EMBEDDED_EVENT))
    additional = sections.get("infAdic")
    notes = texts(additional).get("infCpl")
    external_id: str | None = None
    if additional is not None:
        external_id, others = observations(additional, "{*}obsCont", "external_id")
        words += others
    total = sections.get("total")
    totals = texts(child(total, "ICMSTot")) if total is not None else {}
    services = texts(child(total, "ISSQNtot")).get("vServ") if total is not None and len(total) > 1 else None
    get = ide.get
    return Document(
        type=DocumentType.NFCE if named.model == "65" else DocumentType.NFE,
        access_key=named.access_key,
        model=named.model,
        series=named.series,
        number=named.number,
        layout=body.get("versao"),
        issued_at=named.issued_at,
        operation=get("natOp"),
        direction=get("tpNF"),
        purpose=get("finNFe"),
        destination=get("idDest"),
        environment=named.environment,
        cfops=tuple(dict.fromkeys(item.cfop for item in items if item.cfop is not None)),
        parties=tuple(parties),
        items=tuple(items),
        totals=_totals(totals, texts(total).get("vNFTot"), warnings),
        protocol=answer,
        references=_references(ide_section, named_by_items, warnings),
        digest=digest,
        external_id=external_id,
        order_hint=texts(sections.get("compra")).get("xPed") or item_order,
        notes=notes,
        warnings=tuple(warnings),
        detail=detail_of(note, body, parties, items) if whole else None,
        freight_mode=freight_mode,
        weight=weight,
        quoted=quoted_in((notes, *words)),
        taxes=sums.taxes(),
        mismatches=sums.mismatches(totals, services, get("finNFe"), body),
        credit_type=get("tpNFCredito"),
        debit_type=get("tpNFDebito"),
        intermediary=_intermediary(sections.get("infIntermed")),
        presence=get("indPres"),
        item_references=tuple(named_by_items),
    )


def _item(
    detail: _Element,
    position: int,
    named: list[ItemReference],
    warnings: list[Warning],
    sums: NoteSums,
    words: list[str | None],
) -> tuple[Item, str | None]:
    """The item in a `det`, and the buyer's order number that it names.

    Its references go into `named`, its amounts into `sums`, its notes into `words`.
    """
    product: _Element | None = None
    taxes: _Element | None = None
    devolved: _Element | None = None
    for part in detail:
        name = LOCAL[part.tag]
        if name == "prod":
            product = part
        elif name == "imposto":
            taxes = part
        elif name == "infAdProd":
            words.append(part.text)
        elif name == "impostoDevol":
            devolved = part
        elif name == "DFeReferenciado":
            told = texts(part)
            key = told.get("chaveAcesso")
            if key is not None:
                named.append(ItemReference(position - 1, key, integer(told.get("nItem"), "nItem", warnings)))
    fields = texts(product)
    origin = sums.add(fields, taxes, devolved)
    get = fields.get
    ean = get("cEAN")
    return Item(
        integer(detail.get("nItem"), "nItem", warnings) or position,
        get("cProd"),
        None if ean == NO_EAN else ean,
        get("xProd"),
        get("NCM"),
        get("CFOP"),
        get("uCom"),
        quantity(get("qCom"), "qCom", warnings),
        quantity(get("vUnCom"), "vUnCom", warnings),
        cents(get("vProd"), "vProd", warnings),
        origin,
    ), get("xPed")


def _parties(sections: dict[str, _Element], carrier: _Element | None) -> list[Party]:
    found = [party(role, sections[name]) for name, role in _PARTIES if name in sections]
    if carrier is not None:
        found.append(party("carrier", carrier))
    return found


def _intermediary(section: _Element | None) -> str | None:
    """The marketplace's CNPJ, without mask."""
    written = texts(section).get("CNPJ") if section is not None else None
    return written if written is None or written.isdecimal() else taxpayers.normalise(written)


def _transport(section: _Element | None) -> tuple[_Element | None, str | None, Decimal | None]:
    """The carrier, who pays for the freight, and the gross weight of the volumes that name one."""
    carrier: _Element | None = None
    mode: str | None = None
    weight: Decimal | None = None
    for part in section if section is not None else ():
        name = LOCAL[part.tag]
        if name == "modFrete":
            mode = own_text(part)
        elif name == "transporta" and carrier is None:
            carrier = part
        elif name == "vol":
            gross = quantity(texts(part).get("pesoB"), "pesoB", [])
            if gross is not None:
                weight = gross if weight is None else weight + gross
    return carrier, mode, weight


def _totals(fields: dict[str, str], with_reform: str | None, warnings: list[Warning]) -> Totals:
    get = fields.get

    def amount(tag: str) -> int | None:
        return cents(get(tag), tag, warnings)

    return Totals(
        amount("vNF"),
        amount("vProd"),
        amount("vDesc"),
        amount("vFrete"),
        amount("vSeg"),
        amount("vOutro"),
        amount("vICMS"),
        amount("vST"),
        amount("vIPI"),
        amount("vPIS"),
        amount("vCOFINS"),
        cents(with_reform, "vNFTot", warnings),
    )


def _references(ide: _Element | None, items: list[ItemReference], warnings: list[Warning]) -> tuple[Reference, ...]:
    claims: Claims = []
    for group in ide.iterchildren(*_REFERRING_TAGS) if ide is not None else ():
        kind = _REFERRING[LOCAL[group.tag]]
        tags = ("{*}refDFeAnt",) if kind is RelationKind.EARLIER else _REFERENCE_TAGS
        claims += [(kind, _key_in(entry)) for entry in group.iterchildren(*tags)]
    claims += [(RelationKind.ITEM_REFERENCES, entry.access_key) for entry in items]
    return collect(claims, warnings) if claims else ()


def _key_in(element: _Element) -> str | None:
    """The key that it holds itself, or in its only child."""
    own = own_text(element)
    return own_text(element[0]) if own is None and len(element) == 1 else own
