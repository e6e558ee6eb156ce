"""What the anomaly of a document's story, where it has one, changes about the document."""

from __future__ import annotations

from collections.abc import Iterator

from sandbox_hub.world.anomalies import effects
from sandbox_hub.world.anomalies.draw import Lies
from sandbox_hub.world.schedule import VOIDED_NUMBERS, Deck


class Planted:
    """Told by index; without `lies` every document is as its story says."""

    def __init__(self, deck: Deck, lies: Lies | None) -> None:
        self._deck = deck
        self._lies = lies

    def lie_of(self, story: int, story_cycle: int) -> str:
        """The anomaly of a story; empty for an honest one."""
        return "" if self._lies is None else self._lies.of(story, story_cycle)

    def lie(self, index: int) -> str:
        """The same, of the story that document `index` belongs to."""
        if self._lies is None:
            return ""
        cycle, place = divmod(index, self._deck.width)
        found = self._deck.places[place]
        return self._lies.of(found.story, cycle - found.delay)

    def stories_of(self, rule: str) -> Iterator[tuple[int, int]]:
        """Every story, with its cycle, that carries an anomaly of this rule."""
        return iter(()) if self._lies is None else self._lies.stories_of(rule)

    def tells(self, index: int, variant: str, *papers: str) -> bool:
        """Whether document `index` is one of these papers of a story with that anomaly."""
        return self._lies is not None and self._paper(index) in papers and self.lie(index) == variant

    def throw(self, index: int, sides: int) -> int:
        """A throw for what the anomaly of a document's story leaves open."""
        if self._lies is None:
            return 0
        cycle, place = divmod(index, self._deck.width)
        found = self._deck.places[place]
        return self._lies.throw(found.story, cycle - found.delay, sides)

    # -- between papers and orders -------------------------------------------------------------------------

    def orders(self, index: int) -> tuple[int, ...]:
        """Ranks of the orders that a document belongs to."""
        ranks, lie = self._deck.places[index % self._deck.width].orders, self.lie(index)
        return effects.orders_kept(lie, self._paper(index), ranks) if lie else ranks

    def refers(self, index: int) -> tuple[int, ...]:
        """Places of the papers that a document refers to, or carries."""
        place, lie = self._deck.places[index % self._deck.width], self.lie(index)
        names = effects.refers_instead(lie, self._paper(index)) if lie else None
        return place.refers if names is None else tuple(self._deck.place_of[place.story, name] for name in names)

    def refers_to_nothing_known(self, index: int) -> bool:
        """Whether it refers to a key that no paper has."""
        lie = self.lie(index)
        return bool(lie) and effects.refers_to_nothing_known(lie, self._paper(index))

    def packing(self, index: int) -> tuple[int, int]:
        """Which package of its order, of how many, a sale is."""
        place, lie = self._deck.places[index % self._deck.width], self.lie(index)
        told = effects.packing(lie, self._paper(index)) if lie else None
        return (place.part, place.parts) if told is None else told

    # -- with the authority and at the hub -----------------------------------------------------------------

    def authorization(self, index: int) -> str:
        """cStat of its protocol: 100, late 150, denied 301 or 302."""
        lie = self.lie(index)
        return effects.status_of(lie, self._paper(index), self.throw(index, 2)) if lie else "100"

    def denied(self, index: int) -> bool:
        """Whether the authority denied its use."""
        return self.authorization(index).startswith("3")

    def refuses(self, index: int, code: str) -> bool:
        """Whether the authority did not register this event of the document."""
        lie = self.lie(index)
        return bool(lie) and effects.refuses(lie, self._paper(index), code)

    def voided_numbers(self, index: int) -> int:
        """How many numbers a voiding record gives up."""
        return VOIDED_NUMBERS - 1 if self.tells(index, "R12", "voiding") else VOIDED_NUMBERS

    def is_copied(self, index: int) -> bool:
        """Whether the hub holds it a second time, with other bytes."""
        lie = self.lie(index)
        return bool(lie) and effects.is_copied(lie, self._paper(index))

    def _paper(self, index: int) -> str:
        return self._deck.names[index % self._deck.width]
