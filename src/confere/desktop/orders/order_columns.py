"""The columns of the list of orders, and the words and pills of an order's state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from confere.app.labels.labels import party_word
from confere.app.labels.reconciliation_labels import status_word
from confere.app.orders.browse_orders import ListedOrder, OrderRow
from confere.desktop.widgets.table import TableColumn
from confere.fiscal.periods import in_brasilia
from confere.sales.order import TRANSMISSION_ERROR, OrderStatus
from confere.system import formatting
from confere.system.messages import t

_PILLS: Final = {
    OrderStatus.PENDING.value: "neutral",
    OrderStatus.PAID_WAITING_SHIP.value: "warn",
    OrderStatus.INVOICED.value: "info",
    OrderStatus.PAID_WAITING_DELIVERY.value: "info",
    OrderStatus.CONCLUDED.value: "good",
    OrderStatus.CANCELED.value: "bad",
}
_OK: Final = "OK"


def status_pill(status: str | None) -> str:
    """The kind of pill that a status is shown in; none where there is no status."""
    return _PILLS.get(status, "neutral") if status else ""


def is_failed(row: OrderRow) -> bool:
    """Whether the order could not be told to its marketplace."""
    return row.transmission_status == TRANSMISSION_ERROR


def transmission_word(row: OrderRow) -> str:
    """What became of telling the order to its marketplace; nothing where all is well."""
    if is_failed(row):
        return t("failed")
    return "" if row.transmission_status in (None, _OK) else row.transmission_status


def shipment_word(row: OrderRow) -> str:
    """How far the goods are, with the day."""
    if row.delivered_at:
        return t("delivered {day}", day=_day(row.delivered_at))
    return t("shipped {day}", day=_day(row.shipped_at)) if row.shipped_at else ""


def columns(hides_people: Callable[[], bool]) -> tuple[TableColumn[ListedOrder], ...]:
    """`hides_people` is asked for each cell: the list stays while the setting changes."""
    return (
        TableColumn(
            "status",
            t("Status"),
            lambda line: status_word(line.row.status),
            150,
            pill=lambda line: status_pill(line.row.status),
        ),
        TableColumn("marketplace", t("Marketplace"), lambda line: line.row.marketplace or "", 112),
        TableColumn("number", t("At the marketplace"), lambda line: _number(line.row), 126),
        TableColumn(
            "buyer",
            t("Buyer"),
            lambda line: party_word(line.row.buyer_tax_id, line.row.buyer_name, hides_people()),
            130,
            stretches=True,
        ),
        TableColumn("created", t("Created"), lambda line: formatting.date(line.row.created_on or None), 86),
        TableColumn("total", t("Total"), lambda line: formatting.money(line.row.total), 96, right=True),
        TableColumn("shipment", t("Shipment"), lambda line: shipment_word(line.row), 138),
        TableColumn(
            "transmission",
            t("Transmission"),
            lambda line: transmission_word(line.row),
            100,
            tip=lambda line: line.row.transmission_message or "",
            pill=lambda line: "bad" if is_failed(line.row) else "",
            copied=lambda line: " ".join(filter(None, (line.row.transmission_status, line.row.transmission_message))),
        ),
        TableColumn("documents", t("Docs"), lambda line: _count(line.documents), 58, right=True),
        TableColumn(
            "findings",
            t("Findings"),
            lambda line: _count(line.findings),
            78,
            tip=lambda line: t("Open findings: {count}", count=formatting.count(line.findings)),
            right=True,
        ),
        TableColumn("order", t("Order"), lambda line: line.row.hub_id, 104, shown=False),
        TableColumn("account", t("Account"), lambda line: line.row.account, 104, shown=False),
    )


def _number(row: OrderRow) -> str:
    """The number that the marketplace shows to people."""
    return row.marketplace_number or row.marketplace_id or ""


def _count(number: int) -> str:
    return formatting.count(number) if number else ""


def _day(written: str) -> str:
    at = in_brasilia(written)
    return formatting.date(written[:10] if at is None else at.date().isoformat())
