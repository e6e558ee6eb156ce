"""Orders against their sales: R1 to R6 and R7b.

R1 and R4 both hold of an order that is invoiced and whose only sale is cancelled: no authorized sale is linked, and a
cancelled one stands against a live order. A denied sale is no sale.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from sandbox_hub.oracle.expected_findings.case import TOLERANCE, Case, Finding, SeenSheet
from sandbox_hub.world.documents.nfe_facts import sale_lines, sale_total_cents
from sandbox_hub.world.orders.order_contents import OrderLine
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.scenarios import HOUR, Subtype
from sandbox_hub.world.world import OrderRef

_INVOICE_AFTER = 48 * HOUR
_INVOICED = (Status.INVOICED, Status.PAID_WAITING_DELIVERY, Status.CONCLUDED)


def order_without_invoice(case: Case) -> Iterator[Finding]:
    """R1."""
    for order in case.orders:
        old = case.placed(order) + _INVOICE_AFTER < case.world.now
        if old and case.status(order) in _INVOICED and not case.sales_of(order):
            yield Finding("R1", case.ids([order]), (), case.order_period(order))


def invoice_without_order(case: Case) -> Iterator[Finding]:
    """R2."""
    for sale in case.sales:
        if not sale.orders:
            yield Finding("R2", (), (sale.key,), sale.period)


def value_divergence(case: Case) -> Iterator[Finding]:
    """R3: freight, discount and interest that stand on one side only explain nothing."""
    for orders, sales in _groups(case):
        world = case.world
        noted = sum(sale_total_cents(world, sale.index) for sale in sales)
        ordered = sum(world.goods.basket(order.seat, order.story_cycle).total_cents for order in orders)
        if abs(noted - ordered) > TOLERANCE:
            keys = tuple(sorted(sale.key for sale in sales))
            yield Finding("R3", case.ids(orders), keys, min(sale.period for sale in sales))


def cancelled_invoice_live_order(case: Case) -> Iterator[Finding]:
    """R4."""
    for paper in case.papers:
        if paper.subtype is not Subtype.SALE or paper.denied or paper.cancelled_at is None:
            continue
        for order in paper.orders:
            newer = any(sale.issued > paper.issued for sale in case.sales_of(order))
            if order in case.orders and case.status(order) is not Status.CANCELED and not newer:
                yield Finding("R4", case.ids([order]), (paper.key,), paper.period)


def cancelled_order_valid_invoice(case: Case) -> Iterator[Finding]:
    """R5."""
    for sale in case.sales:
        returned = any(sale.index in paper.refers and paper.takes_back and paper.in_effect for paper in case.papers)
        for order in sale.orders:
            if order in case.orders and case.status(order) is Status.CANCELED and not returned:
                yield Finding("R5", case.ids([order]), (sale.key,), sale.period)


def cut_off(case: Case) -> Iterator[Finding]:
    """R6: the order's month counts for sales only; weeks lie between an order and its return by nature."""
    for paper in case.papers:
        if paper.denied or paper.subtype is Subtype.VOIDING:
            continue
        placed: list[OrderRef] = []
        if paper.subtype is Subtype.SALE:
            placed = [order for order in paper.orders if order in case.orders]
            placed = [order for order in placed if case.order_period(order) != paper.period]
        if placed or paper.authorized_in != paper.period or paper.cancelled_in not in (None, paper.period):
            yield Finding("R6", case.ids(placed)[:1], (paper.key,), paper.period)


def billed_twice(case: Case) -> Iterator[Finding]:
    """R7b: more pieces of an item in the sales of an order than were ordered."""
    if case.whole:
        return
    for order in case.orders:
        sales = [sale for sale in case.sales_of(order) if len(sale.orders) == 1]
        if len(sales) < 2:
            continue
        ordered = _pieces(case.world.goods.basket(order.seat, order.story_cycle).lines)
        billed = _pieces(line for sale in sales for line in sale_lines(case.world, sale.index))
        if any(billed[code] > ordered[code] for code in billed):
            keys = tuple(sorted(sale.key for sale in sales))
            yield Finding("R7b", case.ids([order]), keys, min(sale.period for sale in sales))


def _pieces(lines: Iterable[OrderLine]) -> Counter[str]:
    pieces: Counter[str] = Counter()
    for line in lines:
        pieces[line.product.code] += line.quantity
    return pieces


def _groups(case: Case) -> Iterator[tuple[list[OrderRef], list[SeenSheet]]]:
    """Orders and sales in effect that hang together."""
    left = [sale for sale in case.sales if sale.orders]
    while left:
        sales = [left.pop(0)]
        orders = list(sales[0].orders)
        for sale in list(left):
            if any(order in orders for order in sale.orders):
                left.remove(sale)
                sales.append(sale)
                orders += [order for order in sale.orders if order not in orders]
        yield orders, sales


SALES = (
    order_without_invoice,
    invoice_without_order,
    value_divergence,
    cancelled_invoice_live_order,
    cancelled_order_valid_invoice,
    cut_off,
    billed_twice,
)
