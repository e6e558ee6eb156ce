"""R26: the goods of a sale were refused or not delivered, and nothing took them back.

Source: Ajustes SINIEF 47/2025, 49/2025 and 8/2026: what was refused or not delivered comes back with a note of entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from confere.errors import N_
from confere.reconcile import evidence_text
from confere.reconcile.context import View
from confere.reconcile.coverage import listed_periods
from confere.reconcile.goods.refusals import Refusal, refusal_of, sentence
from confere.reconcile.rules.rule import Rule, Unchecked
from confere.reconcile.rules.shared_evidence import buyers_own_note, only_reduced
from confere.reconcile.undecided_reasons import Reason
from confere.sales.findings import Finding, Severity
from confere.sales.order import OrderStatus
from confere.sales.reconciliation_input import PaperEntry

RULE: Final = Rule(
    "R26",
    1,
    Severity.MEDIUM,
    N_("Refused delivery without a credit note"),
    N_(
        "The recipient or the carrier registered that a sale was refused or not delivered, and no note in effect takes"
        " the goods back. Issue the credit note (finNFe 5, type 03 or 06), or settle the event with the recipient."
    ),
)


def find(view: View) -> Iterator[Finding]:
    """Authorized sales that were refused, with their orders still alive: a cancelled order's is R5's, a return that
    the hub booked is R13's.

    A failed delivery attempt is not reported where the order was delivered later, or still may be (the days that a
    CT-e may take); without an order it is "not checked".

    Source: Ajustes SINIEF 47/2025, 49/2025 and 8/2026, in force since 4 May 2026 (a credit note, `finNFe` 5, type 03 or
    06, takes refused or undelivered goods back); events 210220 and 210240 of the recipient, 110192 (NF-e) and 110190
    (CT-e) of the carrier.
    """
    unchecked = Unchecked(RULE)
    if not view.happenings:
        return
    booked = {booking.order_id for booking in view.ledger.returns or ()}
    for sale in view.sales:
        refusal = refusal_of(view, sale)
        if refusal is None or view.taken_back_by(sale):
            continue
        orders = view.orders_of(sale.key)
        if any(order.status == OrderStatus.CANCELED or order.hub_id in booked for order in orders):
            continue
        if not refusal.by_recipient and any(order.status == OrderStatus.CONCLUDED for order in orders):
            continue
        at = listed_periods.day_begins(refusal.on)
        due = None if at is None else at + view.terms.freight_after_days * listed_periods.DAY
        if due is not None and due >= view.now:
            continue
        reason = _undecided(view, sale, refusal, at, has_order=bool(orders))
        if reason is not None:
            unchecked.add(sale.period, reason, evidence_text.named(sale))
            continue
        yield RULE.found(
            sale.period,
            sentence(sale, refusal),
            *only_reduced(view, sale),
            *buyers_own_note([sale]),
            orders=orders,
            papers=[sale],
            amount=sale.total,
        )
    yield from unchecked.findings()


def _undecided(view: View, sale: PaperEntry, refusal: Refusal, at: float | None, *, has_order: bool) -> Reason | None:
    if sale.key in view.tied_keys:
        return Reason.TIE
    if not refusal.by_recipient and not has_order:
        return Reason.DELIVERY_NOT_KNOWN
    if at is None:
        return Reason.DOCUMENTS_NOT_LISTED
    if any(month >= sale.period for month in view.undownloaded_months[0]):
        return Reason.NOT_DOWNLOADED
    return view.why_no_documents(at, max(at, view.lately))
