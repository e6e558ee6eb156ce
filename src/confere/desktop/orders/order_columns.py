"""The columns of the list of orders as data, and the words and pills of an order's state."""

from __future__ import annotations

from typing import Final, NamedTuple

from confere.app.labels import labels
from confere.app.labels.marketplace_labels import hub_word, marketplace_word
from confere.app.labels.reconciliation_labels import status_word
from confere.app.orders.browse_orders import SORTS, BrowsedOrder, OrderRow
from confere.desktop.core import clipboard_rows
from confere.desktop.theme.order_pill import kind_of_order
from confere.desktop.widgets.long_list import finding_marks
from confere.desktop.widgets.long_list.list_columns import ListColumn, ListPlan
from confere.errors import N_
from confere.fiscal.periods import in_brasilia
from confere.sales.order import TRANSMISSION_ERROR, OrderStatus
from confere.system import formatting
from confere.system.messages import t

_OK: Final = "OK"


class OrderGlance(NamedTuple):
    """Who looks: whether people are hidden (LGPD)."""

    hides_people: bool = False


OrderColumn = ListColumn[BrowsedOrder, OrderGlance]


def is_failed(row: OrderRow) -> bool:
    """Whether the order could not be told to its marketplace."""
    return row.transmission_status == TRANSMISSION_ERROR


def transmission_word(row: OrderRow) -> str:
    """What became of telling the order to its marketplace; nothing where all is well."""
    if is_failed(row):
        return t("failed")
    return "" if row.transmission_status in (None, _OK) else hub_word(row.transmission_status) or ""


def shipment_word(row: OrderRow) -> str:
    """How far the goods are, with the day."""
    if row.delivered_at:
        return t("delivered {day}", day=_day(row.delivered_at))
    return t("shipped {day}", day=_day(row.shipped_at)) if row.shipped_at else ""


def _shipment_tip(row: OrderRow) -> str:
    lines = (
        (t("Ready by"), _moment(row.ready_by)),
        (t("Shipped"), _moment(row.shipped_at)),
        (t("Expected"), _moment(row.estimated_at)),
        (t("Delivered"), _moment(row.delivered_at)),
        (t("Carrier"), row.carrier),
        (t("Tracking number"), row.tracking_number),
    )
    return "\n".join(f"{name}: {value}" for name, value in lines if value)


def _transmission_tip(row: OrderRow) -> str:
    return row.transmission_message or transmission_word(row)


def _number(row: OrderRow) -> str:
    """The number that the marketplace shows to people."""
    return row.marketplace_number or row.marketplace_id or ""


def _buyer_tip(row: OrderRow, glance: OrderGlance) -> str:
    """The name and, under it, the tax id: in the list there is room for one of them."""
    lines = (
        labels.person_name(row.buyer_name, row.buyer_tax_id, glance.hides_people),
        labels.tax_id_word(row.buyer_tax_id, glance.hides_people),
    )
    return "\n".join(filter(None, lines))


def _moment(written: str | None) -> str:
    return formatting.moment(in_brasilia(written) if written else None)


def _day(written: str | None) -> str:
    at = in_brasilia(written) if written else None
    return "" if at is None else formatting.date(at.date().isoformat())


