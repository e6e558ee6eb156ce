"""How the amounts of a group's orders are divided over its invoices: whole centavos, nothing left over."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from confere.sales.bridge import BridgeCode

Difference = tuple[BridgeCode, int]
"""A named part of what invoices differ from their orders, in centavos."""


def spread(differences: Sequence[Difference], invoices: Sequence[int]) -> list[list[Difference]]:
    """The parts of a difference by the invoices they stand on; the first invoice is the oldest.

    Parts that lower the invoices stand on the oldest. Parts that raise them stand on the oldest too, as far as it
    comes to that much; what is left stands on the next. So no invoice bills less than nothing of its orders.

    Raises `ValueError` where the parts are more than the invoices.
    """
    placed: list[list[Difference]] = [[] for _ in invoices]
    room = list(invoices)
    for code, amount in differences:
        if amount < 0:
            placed[0].append((code, amount))
            room[0] -= amount
    place = 0
    for code, amount in differences:
        while amount > 0:
            while place < len(room) and room[place] <= 0:
                place += 1
            if place == len(room):
                raise ValueError(amount)
            here = min(amount, room[place])
            placed[place].append((code, here))
            room[place] -= here
            amount -= here
    return placed


def pour(
    orders: Sequence[int], invoices: Sequence[int], linked: Collection[tuple[int, int]]
) -> list[tuple[int, int, int]]:
    """The amounts of orders divided over invoices: place of the order, place of the invoice, centavos.

    Both come to the same sum and hold no negative amount. Each order first fills the invoices that it is linked to
    itself (`linked` are pairs of places), then those of its group; the oldest come first on both sides. What has no
    amount has no piece.
    """
    left, room = list(orders), list(invoices)
    pieces: dict[tuple[int, int], int] = {}
    for one, other in sorted(linked):
        _move(pieces, left, room, one, other)
    one = other = 0
    while one < len(left) and other < len(room):
        _move(pieces, left, room, one, other)
        if left[one]:
            other += 1
        else:
            one += 1
    return [(one, other, amount) for (one, other), amount in sorted(pieces.items())]


def _move(pieces: dict[tuple[int, int], int], left: list[int], room: list[int], one: int, other: int) -> None:
    amount = min(left[one], room[other])
    if amount > 0:
        pieces[one, other] = pieces.get((one, other), 0) + amount
        left[one] -= amount
        room[other] -= amount
