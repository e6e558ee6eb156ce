"""Which stretches of the hub's time to list next, from what is covered already.

New documents are found by creation date, changed ones by last update. Each incremental window begins a day before
the last one ended, and never after the newest record known: hubs compare in other zones, lag, or misread a date, and
a window that does not show what it must show proves that the filter is not honoured. What comes twice costs
nothing. Windows end at the hub's own time, told by its answers: ours may be wrong.

Once a day the window of new documents begins days further back (`relist_documents_days`): events that came without
moving the last update show there, and what is gone does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from confere.archive.accounts import preferences
from confere.archive.clock import from_text, utc_text
from confere.archive.hub import coverage, newest_known_records, shortfalls
from confere.archive.hub.newest_known_records import Landmark
from confere.archive.transaction import Transaction
from confere.hub.documents.documents import DocumentFilter
from confere.intake.documents.sync_request import SyncRequest

OVERLAP = timedelta(days=1)
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

    def filter(self, request: SyncRequest, type_value: str | None) -> DocumentFilter:
        """The query that asks the hub for this window."""
        created_from = created_to = updated_from = updated_to = None
        if self.dated:
            first = from_text(self.from_at) if self.from_at != coverage.FOREVER else None
            last = from_text(self.to_at) if self.to_at else None
            if self.axis == coverage.CREATED:
                created_from, created_to = first, last
            else:
                updated_from, updated_to = first, last
        return DocumentFilter(
            order_id=request.order_id,
            marketplace=request.marketplace,
            created_from=created_from,
            created_to=created_to,
            updated_from=updated_from,
            updated_to=updated_to,
            document_type_value=type_value,
        )


def plan(transaction: Transaction, account_id: int, request: SyncRequest) -> tuple[ListingWindow, ...]:
    """What to list: the days asked for, an interrupted listing of everything, or what is new and what changed."""
    coverage.forget_interrupted(transaction, account_id)
    coverage.tidy(transaction, account_id)
    if request.from_at is not None or request.to_at is not None:
        first = utc_text(request.from_at) if request.from_at else coverage.FOREVER
        last = utc_text(request.to_at) if request.to_at else None
        return (ListingWindow(coverage.CREATED, coverage.ASKED, first, last, dated=True),)
    if request.narrowed or request.full:
        return (whole(),)
    interrupted = coverage.unfinished(transaction, account_id)
    if interrupted is not None:
        return (ListingWindow(interrupted.axis, interrupted.method, interrupted.from_at, None, resumed=interrupted),)
    if looks_again(transaction, account_id, shortfalls.DOCUMENTS):
        return (whole(),)
    plans = []
    relisted = _relist_days(transaction, account_id)
    for axis in (coverage.CREATED, coverage.UPDATED):
        since = _since(transaction, account_id, axis)
        landmark = newest_known_records.newest(transaction, account_id, axis)
        if since is None or landmark is None:  # nothing listed yet, or nothing with a date to hold the answer against
            return (whole(),)
        begin, method = min(since - OVERLAP, from_text(landmark.at)), coverage.WINDOW
        if axis == coverage.CREATED and relisted is not None:
            begin, method = min(begin, since - relisted), coverage.RELIST
        plans.append(ListingWindow(axis, method, utc_text(begin), None, dated=True, landmark=landmark))
    return tuple(plans)


def looks_again(transaction: Transaction, account_id: int, of: str) -> bool:
    """Whether a list that was short is due to be read whole once more."""
    last = shortfalls.last_read(transaction, account_id, of)
    now = datetime.now(UTC)
    return last is not None and not now - RELIST_AGAIN < from_text(last) <= now


def _relist_days(transaction: Transaction, account_id: int) -> timedelta | None:
    """How far back documents are to be listed again now; None where that is not due, or not wanted."""
    days = preferences.get(transaction, account_id).relist_documents_days
    last = coverage.last_relisted(transaction, account_id)
    now = datetime.now(UTC)
    is_due = last is None or not now - RELIST_AGAIN < from_text(last) <= now
    return timedelta(days=days) if days and is_due else None


def whole() -> ListingWindow:
    """Everything, without any date: nothing that has no date can hide, and it covers both axes."""
    return ListingWindow(coverage.CREATED, coverage.SCAN, coverage.FOREVER, None)


def undated(failed: ListingWindow) -> ListingWindow:
    """What replaces a listing whose date filter the hub does not honour: the days asked for are picked out here."""
    if failed.method == coverage.ASKED:
        return ListingWindow(failed.axis, failed.method, failed.from_at, failed.to_at)
    return whole()


def _since(transaction: Transaction, account_id: int, axis: str) -> datetime | None:
    """Up to when everything is known; None where the beginning was never listed."""
    spans = coverage.covered(transaction, account_id, axis)
    if not spans or spans[0].from_at != coverage.FOREVER:
        return None
    return from_text(spans[0].to_at)
