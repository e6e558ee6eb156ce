"""R7b: the same pieces of the same order are billed twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from confere.errors import N_, Message, message
from confere.reconcile import evidence_text
from confere.reconcile.context import View
from confere.reconcile.goods.quantities import Names, Pieces, beyond, count
from confere.reconcile.graph.order_groups import OrderGroup, in_time, oldest
from confere.reconcile.rules.rule import Rule
from confere.reconcile.totals import sides
from confere.sales.findings import Finding, Severity
from confere.sales.reconciliation_input import PaperEntry

RULE: Final = Rule(
    "R7b",
    1,
    Severity.HIGH,
    N_("Double billing"),
    N_(
        "Two authorized sales bill the same item of the same order, more pieces than were ordered."
        " Cancel one of them within its term, or issue its return."
    ),
)


def find(view: View) -> Iterator[Finding]:
    """Groups in which several authorized sales hold an item of which more pieces are billed than were ordered.

    Packages that split an order, and a cart's one note, bill no more than was ordered. A sale that came back may be
    sold again. An item that the orders do not name counts only where the sales come to more than the orders do.

    Source: reconciliation rules, R7b; field notes, section Orders (several invoices of an order, several orders of a
    cart).
    """
    for group in view.groups:
        twice = billed_twice(view, group)
        if twice is not None:
            yield _finding(view, group, twice)


@dataclass(frozen=True, slots=True)
class Twice:
    """The sales of a group that hold pieces billed beyond what was ordered; `more` are these pieces, by item."""

    sales: tuple[PaperEntry, ...]
    more: dict[str, Decimal]
    ordered: dict[str, Pieces]
    billed: dict[str, Pieces]
    names: Names

    @property
    def amount(self) -> int:
        """What the pieces beyond the order come to, in centavos."""
        return sum(int(self.billed[name].total * part / self.billed[name].quantity) for name, part in self.more.items())


def billed_twice(view: View, group: OrderGroup) -> Twice | None:
    """What a group bills twice; None where it is nothing."""
    if len(group.sales) < 2:
        return None
    sales = [sale for sale in group.sales if not view.taken_back_by(sale)]
    if len(sales) < 2:
        return None
    ordered_lines = [line for order in group.orders for line in order.lines]
    billed_lines = [line for sale in sales for line in sale.lines]
    names = Names([*ordered_lines, *billed_lines])
    held = {sale.key or "": count(sale.lines, names) for sale in sales}
    ordered = count(ordered_lines, names)
    billed = count(billed_lines, names)
    more = {
        name: quantity
        for name, quantity in beyond(billed, ordered).items()
        if sum(name in pieces for pieces in held.values()) > 1
        and (name in ordered or _too_much(group, sales, view.terms.tolerance))
    }
    if not more:
        return None
    holding = tuple(sale for sale in sales if more.keys() & held[sale.key or ""].keys())
    return Twice(holding, more, ordered, billed, names)


def _too_much(group: OrderGroup, sales: Sequence[PaperEntry], tolerance: int) -> bool:
    compared = sides(group.orders, sales)
    return compared is not None and compared.difference > tolerance


def _finding(view: View, group: OrderGroup, twice: Twice) -> Finding:
    linked = {order.hub_id for sale in twice.sales for order in view.orders_of(sale.key)}
    orders = [order for order in group.orders if order.hub_id in linked]
    asking = [order for order in orders if twice.more.keys() & count(order.lines, twice.names).keys()]
    return RULE.found(
        oldest(twice.sales).period,
        message(
            "{sales} are all authorized for {orders}.",
            sales=evidence_text.papers_named(in_time(twice.sales)),
            orders=evidence_text.orders_named(asking or orders),
        ),
        *(_line(name, twice.ordered.get(name), twice.billed[name]) for name in twice.more),
        orders=asking or orders,
        papers=twice.sales,
        amount=twice.amount,
    )


def _line(name: str, ordered: Pieces | None, billed: Pieces) -> Message:
    return message(
        "Item {code}: {billed} billed, {ordered} ordered.",
        code=name,
        billed=evidence_text.quantity(billed.quantity),
        ordered=evidence_text.quantity(ordered.quantity if ordered is not None else Decimal(0)),
    )
