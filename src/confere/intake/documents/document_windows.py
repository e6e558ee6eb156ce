"""Which stretches of the list of documents to read next, from what is covered already.

New documents are found by creation date, changed ones by last update. Each incremental window begins a day before
the last one ended, and never after the newest record known: a window that does not show what it must show proves that
the filter is not honoured. What comes twice costs nothing. Windows end at the hub's own time, told by its answers:
ours may be wrong.

Once a day the window of new documents begins days further back (`relist_documents_days`): events that came without
moving the last update show there, and what is gone does not.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from confere.archive.accounts import preferences
from confere.archive.clock import from_text, utc_text
from confere.archive.hub import coverage, newest_known_records, shortfalls
from confere.archive.transaction import Transaction
from confere.hub.documents.documents import DocumentFilter
from confere.intake.documents.sync_request import SyncRequest
from confere.intake.listing.listing_window import (
    OVERLAP,
    RELIST_AGAIN,
    ListingWindow,
    going_on,
    known_until,
    looks_again,
    whole,
)


def document_filter(window: ListingWindow, request: SyncRequest, type_value: str | None) -> DocumentFilter:
    """The query that asks the hub for this window."""
    is_created = window.axis == coverage.CREATED
    return DocumentFilter(
        order_id=request.order_id,
        marketplace=request.marketplace,
        created_from=window.after if is_created else None,
        created_to=window.before if is_created else None,
        updated_from=None if is_created else window.after,
        updated_to=None if is_created else window.before,
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
        return (whole(coverage.CREATED),)
    interrupted = coverage.unfinished(transaction, account_id)
    if interrupted is not None:
        return (going_on(interrupted),)
    if looks_again(transaction, account_id, shortfalls.DOCUMENTS):
        return (whole(coverage.CREATED),)
    plans = []
    relisted = _relist_days(transaction, account_id)
    for axis in (coverage.CREATED, coverage.UPDATED):
        since = known_until(transaction, account_id, axis)
        landmark = newest_known_records.newest(transaction, account_id, axis)
        if since is None or landmark is None:  # nothing listed yet, or nothing with a date to hold the answer against
            return (whole(coverage.CREATED),)
        begin, method = min(since - OVERLAP, from_text(landmark.at)), coverage.WINDOW
        if axis == coverage.CREATED and relisted is not None:
            begin, method = min(begin, since - relisted), coverage.RELIST
        plans.append(ListingWindow(axis, method, utc_text(begin), None, dated=True, landmark=landmark))
    return tuple(plans)


def _relist_days(transaction: Transaction, account_id: int) -> timedelta | None:
    """How far back documents are to be listed again now; None where that is not due, or not wanted."""
    days = preferences.get(transaction, account_id).relist_documents_days
    last = coverage.last_relisted(transaction, account_id)
    now = datetime.now(UTC)
    is_due = last is None or not now - RELIST_AGAIN < from_text(last) <= now
    return timedelta(days=days) if days and is_due else None
