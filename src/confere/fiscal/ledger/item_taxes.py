"""The taxes of an item in one row of amounts, as the document writes them: nothing here is computed."""

from __future__ import annotations

from decimal import Decimal
from typing import Final, NamedTuple

from confere.fiscal.detail import FreightDetail, FullItem, NoteDetail, Tax
from confere.fiscal.document_parts import Item, Warning
from confere.fiscal.model import Document
from confere.fiscal.reading.amounts import cents, quantity

# Name of the amount, its tax (tag under `imposto`), and the paths of which the first that is written counts.
_SOURCES: Final = (
    ("icms_base", "ICMS", ("vBC",)),
    ("icms", "ICMS", ("vICMS",)),
    ("icms_single_phase", "ICMS", ("vICMSMono",)),
    ("icms_relieved", "ICMS", ("vICMSDeson",)),
    ("fcp", "ICMS", ("vFCP",)),
    ("st_base", "ICMS", ("vBCST",)),
    ("st", "ICMS", ("vICMSST",)),
    ("fcp_st", "ICMS", ("vFCPST",)),
    ("difal_base", "ICMSUFDest", ("vBCUFDest",)),
    ("difal_destination", "ICMSUFDest", ("vICMSUFDest",)),
    ("difal_origin", "ICMSUFDest", ("vICMSUFRemet",)),
    ("fcp_destination", "ICMSUFDest", ("vFCPUFDest",)),
    ("ipi_base", "IPI", ("vBC",)),
    ("ipi", "IPI", ("vIPI",)),
    ("import_tax", "II", ("vII",)),
    ("iss", "ISSQN", ("vISSQN",)),
    ("pis_base", "PIS", ("vBC",)),
    ("pis", "PIS", ("vPIS",)),
    ("cofins_base", "COFINS", ("vBC",)),
    ("cofins", "COFINS", ("vCOFINS",)),
    ("selective_tax", "IS", ("vIS",)),
    ("reform_base", "IBSCBS", ("gIBSCBS/vBC",)),
    ("ibs_state", "IBSCBS", ("gIBSCBS/gIBSUF/vIBSUF",)),
    ("ibs_city", "IBSCBS", ("gIBSCBS/gIBSMun/vIBSMun",)),
    ("ibs", "IBSCBS", ("gIBSCBS/vIBS", "vIBS", "gIBSCBSMono/vTotIBSMonoItem", "vTotIBSMonoItem")),
    ("cbs", "IBSCBS", ("gIBSCBS/gCBS/vCBS", "vCBS", "gIBSCBSMono/vTotCBSMonoItem", "vTotCBSMonoItem")),
)
_PRODUCT: Final = ("products", "discount", "freight", "insurance", "other")
AMOUNTS: Final = (*_PRODUCT, *(name for name, _, _ in _SOURCES))
"""The amounts of an item, in the order of `ItemTaxes.amounts`.

Source: Anexo I do MOC 7.0, groups I, N, NA (ICMSUFDest), O, Q, S; NT 2025.002, groups UB (IBSCBS).
"""
PLACE: Final = {name: place for place, name in enumerate(AMOUNTS)}
_PATHS: Final = {
    tax: tuple((PLACE[name], paths) for name, owner, paths in _SOURCES if owner == tax)
    for tax in {owner for _, owner, _ in _SOURCES}
}


class ItemTaxes(NamedTuple):
    """An item with its codes and `amounts` (centavos, None where not written).

    `icms_code` is CST or CSOSN without the origin; `pis_rate` and `cofins_rate` are per cent; `tax_class` is
    cClassTrib. Of a CT-e there is one item: its service.
    """

    item: Item
    counts_in_total: bool  # indTot
    icms_code: str | None
    icms_rate: Decimal | None
    pis_code: str | None
    pis_rate: Decimal | None
    cofins_code: str | None
    cofins_rate: Decimal | None
    reform_code: str | None
    tax_class: str | None
    amounts: tuple[int | None, ...]

    def amount(self, name: str) -> int:
        """One of `AMOUNTS`; 0 where it is not written."""
        return self.amounts[PLACE[name]] or 0

    @property
    def revenue(self) -> int:
        """vProd - vDesc + vFrete + vSeg + vOutro; 0 for what does not count into the total of the note.

        Source: LC 123/2006, art. 3, § 1 (gross revenue is without unconditional discounts).
        """
        if not self.counts_in_total:
            return 0
        products, discount, freight, insurance, other = (amount or 0 for amount in self.amounts[: len(_PRODUCT)])
        return products - discount + freight + insurance + other


def items_of(document: Document) -> tuple[ItemTaxes, ...]:
    """The items of a document that was read whole; none for one of which only the head is read.

    Source: a rule of this program, no law: a CT-e, which has no items, counts as one service.
    """
    if isinstance(document.detail, NoteDetail):
        return tuple(_of_note(item) for item in document.detail.items)
    if isinstance(document.detail, FreightDetail):
        total, cfop = document.totals.document, next(iter(document.cfops), None)
        service = Item(1, None, None, document.operation, None, cfop, None, None, None, total)
        return (_made(service, True, document.detail.taxes, (total, None, None, None, None)),)
    return ()


def _of_note(full: FullItem) -> ItemTaxes:
    amounts = (
        full.item.total_cents,
        full.discount_cents,
        full.freight_cents,
        full.insurance_cents,
        full.other_cents,
    )
    return _made(full.item, full.counts_in_total, full.taxes, amounts)


def _made(item: Item, counts: bool, taxes: tuple[Tax, ...], product: tuple[int | None, ...]) -> ItemTaxes:
    amounts: list[int | None] = [*product, *(None for _ in _SOURCES)]
    by_name = {tax.name: tax for tax in reversed(taxes)}
    unreadable: list[Warning] = []  # the document's own warnings have them
    for name, tax in by_name.items():
        if name not in _PATHS:
            continue
        fields = dict(reversed(tax.fields))
        for place, paths in _PATHS[name]:
            text = next((fields[path] for path in paths if path in fields), None)
            amounts[place] = cents(text, "", unreadable)
    icms, pis, cofins, reform = (by_name.get(name) for name in ("ICMS", "PIS", "COFINS", "IBSCBS"))
    return ItemTaxes(
        item,
        counts,
        icms.cst if icms else None,
        icms.rate if icms else None,
        pis.cst if pis else None,
        _rate(pis, "pPIS"),
        cofins.cst if cofins else None,
        _rate(cofins, "pCOFINS"),
        reform.cst if reform else None,
        dict(reversed(reform.fields)).get("cClassTrib") if reform else None,
        tuple(amounts),
    )


def _rate(tax: Tax | None, tag: str) -> Decimal | None:
    """Per cent; None where the tax is by quantity or not charged."""
    if tax is None or tax.rate is not None:
        return None if tax is None else tax.rate
    return quantity(dict(reversed(tax.fields)).get(tag), tag, [])
