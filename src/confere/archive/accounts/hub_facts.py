"""What a sync learns of a hub, by its name among the account's facts."""

from __future__ import annotations

from typing import NamedTuple

from confere.sales.hub_feeds import HubFeed

HAS_LIST, LIST_ASKED = "has_orders", "has_orders_asked"
HAS_RETURNS, RETURNS_ASKED = "has_returns", "has_returns_asked"


class FeedFacts(NamedTuple):
    """Names of what is known of a feed: whether the hub has it, when it was asked in vain, which items need no
    question again, and when it was last read and processed."""

    has: str
    asked: str
    seen: str
    read_at: str


def of_feed(feed: HubFeed) -> FeedFacts:
    """The names for one feed."""
    names = FeedFacts("has_feed", "has_feed_asked", "feed_seen", "feed_read_at")
    # Those of orders are from when there was no other feed.
    return names if feed is HubFeed.ORDERS else FeedFacts(*(f"{name}:{feed}" for name in names))


FACTS = (
    *(HAS_LIST, LIST_ASKED, HAS_RETURNS, RETURNS_ASKED),
    *(name for feed in HubFeed for name in of_feed(feed)),
)
"""All of them: what a look at another hub makes forgotten."""
