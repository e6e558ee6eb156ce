"""R6: the month of issue is not that of the authorization, of the order or of the cancellation.

Source: LC 87/1996, art. 12: the tax falls due as the goods leave, in the month of the document's issue.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from confere.errors import N_, Message, message
from confere.reconcile import evidence_text, predicates
from confere.reconcile.context import View
from confere.reconcile.rules.rule import Rule
from confere.sales.findings import Finding, Severity
from confere.sales.reconciliation_input import OrderEntry, PaperEntry

RULE: Final = Rule(
    "R6",
    1,
    Severity.LOW,
    N_("Cut-off"),
    N_(
        "The document was issued in one month and authorized, ordered or cancelled in another."
        " Check in which month it is booked."
    ),
)
_TYPES: Final = predicates.NOTES | predicates.FREIGHTS


def find(view: View) -> Iterator[Finding]:
    """Documents that are or were authorized whose months disagree; one finding each, with every reason.

    Only a sale is compared with its order's month: a return or a CT-e weeks after the order is no cut-off.

    Source: reconciliation rules, R6, and its definition of a period (the local date as written in `dhEmi`).
    """
    for paper in view.papers.values():
        if paper.state not in _AUTHORIZED or paper.type not in _TYPES or not paper.issued_on:
            continue
        period = paper.period
        order = _order_elsewhere(view, paper, period) if view.is_sale(paper) else None
        if order is None and paper.authorized_on[:7] in ("", period) and not paper.cancelled_on:
            continue  # as most are
        reasons = list(_reasons(paper, order))
        if reasons:
            yield RULE.found(
                period,
                message(
                    "{name} ({total}) was issued on {day}.",
                    name=evidence_text.named(paper),
                    total=evidence_text.money(paper.total),
                    day=evidence_text.day(paper.issued_on),
                ),
                *reasons,
                orders=[order] if order is not None else (),
                papers=[paper],
                amount=paper.total,
            )


def _order_elsewhere(view: View, sale: PaperEntry, period: str) -> OrderEntry | None:
    """The first of a sale's orders that was placed in another month."""
    elsewhere = [order for order in view.orders_of(sale.key) if order.created_on and order.created_on[:7] != period]
    return min(elsewhere, key=lambda order: (len(order.hub_id), order.hub_id)) if elsewhere else None


def _reasons(paper: PaperEntry, order: OrderEntry | None) -> Iterator[Message]:
    if paper.authorized_on and paper.authorized_on[:7] != paper.period:
        yield message("It was authorized on {day}.", day=evidence_text.day(paper.authorized_on))
    if order is not None:
        yield message(
            "Its order {order} was placed on {day}.", order=order.hub_id, day=evidence_text.day(order.created_on)
        )
    if paper.cancelled_on and paper.cancelled_on[:7] != paper.period:
        yield message("It was cancelled on {day}.", day=evidence_text.day(paper.cancelled_on))


_AUTHORIZED: Final = predicates.EFFECTIVE | predicates.CANCELLED_STATES | {"replaced", "annulled"}
