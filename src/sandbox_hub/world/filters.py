"""From a query's conditions to the indexes that meet them, without looking at the indexes."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from sandbox_hub.world.documents.event_times import Happenings
from sandbox_hub.world.orders.order_lifecycle import Lives
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.schedule import Deck, Place
from sandbox_hub.world.selection import Run, Selection, cycles_between
from sandbox_hub.world.timeline import Timeline

Moment = Callable[[int], int]


@dataclass(frozen=True, slots=True)
class DocumentQuery:
    """Conditions on documents; moments are seconds, both ends included; None: no condition."""

    order_id: int | None = None
    marketplace: str | None = None
    subtype: Subtype | None = None
    created_from: int | None = None
    created_to: int | None = None
    changed_from: int | None = None
    changed_to: int | None = None

    @property
    def by_change(self) -> bool:
        return self.changed_from is not None or self.changed_to is not None


@dataclass(frozen=True, slots=True)
class OrderQuery:
    """Conditions on orders."""

    marketplace: str | None = None
    marketplace_id: str | None = None
    status: str | None = None
    created_from: int | None = None
    created_to: int | None = None
    changed_from: int | None = None


def settled(
    first: int, end: int, stages: Sequence[Moment], now: int, low: int | None, high: int | None
) -> Iterator[tuple[int, int, int]]:
    """For each stage the cycles in which it is the last one reached, at a moment within [low, high].

    Each stage is a function of the cycle, monotone over [first, end), and none comes before the one before it.
    """
    cycles = range(first, max(first, end))
    until = now if high is None else min(high, now)
    for k, moment in enumerate(stages):
        start = first if low is None else first + bisect_left(cycles, low, key=moment)
        stop = first + bisect_right(cycles, until, key=moment)
        if k + 1 < len(stages):
            start = max(start, first + bisect_right(cycles, now, key=stages[k + 1]))
        if start < stop:
            yield k, start, stop


def select_documents(
    deck: Deck,
    timeline: Timeline,
    happenings: Happenings,
    query: DocumentQuery,
    marketplaces: Sequence[str],
    now: int,
) -> list[Run]:
    """The documents that meet `query` at `now`, as runs; its order is left to the caller."""
    first, end = visible(timeline, query, now)
    runs = []
    for place in deck.places:
        if query.marketplace is not None and marketplaces[place.marketplace] != query.marketplace:
            continue
        if query.subtype is not None and place.subtype is not query.subtype:
            continue
        low, high = cycles_between(deck.width, place.place, first, end)
        if not query.by_change:
            runs.append(Run(place.place, low, high))
        elif not place.happenings:
            changed_first = 0 if query.changed_from is None else timeline.first_created_from(query.changed_from)
            changed_end = end if query.changed_to is None else timeline.first_created_after(query.changed_to)
            start, stop = cycles_between(deck.width, place.place, max(first, changed_first), min(end, changed_end))
            runs.append(Run(place.place, start, stop))
        else:
            stages = list(_document_stages(deck, timeline, happenings, place))
            for _, start, stop in settled(low, high, stages, now, query.changed_from, query.changed_to):
                runs.append(Run(place.place, start, stop))
    return runs


def visible(timeline: Timeline, query: DocumentQuery, now: int) -> tuple[int, int]:
    """First index and end of those that exist at `now` within the query's creation dates."""
    until = now if query.created_to is None else min(now, query.created_to)
    first = 0 if query.created_from is None else max(0, timeline.first_created_from(query.created_from))
    return first, min(timeline.documents, timeline.first_created_after(until))


def select_orders(deck: Deck, lives: Lives, query: OrderQuery, marketplaces: Sequence[str], now: int) -> Selection:
    """The orders that meet `query` at `now`; a marketplace's own number is left to the caller."""
    runs = []
    for seat in deck.seats:
        if query.marketplace is not None and marketplaces[seat.marketplace] != query.marketplace:
            continue
        first, end = lives.cycles(seat)
        stages = lives.stages[seat.rank]
        cycles = range(first, max(first, end))
        placed = stages[0][1]
        if query.created_from is not None:
            first = cycles.start + bisect_left(cycles, query.created_from, key=placed)
        if query.created_to is not None:
            end = cycles.start + bisect_right(cycles, query.created_to, key=placed)
        moments = [moment for _, moment in stages]
        for k, start, stop in settled(first, end, moments, now, query.changed_from, None):
            if query.status is None or stages[k][0] == query.status:
                runs.append(Run(seat.rank, start, stop))
    return Selection(len(deck.seats), runs)


def _document_stages(deck: Deck, timeline: Timeline, happenings: Happenings, place: Place) -> Iterator[Moment]:
    def index(cycle: int) -> int:
        return cycle * deck.width + place.place

    yield lambda cycle: timeline.created(index(cycle))
    for k in range(len(place.happenings)):
        yield lambda cycle, k=k: happenings.moment(index(cycle), k)  # type: ignore[misc]
