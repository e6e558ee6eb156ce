"""The returns that the hub has booked: which order gives what back, and under which return note."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import blake2b

from sandbox_hub.world.documents.nfe_facts import sale_lines
from sandbox_hub.world.filters import DocumentQuery, visible
from sandbox_hub.world.orders.order_contents import OrderLine
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.selection import Handful, Indexes, Run, Selection, cycles_between, members
from sandbox_hub.world.world import OrderRef, World

TOTAL = "TOTAL"
PARTIAL = "PARTIAL"
_GIVING_BACK = (Subtype.SALE_RETURN, Subtype.DEVOLUTION)


@dataclass(frozen=True, slots=True)
class Return:
    """A return: `at` in seconds, `index` its note's (None where none was issued), `lines` what comes back."""

    id: str
    order: OrderRef
    kind: str
    at: int
    index: int | None
    lines: tuple[OrderLine, ...]

    @property
    def total_cents(self) -> int:
        return sum(line.total_cents for line in self.lines)


def returns_of(world: World) -> Iterator[Return]:
    """Every return that is booked by now, oldest first."""
    return (return_at(world, number) for number in members(select_returns(world, DocumentQuery())))


def select_returns(world: World, query: DocumentQuery) -> Indexes:
    """Numbers of the returns that meet `query` (creation, marketplace, order), oldest first; see `return_at`.

    A return has the number of the place and cycle that its note has in the deck.
    """
    first, end = visible(world.timeline, query, world.now)
    order = None if query.order_id is None else world.order(query.order_id)
    if query.order_id is not None and order is None:
        return Handful(())
    runs = []
    for place in world.deck.places:
        wanted = query.marketplace in (None, world.marketplaces[place.marketplace])
        if place.subtype not in _GIVING_BACK or not wanted:
            continue
        low, high = cycles_between(world.deck.width, place.place, first, end)
        if order is not None:
            cycle = order.story_cycle + place.delay
            belongs = place.orders == (order.seat.rank,)
            low, high = (max(low, cycle), min(high, cycle + 1)) if belongs else (0, 0)
        runs.append(Run(place.place, low, high))
    return Selection(world.deck.width, runs)


def return_at(world: World, number: int) -> Return:
    """The return of a member of `select_returns`. It is booked when its note reaches the hub."""
    (order,) = world.orders_of(number)
    lines = tuple(sale_lines(world, number))
    whole = lines == world.goods.basket(order.seat, order.story_cycle).lines
    seal = blake2b(f"{world.seed}:return:{number}".encode(), digest_size=2).hexdigest()
    return Return(
        id=f"rt-{number:08d}-{seal}",
        order=order,
        kind=TOTAL if whole else PARTIAL,
        at=world.timeline.created(number),
        index=None if world.planted.denied(number) else number,
        lines=lines,
    )
