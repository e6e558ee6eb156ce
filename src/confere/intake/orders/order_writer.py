"""What the parts of a sync of orders share: the request, the figures, and the one way in which orders are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.clock import utc_now
from confere.archive.orders import order_aliases, orders
from confere.archive.orders.order_rows import ReceivedOrder
from confere.archive.orders.orders import HUB, RecordedOrders
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import (
    HubAnswerUnreadable,
    HubBroken,
    HubError,
    HubNotFound,
    HubRefusedRequest,
    HubRefusedToken,
    Message,
)
from confere.hub.orders.orders import HubOrder
from confere.hub.session import HubSession
from confere.intake.listing.listing_figures import ListingFigures
from confere.intake.orders.erased_persons import without_erased
from confere.system.processes.cancellation import Stop

AGAIN = timedelta(days=7)
"""What a hub did not have is asked for again after this time."""
MOST_FAILURES_TOLD = 1000
OF_ONE_PATH = (HubNotFound, HubRefusedRequest, HubRefusedToken, HubBroken, HubAnswerUnreadable)
"""Errors that may be about one address of the hub while the others work."""


@dataclass(frozen=True, slots=True)
class OrdersRequest:
    """Everything by default. Times are aware and inclusive; `ids` are the only orders to ask for, where given."""

    from_at: datetime | None = None
    to_at: datetime | None = None
    full: bool = False  # list everything again, also where the hub had no list before
    only_failed: bool = False  # list nothing: ask again for what failed
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FailedOrder:
    """One order (or what is named instead of one) that did not come, and why."""

    order_id: str
    reason: Message


@dataclass(slots=True)
class OrdersResult(ListingFigures):
    """Figures of one sync of orders; `asked` counts orders asked for by id.

    `short` counts lists (orders, returns) that the hub gives short of what it has; they are among the `failed`.
    `has_list` is None where nobody asked for the list.
    """

    changed: int = 0
    asked: int = 0
    absent: int = 0
    short: int = 0
    marked: int = 0
    returns: int = 0
    has_list: bool | None = None
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


@dataclass(frozen=True, slots=True)
class Work:
    """One sync of one account's orders. `listed` are the ids that its list has shown so far."""

    archive: Archive
    session: HubSession
    account: Account
    request: OrdersRequest
    run_id: int
    result: OrdersResult
    stop: Stop | None
    listed: set[str] = field(default_factory=set)

    def learn(self, fact: str, asked: str, value: bool) -> None:
        """Remember whether the hub offers something; where it does not, when it was asked."""
        if self.account.facts.get(fact) is not value or not value:
            with self.archive.writing() as transaction:
                accounts.learn(transaction, self.account.id, {fact: value, asked: None if value else utc_now()})

    def is_without(self, fact: str, asked: str) -> bool:
        """Whether the hub did not offer this when it was asked lately."""
        facts = self.account.facts
        return facts.get(fact) is False and not self.request.full and str(facts.get(asked) or "") > ago(AGAIN)

    def go_on_without(self, fact: str, asked: str, error: HubError) -> None:
        """Make do without a list that did not come (`OF_ONE_PATH`): the hub has none, or it is broken, which is told.

        Raises the error again where it is about the token.
        """
        if isinstance(error, HubRefusedToken) and error.status != 403:
            raise error
        works = self.account.facts.get(fact) is True
        if isinstance(error, HubBroken) or (isinstance(error, HubAnswerUnreadable) and works):
            self.result.fail("?", error.what)
        else:
            self.learn(fact, asked, False)

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


def ago(span: timedelta) -> str:
    """The moment so long before now, as the archive writes its own times."""
    return (datetime.now(UTC) - span).isoformat(timespec="seconds")
