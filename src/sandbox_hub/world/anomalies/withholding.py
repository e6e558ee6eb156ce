"""Documents that the hub holds and never shows: a share of every place of the deck, in a pattern of cycles.

The pattern repeats every twenty cycles, so what is left of any selection is a selection of a deck twenty times as wide:
pages and counts stay exact and cost the same at any size.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sandbox_hub.world.seeded_random import Die
from sandbox_hub.world.selection import Run, Selection

_PERIOD = 20


class Withholding:
    """`share` of the documents, drawn by the seed; 0 holds nothing back."""

    def __init__(self, seed: int, share: float, width: int) -> None:
        die = Die(seed, "withheld")
        cells = [(cycle, place) for cycle in range(_PERIOD) for place in range(width)]
        die.shuffle(cells)
        self._width = width
        self._hidden = frozenset(cells[: round(share * len(cells))])
        self._shown = [[c for c in range(_PERIOD) if (c, place) not in self._hidden] for place in range(width)]

    def __bool__(self) -> bool:
        return bool(self._hidden)

    def hides(self, index: int) -> bool:
        """Whether document `index` is withheld."""
        if not self._hidden:
            return False
        cycle, place = divmod(index, self._width)
        return (cycle % _PERIOD, place) in self._hidden

    def select(self, runs: Iterable[Run]) -> Selection:
        """The documents of `runs` that are shown."""
        if not self._hidden:
            return Selection(self._width, runs)
        return Selection(self._width * _PERIOD, self._wide(runs))

    def _wide(self, runs: Iterable[Run]) -> Iterator[Run]:
        for place, first, end in runs:
            for c in self._shown[place]:
                yield Run(c * self._width + place, -((c - first) // _PERIOD), -((c - end) // _PERIOD))
