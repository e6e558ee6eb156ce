"""Ids of products and SKUs: those of the world first, then its lots, then what clients wrote; and their order."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

FIRST_OF_WORLD = 1_001
FIRST_LOT = 100_001
FIRST_WRITTEN = 10_000_001


class IdRuns:
    """Several rising sequences of ids, each above the one before, as the `Indexes` of a list."""

    def __init__(self, *runs: Sequence[int]) -> None:
        self._runs = runs

    def __len__(self) -> int:
        return sum(map(len, self._runs))

    def page(self, offset: int, size: int) -> list[int]:
        """Ids number `offset` to `offset + size`, fewer at the end."""
        ids: list[int] = []
        for run in self._runs:
            ids += run[offset : offset + size - len(ids)]
            offset = max(0, offset - len(run))
        return ids

    def rank(self, index: int) -> int:
        """How many ids lie below `index`."""
        return sum(bisect_left(run, index) for run in self._runs)
