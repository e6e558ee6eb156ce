"""The items of a note, each with everything under its `det`."""

from __future__ import annotations

from typing import Final

from lxml.etree import _Element

from confere.fiscal.detail import Fields, FullItem, Tax
from confere.fiscal.document_parts import Item, Reference
from confere.fiscal.reading.elements import LOCAL, own_text, texts
from confere.fiscal.reading.nfe.nfe_taxes import APPROXIMATE, taxes_of
from confere.fiscal.reading.unread_fields import Rest, left_of, under
from confere.fiscal.reading.xml_leaves import attributes, leaves
from confere.fiscal.references import RelationKind

NO_EAN: Final = "SEM GTIN"
"""What the layout asks for where a product has no barcode."""

_CODES: Final = ("cProd", "cEAN", "xProd", "NCM", "CEST", "CFOP", "cBenef", "cEANTrib", "indTot", "xPed", "nItemPed")
_WORDS: Final = ("infAdProd",)
_AMOUNTS: Final = ("vProd", "vFrete", "vSeg", "vDesc", "vOutro")
_QUANTITIES: Final = ("uCom", "qCom", "vUnCom", "uTrib", "qTrib", "vUnTrib")
_HELD: Final = frozenset({*_CODES, *_AMOUNTS, *_QUANTITIES, *_WORDS})


def full_item(detail: _Element, item: Item) -> FullItem:
    """All of the `det` that `item` was read from."""
    parts: dict[str, _Element] = {}
    references: list[Reference] = []
    number = ("@nItem", str(item.number))
    left: list[Fields] = [tuple(entry for entry in attributes(detail) if entry != number)]
    for part in detail:
        name = LOCAL[part.tag]
        if name in ("prod", "imposto") or (name in ("infAdProd", "vItem") and not len(part)):
            if name in parts:  # of several the last one is read, as everywhere
                left.append(under(name, leaves(parts[name])))
            parts[name] = part
            continue
        if name == "DFeReferenciado" and (key := texts(part).get("chaveAcesso")):
            references.append(Reference(RelationKind.ITEM_REFERENCES, key))
        left.append(under(name, leaves(part)) if len(part) else leaves(part))
    product = parts.get("prod")
    get = texts(product)
    taxes: tuple[Tax, ...] = ()
    beside: dict[str, str] = {}
    if "imposto" in parts:
        taxes, beside = taxes_of(parts["imposto"])
    rest = Rest()
    for amount in ("qCom", "vUnCom"):  # read already: where they are odd they stand among the fields too
        rest.quantity(get, amount)
    rest.cents(get, "vProd")
    taxed_ean = get.get("cEANTrib")
    held = {tag: text for tag, text in get.items() if text != NO_EAN}
    words = own_text(parts["infAdProd"]) if "infAdProd" in parts else None
    if words is None:
        words = get.get("infAdProd")  # some programs write it inside `prod`
    else:
        held.pop("infAdProd", None)
    if product is not None:
        left.insert(0, left_of(product, held, _HELD))
    left.append(tuple(entry for entry in beside.items() if entry[0] != APPROXIMATE))
    total = own_text(parts["vItem"]) if "vItem" in parts else None
    return FullItem(
        item,
        cest=get.get("CEST"),
        benefit_code=get.get("cBenef"),
        taxed_ean=None if taxed_ean == NO_EAN else taxed_ean,
        taxed_unit=get.get("uTrib"),
        taxed_quantity=rest.quantity(get, "qTrib"),
        taxed_unit_price=rest.quantity(get, "vUnTrib"),
        freight_cents=rest.cents(get, "vFrete"),
        insurance_cents=rest.cents(get, "vSeg"),
        discount_cents=rest.cents(get, "vDesc"),
        other_cents=rest.cents(get, "vOutro"),
        counts_in_total=get.get("indTot") != "0",
        order=get.get("xPed"),
        order_item=get.get("nItemPed"),
        approximate_taxes_cents=rest.cents(beside, APPROXIMATE),
        total_with_reform_cents=rest.cents({"vItem": total} if total else {}, "vItem"),
        words=words,
        taxes=taxes,
        references=tuple(references),
        fields=(*(entry for fields in left for entry in fields), *rest.take_odd()),
    )