COLUMNS: Final[tuple[OrderColumn, ...]] = (
    ListColumn("number", N_("At the marketplace"), 124, lambda line, _: _number(line.row),
        tip=lambda line, _: " · ".join(filter(None, (_number(line.row), line.row.hub_id)))),
    ListColumn("created", N_("Created"), 108, lambda line, _: formatting.date(line.row.created_on or None),
        newest_first=True, tip=lambda line, _: _moment(line.row.created_at)),
    ListColumn("buyer", N_("Buyer"), 150,
        lambda line, look: labels.party_word(line.row.buyer_tax_id, line.row.buyer_name, look.hides_people),
        tip=lambda line, look: _buyer_tip(line.row, look)),
    ListColumn("total", N_("Total"), 104, lambda line, _: formatting.money(line.row.total), right=True,
        newest_first=True, copied=((N_("Total"), lambda line, _: clipboard_rows.money(line.row.total)),),
        struck=lambda line: line.row.status == OrderStatus.CANCELED),
    ListColumn("status", N_("Status"), 166, lambda line, _: status_word(line.row.status),
        pill=lambda line: kind_of_order(line.row.status)),
    ListColumn("shipment", N_("Shipment"), 158, lambda line, _: shipment_word(line.row), newest_first=True, quiet=True,
        tip=lambda line, _: _shipment_tip(line.row)),
    ListColumn("transmission", N_("Transmission"), 104, lambda line, _: transmission_word(line.row), newest_first=True,
        tip=lambda line, _: _transmission_tip(line.row),
        pill=lambda line: "bad" if is_failed(line.row) else "",
        copied=(
            (N_("Transmission"), lambda line, _: line.row.transmission_status or ""),
            (N_("Message"), lambda line, _: line.row.transmission_message or ""),
        )),
    ListColumn("documents", N_("Documents"), 36, lambda line, _: str(line.documents or ""), right=True,
        mark="documents"),
    ListColumn("findings", N_("Findings"), 40, lambda line, _: finding_marks.count_text(line.findings),
        mark="reconcile", tip=lambda line, _: finding_marks.marks_text(line.findings),
        copied=((N_("Findings"), lambda line, _: finding_marks.rules_text(line.findings)),),
        badge=lambda line: finding_marks.badge(line.findings)),
    ListColumn("marketplace", N_("Marketplace"), 108, lambda line, _: marketplace_word(line.row.marketplace),
        quiet=True),
    ListColumn("order", N_("Order"), 104, lambda line, _: line.row.hub_id, shown=False),
    ListColumn("partner", N_("Number in the seller's system"), 116, lambda line, _: line.row.partner_id or "",
        shown=False),
    ListColumn("carrier", N_("Carrier"), 120, lambda line, _: line.row.carrier or "", shown=False),
    ListColumn("tracking", N_("Tracking number"), 130, lambda line, _: line.row.tracking_number or "", shown=False),
    ListColumn("ready_by", N_("Ready by"), 92, lambda line, _: _day(line.row.ready_by), newest_first=True, shown=False,
        tip=lambda line, _: _moment(line.row.ready_by)),
    ListColumn("expected", N_("Expected"), 92, lambda line, _: _day(line.row.estimated_at), newest_first=True,
        shown=False, tip=lambda line, _: _moment(line.row.estimated_at)),
    ListColumn("message", N_("Transmission's message"), 220, lambda line, _: line.row.transmission_message or "",
        shown=False),
    ListColumn("gross", N_("Goods"), 104, lambda line, _: formatting.money(line.row.gross), right=True, shown=False,
        copied=((N_("Goods"), lambda line, _: clipboard_rows.money(line.row.gross)),)),
    ListColumn("discount", N_("Discount"), 104, lambda line, _: formatting.money(line.row.discount), right=True,
        shown=False, copied=((N_("Discount"), lambda line, _: clipboard_rows.money(line.row.discount)),)),
    ListColumn("freight", N_("Freight"), 104, lambda line, _: formatting.money(line.row.freight), right=True,
        shown=False, copied=((N_("Freight"), lambda line, _: clipboard_rows.money(line.row.freight)),)),
    ListColumn("uf", "UF", 48, lambda line, _: line.row.uf or "", shown=False),
    ListColumn("key", N_("Access key"), 404, lambda line, _: labels.key_groups(line.row.invoice_key or ""),
        shown=False, copied=((N_("Access key"), lambda line, _: line.row.invoice_key or ""),)),
    ListColumn("account", N_("Account"), 110, lambda line, _: line.row.account, shown=False, quiet=True),
)  # fmt: skip
PLAN: Final[ListPlan[BrowsedOrder, OrderGlance]] = ListPlan(
    COLUMNS,
    SORTS,
    sort="created",
    loose="buyer",
    frozen=("number", "buyer"),
    decisive=("number", "created", "buyer", "total", "status"),
)
PLACES: Final = PLAN.places()
