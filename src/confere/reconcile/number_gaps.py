"""Which numbers of a series are neither used nor declared unused: of R12, and of the checklist of a month."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise
from operator import itemgetter
from typing import Any, Generic, NamedTuple, TypeVar

Numbered = TypeVar("Numbered", bound=tuple[Any, ...])
"""Something of a series; its first part is its number."""


class NumberGap(NamedTuple, Generic[Numbered]):
    """The numbers from `first` to `last`, both missing, between two that were used."""

    first: int
    last: int
    before: Numbered
    after: Numbered

    @property
    def numbers(self) -> int:
        return self.last - self.first + 1


def number_gaps(used: Iterable[Numbered], voided: Iterable[tuple[int, int]]) -> Iterator[NumberGap[Numbered]]:
    """The runs of missing numbers between the used ones, beside the ranges that were declared unused.

    Source: Ajuste SINIEF 7/05, cl. 14 (unused numbers are declared, inutilização).
    """
    ranges = sorted(voided)
    for before, after in pairwise(sorted(used, key=itemgetter(0))):
        if after[0] - before[0] > 1:
            for first, last in _beside(before[0] + 1, after[0] - 1, ranges):
                yield NumberGap(first, last, before, after)


def _beside(first: int, last: int, voided: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """What is left of a run of numbers beside the voided ones."""
    at = max(bisect_right(voided, first, key=itemgetter(0)) - 1, 0)
    while first <= last and at < len(voided) and voided[at][0] <= last:
        start, end = voided[at]
        if end >= first:
            if start > first:
                yield first, start - 1
            first = end + 1
        at += 1
    if first <= last:
        yield first, last
