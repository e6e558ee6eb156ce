"""The life of each order: when it was placed, paid, invoiced, shipped, delivered or cancelled."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache

from sandbox_hub.world.documents.event_times import Happenings
from sandbox_hub.world.scenarios import DAY, HOUR, Fate
from sandbox_hub.world.schedule import Deck, Seat
from sandbox_hub.world.seeded_random import Die
from sandbox_hub.world.timeline import Timeline

_REMEMBERED = 1_024
NEVER = 1 << 60  # later than any clock


class Status(StrEnum):
    """The specification's order statuses."""

    PENDING = "PENDING"
    PAID_WAITING_SHIP = "PAID_WAITING_SHIP"
    INVOICED = "INVOICED"
    PAID_WAITING_DELIVERY = "PAID_WAITING_DELIVERY"
    CONCLUDED = "CONCLUDED"
    CANCELED = "CANCELED"


Stage = tuple[Status, Callable[[int], int]]


class Lives:
    """Stages of each seat's orders, as functions of the order's cycle; every one monotone in it."""

    def __init__(self, seed: int, deck: Deck, timeline: Timeline, happenings: Happenings) -> None:
        self._deck = deck
        self._timeline = timeline
        self._happenings = happenings
        self._placing = Die(seed, "orders placed")
        # Most stages of an order follow from this moment: it is asked for several times in a row.
        self.invoiced = lru_cache(_REMEMBERED)(self._invoiced)
        habits = Die(seed, "habits")
        self._ship_after = [habits.between(2 * s.rank, 10 * HOUR, 40 * HOUR) for s in deck.seats]
        self._arrive_after = [habits.between(2 * s.rank + 1, 3 * DAY, 9 * DAY) for s in deck.seats]
        self.stages: tuple[tuple[Stage, ...], ...] = tuple(tuple(self._stages(seat)) for seat in deck.seats)

    def cycles(self, seat: Seat) -> tuple[int, int]:
        """First cycle and end of the seat's orders, whatever the clock says.

        Orders from before the world exist only where a document of the world belongs to them.
        """
        latest = max((self._deck.places[p].delay for p in seat.papers), default=seat.delay)
        end = (self._timeline.documents - seat.before) // self._deck.width + 1
        return min(0, seat.delay - latest), end

    def created(self, seat: Seat, cycle: int) -> int:
        """When the order was placed."""
        throw = self._placing(cycle * len(self._deck.seats) + seat.rank)
        return self._timeline.within_gap(cycle * self._deck.width + seat.before, seat.share, seat.shares, throw)

    def _invoiced(self, seat: Seat, cycle: int) -> int:
        """When its first standing invoice reached the hub; NEVER if none does."""
        if not seat.invoices:
            return NEVER
        return self._appears(seat, cycle, seat.invoices[0])

    def shipped(self, seat: Seat, cycle: int) -> int:
        """When it left."""
        return self.invoiced(seat, cycle) + self._ship_after[seat.rank]

    def delivered(self, seat: Seat, cycle: int) -> int:
        """When it arrived."""
        return self.shipped(seat, cycle) + self._arrive_after[seat.rank]

    def reached(self, seat: Seat, cycle: int, now: int) -> list[tuple[Status, int]]:
        """The stages behind the order at `now`, in order."""
        moments = [(status, moment(cycle)) for status, moment in self.stages[seat.rank]]
        return [(status, at) for status, at in moments if at <= now]

    def _appears(self, seat: Seat, cycle: int, place: int) -> int:
        index = (cycle - seat.delay + self._deck.places[place].delay) * self._deck.width + place
        return self._timeline.created(index) if index < self._timeline.documents else NEVER

    def _paid(self, seat: Seat, cycle: int) -> int:
        placed = self.created(seat, cycle)
        return min(placed + 2 * HOUR, (placed + self.invoiced(seat, cycle)) // 2)

    def _cancelled(self, seat: Seat, cycle: int) -> int:
        assert seat.cancelled_by is not None
        appears = self._appears(seat, cycle, seat.cancelled_by)
        if appears >= NEVER or seat.fate is Fate.RETURNED:
            return appears
        story_cycle = cycle - seat.delay
        index = (story_cycle + self._deck.places[seat.cancelled_by].delay) * self._deck.width
        return self._happenings.moment(index + seat.cancelled_by, 0)

    def _stages(self, seat: Seat) -> list[Stage]:
        stages: list[Stage] = [(Status.PENDING, lambda c: self.created(seat, c))]
        if seat.fate is Fate.UNPAID:
            return [*stages, (Status.CANCELED, lambda c: self.created(seat, c) + 3 * DAY)]
        stages.append((Status.PAID_WAITING_SHIP, lambda c: self._paid(seat, c)))
        if seat.fate is Fate.WAITING:
            return stages
        if seat.fate is Fate.DROPPED:
            return [*stages, (Status.CANCELED, lambda c: self.created(seat, c) + 2 * DAY)]
        stages.append((Status.INVOICED, lambda c: self.invoiced(seat, c)))
        if not self._stopped_before_shipping(seat):
            stages.append((Status.PAID_WAITING_DELIVERY, lambda c: self.shipped(seat, c)))
            stages.append((Status.CONCLUDED, lambda c: self.delivered(seat, c)))
        if seat.cancelled_by is not None:
            # Never before the stages that precede it, however the small world's places fell.
            stages.append((Status.CANCELED, self._after_all(seat, [moment for _, moment in stages])))
        return stages

    def _after_all(self, seat: Seat, before: list[Callable[[int], int]]) -> Callable[[int], int]:
        return lambda c: max(self._cancelled(seat, c), *(moment(c) for moment in before))

    def _stopped_before_shipping(self, seat: Seat) -> bool:
        if seat.fate is not Fate.CANCELLED or seat.cancelled_by is None:
            return False
        return self._deck.places[seat.cancelled_by].happenings[0].after < 10 * DAY
