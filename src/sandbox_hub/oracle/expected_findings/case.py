"""A story laid out for the accountant: what of it is seen, and where each paper and each order stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import NamedTuple

from sandbox_hub.world.documents.credit_notes import takes_back
from sandbox_hub.world.documents.nfe_facts import received_at
from sandbox_hub.world.orders.order_changes import Standing
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.timeline import HUB_ZONE
from sandbox_hub.world.world import Occurrence, OrderRef, World

CANCELLATION = "110111"
RETURNS = (Subtype.SALE_RETURN, Subtype.DEVOLUTION)
TOLERANCE = 1  # centavos
_A_MINUTE = timedelta(minutes=1)


class Finding(NamedTuple):
    """`keys` are access keys, `orders` the hub's ids; `period` YYYY-MM; `subject` where these two do not tell."""

    rule: str
    orders: tuple[int, ...]
    keys: tuple[str, ...]
    period: str
    subject: str = ""


class SeenSheet:
    """One document that is seen."""

    def __init__(self, world: World, index: int) -> None:
        self.index = index
        self._world = world
        self.subtype = world.place(index).subtype
        self.name = world.paper(index)
        self.issued: datetime = world.numbering.issued_at(index)
        self.denied = world.planted.denied(index)
        self.occurrences: list[Occurrence] = world.occurrences(index)
        self.cancelled_at = next((o.at for o in self.occurrences if _is_cancellation(o)), None)
        self.orders: tuple[OrderRef, ...] = world.orders_of(index)
        self.refers: list[int] = world.related(index)

    @cached_property
    def key(self) -> str:
        return self._world.numbering.key(self.index)

    @cached_property
    def period(self) -> str:
        return month_of(self.issued)

    @property
    def in_effect(self) -> bool:
        """Authorized and not cancelled; what other documents do to it is not asked."""
        return not self.denied and self.cancelled_at is None

    @cached_property
    def takes_back(self) -> bool:
        """Whether goods of a sale come back by it."""
        return takes_back(self._world, self.index)

    @property
    def from_warehouse(self) -> bool:
        """Whether a sale's goods leave the marketplace's warehouse."""
        fulfilment = self._world.place(self.index).fulfilment
        return fulfilment and not self._world.planted.tells(self.index, "R15.removal", "sale2")

    @property
    def authorized_in(self) -> str:
        """The month of dhRecbto: a minute after the issue at most, but for a paper that says it was issued before."""
        if not self._world.planted.lie(self.index) and (self.issued + _A_MINUTE).month == self.issued.month:
            return self.period
        return month_of(received_at(self._world, self.index))

    @property
    def cancelled_in(self) -> str | None:
        """The month of the cancellation's dhEvento (which is written shortly before the hub knows)."""
        if self.cancelled_at is None:
            return None
        return month_of(datetime.fromtimestamp(self.cancelled_at - 45, self.issued.tzinfo))


def _is_cancellation(occurrence: Occurrence) -> bool:
    happening = occurrence.happening
    return happening is not None and happening.code == CANCELLATION and happening.registered


@dataclass(frozen=True)
class Case:
    """One story of one cycle; `whole`: everything that belongs to it is seen and tells the truth."""

    world: World
    lie: str
    papers: tuple[SeenSheet, ...]
    orders: tuple[OrderRef, ...]
    whole: bool

    @cached_property
    def seen(self) -> dict[int, SeenSheet]:
        return {paper.index: paper for paper in self.papers}

    @cached_property
    def sales(self) -> tuple[SeenSheet, ...]:
        """Sales in effect."""
        return tuple(paper for paper in self.papers if paper.subtype is Subtype.SALE and paper.in_effect)

    def sales_of(self, order: OrderRef) -> list[SeenSheet]:
        """The sales in effect that belong to an order."""
        return [sale for sale in self.sales if order in sale.orders]

    @cached_property
    def standings(self) -> dict[OrderRef, Standing]:
        return {order: self.world.standing(order) for order in self.orders}

    def status(self, order: OrderRef) -> Status:
        """Of an order of the story that the hub has."""
        return self.standings[order].status

    def placed(self, order: OrderRef) -> int:
        """When an order of the story was placed, in seconds."""
        return self.standings[order].lived[Status.PENDING]

    def order_period(self, order: OrderRef) -> str:
        """The month in which an order was placed, by São Paulo's clocks."""
        return month(self.placed(order))

    def ids(self, orders: Iterable[OrderRef]) -> tuple[int, ...]:
        return tuple(sorted(self.world.order_id(order) for order in orders))


def month(moment: int) -> str:
    """The month of a moment at the hub."""
    return month_of(datetime.fromtimestamp(moment, HUB_ZONE))


def month_of(written: datetime) -> str:
    """YYYY-MM of a time as it is written."""
    return f"{written.year}-{written.month:02d}"


def lay_out(world: World, story: int, cycle: int, sees: Callable[[int], bool]) -> Case | None:
    """The story as it is seen; None where nothing of it is."""
    indexes = [world.index_of(place, cycle) for place in world.deck.places_of[story]]
    shown = [index for index in indexes if sees(index)]
    orders = tuple(
        order
        for seat in world.deck.seats_of[story]
        if world.order(world.order_id(order := OrderRef(seat, cycle + seat.delay))) is not None
    )
    if not shown and not orders:
        return None
    lie = world.planted.lie_of(story, cycle)
    papers = tuple(SeenSheet(world, index) for index in shown)
    return Case(world, lie, papers, orders, whole=not lie and len(shown) == len(indexes))


def stories_begun(world: World) -> Iterator[tuple[int, int]]:
    """Every story of every cycle that may show anything."""
    for cycle in range(world.deck.first_cycle, world.documents // world.deck.width + 1):
        for story in range(len(world.deck.stories)):
            yield story, cycle
