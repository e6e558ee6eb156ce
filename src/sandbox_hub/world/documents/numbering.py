"""Numbers and access keys in closed form, and the way back from a key to its document."""

from __future__ import annotations

from bisect import bisect_right
from datetime import datetime
from operator import mul
from typing import TYPE_CHECKING

from sandbox_hub.paper.facts import Taxpayer
from sandbox_hub.paper.keys import compose
from sandbox_hub.world.anomalies.backdated import backdated
from sandbox_hub.world.parties.cities import zone_of
from sandbox_hub.world.parties.companies import Cast
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.schedule import VOIDED_NUMBERS, Deck, NumberLine
from sandbox_hub.world.seeded_random import Die
from sandbox_hub.world.timeline import SPAN, START, Timeline

if TYPE_CHECKING:
    from sandbox_hub.world.anomalies.draw import Lies

# Weights 2..9 from the right over 43 positions; a character counts as its code minus 48.
_WEIGHTS = tuple(2 + (42 - position) % 8 for position in range(43))
_ZERO = 48 * sum(_WEIGHTS)
_TOO_PLAIN = frozenset({*(k * 11_111_111 for k in range(10)), *(12_345_678, 23_456_789, 34_567_890, 45_678_901),
                        *(56_789_012, 67_890_123, 78_901_234, 89_012_345, 90_123_456, 1_234_567)})  # fmt: skip

_LIFETIME = 1_000 * SPAN  # seconds
_NEVER_USED = 400_000_000  # no line of numbers comes here
_REUSES = {"sale1": "sale0", "devolution": "sale"}  # of a story that uses a number again: which paper that of which


class Numbering:
    """Every line of numbers runs without a gap but for the voided ones; time before the world included."""

    def __init__(self, seed: int, deck: Deck, timeline: Timeline, cast: Cast, lies: Lies | None = None) -> None:
        self._deck = deck
        self._lies = lies
        self._timeline = timeline
        self._codes = Die(seed, "codes")
        self.emitters: tuple[Taxpayer, ...] = cast.companies + cast.carriers
        bases = Die(seed, "first numbers")
        self._within: list[int] = []  # numbers used in the cycle before this place, on its line
        self._per_cycle: dict[NumberLine, int] = {}
        self._on_line: dict[NumberLine, list[int]] = {}
        for place in deck.places:
            used = self._per_cycle.get(place.line, 0)
            self._within.append(used)
            self._on_line.setdefault(place.line, []).append(place.place)
            self._per_cycle[place.line] = used + (VOIDED_NUMBERS if place.subtype is Subtype.VOIDING else 1)
        self._base = {
            line: bases.between(n, 100, 9_000) - deck.first_cycle * used
            for n, (line, used) in enumerate(self._per_cycle.items())
        }
        self._lines = [
            (self._base[place.line] + within, self._per_cycle[place.line])
            for place, within in zip(deck.places, self._within, strict=True)
        ]
        self._zones = [zone_of(emitter.address.uf) for emitter in self.emitters]
        self._static = []
        for place in deck.places:
            emitter = self.emitters[place.line.emitter]
            middle = f"{emitter.tax_id}{place.line.model}{place.line.series:03d}"
            self._static.append((emitter.address.uf_code, middle, self._zones[place.line.emitter]))

    def number(self, index: int) -> int:
        """nNF or nCT; of a voiding record the first of its numbers."""
        reused = self._reused(index) if self._lies is not None else None
        return self.due(index if reused is None else reused)

    def due(self, index: int) -> int:
        """The number that document `index` has, or ought to have."""
        cycle, place = divmod(index, self._deck.width)
        first, step = self._lines[place]
        return first + cycle * step

    def code(self, index: int) -> int:
        """cNF or cCT: eight digits that are neither the number nor a pattern (rejection 897)."""
        return self._code(index, self.number(index))

    def _code(self, index: int, number: int) -> int:
        code = self._codes.below(index, 10**8)
        while code == number or code in _TOO_PLAIN:
            code = (code + 7_919) % 10**8
        return code

    def issued_at(self, index: int) -> datetime:
        """dhEmi, in the emitter's own offset."""
        emitter = self._deck.places[index % self._deck.width].line.emitter
        return datetime.fromtimestamp(self._issued(index), self._zones[emitter])

    def key(self, index: int) -> str:
        """The access key of document `index` (meaningless for a voiding record)."""
        state, middle, zone = self._static[index % self._deck.width]
        issued = datetime.fromtimestamp(self._issued(index), zone)
        number = self.number(index)
        body = f"{state}{issued.year % 100:02d}{issued.month:02d}{middle}{number:09d}1{self._code(index, number):08d}"
        rest = (sum(map(mul, body.encode(), _WEIGHTS)) - _ZERO) % 11
        return body + ("0" if rest < 2 else str(11 - rest))

    def find(self, key: str) -> int | None:
        """The index whose key this is, in or out of the world; None for any other text."""
        if len(key) != 44:
            return None
        for line, places in self._on_line.items():
            prefix = f"{self.emitters[line.emitter].tax_id}{line.model}{line.series:03d}"
            if key[6:25] == prefix and key[25:34].isascii() and key[25:34].isdigit():
                cycle, within = divmod(int(key[25:34]) - self._base[line], self._per_cycle[line])
                place = places[bisect_right(places, within, key=self._within.__getitem__) - 1]
                index = cycle * self._deck.width + place
                if abs(self._timeline.created(index) - START) > _LIFETIME:
                    return None  # no calendar has a day for so high a number
                found = self._deck.places[place].subtype is not Subtype.VOIDING and self.key(index) == key
                return index if found else self._reuser(index, key)
        return None

    def unknown_key(self, index: int) -> str:
        """The key of a note that no one ever issued, by the company of document `index` and in its month."""
        place = self._deck.places[index % self._deck.width]
        number = _NEVER_USED + index % _NEVER_USED
        return compose(
            self.emitters[place.company],
            self.issued_at(index),
            "55",
            1,
            number,
            f"{self._codes.below(~index, 10**8):08d}",
        )

    def _issued(self, index: int) -> int:
        """dhEmi in seconds."""
        issued = self._timeline.issued(index)
        if self._lies is None:
            return issued
        cycle, place = divmod(index, self._deck.width)
        story, cycle = self._deck.places[place].story, cycle - self._deck.places[place].delay
        if self._deck.names[place] != "sale" or self._lies.of(story, cycle) != "R6":
            return issued
        zone = self._zones[self._deck.places[place].line.emitter]
        return backdated(issued, zone, self._lies.throw(story, cycle, 3_000)) or issued

    def _reused(self, index: int) -> int | None:
        """The document of the same story whose number this one uses again."""
        cycle, place = divmod(index, self._deck.width)
        first = _REUSES.get(self._deck.names[place])
        if first is None or self._lies is None:
            return None
        story, cycle = self._deck.places[place].story, cycle - self._deck.places[place].delay
        if self._lies.of(story, cycle) != "R7c":
            return None
        other = self._deck.place_of[story, first]
        return (cycle + self._deck.places[other].delay) * self._deck.width + other

    def _reuser(self, index: int, key: str) -> int | None:
        """The document with this key that uses the number of document `index` again."""
        if self._lies is None:
            return None
        cycle, place = divmod(index, self._deck.width)
        story, cycle = self._deck.places[place].story, cycle - self._deck.places[place].delay
        for other in self._deck.places_of[story]:
            candidate = (cycle + self._deck.places[other].delay) * self._deck.width + other
            if self._reused(candidate) == index and self.key(candidate) == key:
                return candidate
        return None
