"""In which line an order without an authorized sale stands, and a sale without an order."""

from __future__ import annotations

from typing import Final

from confere.errors import Message, message
from confere.reconcile import evidence_text, predicates
from confere.reconcile.context import View
from confere.reconcile.coverage import listed_periods
from confere.reconcile.rules.orders import r01_no_invoice
from confere.reconcile.rules.orders.r02_no_order import without_order
from confere.reconcile.undecided_reasons import Reason
from confere.sales.bridge import BridgeCode
from confere.sales.order import INVOICED_STATUSES, KNOWN_STATUSES, OrderStatus, gives_back
from confere.sales.reconciliation_input import OrderEntry, PaperEntry

Place = tuple[BridgeCode, Message | None]
"""A line, and why."""
_INVOICED: Final = frozenset(status.value for status in INVOICED_STATUSES)


def place_of_order(view: View, order: OrderEntry) -> Place:
    """The line of an order to which no authorized sale is linked.

    R1's findings are those of `NO_INVOICE` and `INVOICE_CANCELLED`, with the orders of `UNDECIDED_ORDERS` that nearly
    fit a note.

    Source: reconciliation rules, R1, R4 and Links (a tie is never linked by itself).
    """
    if order.status == OrderStatus.CANCELED or gives_back(order.status):
        return BridgeCode.CANCELLED, None
    tie = view.tied_orders.get(order.hub_id)
    if tie is not None:
        return BridgeCode.UNDECIDED_ORDERS, tie.reason
    if order.status in KNOWN_STATUSES and order.status not in _INVOICED:
        return BridgeCode.NOT_DUE, None
    at = listed_periods.ordered(order)
    if at is None:
        return _unchecked(BridgeCode.UNCHECKED_ORDERS, Reason.NO_DAY)
    if at > view.now - view.terms.invoice_after_hours * listed_periods.HOUR:
        return BridgeCode.NOT_DUE, None
    reason = Reason.NO_STATUS if order.status not in KNOWN_STATUSES else r01_no_invoice.why_undecided(view, order, at)
    if reason is not None:
        return _unchecked(BridgeCode.UNCHECKED_ORDERS, reason)
    near = view.near_of.get(order.hub_id)
    if near is not None and near.key in view.papers:
        return BridgeCode.UNDECIDED_ORDERS, _nearly(evidence_text.named(view.papers[near.key]))
    if any(
        paper.state in predicates.CANCELLED_STATES and view.is_sale(paper) for paper in view.papers_of(order.hub_id)
    ):
        return BridgeCode.INVOICE_CANCELLED, None
    return BridgeCode.NO_INVOICE, None


def place_of_sale(view: View, sale: PaperEntry) -> Place:
    """The line of an authorized sale that is linked to no order.

    Source: reconciliation rules, R2 and "Sharpened by measuring" (undecidable pairs are shown once).
    """
    if sale.key in view.ledger.elsewhere:
        return BridgeCode.OTHER_ACCOUNT, None
    tie = view.tied_keys.get(sale.key or "")
    if tie is not None:
        return BridgeCode.UNDECIDED_INVOICES, tie.reason
    near = view.near_of.get(sale.key or "")
    if (
        near is not None
        and near.order_id in view.orders
        and r01_no_invoice.is_reported(view, view.orders[near.order_id])
    ):
        return BridgeCode.UNDECIDED_INVOICES, _nearly(near.order_id)
    _, reason = without_order(view, sale)
    return (BridgeCode.NO_ORDER, None) if reason is None else _unchecked(BridgeCode.UNCHECKED_INVOICES, reason)


def _unchecked(code: BridgeCode, reason: Reason) -> Place:
    return code, Message(reason.value)


def _nearly(name: str) -> Message:
    return message("{name} nearly fits: accept the suggestion, or part the two.", name=name)
