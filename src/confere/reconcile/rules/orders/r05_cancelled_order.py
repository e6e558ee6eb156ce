"""R5: the order was cancelled, and its sale is still authorized."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from confere.errors import N_, message
from confere.reconcile import evidence_text
from confere.reconcile.context import View
from confere.reconcile.coverage import listed_periods
from confere.reconcile.goods import refusals
from confere.reconcile.rules.rule import Rule, Unchecked
from confere.reconcile.rules.shared_evidence import buyers_own_note, only_reduced
from confere.reconcile.undecided_reasons import Reason
from confere.sales.findings import Finding, Severity
from confere.sales.order import OrderStatus, gives_back
from confere.sales.reconciliation_input import OrderEntry, PaperEntry

RULE: Final = Rule(
    "R5",
    2,
    Severity.HIGH,
    N_("Cancelled order, valid invoice"),
    N_(
        "The order was cancelled, its sale is authorized, and no return or reversal refers to it."
        " Cancel the invoice within its term, or issue the return."
    ),
)


def find(view: View) -> Iterator[Finding]:
    """Authorized sales of CANCELED orders to which no return or reversal in effect refers.

    Any return clears it, as does a credit note of a refused delivery (finNFe 5, type 03 or 06); whether it gives back
    too little or too much is R13's question. An order with a status of return or refund is not cancelled, but its
    sale is "not checked": the status does not say what was returned.

    Source: reconciliation rules, R5, and "Sharpened by measuring" (statuses of refund and return); Ajuste SINIEF 7/05,
    cl. 12 (cancellation); Ajustes SINIEF 47/2025, 49/2025 and 8/2026 (credit notes of refused goods).
    """
    unchecked = Unchecked(RULE)
    for order in view.ledger.orders:
        if order.status != OrderStatus.CANCELED:
            if gives_back(order.status):
                for sale in view.sales_of(order.hub_id):
                    if not view.taken_back_by(sale):
                        unchecked.add(sale.period, Reason.GIVEN_BACK, evidence_text.named(sale))
            continue
        for sale in view.sales_of(order.hub_id):
            if view.taken_back_by(sale):
                continue
            reason = why_undecided(view, order, sale)
            if reason is not None:
                unchecked.add(sale.period, reason, evidence_text.named(sale))
                continue
            yield RULE.found(
                sale.period,
                message(
                    "The order {order} was cancelled; its sale {name} of {day} ({total}) is authorized, and no return"
                    " or reversal refers to it.",
                    order=order.hub_id,
                    name=evidence_text.named(sale),
                    day=evidence_text.day(sale.issued_on),
                    total=evidence_text.money(sale.total),
                ),
                *refusals.evidence(view, [sale]),
                *only_reduced(view, sale),
                *buyers_own_note([sale]),
                orders=[order],
                papers=[sale],
                amount=sale.total,
            )
    yield from unchecked.findings()


def why_undecided(view: View, order: OrderEntry, sale: PaperEntry) -> Reason | None:
    """Why it cannot be said that nothing gives back the sale of a cancelled order; None: it can."""
    if order.hub_id in view.tied_orders or sale.key in view.tied_keys:
        return Reason.TIE
    at = listed_periods.issued(sale)
    if at is None:
        return Reason.DOCUMENTS_NOT_LISTED
    if any(month >= sale.period for month in view.undownloaded_months[0]):
        return Reason.NOT_DOWNLOADED
    return view.why_none_since(at)
