"""What a sync learns of a hub's orders, by its name among the account's facts."""

from __future__ import annotations

HAS_LIST, LIST_ASKED = "has_orders", "has_orders_asked"
HAS_FEED, FEED_ASKED, FEED_SEEN, FEED_READ = "has_feed", "has_feed_asked", "feed_seen", "feed_read_at"
HAS_RETURNS, RETURNS_ASKED = "has_returns", "has_returns_asked"
FACTS = (HAS_LIST, LIST_ASKED, HAS_FEED, FEED_ASKED, FEED_SEEN, FEED_READ, HAS_RETURNS, RETURNS_ASKED)
"""All of them: what a look at another hub makes forgotten."""
