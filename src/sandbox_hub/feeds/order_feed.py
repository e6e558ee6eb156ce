"""The order feed: what changed in the last thirty days and nobody has marked as read."""

from __future__ import annotations

from collections.abc import Iterable

from sandbox_hub.feeds.feed_item import RETENTION, FeedItem, feed_token, read_token
from sandbox_hub.world.filters import OrderQuery
from sandbox_hub.world.selection import members
from sandbox_hub.world.world import OrderRef, World


class OrderFeed:
    """Unread changes of orders; `marks` (order id to the last stage read) belongs to the owner, who keeps it."""

    def __init__(self, world: World, marks: dict[str, int]) -> None:
        self._world = world
        self._marks = marks
        self._given_out: dict[int, str] = {}  # the last token of each order that a reader was shown
        self._clock: int | None = None
        self._read: set[int] = set()  # order ids with nothing new at `_clock`

    def unread(self, limit: int) -> list[FeedItem]:
        """The oldest orders with an unread change; every change of an order is one item with its own token."""
        self._follow_clock()
        found: list[FeedItem] = []
        query = OrderQuery(changed_from=self._world.now - RETENTION + 1)
        for number in members(self._world.select_orders(query)):
            order = self._world.order_at(number)
            order_id = self._world.order_id(order)
            if order_id not in self._read:
                item = FeedItem(order_id, self._token(order_id, self._stage(order)))
                self._given_out[order_id] = item.token
                found.append(item)
                if len(found) == limit:
                    break
        return found

    def given_out(self) -> list[str]:
        """Tokens of all that was read since they were last marked like this; each is told once."""
        tokens = list(self._given_out.values())
        self._given_out.clear()
        return [token for token in tokens if self.owner(token) is not None]

    def owner(self, token: str) -> int | None:
        """The order that a token was given out for; None where this feed never gave it out."""
        read = read_token(self._world.seed, "feed", token)
        if read is None:
            return None
        order_id, stage = read
        order = self._world.order(order_id)
        return order_id if order is not None and 0 < stage <= self._stage(order) else None

    def mark(self, tokens: Iterable[str]) -> None:
        """Mark items as read, for every reader; the tokens must have an owner."""
        self._follow_clock()
        for token in tokens:
            order_id, stage = (int(part) for part in token.split("-")[:2])
            self._marks[str(order_id)] = max(stage, self._marks.get(str(order_id), 0))
            self._note_if_read(str(order_id))

    def changed(self, order_id: int) -> None:
        """The order was written to: it has something new, whatever was marked before."""
        self._read.discard(order_id)

    def _follow_clock(self) -> None:
        if self._clock == self._world.now:
            return
        self._clock = self._world.now
        self._read = set()
        for order_id in self._marks:
            self._note_if_read(order_id)

    def _note_if_read(self, order_id: str) -> None:
        order = self._world.order(int(order_id))
        if order is not None and self._stage(order) <= self._marks[order_id]:
            self._read.add(int(order_id))

    def _stage(self, order: OrderRef) -> int:
        return self._world.standing(order).stage

    def _token(self, order_id: int, stage: int) -> str:
        return feed_token(self._world.seed, "feed", order_id, stage)
