"""Numbers and access keys in closed form, and the way back from a key to its document."""

from __future__ import annotations

from bisect import bisect_right
from datetime import datetime
from operator import mul

from sandbox_hub.paper.facts import Taxpayer
from sandbox_hub.world.companies import Cast
from sandbox_hub.world.deck import VOIDED_NUMBERS, Deck, NumberLine
from sandbox_hub.world.dice import Die
from sandbox_hub.world.places import zone_of
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.timeline import Timeline

# Weights 2..9 from the right over 43 positions; a character counts as its code minus 48.
_WEIGHTS = tuple(2 + (42 - position) % 8 for position in range(43))
_ZERO = 48 * sum(_WEIGHTS)
_TOO_PLAIN = frozenset({*(k * 11_111_111 for k in range(10)), *(12_345_678, 23_456_789, 34_567_890, 45_678_901),
                        *(56_789_012, 67_890_123, 78_901_234, 89_012_345, 90_123_456, 1_234_567)})  # fmt: skip


class Numbering:
    """Every line of numbers runs without a gap but for the voided ones; time before the world included."""

    def __init__(self, seed: int, deck: Deck, timeline: Timeline, cast: Cast) -> None:
        self._deck = deck
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
        self._zones = [zone_of(emitter.address.uf) for emitter in self.emitters]
        self._static = []
        for place in deck.places:
            emitter = self.emitters[place.line.emitter]
            middle = f"{emitter.tax_id}{place.line.model}{place.line.series:03d}"
            self._static.append((emitter.address.uf_code, middle, self._zones[place.line.emitter]))

    def number(self, index: int) -> int:
        """nNF or nCT; of a voiding record the first of its numbers."""
        cycle, place = divmod(index, self._deck.width)
        line = self._deck.places[place].line
        return self._base[line] + cycle * self._per_cycle[line] + self._within[place]

    def code(self, index: int) -> int:
        """cNF or cCT: eight digits that are neither the number nor a pattern (rejection 897)."""
        code = self._codes.below(index, 10**8)
        number = self.number(index)
        while code == number or code in _TOO_PLAIN:
            code = (code + 7_919) % 10**8
        return code

    def issued_at(self, index: int) -> datetime:
        """dhEmi, in the emitter's own offset."""
        emitter = self._deck.places[index % self._deck.width].line.emitter
        return datetime.fromtimestamp(self._timeline.issued(index), self._zones[emitter])

    def key(self, index: int) -> str:
        """The access key of document `index` (meaningless for a voiding record)."""
        state, middle, zone = self._static[index % self._deck.width]
        issued = datetime.fromtimestamp(self._timeline.issued(index), zone)
        body = (
            f"{state}{issued.year % 100:02d}{issued.month:02d}{middle}{self.number(index):09d}1{self.code(index):08d}"
        )
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
                found = self._deck.places[place].subtype is not Subtype.VOIDING and self.key(index) == key
                return index if found else None
        return None
