"""R9: a sale that was shipped, and no CT-e carries it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from confere.errors import N_, message
from confere.fiscal.books.findings import Finding, Severity
from confere.fiscal.books.ledger import OrderEntry, PaperEntry
from confere.fiscal.books.order import OrderStatus
from confere.reconcile import listed, traits, wording
from confere.reconcile.freight import CARRIES, carrying_in_effect
from confere.reconcile.fulfilment import is_fulfilled, keepers
from confere.reconcile.reasons import Reason
from confere.reconcile.rules.rule import Rule, Unchecked
from confere.reconcile.rules.telling import without_effect
from confere.reconcile.view import View

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
        due = min(shipped) + view.terms.freight_after_days * listed.DAY
        carrying = view.sources(sale.key, CARRIES)
        if due >= view.now or any(carrying_in_effect(paper) for paper in carrying):
            continue
        reason = _undecided(view, sale, carrying, min(shipped), due) if view.freights else Reason.NO_FREIGHT_HERE
        if reason is not None:
            unchecked.add(sale.period, reason, wording.named(sale))
            continue
        told = message(
            "{name} of {day} ({total}) goes at the seller's freight; its order {order} was shipped by {shipped},"
            " and no CT-e in effect carries it after {days} days.",
            name=wording.named(sale),
            day=wording.day(sale.issued_on),
            total=wording.money(sale.total),
            order=wording.orders_named(orders),
            shipped=wording.day(listed.local_day(min(shipped))),
            days=view.terms.freight_after_days,
        )
        yield RULE.found(
            sale.period, told, *without_effect(carrying), orders=orders, papers=[sale],
            amount=sum(order.freight or 0 for order in orders),
        )  # fmt: skip
    yield from unchecked.findings()


def _shipped(order: OrderEntry, sale: PaperEntry) -> float | None:
    """When an order left; one that is on its way without saying since when, on the day of its invoice."""
    at = listed.moment(order.shipped_at)
    if at is None and order.status in _SHIPPED:
        return listed.issued(sale)
    return at


def _undecided(
    view: View, sale: PaperEntry, carrying: Sequence[PaperEntry], shipped: float, due: float
) -> Reason | None:
    if any(paper.state == traits.NO_PROTOCOL for paper in carrying):
        return Reason.NO_PROTOCOL
    if view.undownloaded_months[1] & {sale.period, listed.local_month(shipped), listed.local_month(due)}:
        return Reason.NOT_DOWNLOADED
    at = listed.issued(sale)
    return Reason.DOCUMENTS_NOT_LISTED if at is None else view.why_no_documents(at, max(at, due))
