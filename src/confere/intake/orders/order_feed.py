"""The feed of orders: read by default, and marked as read only where the account's owner chose so.

The feed shows its oldest unread items alone, so that without marking it proves nothing about newer ones. An item is
marked by the very token that was read, after the order as the hub gave it later than that token is written for good:
a change that came meanwhile has a token of its own and stays. A kill between writing and marking repeats both.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

from confere.archive.accounts import accounts, audit
from confere.archive.accounts.hub_facts import FEED_ASKED, FEED_READ, FEED_SEEN, HAS_FEED
from confere.archive.clock import utc_now
from confere.errors import HubBroken, HubRefusedRequest, HubRefusedToken
from confere.hub.orders import order_feed
from confere.hub.orders.order_feed import FeedItem
from confere.intake.orders.order_details import OrderFetcher
from confere.intake.orders.order_writer import OF_ONE_PATH, Work

PAGE = 100
MOST_ITEMS = 5  # of one order in one run: one that is new whenever it was marked is left to the next
MOST_BROKEN = 3  # markings in a row at which the hub broke down: the rest is left to the next run


class Feed:
    """The account's feed in one run. `look` comes before the list is read, `process` after it."""

    def __init__(self, work: Work, *, marks: bool) -> None:
        self._work = work
        self._marks = marks
        known = work.account.facts.get(FEED_SEEN)
        self._seen: frozenset[str] = frozenset(known if isinstance(known, list) else ())
        self._tried: set[FeedItem] = set()
        self._times: Counter[str] = Counter()  # items of an order in this run
        self._first: Sequence[FeedItem] = ()
        self._read_at: str | None = None

    def look(self) -> None:
        """Read the feed: what the list shows afterwards is at least as new as these items."""
        if self._work.is_without(HAS_FEED, FEED_ASKED):
            return
        try:
            self._first = self._read()
        except OF_ONE_PATH as error:
            self._work.go_on_without(HAS_FEED, FEED_ASKED, error)
        else:
            self._work.learn(HAS_FEED, FEED_ASKED, True)
            self._read_at = utc_now()

    def process(self, asker: OrderFetcher) -> None:
        """Bring every item's order here, and mark it where that is wanted, until the feed shows nothing new."""
        self._process(asker)
        if self._read_at is not None:  # by now what it showed is here, or known to be missing
            with self._work.archive.writing() as transaction:
                accounts.learn(transaction, self._work.account.id, {FEED_READ: self._read_at})

    def _process(self, asker: OrderFetcher) -> None:
        items, listed = self._first, self._work.listed
        while items:
            processed = self._bring(items, asker, listed)
            self._remember(items, processed)
            if not self._marks or not self._mark([item for item in items if item in processed]):
                return
            self._tried.update(items)
            self._times.update(item.order_id for item in items)
            try:
                shown = self._read()
            except OF_ONE_PATH as error:
                self._work.go_on_without(HAS_FEED, FEED_ASKED, error)
                return
            items = [item for item in shown if item not in self._tried and self._times[item.order_id] < MOST_ITEMS]
            listed = set()  # the list was read before these items

    def _bring(self, items: Sequence[FeedItem], asker: OrderFetcher, listed: set[str]) -> set[FeedItem]:
        """The items whose order is in the archive as it was when they were read, or later."""
        done = {item for item in items if item.order_id in listed or _sign(item) in self._seen}
        found = asker.ask((item.order_id for item in items if item not in done), again=True)
        return done | {item for item in items if item.order_id in found}

    def _mark(self, items: Sequence[FeedItem]) -> bool:
        """Mark these; whether to look for more."""
        work = self._work
        before, broken = work.result.marked, 0
        if items:
            with work.archive.writing() as transaction:
                audit.write(transaction, "feed mark", work.account.name, ", ".join(item.order_id for item in items))
        for item in items:
            try:
                order_feed.mark(work.session, item.order_id, item.token, stop=work.stop)
            except OF_ONE_PATH as error:
                if isinstance(error, HubRefusedToken) and error.status != 403:
                    raise
                work.result.fail(item.order_id, error.what)
                broken = broken + 1 if isinstance(error, HubBroken) else 0
                if isinstance(error, HubRefusedToken) or broken == MOST_BROKEN:  # it may read, but not mark
                    return False
                continue
            broken = 0
            work.result.marked += 1
        return work.result.marked > before

    def _read(self) -> tuple[FeedItem, ...]:
        try:
            return order_feed.unread(self._work.session, PAGE, stop=self._work.stop)
        except HubRefusedRequest as error:
            if error.status != 400:
                raise
            return order_feed.unread(self._work.session, stop=self._work.stop)  # it may not know the limit

    def _remember(self, items: Sequence[FeedItem], processed: set[FeedItem]) -> None:
        """Which items need no question when they are shown again."""
        signs = sorted(_sign(item) for item in items if item in processed)
        if frozenset(signs) != self._seen:
            self._seen = frozenset(signs)
            with self._work.archive.writing() as transaction:
                accounts.learn(transaction, self._work.account.id, {FEED_SEEN: signs})


def _sign(item: FeedItem) -> str:
    return hashlib.sha256(f"{item.order_id}\n{item.token}".encode()).hexdigest()[:16]
