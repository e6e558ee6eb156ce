"""When each event of each document happens, and so when its record last changed."""

from __future__ import annotations

from sandbox_hub.world.scenarios import HOUR
from sandbox_hub.world.schedule import Deck
from sandbox_hub.world.seeded_random import Die
from sandbox_hub.world.timeline import SPAN, START, Timeline

_SCATTER = 6 * HOUR


class Happenings:
    """Moments of events, monotone in the cycle for each place and event: so ranges of time are ranges of cycles."""

    def __init__(self, seed: int, deck: Deck, timeline: Timeline) -> None:
        self._deck = deck
        self._timeline = timeline
        self._die = Die(seed, "happenings")
        # Two documents of one place lie at least width - 1 slots apart; a smaller scatter keeps their order.
        nearest = (deck.width - 1) * SPAN // timeline.documents - 1
        self._scatter = max(1, min(_SCATTER, nearest))

    def after(self, index: int, k: int, shortest: int, longest: int) -> int:
        """`shortest` seconds from the record's appearance, growing to `longest` over the year, a little scattered."""
        created = self._timeline.created(index)
        growth = (longest - shortest) * (created - START) // SPAN
        return created + shortest + growth + self._die.below(index * 8 + k, self._scatter)

    def moment(self, index: int, k: int) -> int:
        """When happening `k` of document `index` reaches the hub."""
        happening = self._deck.places[index % self._deck.width].happenings[k]
        return self.after(index, k, happening.after, happening.until)

    def moments(self, index: int) -> list[int]:
        """Those of all happenings of a document, in order."""
        count = len(self._deck.places[index % self._deck.width].happenings)
        return [self.moment(index, k) for k in range(count)]
