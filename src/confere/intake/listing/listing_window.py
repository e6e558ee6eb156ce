"""Which stretch of a hub's list to read, as a value, and when a list that was short is read whole once more."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from confere.archive.clock import from_text
from confere.archive.hub import coverage, shortfalls
from confere.archive.hub.newest_known_records import Landmark
from confere.archive.transaction import Transaction

OVERLAP = timedelta(days=1)
"""By how much a window begins before the last one ended: hubs compare in other zones, lag, or misread a date."""
SLACK = timedelta(days=1)
"""A hub may compare dates only, or in a zone of its own: an item this close to the edge proves nothing."""
RELIST_AGAIN = timedelta(hours=20)
"""Documents of the last days are listed again once in this time, and a list that was short; a nightly sync does both
each night."""


@dataclass(frozen=True, slots=True)
class ListingWindow:
    """One listing to do. `dated` asks the hub for these dates only; otherwise it gives everything.

    `resumed` is the interrupted listing that it goes on with, `landmark` what a dated one must show.
    """

    axis: str
    method: str
    from_at: str
    to_at: str | None  # None: up to the hub's now
    dated: bool = False
    resumed: coverage.Window | None = None
    landmark: Landmark | None = None

    @property
    def after(self) -> datetime | None:
        """What the hub is asked for from, by the window's axis; None for no bound."""
        return from_text(self.from_at) if self.dated and self.from_at != coverage.FOREVER else None

    @property
    def before(self) -> datetime | None:
        """What the hub is asked for up to; None for no bound."""
        return from_text(self.to_at) if self.dated and self.to_at else None

    def excludes(self, moment: datetime | None, widened: timedelta) -> bool:
        """Whether a hub that honours the dates cannot have listed what is of `moment`: it lies outside, or has no date.

        `widened` is by how much the window grew where the hub takes less exact dates.
        """
        after, before, slack = self.after, self.before, SLACK + widened
        if after is None and before is None:
            return False
        if moment is None:
            return True
        if after is not None and moment < after - slack:
            return True
        return before is not None and moment > before + slack


def whole(axis: str) -> ListingWindow:
    """Everything, without any date: nothing that has no date can hide."""
    return ListingWindow(axis, coverage.SCAN, coverage.FOREVER, None)


def undated(failed: ListingWindow, axis: str) -> ListingWindow:
    """What replaces a window whose dates the hub does not honour: the days asked for are picked out of what comes."""
    if failed.method == coverage.ASKED:
        return ListingWindow(failed.axis, failed.method, failed.from_at, failed.to_at)
    return whole(axis)


def going_on(interrupted: coverage.Window) -> ListingWindow:
    """What was left of a listing of everything that was interrupted."""
    return ListingWindow(interrupted.axis, interrupted.method, interrupted.from_at, None, resumed=interrupted)


def looks_again(transaction: Transaction, account_id: int, of: str) -> bool:
    """Whether a list that was short is due to be read whole once more."""
    last = shortfalls.last_read(transaction, account_id, of)
    now = datetime.now(UTC)
    return last is not None and not now - RELIST_AGAIN < from_text(last) <= now


def known_until(transaction: Transaction, account_id: int, axis: str) -> datetime | None:
    """Up to when everything is known; None where the beginning was never listed."""
    spans = coverage.covered(transaction, account_id, axis)
    if not spans or spans[0].from_at != coverage.FOREVER:
        return None
    return from_text(spans[0].to_at)
