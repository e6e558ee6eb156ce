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
    """What the readings of one list showed together, beside the most that the hub said there is."""

    def __init__(self) -> None:
        self._identities: set[str] = set()
        self._most = 0
        self._readings = 0

    def note(self, page: ReadPage) -> None:
        self._identities.update(item.identity for item in page.items)
        self._most = max(self._most, (page.total or 0) - page.refused)

    def short(self) -> bool:
        """Whether to read once more; a hub that miscounts for good is believed in the end."""
        self._readings += 1
        return len(self._identities) < self._most and self._readings < MOST_READINGS


class TypeUnproven(Exception):
    """The hub does not understand our `documentTypeValue` as we do."""
