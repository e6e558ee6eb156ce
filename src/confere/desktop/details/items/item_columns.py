"""The columns of a note's items as data: goods, quantities, prices, and what each tax makes of them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from confere.app.documents.view.loaded import Loaded
from confere.desktop.core import clipboard_rows
from confere.desktop.widgets.table import TableColumn
from confere.fiscal.detail import FullItem, NoteDetail
from confere.fiscal.law import field_text
from confere.system import formatting
from confere.system.messages import t

Row = tuple[int, FullItem]
"""An item with its place on the paper: numbers of items may repeat on a bad one."""


def rows(loaded: Loaded) -> list[Row]:
    """All items, with all that is said of each; by the archive's rows where the paper could not be read."""
    detail = loaded.view.detail
    if isinstance(detail, NoteDetail) and detail.items:
        return list(enumerate(detail.items))
    return [(place, FullItem(entry)) for place, entry in enumerate(loaded.view.full.items)]


def columns() -> tuple[TableColumn[Row], ...]:
    """What is checked first stands first: a narrow panel shows as far as the total, quantity × unit price.

    Their titles are short, since a column is never narrower than its title.
    """
    return (
        TableColumn(
            "number", "#", lambda row: "" if row[1].item.number is None else str(row[1].item.number), 36, right=True
        ),
        TableColumn("description", t("Description"), lambda row: row[1].item.description or "", 112, share=0.3),
        _figure("quantity", t("Qty"), lambda item: item.item.quantity, 50, field_text.number),
        _figure("unit_price", t("Per unit"), lambda item: item.item.unit_price, 92, field_text.price),
        _money("total", t("Total"), lambda item: item.item.total_cents, 92),
        _text("unit", t("Unit"), lambda item: item.item.unit, 56),
        _money("discount", t("Discount"), lambda item: item.discount_cents, 84),
        _text("cfop", "CFOP", lambda item: item.item.cfop, 56),
        _text("cst", "CST", situation, 56),
        _tax("icms", "ICMS", "ICMS"),
        _tax("ipi", "IPI", "IPI"),
        _tax("pis", "PIS", "PIS"),
        _tax("cofins", "COFINS", "COFINS"),
        _tax("ibscbs", "IBS + CBS", "IBSCBS"),
        _text("ncm", "NCM", lambda item: item.item.ncm, 84),
        _text("cest", "CEST", lambda item: item.cest, 76),
        _text("code", t("Code"), lambda item: item.item.code, 100),
        _text("gtin", "GTIN", lambda item: item.item.ean, 124),
        _text("order", t("Order"), lambda item: item.order, 100, shown=False),
        _money("freight", t("Freight"), lambda item: item.freight_cents, 84, shown=False),
        _money("other", t("Other costs"), lambda item: item.other_cents, 84, shown=False),
        _money("approximate", t("Approximate taxes"), lambda item: item.approximate_taxes_cents, 96, shown=False),
    )


def situation(item: FullItem) -> str | None:
    """Origin and CST, or CSOSN, as a DANFE prints them: 000, 0102."""
    icms = item.tax("ICMS")
    return f"{icms.origin or ''}{icms.cst or ''}" if icms is not None else None


def _text(
    key: str, title: str, text: Callable[[FullItem], str | None], width: int, *, shown: bool = True
) -> TableColumn[Row]:
    return TableColumn(key, title, lambda row: text(row[1]) or "", width, shown=shown)


def _figure(
    key: str,
    title: str,
    value: Callable[[FullItem], Decimal | None],
    width: int,
    word: Callable[[Decimal | None], str],
) -> TableColumn[Row]:
    return TableColumn(
        key,
        title,
        lambda row: word(value(row[1])),
        width,
        right=True,
        copied=lambda row: clipboard_rows.number(value(row[1])),
    )


def _money(
    key: str, title: str, cents: Callable[[FullItem], int | None], width: int, *, shown: bool = True
) -> TableColumn[Row]:
    return TableColumn(
        key,
        title,
        lambda row: formatting.money(cents(row[1])),
        width,
        right=True,
        shown=shown,
        copied=lambda row: clipboard_rows.money(cents(row[1])),
    )


def _tax(key: str, title: str, name: str) -> TableColumn[Row]:
    def amount(item: FullItem) -> int | None:
        tax = item.tax(name)
        return None if tax is None else tax.amount_cents

    return _money(key, title, amount, 84)
