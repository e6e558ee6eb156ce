"""What the parts of a sync of orders share: the request, the figures, and the one way in which orders are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from confere.archive.clock import utc_now
from confere.archive.orders import order_aliases, orders
from confere.archive.orders.order_rows import ReceivedOrder
from confere.archive.orders.orders import HUB, RecordedOrders
from confere.archive.transaction import Transaction
from confere.errors import Message
from confere.hub.contract.feed_terms import SPECIFIED, FeedTerms
from confere.hub.orders.orders import HubOrder
from confere.intake.account_work import AccountWork
from confere.intake.listing.listing_figures import ListingFigures
from confere.intake.orders.erased_persons import without_erased
from confere.sales.hub_feeds import HubFeed

MOST_FAILURES_TOLD = 1000


@dataclass(frozen=True, slots=True)
class OrdersRequest:
    """Everything by default. Times are aware and inclusive; `ids` are the only orders to ask for, where given.

    `feed` is how the hub's feed of orders is read and marked.
    """

    from_at: datetime | None = None
    to_at: datetime | None = None
    full: bool = False  # list everything again, also where the hub had no list before
    only_failed: bool = False  # list nothing: ask again for what failed
    ids: tuple[str, ...] = ()
    feed: FeedTerms = SPECIFIED[HubFeed.ORDERS]
    only_feed: bool = False  # list nothing: read the feed alone


@dataclass(frozen=True, slots=True)
class FailedOrder:
    """One order (or what is named instead of one) that did not come, and why."""

    order_id: str
    reason: Message


@dataclass(slots=True)
class OrdersResult(ListingFigures):
    """Figures of one sync of orders; `asked` counts orders asked for by id.

    `short` counts lists (orders, returns) that the hub gives short of what it has; they are among the `failed`.
    `has_list` is None where nobody asked for the list. `in_feed` counts what the feed showed, `has_feed` and
    `is_feed_cut` whether there is one and whether it showed as much as it ever shows at once.
    """

    changed: int = 0
    asked: int = 0
    absent: int = 0
    short: int = 0
    marked: int = 0
    returns: int = 0
    has_list: bool | None = None
    has_feed: bool = False
    in_feed: int = 0
    is_feed_cut: bool = False
    failures: list[FailedOrder] = field(default_factory=list)

    def counts(self) -> dict[str, int | float | str | bool | None]:
        """The figures alone, as runs and scripts want them."""
        names = ("listed", "new", "changed", "asked", "absent", "failed", "short", "marked", "returns", "requests")
        figures: dict[str, int | float | str | bool | None] = {name: getattr(self, name) for name in names}
        rest = {"date_filter": self.date_filter, "has_list": self.has_list, "seconds": round(self.seconds, 3)}
        return figures | rest

    def fail(self, order_id: str, reason: Message) -> None:
        """Count what did not come; the first of them are told by name."""
        self.failed += 1
        if len(self.failures) < MOST_FAILURES_TOLD:
            self.failures.append(FailedOrder(order_id, reason))

    def count(self, recorded: RecordedOrders) -> None:
        self.new += recorded.new
        self.changed += recorded.changed


class NoList(Exception):
    """This hub has no list of orders or of returns, or not for this token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work(AccountWork[OrdersResult]):
    """One sync of one account's orders. `listed` are the ids that its list has shown so far."""

    request: OrdersRequest
    listed: set[str] = field(default_factory=set)

    def write(self, transaction: Transaction, found: Sequence[HubOrder]) -> RecordedOrders:
        """Write orders of the hub down, each with an id; a file's word of the same order makes way."""
        orders_of_files = {
            number: entry.order.hub_id
            for entry in found
            for number in (entry.order.marketplace_number, entry.order.marketplace_id)
            if number is not None
        }
        order_aliases.adopt(transaction, self.account.id, orders_of_files)
        now = utc_now()
        return orders.record(
            transaction,
            self.archive.vault_writer,
            self.account.id,
            self.run_id,
            without_erased(
                transaction,
                self.account.id,
                [ReceivedOrder(entry.order, entry.raw, HUB, now) for entry in found],
            ),
        )
