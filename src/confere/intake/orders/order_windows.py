"""Which stretch of the hub's time to list orders of next.

The list knows no filter by last change. So a run lists again what was created in the last days (the account's
`relist_days`) and everything since the newest creation known; each window begins before the last one ended. What is
older and may still move is asked for one by one (`confere.intake.orders.order_sync`).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from confere.archive.clock import from_text, utc_text
from confere.archive.hub import coverage
from confere.archive.orders import order_requests
from confere.archive.transaction import Transaction
from confere.hub.orders.orders import HubOrder
from confere.intake.documents.sync_request import SLACK
from confere.intake.listing.date_windows import OVERLAP, looks_again
from confere.intake.orders.order_writer import OrdersRequest


@dataclass(frozen=True, slots=True)
class OrderPlan:
    """One listing to do. `dated` asks the hub for these dates only; otherwise it gives everything.

    `resumed` is the interrupted listing that it goes on with; `landmark` when the newest known order was created,
    which a dated listing must show.
    """

    method: str
    from_at: str
    to_at: str | None  # None: up to the hub's now
    dated: bool = False
    resumed: coverage.Window | None = None
    landmark: str | None = None

    @property
    def after(self) -> datetime | None:
        return from_text(self.from_at) if self.dated and self.from_at != coverage.FOREVER else None

    @property
    def before(self) -> datetime | None:
        return from_text(self.to_at) if self.dated and self.to_at else None

    def excludes(self, found: HubOrder, widened: timedelta = timedelta(0)) -> bool:
        """Whether a hub that honours the dates cannot have listed this order: it lies outside, or has no date.

        `widened` is by how much the window grew where the hub takes less exact dates.
        """
        slack = SLACK + widened
        created = found.created_at
        if self.after is None and self.before is None:
            return False
        if created is None:
            return True
        if self.after is not None and created < self.after - slack:
            return True
        return self.before is not None and created > self.before + slack

    def is_landmark(self, found: HubOrder) -> bool:
        """Whether this order is as new as the newest one known."""
        created = found.created_at
        return self.landmark is None or (created is not None and created >= from_text(self.landmark))


def plan(transaction: Transaction, account_id: int, request: OrdersRequest, relist_days: int) -> OrderPlan:
    """What to list: the days asked for, an interrupted listing of everything, or what is new or may have moved."""
    coverage.forget_interrupted(transaction, account_id, (coverage.ORDERS,))
    coverage.tidy(transaction, account_id)
    if request.from_at is not None or request.to_at is not None:
        first = utc_text(request.from_at) if request.from_at else coverage.FOREVER
        return OrderPlan(coverage.ASKED, first, utc_text(request.to_at) if request.to_at else None, dated=True)
    if request.full:
        return whole()
    interrupted = coverage.unfinished(transaction, account_id, (coverage.ORDERS,))
    if interrupted is not None:
        return OrderPlan(interrupted.method, interrupted.from_at, None, resumed=interrupted)
    if looks_again(transaction, account_id, coverage.ORDERS):
        return whole()
    spans = coverage.covered(transaction, account_id, coverage.ORDERS)
    landmark = order_requests.newest_creation(transaction, account_id)
    if not spans or spans[0].from_at != coverage.FOREVER or landmark is None:
        return whole()
    since = from_text(spans[0].to_at)
    begin = min(since - OVERLAP, since - timedelta(days=relist_days), from_text(landmark))
    return OrderPlan(coverage.WINDOW, utc_text(begin), None, dated=True, landmark=landmark)


def whole() -> OrderPlan:
    """Everything, without any date."""
    return OrderPlan(coverage.SCAN, coverage.FOREVER, None)


def undated(failed: OrderPlan) -> OrderPlan:
    """What replaces a listing whose dates the hub does not honour."""
    if failed.method == coverage.ASKED:
        return OrderPlan(failed.method, failed.from_at, failed.to_at)
    return whole()
