"""R4: the invoice was cancelled, and its order was not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from confere.errors import N_, message
from confere.reconcile import evidence_text, predicates
from confere.reconcile.context import View
from confere.reconcile.coverage import listed_periods
from confere.reconcile.rules.rule import Rule, Unchecked
from confere.reconcile.totals import sides
from confere.reconcile.undecided_reasons import Reason
from confere.sales.findings import Finding, Severity
from confere.sales.order import OrderStatus
from confere.sales.reconciliation_input import OrderEntry, PaperEntry

RULE: Final = Rule(
    "R4",
    1,
    Severity.HIGH,
    N_("Cancelled invoice, live order"),
    N_(
        "The invoice was cancelled, its order was not, and no newer sale stands in its place."
        " Issue the invoice again, or cancel the order."
    ),
)


def find(view: View) -> Iterator[Finding]:
    """Cancelled sales of orders that are not CANCELED and have no authorized sale issued at the same time or later.

    A duplicate that was issued by mistake and cancelled is not reported: the sales still in effect then make up the
    orders' totals.

    Source: reconciliation rules, R4; behind it Ajuste SINIEF 7/05, cl. 12 (cancellation of an NF-e).
    """
    unchecked = Unchecked(RULE)
    for paper in view.sold:
        if paper.state not in predicates.CANCELLED_STATES:
            continue
        for order in view.orders_of(paper.key):
            if order.status == OrderStatus.CANCELED or _replaced(view, order, paper):
                continue
            reason = _undecided(view, order, paper)
            if reason is not None:
                unchecked.add(paper.period, reason, evidence_text.named(paper))
                continue
            yield RULE.found(
                paper.period,
                message(
                    "{name} of {day} ({total}) was cancelled on {cancelled}; its order {order} is {status}, and no"
                    " authorized sale was issued since.",
                    name=evidence_text.named(paper),
                    day=evidence_text.day(paper.issued_on),
                    total=evidence_text.money(paper.total),
                    cancelled=evidence_text.day(paper.cancelled_on) or "?",
                    order=order.hub_id,
                    status=evidence_text.order_status(order.status),
                ),
                orders=[order],
                papers=[paper],
                amount=paper.total,
            )
    yield from unchecked.findings()


def _replaced(view: View, order: OrderEntry, cancelled: PaperEntry) -> bool:
    standing = view.sales_of(order.hub_id)
    if any(_when(sale) >= _when(cancelled) for sale in standing):
        return True
    group = view.group_of.get(standing[0].key or "") if standing else None
    compared = sides(group.orders, group.sales, group.complements) if group is not None else None
    return compared is not None and compared.may_agree(view.terms.tolerance)


def _undecided(view: View, order: OrderEntry, paper: PaperEntry) -> Reason | None:
    if not order.status:
        return Reason.NO_STATUS
    if order.hub_id in view.tied_orders:
        return Reason.TIE
    if order.invoice_key and order.invoice_key not in view.papers:
        return Reason.INVOICE_NOT_HERE
    at = listed_periods.issued(paper)
    since = listed_periods.day_begins(paper.cancelled_on) or at
    if at is None or since is None:
        return Reason.DOCUMENTS_NOT_LISTED
    if view.undownloaded_months[0] & {paper.period, listed_periods.local_month(since)}:
        return Reason.NOT_DOWNLOADED
    return view.why_no_documents(at, max(since, min(since + 2 * listed_periods.DAY, view.lately)))


def _when(paper: PaperEntry) -> tuple[str, float]:
    return paper.issued_on, listed_periods.issued(paper) or 0.0
