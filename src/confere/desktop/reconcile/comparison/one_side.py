"""What an order or a document tells by itself, where there is nothing on the other side to compare it with."""

from __future__ import annotations

from collections.abc import Iterator

from confere.app.reconciliation.queries import Difference, OrderSide, PaperSide, SideBySide
from confere.errors import message
from confere.system import formatting


def lines(side: SideBySide) -> tuple[Difference, ...]:
    """Day, items, freight, discount and total of each order and document; nothing is said to differ."""
    return (
        *(line for entry in side.orders for line in _of_order(entry)),
        *(line for entry in side.papers for line in _of_paper(entry)),
    )


def _of_order(side: OrderSide) -> Iterator[Difference]:
    order = side.order
    if order is None:
        return
    yield from _ours("Date", formatting.date(side.created_on or None))
    for item in order.items:
        name = " ".join(filter(None, (item.code, item.description)))
        value = formatting.priced(item.quantity, item.before_discount_cents)
        yield Difference(message("Item {name}", name=name), value, "", True)
    yield from _ours("Freight", formatting.money(order.freight_cents))
    yield from _ours("Discount", formatting.money(order.discount_cents))
    yield from _ours("Total", formatting.money(order.total_cents))


def _of_paper(side: PaperSide) -> Iterator[Difference]:
    row, parts = side.row, side.parts
    if row is None or parts is None:
        return
    yield from _theirs("Date", formatting.date(row.issued_on or None))
    for item in side.items:
        name = " ".join(filter(None, (item.code, item.description)))
        value = formatting.priced(item.quantity, item.total_cents)
        yield Difference(message("Item {name}", name=name), "", value, True)
    yield from _theirs("Freight", formatting.money(parts.freight))
    yield from _theirs("Discount", formatting.money(parts.discount))
    yield from _theirs("Total", formatting.money(row.total))


def _ours(field: str, value: str) -> Iterator[Difference]:
    if value:
        yield Difference(_FIELDS[field], value, "", True)


def _theirs(field: str, value: str) -> Iterator[Difference]:
    if value:
        yield Difference(_FIELDS[field], "", value, True)


_FIELDS = {
    "Date": message("Date"),
    "Freight": message("Freight"),
    "Discount": message("Discount"),
    "Total": message("Total"),
}
