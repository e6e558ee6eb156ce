"""What is asked of a sync of feeds, and what it came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce

from confere.errors import Message
from confere.hub.contract.feed_terms import SPECIFIED, FeedTerms
from confere.sales.hub_feeds import HubFeed

MOST_FAILURES_TOLD = 1000
_COUNTS = ("items", "fetched", "changed", "prices", "named", "absent", "failed", "marked")
OTHER_FEEDS = tuple(feed for feed in HubFeed if feed is not HubFeed.ORDERS)
"""The feeds that are read here; that of orders is read with their list."""


@dataclass(frozen=True, slots=True)
class FeedsRequest:
    """`feeds` are those to read, `terms` how; `full` asks again for a feed that the hub did not have."""

    feeds: tuple[HubFeed, ...] = OTHER_FEEDS
    terms: Mapping[HubFeed, FeedTerms] = field(default_factory=lambda: SPECIFIED)
    full: bool = False


@dataclass(frozen=True, slots=True)
class FeedFailure:
    """One record (or feed) that did not come, and why."""

    name: str
    reason: Message


@dataclass(slots=True)
class FeedResult:
    """What one feed brought. `items` were shown, `fetched` records came, `changed` of them are new or other versions,
    `prices` published prices are new, `named` records the hub gives nowhere, `absent` it no longer has, `marked`
    items were marked as read.

    `lost` are the first of those that failed. `is_offered` False: the hub has no such feed. `is_cut`: it showed as many
    items as it ever shows at once.
    """

    feed: HubFeed
    is_offered: bool = False
    items: int = 0
    fetched: int = 0
    changed: int = 0
    prices: int = 0
    named: int = 0
    absent: int = 0
    failed: int = 0
    marked: int = 0
    is_cut: bool = False
    lost: list[FeedFailure] = field(default_factory=list)

    def counts(self) -> dict[str, int | bool]:
        """The figures alone, as runs and scripts want them."""
        return {name: getattr(self, name) for name in ("is_offered", *_COUNTS, "is_cut")}

    def plus(self, other: FeedResult) -> FeedResult:
        """The figures of two accounts' feeds of the same name, together."""
        sums = {name: getattr(self, name) + getattr(other, name) for name in (*_COUNTS, "lost")}
        is_offered, is_cut = self.is_offered or other.is_offered, self.is_cut or other.is_cut
        return FeedResult(self.feed, is_offered, is_cut=is_cut, **sums)

    def fail(self, name: str, reason: Message) -> None:
        """Count what did not come; the first of them are told by name."""
        self.failed += 1
        if len(self.lost) < MOST_FAILURES_TOLD:
            self.lost.append(FeedFailure(name, reason))


@dataclass(slots=True)
class FeedsResult:
    """What a sync of feeds came to, feed by feed."""

    feeds: list[FeedResult] = field(default_factory=list)
    requests: int = 0
    seconds: float = 0.0
    stopped: bool = False

    @property
    def failed(self) -> int:
        """Records and feeds that did not come."""
        return sum(each.failed for each in self.feeds)

    def plus(self, other: FeedsResult) -> FeedsResult:
        """The figures of two accounts together."""
        names = dict.fromkeys(each.feed for each in (*self.feeds, *other.feeds))
        feeds = [
            reduce(FeedResult.plus, (each for each in (*self.feeds, *other.feeds) if each.feed is name))
            for name in names
        ]
        stopped = self.stopped or other.stopped
        return FeedsResult(feeds, self.requests + other.requests, self.seconds + other.seconds, stopped)

    def counts(self) -> dict[str, object]:
        """The figures alone, as runs and scripts want them."""
        return {
            **{name: sum(getattr(each, name) for each in self.feeds) for name in _COUNTS},
            "feeds": {each.feed.value: each.counts() for each in self.feeds},
            "requests": self.requests,
            "seconds": round(self.seconds, 3),
        }
