"""Which indexes a filter leaves, as cycle intervals per place in the deck: any page costs the same."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, Protocol


class Run(NamedTuple):
    """Place `place` of the deck in cycles `first` (included) to `end` (excluded)."""

    place: int
    first: int
    end: int


class Indexes(Protocol):
    """An ordered set of indexes that can be counted and entered anywhere."""

    def __len__(self) -> int: ...
    def page(self, offset: int, size: int) -> list[int]: ...
    def rank(self, index: int) -> int: ...


class Selection:
    """The union of `runs` in order of index (cycle × width + place).

    Between two cycles where some run begins or ends, the same places repeat: so the set is a short list of
    stretches, each a count, and the k-th member is a division. Building it costs the number of places times
    the number of stretches, whatever the world's size. Runs of one place must not overlap.
    """

    def __init__(self, width: int, runs: Iterable[Run]) -> None:
        self._width = width
        kept = [run for run in runs if run.first < run.end]
        bounds = sorted({run.first for run in kept} | {run.end for run in kept})
        opening: dict[int, list[int]] = {}
        closing: dict[int, list[int]] = {}
        for run in kept:
            opening.setdefault(run.first, []).append(run.place)
            closing.setdefault(run.end, []).append(run.place)
        self._cycles: list[int] = []  # first cycle of each stretch
        self._places: list[list[int]] = []
        self._before: list[int] = []  # members before each stretch
        active: set[int] = set()
        total = 0
        for bound, following in pairwise(bounds):
            active.difference_update(closing.get(bound, ()))
            active.update(opening.get(bound, ()))
            if active:
                self._cycles.append(bound)
                self._places.append(sorted(active))
                self._before.append(total)
                total += (following - bound) * len(active)
        self._total = total

    def __len__(self) -> int:
        return self._total

    def page(self, offset: int, size: int) -> list[int]:
        """Members `offset` to `offset + size`, fewer at the end."""
        found: list[int] = []
        stop = min(offset + size, self._total)
        while offset < stop:
            stretch = bisect_right(self._before, offset) - 1
            places = self._places[stretch]
            end = self._before[stretch + 1] if stretch + 1 < len(self._before) else self._total
            base = self._before[stretch]
            for k in range(offset - base, min(stop, end) - base):
                cycle, nth = divmod(k, len(places))
                found.append((self._cycles[stretch] + cycle) * self._width + places[nth])
            offset = min(stop, end)
        return found

    def rank(self, index: int) -> int:
        """How many members lie below `index`."""
        cycle, place = divmod(index, self._width)
        stretch = bisect_right(self._cycles, cycle) - 1
        if stretch < 0:
            return 0
        places = self._places[stretch]
        count = (cycle - self._cycles[stretch]) * len(places) + bisect_left(places, place)
        end = self._before[stretch + 1] if stretch + 1 < len(self._before) else self._total
        return min(self._before[stretch] + count, end)


class Amended:
    """A selection with a few members taken out and a few put in; its costs grow with those few only."""

    def __init__(self, base: Indexes, without: Iterable[int], plus: Iterable[int]) -> None:
        self._base = base
        self._plus = sorted(set(plus))
        gone = sorted(set(without) | set(self._plus))
        self._without = [i for i in gone if base.rank(i + 1) > base.rank(i)]
        self._gone = frozenset(self._without)
        # How many survivors of the base lie before each one taken out, and the final place of each one put in.
        self._before = [base.rank(i) - n for n, i in enumerate(self._without)]
        self._placed = [self.rank(i) for i in self._plus]

    def __len__(self) -> int:
        return len(self._base) - len(self._without) + len(self._plus)

    def page(self, offset: int, size: int) -> list[int]:
        put_before = bisect_left(self._placed, offset)
        survivor = offset - put_before
        entry = survivor + bisect_right(self._before, survivor)
        end = survivor + size + bisect_left(self._before, survivor + size)
        gone = self._gone
        rest = [i for i in self._base.page(entry, end - entry) if i not in gone]
        return sorted(rest + self._plus[put_before : put_before + size])[:size]

    def rank(self, index: int) -> int:
        return self._base.rank(index) - bisect_left(self._without, index) + bisect_left(self._plus, index)


def members(indexes: Indexes, step: int = 512) -> Iterator[int]:
    """Every member in order, a page at a time."""
    offset = 0
    while page := indexes.page(offset, step):
        yield from page
        offset += len(page)


def cycles_between(width: int, place: int, first: int, end: int) -> tuple[int, int]:
    """The cycles in which `place` has an index in [first, end)."""
    return -((place - first) // width), -((place - end) // width)


class Handful:
    """A few indexes, listed."""

    def __init__(self, indexes: Sequence[int]) -> None:
        self._indexes = sorted(indexes)

    def __len__(self) -> int:
        return len(self._indexes)

    def page(self, offset: int, size: int) -> list[int]:
        return self._indexes[offset : offset + size]

    def rank(self, index: int) -> int:
        return bisect_left(self._indexes, index)


class Interleaved:
    """A selection with members of another kind put between its own.

    `extras` are pairs: how many members of the base stand before it, and the member. `rank` of an extra is its place.
    """

    def __init__(self, base: Indexes, extras: Iterable[tuple[int, int]]) -> None:
        self._base = base
        self._extras = sorted(extras)
        self._places = [before + n for n, (before, _) in enumerate(self._extras)]
        self._place_of = {member: place for place, (_, member) in zip(self._places, self._extras, strict=True)}

    def __len__(self) -> int:
        return len(self._base) + len(self._extras)

    def page(self, offset: int, size: int) -> list[int]:
        first, end = bisect_left(self._places, offset), bisect_left(self._places, offset + size)
        found = self._base.page(offset - first, size - (end - first))
        for n in range(first, end):
            found.insert(self._places[n] - offset, self._extras[n][1])
        return found

    def rank(self, index: int) -> int:
        if index in self._place_of:
            return self._place_of[index]
        below = self._base.rank(index)
        return below + bisect_right(self._extras, below, key=lambda extra: extra[0])


class Backwards:
    """The same members, last first; `rank` counts those that come before in this order."""

    def __init__(self, indexes: Indexes) -> None:
        self._indexes = indexes

    def __len__(self) -> int:
        return len(self._indexes)

    def page(self, offset: int, size: int) -> list[int]:
        end = len(self._indexes) - offset
        start = max(0, end - size)
        return self._indexes.page(start, end - start)[::-1] if end > 0 else []

    def rank(self, index: int) -> int:
        return len(self._indexes) - self._indexes.rank(index + 1)
