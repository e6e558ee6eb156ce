"""Which story carries which anomaly: drawn by the seed for every story and cycle, nothing stored."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import lru_cache
from math import gcd

from sandbox_hub.world.anomalies.backdated import backdated
from sandbox_hub.world.anomalies.spec import MILLION, Spec
from sandbox_hub.world.anomalies.variants import VARIANTS, Variant
from sandbox_hub.world.documents.event_times import Happenings
from sandbox_hub.world.orders.order_contents import Goods
from sandbox_hub.world.orders.order_lifecycle import Lives
from sandbox_hub.world.orders.surviving_evidence import Evidence, Left
from sandbox_hub.world.schedule import Deck, Seat
from sandbox_hub.world.seeded_random import Die
from sandbox_hub.world.timeline import DAY, END, HUB_ZONE, Timeline

FAR = 10_000_019  # cycles away: throws that no story of the world uses, for what belongs to nobody in it
_TRIES = 500
_NO_NFCE_TO_COMPANIES = int(datetime(2026, 5, 4, 4, tzinfo=HUB_ZONE).timestamp())
_REMEMBERED = 65_536
_NEVER = 1 << 60


@dataclass(frozen=True, slots=True)
class Ground:
    """What the draw looks at: the truthful world, and what evidence its orders keep of their documents."""

    deck: Deck
    timeline: Timeline
    happenings: Happenings
    lives: Lives
    goods: Goods
    left: Callable[[Seat, int], Left]
    zones: Sequence[tzinfo]  # of each emitter


@dataclass(frozen=True, slots=True)
class _Drawn:
    """A wanted variant: its number, the stories that can carry it, its rate."""

    number: int
    variant: Variant
    stories: tuple[int, ...]
    rate: int  # millionths of the (story, cycle) pairs

    def pair(self, story: int, cycle: int) -> int:
        return cycle * len(self.stories) + self.stories.index(story)

    def block(self, pair: int) -> int:
        return pair * self.rate // MILLION

    def first_of(self, block: int) -> int:
        return -(-block * MILLION // self.rate)


class Lies:
    """`of(story, cycle)` is the anomaly of a story, empty for an honest one.

    The pairs (story, cycle) that could carry a variant are cut into blocks, one for each time that it is wanted, and
    each block has it once, wherever the seed says and the story allows: so rates hold in small worlds too. A story
    carries one anomaly at most, lies wholly inside the world, and keeps clear of the clean months.
    """

    def __init__(self, seed: int, spec: Spec, ground: Ground) -> None:
        self._spec = spec
        self._ground = ground
        self._die = Die(seed, "anomalies")
        self._cycles = -(-ground.timeline.documents // ground.deck.width)
        rates = dict(spec.rates)
        self._drawn: list[_Drawn] = []
        for variant in (v for v in VARIANTS if v.name in rates):
            stories = tuple(s for s, story in enumerate(ground.deck.stories) if story.kind in variant.kinds)
            rate = rates[variant.name] or MILLION // (variant.every * len(stories))
            self._drawn.append(_Drawn(len(self._drawn), variant, stories, rate))
        self._of_story = [
            tuple(drawn for drawn in self._drawn if s in drawn.stories) for s in range(len(ground.deck.stories))
        ]
        self._settled = lru_cache(_REMEMBERED)(self._settle)
        self._chosen = lru_cache(_REMEMBERED)(self._choose)
        self.of = lru_cache(_REMEMBERED)(self._of)

    def throw(self, story: int, cycle: int, sides: int) -> int:
        """A throw of the story's own, for what its anomaly leaves open."""
        return self._die.below(cycle * 1_024 + story, sides)

    def stories_of(self, rule: str) -> Iterator[tuple[int, int]]:
        """Every story, with its cycle, that carries an anomaly of this rule."""
        for drawn in (drawn for drawn in self._drawn if drawn.variant.rule == rule):
            width = len(drawn.stories)
            first = drawn.block(self._ground.deck.first_cycle * width)
            for block in range(first, drawn.block(self._cycles * width) + 1):
                pair = self._chosen(drawn.number, block)
                if pair is not None:
                    cycle, rank = divmod(pair, width)
                    yield drawn.stories[rank], cycle

    def _of(self, story: int, cycle: int) -> str:
        found = self._taken(story, cycle, len(self._drawn))
        return "" if found is None else found.name

    def _taken(self, story: int, cycle: int, before: int) -> Variant | None:
        """The variant, of those before number `before`, that has this story."""
        for drawn in self._of_story[story]:
            if drawn.number >= before:
                break
            pair = drawn.pair(story, cycle)
            if self._chosen(drawn.number, drawn.block(pair)) == pair:
                return drawn.variant
        return None

    def _choose(self, number: int, block: int) -> int | None:
        drawn = self._drawn[number]
        first = drawn.first_of(block)
        size = drawn.first_of(block + 1) - first
        at = self._die.below(-1 - (block * 64 + number), size)
        if not 0 <= (first + at) // len(drawn.stories) < self._cycles:
            return None  # a block that reaches beyond the world has its anomaly there as often as not
        step = 1 + self._die.below(-1 - (block * 64 + number) - (1 << 40), size)
        while gcd(step, size) != 1:
            step += 1
        for n in range(min(size, _TRIES)):
            pair = first + (at + n * step) % size
            cycle, rank = divmod(pair, len(drawn.stories))
            if self._possible(drawn, drawn.stories[rank], cycle):
                return pair
        return None

    def _possible(self, drawn: _Drawn, story: int, cycle: int) -> bool:
        last = self._settled(story, cycle)
        return (
            last + drawn.variant.settles * DAY <= END
            and self._named(drawn.variant, story, cycle)
            and self._fits(drawn.variant.name, story, cycle)
            and self._taken(story, cycle, drawn.number) is None
        )

    def _settle(self, story: int, cycle: int) -> int:
        """The last moment of the story as it goes by itself; `_NEVER` where nothing can be planted in it."""
        ground, deck = self._ground, self._ground.deck
        moments = []
        for place in deck.places_of[story]:
            index = (cycle + deck.places[place].delay) * deck.width + place
            if not 0 <= index < ground.timeline.documents:
                return _NEVER
            moments += [ground.timeline.issued(index), ground.timeline.created(index)]
            moments += ground.happenings.moments(index)
        for seat in deck.seats_of[story]:
            moments.append(ground.lives.created(seat, cycle + seat.delay))
        if any(start <= moment < end for start, end in self._spec.clean for moment in moments):
            return _NEVER
        return max(moments)

    def _named(self, variant: Variant, story: int, cycle: int) -> bool:
        """Whether its orders keep evidence that names their documents, beside what the anomaly makes ambiguous."""
        for n, seat in enumerate(self._ground.deck.seats_of[story]):
            if not seat.papers or (variant.exact is not None and n not in variant.exact):
                continue
            left = self._ground.left(seat, cycle)
            if variant.name == "R7c":
                left = replace(left, number=False)
            if not left.exact or left.kind in (Evidence.DIFFERS, Evidence.TWINS):
                return False
        return True

    def _fits(self, name: str, story: int, cycle: int) -> bool:
        ground, deck = self._ground, self._ground.deck
        seats = deck.seats_of[story]
        if name == "R6":
            place = deck.place_of[story, "sale"]
            issued = ground.timeline.issued((cycle + deck.places[place].delay) * deck.width + place)
            return backdated(issued, ground.zones[deck.places[place].line.emitter], 0) is not None
        if name == "R24":
            issued = ground.timeline.issued(
                (cycle + deck.places[seats[0].papers[0]].delay) * deck.width + seats[0].papers[0]
            )
            return issued >= _NO_NFCE_TO_COMPANIES
        if name in ("R2", "R14.counterparty"):
            own, stray = (ground.goods.buyer_number(seats[0], c) for c in (cycle, cycle + FAR))
            return own != stray
        if name.startswith(("R10", "R11")):
            return all(ground.goods.basket(seat, cycle).freight_cents for seat in seats)
        return True
