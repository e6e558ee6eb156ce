"""Reads a window of a hub's list, the same way for documents, orders and returns.

Each page is written in one transaction with the cursor behind it. The window is claimed as listed only when the whole
answer was held against what must be in it; where the hub does not honour the dates, or the list moved under an
interrupted listing, everything is listed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Generic, NamedTuple, TypeVar

from confere.archive.accounts.accounts import Account
from confere.archive.hub import coverage, shortfalls
from confere.archive.hub.shortfalls import Short
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import HubRefusedRequest
from confere.hub.listing.date_filters import DatesRefused, widened
from confere.hub.session import HubSession
from confere.hub.traits.hub_traits import HONOURED, IGNORED, REFUSED
from confere.intake.listing.hub_clock import Begun
from confere.intake.listing.listing_errors import FilterIgnored, Moved, PageEvidence, SeamOpen, Sighted, TypeUnproven
from confere.intake.listing.listing_window import ListingWindow, undated, whole

PAGE = 100

Page = TypeVar("Page", bound=PageEvidence)


class PageWritten(NamedTuple):
    """How many records of a page are new, and whether the page shows the newest record known (`landmark`)."""

    new: int
    shows_landmark: bool = False


class ListReader(ABC, Generic[Page]):
    """One list of a hub: `list_name` among what is learnt of the hub; `axis` is that of a listing of everything."""

    list_name: str
    axis: str
    narrowed = ""
    is_dated = True  # whether what lies outside a window shows that its dates are not honoured
    abandoned_on: tuple[type[Exception], ...] = (FilterIgnored, TypeUnproven, SeamOpen, Moved, HubRefusedRequest)
    """Errors after which the place in the list means nothing, and a listing of everything begins anew."""

    def __init__(self, archive: Archive, session: HubSession, account: Account, run_id: int) -> None:
        self._archive = archive
        self._session = session
        self._account = account
        self._run_id = run_id

    @abstractmethod
    def _pages(self, window: ListingWindow, offset: int) -> Iterator[Page]:
        """The pages of the window from this item on."""

    @abstractmethod
    def _of_days(self, first: datetime | None, last: datetime | None) -> Iterator[Page]:
        """The pages of certain days, to hold the list against."""

    @abstractmethod
    def _write(self, transaction: Transaction, page: Page, window: ListingWindow) -> PageWritten:
        """Write a page down."""

    def _disproves(self, page: Page, window: ListingWindow, widened: timedelta) -> bool:
        """Whether the page shows that the dates are not honoured."""
        return self.is_dated and any(window.excludes(item.created_at, widened) for item in page.items)

    def _written(self) -> None:
        """The page is in the archive."""

    def _show(self, page: Page) -> None:
        """Let the user see how far the list has come."""

    def _newest(self, _transaction: Transaction, _axis: str) -> str | None:
        """When the newest record known was created, as UTC text; None where that proves nothing."""
        return None

    def _is_honestly_empty(self, _window: ListingWindow) -> bool:
        """Whether a window without a single record can be believed."""
        return False

    def _learn(self, *, dates: str | None = None, date_filter: str | None = None) -> None:
        """Remember how the hub takes dates."""
        if dates is not None:
            self._session.shapes.learn(self.list_name, dates=dates)
        if date_filter is not None:
            self._session.shapes.learn(self.list_name, date_filter=date_filter)

    def _tell_date_filter(self, date_filter: str) -> None:
        """Put into the result how the hub takes dates."""

    def _ended(self, short: Short | None, refused: int) -> None:
        """The list is at its end: how it was short, and how many elements were no records."""

    def _claimed(self, transaction: Transaction, window: coverage.Window, refused: int, *, resumed: bool) -> None:
        """The window is written down as listed."""

    def read_due(self, plan: Callable[[Transaction], ListingWindow]) -> None:
        """Read the window that `plan` gives; after an interrupted listing of everything, what happened since too."""
        for _ in range(2):
            with self._archive.writing() as transaction:
                window = plan(transaction)
            self.read(window)
            if window.resumed is None:
                return

    def read(self, window: ListingWindow) -> bool:
        """List the window; whether that was everything, because the dates of the window could not be used."""
        try:
            self._read(window)
        except (FilterIgnored, DatesRefused) as useless:
            refused = isinstance(useless, DatesRefused)
            self._tell_date_filter(REFUSED if refused else IGNORED)
            self._read(undated(window, self.axis))
            if refused:  # now that the list came without dates, it was these that the hub refused
                self._learn(dates=REFUSED)
            else:
                self._learn(date_filter=IGNORED)
            return True
        except SeamOpen:
            self._read(whole(self.axis))
        return False

    def _read(self, window: ListingWindow, sighted: Sighted | None = None) -> None:
        """One reading of the list, and more of them where it moved meanwhile."""
        sighted = sighted or Sighted()
        stored = window.resumed
        started: Begun | None = None
        item_count = refused = 0
        shows_landmark = window.landmark is None
        try:
            for page in self._pages(window, max(0, stored.offset - PAGE) if stored else 0):
                if self._disproves(page, window, widened(self._session.shapes.of(self.list_name).dates)):
                    raise FilterIgnored
                started = started or Begun.now(self._session, self._account)
                item_count += len(page.items)
                refused += page.refused
                sighted.note(page)
                with self._archive.writing() as transaction:
                    stored = stored or self._begin(transaction, window, started)
                    written = self._write(transaction, page, window)
                    coverage.advance(transaction, stored.id, page.offset + len(page.items) + page.refused)
                shows_landmark = shows_landmark or written.shows_landmark
                self._written()
                if written.new and window.resumed and page.offset + len(page.items) <= window.resumed.offset:
                    raise SeamOpen  # nothing new can stand before the place of a resumed listing
                self._show(page)
            self._prove(window, item_count, shows_landmark=shows_landmark)
            if window.resumed is not None and sighted.ends_early:
                raise SeamOpen
            if window.resumed is None and sighted.short():
                raise Moved
        except self.abandoned_on as useless:
            if stored is not None:
                with self._archive.writing() as transaction:
                    coverage.abandon(transaction, stored.id)
            if not isinstance(useless, Moved):
                raise
            self._read(window, sighted)
            return
        self._close(window, stored, started or Begun.now(self._session, self._account), sighted, refused)

    def _prove(self, window: ListingWindow, item_count: int, *, shows_landmark: bool) -> None:
        """Hold the whole answer against what must be in it, before it counts as listed."""
        if not window.dated:
            return
        if not shows_landmark if item_count else not self._is_honestly_empty(window):
            raise FilterIgnored
        self._tell_date_filter(HONOURED)
        self._learn(date_filter=HONOURED)

    def _close(
        self, window: ListingWindow, stored: coverage.Window | None, started: Begun, sighted: Sighted, refused: int
    ) -> None:
        """Claim what was listed, or note how the list was short of what the hub has."""
        short = None
        if window.resumed is None:
            is_whole = window.method == coverage.SCAN and not self.narrowed
            short = sighted.short_of(self._of_days, started.at, is_whole=is_whole)
        self._ended(short, refused)
        with self._archive.writing() as transaction:
            stored = stored or self._begin(transaction, window, started)
            if short is not None:  # nothing is claimed for it: the next sync lists it again
                coverage.abandon(transaction, stored.id)
                if not stored.narrowed:
                    shortfalls.note(transaction, self._account.id, stored, short)
                return
            to_at = self._until(transaction, window, started)
            if to_at < stored.from_at:  # days that are still to come
                coverage.abandon(transaction, stored.id)
                return
            coverage.finish(transaction, stored.id, to_at)
            stored = replace(stored, to_at=to_at)
            shortfalls.settle(transaction, self._account.id, stored)
            self._claimed(transaction, stored, refused, resumed=window.resumed is not None)

    def _begin(self, transaction: Transaction, window: ListingWindow, started: Begun) -> coverage.Window:
        return coverage.begin(
            transaction,
            self._account.id,
            self._run_id,
            axis=window.axis,
            from_at=window.from_at,
            to_at=self._until(transaction, window, started),
            narrowed=self.narrowed,
            method=window.method,
        )

    def _until(self, transaction: Transaction, window: ListingWindow, started: Begun) -> str:
        """Up to when a listing may be claimed that began so; one that goes on with another, as that one."""
        if window.resumed is not None:
            return window.resumed.to_at
        moment = started.until(self._session, self._newest(transaction, window.axis))
        return min(window.to_at, moment) if window.to_at else moment
