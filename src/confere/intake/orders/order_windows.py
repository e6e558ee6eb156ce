"""Which stretch of the hub's time to list orders of next.

The list knows no filter by last change. So a run lists again what was created in the last days (the account's
`relist_days`) and everything since the newest creation known; each window begins before the last one ended. What is
older and may still move is asked for one by one (`confere.intake.orders.order_sync`).
"""

from __future__ import annotations

from datetime import timedelta

from confere.archive.accounts import preferences
from confere.archive.clock import from_text, utc_text
from confere.archive.hub import coverage
from confere.archive.hub.newest_known_records import Landmark
from confere.archive.orders import order_requests
from confere.archive.transaction import Transaction
from confere.intake.listing.listing_window import (
    OVERLAP,
    ListingWindow,
    going_on,
    known_until,
    looks_again,
    whole,
)
from confere.intake.orders.order_writer import OrdersRequest


def plan(transaction: Transaction, account_id: int, request: OrdersRequest) -> ListingWindow:
    """What to list: the days asked for, an interrupted listing of everything, or what is new or may have moved.

    A dated listing must show an order that was created when the newest known one was.
    """
    coverage.forget_interrupted(transaction, account_id, (coverage.ORDERS,))
    coverage.tidy(transaction, account_id)
    if request.from_at is not None or request.to_at is not None:
        first = utc_text(request.from_at) if request.from_at else coverage.FOREVER
        last = utc_text(request.to_at) if request.to_at else None
        return ListingWindow(coverage.ORDERS, coverage.ASKED, first, last, dated=True)
    if request.full:
        return whole(coverage.ORDERS)
    interrupted = coverage.unfinished(transaction, account_id, (coverage.ORDERS,))
    if interrupted is not None:
        return going_on(interrupted)
    if looks_again(transaction, account_id, coverage.ORDERS):
        return whole(coverage.ORDERS)
    since = known_until(transaction, account_id, coverage.ORDERS)
    newest = order_requests.newest_creation(transaction, account_id)
    if since is None or newest is None:
        return whole(coverage.ORDERS)
    begin = min(since - OVERLAP, since - _relisted(transaction, account_id), from_text(newest))
    landmark = Landmark(newest, frozenset())
    return ListingWindow(coverage.ORDERS, coverage.WINDOW, utc_text(begin), None, dated=True, landmark=landmark)


def returns_plan(transaction: Transaction, account_id: int, *, full: bool) -> ListingWindow:
    """As `plan`, for returns: no returns at all are believed only where the list was asked for without dates."""
    coverage.forget_interrupted(transaction, account_id, (coverage.RETURNS,))
    coverage.tidy(transaction, account_id)
    interrupted = coverage.unfinished(transaction, account_id, (coverage.RETURNS,))
    if interrupted is not None and not full:
        return going_on(interrupted)
    since = known_until(transaction, account_id, coverage.RETURNS)
    if full or since is None or looks_again(transaction, account_id, coverage.RETURNS):
        return whole(coverage.RETURNS)
    begin = since - max(_relisted(transaction, account_id), timedelta(days=1))
    return ListingWindow(coverage.RETURNS, coverage.WINDOW, utc_text(begin), None, dated=True)


def _relisted(transaction: Transaction, account_id: int) -> timedelta:
    """How far back is listed again each time."""
    return timedelta(days=preferences.get(transaction, account_id).relist_days)
