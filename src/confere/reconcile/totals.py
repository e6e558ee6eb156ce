"""Totals of orders and notes side by side, and whether freight, discount or interest make up what differs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from confere.fiscal.books.ledger import OrderEntry, PaperEntry


@dataclass(frozen=True, slots=True)
class Sides:
    """What orders come to beside what notes come to, in centavos.

    `interest` is what the orders' totals hold beyond goods, discount and freight, or what orders state where that
    cannot be told; `interest_beside` what orders state and their totals do not hold; `other` vOutro and vSeg.
    """

    orders: int
    notes: int
    order_freight: int
    note_freight: int
    order_discount: int
    note_discount: int
    interest: int
    other: int
    interest_beside: int = 0

    @property
    def difference(self) -> int:
        return self.notes - self.orders

    def explained(self, tolerance: int) -> bool:
        """Whether amounts that one side shows and the other may leave out make up the difference.

        Some of them have to make it up exactly, within the tolerance: freight that a note does not charge or an
        order does not count, a discount granted by the marketplace, interest booked on one side.
        """
        if abs(self.difference) <= tolerance:
            return True
        amounts = []
        if self.order_freight != self.note_freight:
            amounts += [-self.order_freight, self.note_freight]
        if self.order_discount != self.note_discount:
            amounts += [self.order_discount, -self.note_discount]
        amounts += [self.other, -self.interest, self.interest_beside]
        return _made_up(self.difference, amounts, tolerance)


def sides(orders: Iterable[OrderEntry], notes: Iterable[PaperEntry], added: Iterable[PaperEntry] = ()) -> Sides | None:
    """Both sides of some orders and their notes; None where a total is not known. `added` complement the notes."""
    orders, notes, added = tuple(orders), tuple(notes), tuple(added)
    ordered = _sum(order.total for order in orders)
    billed = _sum(note.total for note in (*notes, *added))
    if ordered is None or billed is None:
        return None
    return Sides(
        orders=ordered,
        notes=billed,
        order_freight=sum(order.freight or 0 for order in orders),
        note_freight=sum(note.freight or 0 for note in notes),
        order_discount=sum(order.discount or 0 for order in orders),
        note_discount=sum(note.discount or 0 for note in notes),
        interest=sum(_interest(order) for order in orders),
        other=sum((note.other or 0) + (note.insurance or 0) for note in notes),
        interest_beside=sum(interest_beside(order) for order in orders),
    )


def _interest(order: OrderEntry) -> int:
    """What an order's total has beyond its parts; a total that leaves out its own freight lacks just that.

    Where the parts are not known, what the order states.
    """
    if order.total is None:
        return 0
    if order.gross is None:
        return max(0, order.interest or 0)
    rest = order.total - (order.gross - (order.discount or 0) + (order.freight or 0))
    return rest if rest > 0 or rest == -(order.freight or 0) else 0


def interest_beside(order: OrderEntry) -> int:
    """Interest that the order states and its total does not hold: its note may charge it all the same."""
    if not order.interest or order.interest < 0 or order.total is None or order.gross is None:
        return 0
    holds = order.total - (order.gross - (order.discount or 0) + (order.freight or 0))
    return 0 if holds else order.interest


def _made_up(difference: int, amounts: Sequence[int], tolerance: int) -> bool:
    sums = {0}
    for amount in amounts:
        sums |= {known + amount for known in sums}
    return any(abs(total - difference) <= tolerance for total in sums)


def _sum(totals: Iterable[int | None]) -> int | None:
    found = 0
    for total in totals:
        if total is None:
            return None
        found += total
    return found
