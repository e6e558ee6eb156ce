"""How an account stands with its hub: when its list was last read, whether that is too long ago, and what was short."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from confere.app.archive_session import OpenArchive
from confere.app.context import EMBEDDED
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.hub_facts import of_feed
from confere.archive.clock import from_text, utc_now
from confere.archive.hub import coverage, shortfalls
from confere.archive.transaction import Transaction
from confere.errors import Message
from confere.fiscal.periods import BRASILIA
from confere.sales.hub_feeds import HubFeed
from confere.system.settings import STALE_AFTER

FEED_KEPT_DAYS: Final = 30
"""How long a feed keeps what nobody has marked. Source: the hub's specification, Limits."""
FEED_ENDING_DAYS: Final = 25
"""A feed that was read so long ago is worth a word: the hub is about to forget changes that nobody has seen."""


@dataclass(frozen=True, slots=True)
class FeedAge:
    """When a feed was last read and processed (in the zone of Brasília), and how many days ago; `days` is None where
    nothing grows old."""

    feed: HubFeed
    read_at: datetime
    days: int | None

    @property
    def is_ending(self) -> bool:
        """Whether to say how old the reading is."""
        return self.days is not None and self.days >= FEED_ENDING_DAYS

    @property
    def is_over(self) -> bool:
        """Whether the feed may have forgotten changes since it was read."""
        return self.days is not None and self.days >= FEED_KEPT_DAYS


@dataclass(frozen=True, slots=True)
class AccountStanding:
    """`listed_at` is when the list was last read to its newest end (in the zone of Brasília), None for never; `days`
    how many days ago, None where nothing grows old: never listed, or a demonstration. `short` says what lists of its
    hub were short of. `feeds` are those of its hub that were ever read. `stale_after` is how many days may pass."""

    listed_at: datetime | None
    days: int | None
    short: tuple[Message, ...]
    feeds: tuple[FeedAge, ...] = ()
    stale_after: int = STALE_AFTER.default

    @property
    def is_stale(self) -> bool:
        """Whether the listing is so old that it is an alarm: a nightly sync has failed a few times."""
        return self.days is not None and self.days >= self.stale_after

    @property
    def ending_feeds(self) -> tuple[FeedAge, ...]:
        """The feeds whose last reading is worth a word, the oldest first."""
        ending = [feed for feed in self.feeds if feed.is_ending]
        return tuple(sorted(ending, key=lambda feed: feed.days or 0, reverse=True))

    @property
    def order_feed(self) -> FeedAge | None:
        """The feed of orders, where it was ever read."""
        return next((feed for feed in self.feeds if feed.feed is HubFeed.ORDERS), None)


def standing(
    transaction: Transaction, account: Account, now: datetime | None = None, *, stale_after: int = STALE_AFTER.default
) -> AccountStanding:
    """How `account` stands at `now`; its listing is stale `stale_after` days after it."""
    last = coverage.last_listed(transaction, account.id)
    listed_at = None if last is None else from_text(last).astimezone(BRASILIA)
    short = tuple(entry.what for entry in shortfalls.every(transaction, account.id))
    at = now or from_text(utc_now())
    return AccountStanding(listed_at, _days(account, listed_at, at), short, tuple(_feeds(account, at)), stale_after)


def _feeds(account: Account, now: datetime) -> Iterator[FeedAge]:
    for feed in HubFeed:
        read = account.facts.get(of_feed(feed).read_at)
        if isinstance(read, str):
            read_at = from_text(read).astimezone(BRASILIA)
            yield FeedAge(feed, read_at, _days(account, read_at, now))


def _days(account: Account, since: datetime | None, now: datetime) -> int | None:
    return None if since is None or account.environment == EMBEDDED else max(0, (now - since).days)


def every(opened: OpenArchive) -> dict[str, AccountStanding]:
    """How every account in use stands, by its name."""
    if not opened.exists:
        return {}
    days = opened.workspace.settings.get(STALE_AFTER)
    with opened.reading() as transaction:
        return {
            account.name: standing(transaction, account, stale_after=days) for account in accounts.every(transaction)
        }
