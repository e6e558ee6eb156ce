"""Any feed of the hub: read by default, and marked as read only where the account's owner chose so.

A feed shows its oldest unread items alone, so that without marking it proves nothing about newer ones. An item is
marked by the very token that was read, after the record as the hub gave it later than that token is written for good:
a change that came meanwhile has a token of its own and stays. A kill between writing and marking repeats both.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, Protocol, TypeVar

from confere.archive.accounts import accounts, audit
from confere.archive.accounts.hub_facts import of_feed
from confere.archive.clock import utc_now
from confere.errors import HubBroken, HubNotFound, HubRefusedRequest, HubRefusedToken
from confere.hub.contract.feed_terms import FeedTerms, Marking
from confere.hub.feeds import feed
from confere.hub.feeds.feed import FeedItem
from confere.intake.account_work import OF_ONE_PATH, AccountWork, CountsFailures
from confere.sales.hub_feeds import HubFeed

PAGE = 100
MOST_ITEMS = 5  # of one record in one run: one that is new whenever it was marked is left to the next
MOST_BROKEN = 3  # markings in a row at which the hub broke down: the rest is left to the next run
_NONE: Final[frozenset[str]] = frozenset()

Bring = Callable[[Iterable[str]], Collection[str]]
"""Brings these records here, as the hub has them now; gives the ids of those that came."""


class FeedFigures(CountsFailures, Protocol):
    """Figures of a sync that reads feeds; `marked` counts items."""

    marked: int


F = TypeVar("F", bound=FeedFigures)


class FeedReading:
    """One feed of the account in one run: `look` comes before any list of the same records is read, `process` after it.

    `is_offered` is whether the hub has the feed, as far as this run knows; `shown` counts the items it showed;
    `is_cut` tells that it showed as many as it ever shows, so that newer ones may be behind them.
    """

    def __init__(self, work: AccountWork[F], name: HubFeed, terms: FeedTerms, *, marks: bool) -> None:
        self._work = work
        self._name = name
        self._terms = terms
        self._facts = of_feed(name)
        self._marks = marks and terms.marking is not None
        known = work.account.facts.get(self._facts.seen)
        self._seen: frozenset[str] = frozenset(known if isinstance(known, list) else ())
        self._tried: set[FeedItem] = set()
        self._times: Counter[str] = Counter()  # items of a record in this run
        self._first: Sequence[FeedItem] = ()
        self._read_at: str | None = None
        self._shown: set[FeedItem] = set()
        self._is_whole = True  # whether all that was shown is here, so that all of it may be marked
        self.is_cut = False

    @property
    def is_offered(self) -> bool:
        return self._read_at is not None

    @property
    def shown(self) -> int:
        return len(self._shown)

    def look(self) -> None:
        """Read the feed: what a list shows afterwards is at least as new as these items."""
        if not self._terms.is_offered or self._work.is_without(self._facts.has, self._facts.asked):
            return
        try:
            self._first = self._read()
        except OF_ONE_PATH as error:
            self._work.go_on_without(self._facts.has, self._facts.asked, error)
        else:
            self._work.learn(self._facts.has, self._facts.asked, True)
            self._read_at = utc_now()

    def process(self, bring: Bring, listed: Collection[str] = _NONE) -> None:
        """Bring every item's record here, and mark it where that is wanted, until the feed shows nothing new.

        `listed` are records that a list showed since the look.
        """
        self._process(bring, listed)
        if self._read_at is not None:  # by now what it showed is here, or known to be missing
            with self._work.archive.writing() as transaction:
                accounts.learn(transaction, self._work.account.id, {self._facts.read_at: self._read_at})

    def _process(self, bring: Bring, listed: Collection[str]) -> None:
        items = self._first
        while items:
            processed = self._bring(items, bring, listed)
            self._remember(items, processed)
            self._is_whole = self._is_whole and len(processed) == len(items)
            if not self._marks or not self._mark([item for item in items if item in processed]):
                return
            self._tried.update(items)
            self._times.update(item.hub_id for item in items)
            try:
                shown = self._read()
            except OF_ONE_PATH as error:
                self._work.go_on_without(self._facts.has, self._facts.asked, error)
                return
            fresh = [item for item in shown if item not in self._tried]
            items = [item for item in fresh if self._times[item.hub_id] < MOST_ITEMS]
            self._is_whole = self._is_whole and len(items) == len(fresh)
            listed = _NONE  # the list was read before these items

    def _bring(self, items: Sequence[FeedItem], bring: Bring, listed: Collection[str]) -> set[FeedItem]:
        """The items whose record is in the archive as it was when they were read, or later."""
        done = {item for item in items if item.hub_id in listed or _sign(item) in self._seen}
        came = bring(item.hub_id for item in items if item not in done)
        return done | {item for item in items if item.hub_id in came}

    def _mark(self, items: Sequence[FeedItem]) -> bool:
        """Mark these; whether to look for more."""
        if not items or (self._terms.marking is Marking.ALL_READ and not self._is_whole):
            return False
        ids = ", ".join(item.hub_id for item in items)
        with self._work.archive.writing() as transaction:
            told = ids if self._name is HubFeed.ORDERS else f"{self._name}: {ids}"
            audit.write(transaction, "feed mark", self._work.account.name, told)
        return self._mark_singly(items) if self._terms.marking is Marking.SINGLY else self._mark_together(items)

    def _mark_together(self, items: Sequence[FeedItem]) -> bool:
        """By one request; one by one where the hub does not take these together."""
        work = self._work
        names_items = self._terms.marking is Marking.TOGETHER
        try:
            if names_items:
                feed.mark_together(work.session, self._name, items, stop=work.stop)
            else:
                feed.mark_all_read(work.session, self._name, stop=work.stop)
        except (HubNotFound, HubRefusedRequest) as error:
            if names_items:
                return self._mark_singly(items)
            work.result.fail(self._name, error.what)
            return False
        except OF_ONE_PATH as error:
            if isinstance(error, HubRefusedToken) and error.status != 403:
                raise
            work.result.fail(self._name, error.what)
            return False
        work.result.marked += len(items)
        return True

    def _mark_singly(self, items: Sequence[FeedItem]) -> bool:
        work = self._work
        before, broken = work.result.marked, 0
        for item in items:
            try:
                feed.mark(work.session, self._name, item, stop=work.stop)
            except OF_ONE_PATH as error:
                if isinstance(error, HubRefusedToken) and error.status != 403:
                    raise
                work.result.fail(item.hub_id, error.what)
                broken = broken + 1 if isinstance(error, HubBroken) else 0
                if isinstance(error, HubRefusedToken) or broken == MOST_BROKEN:  # it may read, but not mark
                    return False
                continue
            broken = 0
            work.result.marked += 1
        return work.result.marked > before

    def _read(self) -> tuple[FeedItem, ...]:
        work = self._work
        try:
            shown = feed.unread(work.session, self._name, PAGE if self._terms.takes_limit else None, stop=work.stop)
        except HubRefusedRequest as error:
            if error.status != 400 or not self._terms.takes_limit:
                raise
            shown = feed.unread(work.session, self._name, stop=work.stop)  # it may not know the limit
        self._shown.update(shown.items)
        self._is_whole = self._is_whole and not shown.nameless
        self.is_cut = len(shown.items) + shown.nameless >= PAGE
        return shown.items

    def _remember(self, items: Sequence[FeedItem], processed: set[FeedItem]) -> None:
        """Which items need no question when they are shown again."""
        signs = sorted(_sign(item) for item in items if item in processed)
        if frozenset(signs) != self._seen:
            self._seen = frozenset(signs)
            with self._work.archive.writing() as transaction:
                accounts.learn(transaction, self._work.account.id, {self._facts.seen: signs})


def _sign(item: FeedItem) -> str:
    return hashlib.sha256(f"{item.hub_id}\n{item.token}".encode()).hexdigest()[:16]
