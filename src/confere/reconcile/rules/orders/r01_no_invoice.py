"""R1: an order that must have its invoice has no authorized sale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from confere.errors import N_, Message, message
from confere.reconcile import evidence_text, predicates
from confere.reconcile.context import View
from confere.reconcile.coverage import listed_periods
from confere.reconcile.graph.order_groups import many_alike
from confere.reconcile.rules.rule import Rule, Unchecked
from confere.reconcile.undecided_reasons import Reason
from confere.sales.findings import Finding, Severity
from confere.sales.links import Tie
from confere.sales.order import INVOICED_STATUSES, KNOWN_STATUSES
from confere.sales.reconciliation_input import OrderEntry, PaperEntry

RULE: Final = Rule(
    "R1",
    3,
    Severity.HIGH,
    N_("Order without invoice"),
    N_(
        "The order is invoiced, shipped or concluded, and no authorized sale is linked to it."
        " Issue the invoice, or link the one that belongs to it."
    ),
)
_STATUSES: Final = frozenset(status.value for status in INVOICED_STATUSES)


def find(view: View) -> Iterator[Finding]:
    """Orders INVOICED, PAID_WAITING_DELIVERY or CONCLUDED, older than N hours, without an authorized sale.

    An order whose only sale is cancelled is included, beside R4's finding on the cancelled invoice: R1 asks for a new
    invoice, R4 for the order to be cancelled. "Not checked" are orders that name an invoice which the archive lacks,
    and orders of unknown status. Where none of a marketplace's many orders has a sale, its invoices are issued by
    another system: they are one finding a month.

    Source: reconciliation rules, R1; behind it LC 214/2025, art. 22 (a marketplace answers for sales without a
    document).
    """
    unchecked = Unchecked(RULE)
    ties: dict[tuple[str, tuple[str, ...]], tuple[Tie, list[OrderEntry]]] = {}
    uninvoiced: list[OrderEntry] = []
    youngest = view.now - view.terms.invoice_after_hours * listed_periods.HOUR
    for order in view.ledger.orders:
        is_known = order.status in KNOWN_STATUSES
        if (is_known and order.status not in _STATUSES) or view.sales_of(order.hub_id):
            continue
        at = listed_periods.ordered(order)
        if not is_known:
            if order.hub_id not in view.tied_orders and (at is None or at <= youngest):
                unchecked.add(order.period or view.this_month, Reason.NO_STATUS, order.hub_id)
        elif at is None:
            unchecked.add(order.period or view.this_month, Reason.NO_DAY, order.hub_id)
        elif at <= youngest:
            tie = view.tied_orders.get(order.hub_id)
            reason = why_undecided(view, order, at)
            if tie is not None:
                ties.setdefault((order.period, tie.orders), (tie, []))[1].append(order)
            elif reason is not None:
                unchecked.add(order.period, reason, order.hub_id)
            else:
                uninvoiced.append(order)
    markets = {order.marketplace for sale in view.sold for order in view.orders_of(sale.key)}
    alike, apart = many_alike(
        uninvoiced, lambda order: None if order.marketplace in markets else order.marketplace or "?"
    )
    yield from (_finding(view, order) for order in apart)
    yield from (_never_invoiced(market, period, orders) for (market, period), orders in alike.items())
    for (period, _), (tie, orders) in ties.items():
        yield RULE.found(
            period, Message(Reason.TIE.value), tie.reason, orders=orders, keys=tie.keys, checked=False,
            amount=sum(order.total or 0 for order in orders),
        )  # fmt: skip
    yield from unchecked.findings()


def is_reported(view: View, order: OrderEntry) -> bool:
    """Whether R1 reports this order: the near miss is then in R1's evidence, and R2 does not report it again."""
    at = listed_periods.ordered(order)
    if at is None or order.status not in _STATUSES or view.sales_of(order.hub_id):
        return False
    return (
        at <= view.now - view.terms.invoice_after_hours * listed_periods.HOUR and why_undecided(view, order, at) is None
    )


def why_undecided(view: View, order: OrderEntry, at: float) -> Reason | None:
    """Why it cannot be said that an order placed at `at` has no invoice; None: it can."""
    if not view.ledger.own:
        return Reason.NO_ESTABLISHMENTS
    if any(predicates.sells(paper) and predicates.effective(paper) for paper in view.papers_of(order.hub_id)):
        return Reason.OTHER_COMPANY
    if not _named_is_here(view, order):
        return Reason.INVOICE_NOT_HERE
    if any(paper.state == predicates.NO_PROTOCOL and view.is_sale(paper) for paper in view.papers_of(order.hub_id)):
        return Reason.NO_PROTOCOL
    known = (listed_periods.day_begins(order.invoice_on) or at, listed_periods.moment(order.shipped_at) or at)
    due = max(at + view.terms.invoice_after_hours * listed_periods.HOUR, *known)
    months = {order.period, listed_periods.local_month(due)}
    if months & view.undownloaded_months[0]:
        return Reason.NOT_DOWNLOADED
    return view.why_no_documents(at, due)


def _named_is_here(view: View, order: OrderEntry) -> bool:
    """Whether the archive holds the invoice that the order names, be it by key or by number; also where none is."""
    if order.invoice_key:
        return order.invoice_key in view.papers
    if order.invoice_number is None:
        return True
    return (order.invoice_series, order.invoice_number) in view.own_numbers


def _finding(view: View, order: OrderEntry) -> Finding:
    evidence = [
        message(
            "Order {order} of {day} ({total}) is {status}; no authorized sale is linked to it.",
            order=order.hub_id,
            day=evidence_text.day(order.created_on),
            total=evidence_text.money(order.total),
            status=evidence_text.order_status(order.status),
        )
    ]
    near = view.near_of.get(order.hub_id)
    if near is not None and near.key in view.papers:
        paper = view.papers[near.key]
        evidence.append(
            message(
                "{name} of {day} ({total}) nearly fits and has no order: accept the suggestion, or part the two.",
                name=evidence_text.named(paper),
                day=evidence_text.day(paper.issued_on),
                total=evidence_text.money(paper.total),
            )
        )
    evidence += [_why_not(paper) for paper in view.papers_of(order.hub_id) if view.is_sale(paper)]
    return RULE.found(order.period, *evidence, orders=[order], amount=order.total)


def _never_invoiced(market: str, period: str, orders: Sequence[OrderEntry]) -> Finding:
    """One finding for all of them; its identity does not depend on which orders the month has."""
    total = sum(order.total or 0 for order in orders)
    sentence = message(
        "{count} orders of {marketplace} of {month} ({total}) have no authorized sale, and no order of this marketplace"
        " has one here: {orders}.",
        count=len(orders),
        marketplace=market,
        month=evidence_text.day(period),
        total=evidence_text.money(total),
        orders=evidence_text.orders_named(orders),
    )
    return RULE.found(period, sentence, amount=total, subject=f"{market}/{period}")


def _why_not(paper: PaperEntry) -> Message:
    if paper.state in predicates.CANCELLED_STATES:
        return message(
            "Its invoice {name} was cancelled on {day}.",
            name=evidence_text.named(paper),
            day=evidence_text.day(paper.cancelled_on),
        )
    return message(
        "Its invoice {name} is not authorized ({state}).",
        name=evidence_text.named(paper),
        state=evidence_text.state(paper),
    )
