"""The feed of what clients and hooks change: products, publications, prices, reservations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sandbox_hub.feeds.feed_item import RETENTION, FeedItem, feed_token, read_token
from sandbox_hub.world.world import World


class ChangeFeed:
    """Unread changes of one domain.

    `kept` belongs to the owner, who keeps it: for each id, as text, how often it changed (`stage`), when last (`at`,
    in seconds) and the last change that was read (`read`).
    """

    def __init__(self, domain: str, world: World, kept: dict[str, dict[str, Any]]) -> None:
        self._domain = domain
        self._world = world
        self._kept = kept
        self._given_out: dict[int, str] = {}

    def changed(self, item_id: int) -> None:
        """The item has something new, now."""
        item = self._kept.pop(str(item_id), {"stage": 0, "read": 0})
        # Last in the order of the dict: the order in which items are shown.
        self._kept[str(item_id)] = {**item, "stage": item["stage"] + 1, "at": self._world.now}

    def knows(self, item_id: int) -> bool:
        """Whether the item was ever in this feed."""
        return str(item_id) in self._kept

    def unread(self, limit: int) -> list[FeedItem]:
        """The oldest unread changes; what is older than the retention is shown no more."""
        oldest = self._world.now - RETENTION
        waiting = [
            FeedItem(int(item_id), feed_token(self._world.seed, self._domain, int(item_id), item["stage"]))
            for item_id, item in self._kept.items()
            if item["stage"] > item["read"] and oldest < item["at"] <= self._world.now
        ][:limit]
        self._given_out.update(waiting)
        return waiting

    def given_out(self) -> list[str]:
        """Tokens of all that was read since they were last marked like this; each is given once."""
        tokens = list(self._given_out.values())
        self._given_out.clear()
        return [token for token in tokens if self.owner(token) is not None]

    def owner(self, token: str) -> int | None:
        """The id that a token was given out for; None where this feed never gave it out."""
        read = read_token(self._world.seed, self._domain, token)
        item = None if read is None else self._kept.get(str(read[0]))
        return read[0] if read is not None and item is not None and 0 < read[1] <= item["stage"] else None

    def mark(self, tokens: Iterable[str]) -> None:
        """Mark items as read, for every reader; the tokens must have an owner."""
        for token in tokens:
            read = read_token(self._world.seed, self._domain, token)
            assert read is not None
            if self._given_out.get(read[0]) == token:
                del self._given_out[read[0]]
            item = self._kept[str(read[0])]
            item["read"] = max(item["read"], read[1])
