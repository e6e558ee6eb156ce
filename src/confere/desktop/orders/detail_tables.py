"""The tables of one order: its items, its documents."""

from __future__ import annotations

from typing import NamedTuple

from confere.app.documents.browse import DocumentRow
from confere.app.labels import labels
from confere.desktop.widgets.pill import brief_state, kind_of_state
from confere.desktop.widgets.table import TableColumn
from confere.sales.order import OrderItem
from confere.system import formatting
from confere.system.messages import t


class ItemLine(NamedTuple):
    """An item at its place: two lines of an order may say the same."""

    place: int
    item: OrderItem


def item_columns() -> tuple[TableColumn[ItemLine], ...]:
    return (
        TableColumn("code", "SKU", lambda line: line.item.code or "", 120),
        TableColumn("ean", "EAN", lambda line: line.item.ean or "", 120),
        TableColumn("description", t("Description"), lambda line: line.item.description or "", 200, stretches=True),
        TableColumn("quantity", t("Quantity"), lambda line: _quantity(line.item), 84, right=True),
        TableColumn("unit", t("Unit price"), lambda line: formatting.money(line.item.unit_cents), 100, right=True),
        TableColumn(
            "discount", t("Discount"), lambda line: formatting.money(line.item.discount_cents), 100, right=True
        ),
        TableColumn("total", t("Total"), lambda line: formatting.money(line.item.total_cents), 110, right=True),
    )


def document_columns() -> tuple[TableColumn[DocumentRow], ...]:
    return (
        TableColumn("type", t("Type"), lambda row: labels.type_word(row.type), 80),
        TableColumn("number", t("Number"), lambda row: labels.number_word(row.series, row.number), 96),
        TableColumn("issued", t("Issued"), lambda row: formatting.moment(row.issued_at), 126),
        TableColumn("operation", t("Operation"), lambda row: labels.operation_word(row.operation), 130),
        TableColumn(
            "state",
            t("State"),
            lambda row: brief_state(row.state),
            130,
            pill=lambda row: kind_of_state(row.state),
            tip=lambda row: labels.state_word(row.state),
            copied=lambda row: labels.state_word(row.state),
        ),
        TableColumn(
            "key", t("Access key"), lambda row: labels.key_groups(row.access_key or ""), 200, stretches=True,
            copied=lambda row: row.access_key or "",
        ),
        TableColumn("total", t("Total"), lambda row: formatting.money(row.total), 110, right=True),
    )  # fmt: skip


def _quantity(item: OrderItem) -> str:
    return "" if item.quantity is None else formatting.quantity(item.quantity)
