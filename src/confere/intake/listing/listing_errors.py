"""What shows that a listing cannot be believed: filters not honoured, places that moved, less shown than said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Protocol

from confere.archive.hub.shortfalls import COUNT, CUT, HOLE, Short
from confere.errors import HubAnswerUnreadable, HubRefusedRequest
from confere.hub.listing.list_requests import LARGEST

MOST_READINGS = 3  # of a list that shows less than it says
_ROUND = 100  # a hub that gives so many at most has a multiple of this
_BEFORE_ALL = datetime(2000, 1, 1, tzinfo=UTC)  # before any electronic document


class Identified(Protocol):
    """What a list holds: told apart by its identity."""

    @property
    def identity(self) -> str:
        """The same for the same thing, whenever it is read."""

    @property
    def created_at(self) -> datetime | None:
        """When the hub says that it was created."""


class PageEvidence(Protocol):
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

    @property
    def skipped(self) -> bool:
        """Whether an empty page came before it."""


Dated = Callable[[datetime | None, datetime | None], Iterator[PageEvidence]]


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
        self._holed = False
        self._oldest: datetime | None = None
        self._latest: datetime | None = None

    def note(self, page: PageEvidence) -> None:
        self._identities.update(item.identity for item in page.items)
        for item in page.items:
            if (at := item.created_at) is not None:
                self._oldest = at if self._oldest is None else min(at, self._oldest)
                self._latest = at if self._latest is None else max(at, self._latest)
        self._refused += page.refused
        self._holed = self._holed or page.skipped
        self._end = page.offset + len(page.items) + page.refused
        self._newest = page.total if page.total is not None else self._newest
        self._most = max(self._most, (page.total or 0) - self._refused)

    def short(self) -> bool:
        """Whether to read once more; in the end it is for `missing` to say what never came."""
        self._readings += 1
        lacking = self._holed or len(self._identities) < self._most
        again = lacking and self._readings < MOST_READINGS
        if again:
            self._refused, self._holed = 0, False
        return again

    @property
    def ends_early(self) -> bool:
        """Whether the newest page ended before the place where the hub says that the list ends, or one was empty."""
        return self._holed or self._end < (self._newest or 0)

    @property
    def _newest_of_a_page(self) -> int:
        """The newest total where that is as much as a page has, and nothing that a hub would say of an empty list."""
        return LARGEST if self._newest == LARGEST else -1

    @property
    def may_be_cut(self) -> bool:
        """Whether as many came as a hub may give at most."""
        return len(self._identities) >= LARGEST and len(self._identities) % _ROUND == 0

    @property
    def shown(self) -> int:
        """How many came."""
        return len(self._identities)

    def short_of(self, read: Dated, started_at: datetime, *, is_whole: bool) -> Short | None:
        """How the readings were short of what the hub has; None where nothing is missing.

        `read` asks for the list of certain days. A hub that says of days without anything as much as is missing, or
        as much as a page has, counts wrongly for good. Where a list of everything (`is_whole`) has as many as a hub
        may give at most, days around it must hold nothing else that was there when the reading started.
        """
        missing = max(0, (self._newest or 0) - self._refused - self.shown)
        if missing:
            empty = _first(read, None, _BEFORE_ALL)
            if empty is not None and not empty.items and empty.total in (missing, self._newest_of_a_page):
                missing = 0
        if missing:
            return Short(COUNT, self.shown, missing, self._newest)
        if self._holed:
            return Short(HOLE, self.shown, 1)
        beyond = self._beyond(read, started_at) if is_whole and self.may_be_cut else 0
        return Short(CUT, self.shown, beyond) if beyond else None

    def _beyond(self, read: Dated, started_at: datetime) -> int:
        """How many are shown under dates, on the first page, that the list did not show."""
        if self._oldest is None or self._latest is None:
            return 0
        beyond = 0
        # Whole seconds, as most hubs take them; the windows grow by that.
        oldest, latest = self._oldest.replace(microsecond=0), self._latest.replace(microsecond=0)
        for first, last in ((None, oldest + timedelta(seconds=1)), (latest, None)):
            page = _first(read, first, last)
            items = () if page is None else page.items
            beyond += sum(
                1
                for item in items
                if item.identity not in self._identities
                and item.created_at is not None
                and item.created_at < started_at
            )
        return beyond


def _first(read: Dated, first: datetime | None, last: datetime | None) -> PageEvidence | None:
    try:
        return next(read(first, last), None)
    except (HubRefusedRequest, HubAnswerUnreadable):  # it takes no dates, or has no answer of use to them
        return None


class TypeUnproven(Exception):
    """The hub does not understand our `documentTypeValue` as we do."""
