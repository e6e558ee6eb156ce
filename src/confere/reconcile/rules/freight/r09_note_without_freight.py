"""R9: a sale that was shipped, and no CT-e carries it.

Source: Ajuste SINIEF 9/07: a carrier issues a CT-e for what it carries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from confere.errors import N_, message
from confere.reconcile import evidence_text, predicates
from confere.reconcile.context import View
from confere.reconcile.coverage import listed_periods
from confere.reconcile.goods.freight import CARRIES, carrying_in_effect
from confere.reconcile.goods.fulfilment import is_fulfilled, keepers
from confere.reconcile.rules.rule import Rule, Unchecked
from confere.reconcile.rules.shared_evidence import without_effect
from confere.reconcile.undecided_reasons import Reason
from confere.sales.findings import Finding, Severity
from confere.sales.order import OrderStatus
from confere.sales.reconciliation_input import OrderEntry, PaperEntry

RULE: Final = Rule(
    "R9",
    1,
    Severity.LOW,
    N_("NF-e without CT-e"),
    N_(
        "The sale was shipped at the seller's own freight (modFrete 0), and no CT-e in effect carries it."
        " Ask the carrier for the CT-e."
    ),
)
SENDER_PAYS: Final = "0"  # modFrete
_SHIPPED: Final = frozenset({OrderStatus.PAID_WAITING_DELIVERY.value, OrderStatus.CONCLUDED.value})


def find(view: View) -> Iterator[Finding]:
    """Authorized sales whose freight the seller contracts, shipped more than N days ago.

    Only where the account's freight comes as CT-e. Goods in the marketplace's warehouse travel with the marketplace.
    A sale without an order is R2's: nobody knows whether it was shipped.

    Source: reconciliation rules, R9; MOC 7.0, annex I, X02 (`modFrete` 0: the sender contracts the freight).
    """
    if not view.terms.freight_by_cte:
        return
    unchecked = Unchecked(RULE)
    keeping = keepers(view)
    for sale in view.sales:
        if sale.freight_mode != SENDER_PAYS or is_fulfilled(view, sale, keeping):
            continue
        orders = view.orders_of(sale.key)
        shipped = [at for order in orders if (at := _shipped(order, sale)) is not None]
        if not shipped:
            continue
        due = min(shipped) + view.terms.freight_after_days * listed_periods.DAY
        carrying = view.sources(sale.key, CARRIES)
        if due >= view.now or any(carrying_in_effect(paper) for paper in carrying):
            continue
        reason = _undecided(view, sale, carrying, min(shipped), due) if view.freights else Reason.NO_FREIGHT_HERE
        if reason is not None:
            unchecked.add(sale.period, reason, evidence_text.named(sale))
            continue
        sentence = message(
            "{name} of {day} ({total}) goes at the seller's freight; its order {order} was shipped by {shipped},"
            " and no CT-e in effect carries it after {days} days.",
            name=evidence_text.named(sale),
            day=evidence_text.day(sale.issued_on),
            total=evidence_text.money(sale.total),
            order=evidence_text.orders_named(orders),
            shipped=evidence_text.day(listed_periods.local_day(min(shipped))),
            days=view.terms.freight_after_days,
        )
        yield RULE.found(
            sale.period, sentence, *without_effect(carrying), orders=orders, papers=[sale],
            amount=sum(order.freight or 0 for order in orders),
        )  # fmt: skip
    yield from unchecked.findings()


def _shipped(order: OrderEntry, sale: PaperEntry) -> float | None:
    """When an order left; one that is on its way without saying since when, on the day of its invoice."""
    at = listed_periods.moment(order.shipped_at)
    if at is None and order.status in _SHIPPED:
        return listed_periods.issued(sale)
    return at


def _undecided(
    view: View, sale: PaperEntry, carrying: Sequence[PaperEntry], shipped: float, due: float
) -> Reason | None:
    if any(paper.state == predicates.NO_PROTOCOL for paper in carrying):
        return Reason.NO_PROTOCOL
    if view.undownloaded_months[1] & {
        sale.period,
        listed_periods.local_month(shipped),
        listed_periods.local_month(due),
    }:
        return Reason.NOT_DOWNLOADED
    at = listed_periods.issued(sale)
    return Reason.DOCUMENTS_NOT_LISTED if at is None else view.why_no_documents(at, max(at, due))
