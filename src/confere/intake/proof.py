"""What shows that a listing cannot be believed: filters not honoured, places that moved, less shown than said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

MOST_READINGS = 3  # of a list that shows less than it says


class Identified(Protocol):
    """What a list holds: told apart by its identity."""

    @property
    def identity(self) -> str:
        """The same for the same thing, whenever it is read."""


class ReadPage(Protocol):
    """A page of a list, as far as it proves something."""

    @property
    def items(self) -> Sequence[Identified]:
        """What could be read."""

    @property
    def offset(self) -> int:
        """Where it begins, in items."""

    @property
    def total(self) -> int | None:
        """How much the hub says there is."""

    @property
    def refused(self) -> int:
        """How many elements were no records."""


class FilterIgnored(Exception):
    """The hub listed something that the window excludes, or not what it must show."""


class SeamOpen(Exception):
    """Items moved over the place where an interrupted listing had stopped."""


class Moved(Exception):
    """The hub said that there is more than it showed: items moved while the list was read."""


class Sighted:
    """What the readings of one list showed together, beside what the hub said there is."""

    def __init__(self) -> None:
        self._identities: set[str] = set()
        self._most = 0
        self._newest: int | None = None  # total
        self._refused = 0  # in the reading that goes on
        self._readings = 0
        self._end = 0

    def note(self, page: ReadPage) -> None:
        self._identities.update(item.identity for item in page.items)
        self._refused += page.refused
        self._end = page.offset + len(page.items) + page.refused
        self._newest = page.total if page.total is not None else self._newest
        self._most = max(self._most, (page.total or 0) - self._refused)

    def short(self) -> bool:
        """Whether to read once more; in the end it is for `missing` to say what never came."""
        self._readings += 1
        again = len(self._identities) < self._most and self._readings < MOST_READINGS
        if again:
            self._refused = 0
        return again

    @property
    def ends_early(self) -> bool:
        """Whether the newest page ended before the place where the hub says that the list ends."""
        return self._end < (self._newest or 0)

    @property
    def missing(self) -> int:
        """How many the hub said at last that there are, beyond those that any reading showed."""
        return max(0, (self._newest or 0) - self._refused - len(self._identities))


class TypeUnproven(Exception):
    """The hub does not understand our `documentTypeValue` as we do."""
