"""The feeds of orders and of their reservations: what changed in thirty days and nobody has marked as read."""

from __future__ import annotations

from collections.abc import Iterable

from sandbox_hub.feeds.feed_item import RETENTION, FeedItem, feed_token, read_token
from sandbox_hub.posted.order_book import Order, OrderBook
from sandbox_hub.world.filters import OrderQuery
from sandbox_hub.world.selection import members


class OrderFeed:
    """Unread changes of orders; `marks` (order id to the last stage read) belongs to the owner, who keeps it."""

    _name = "feed"  # what its tokens are sealed with

    def __init__(self, orders: OrderBook, marks: dict[str, int]) -> None:
        self._orders = orders
        self._world = orders.world
        self._marks = marks
        self._given_out: dict[int, str] = {}  # the last token of each order that a reader was shown
        self._clock: int | None = None
        self._read: set[int] = set()  # order ids with nothing new at `_clock`

    def unread(self, limit: int) -> list[FeedItem]:
        """The oldest orders with an unread change; every change of an order is one item with its own token."""
        self._follow_clock()
        found: list[FeedItem] = []
        query = OrderQuery(changed_from=self._world.now - RETENTION + 1)
        for number in members(self._orders.select(query)):
            order = self._orders.at(number)
            order_id = self._orders.id_of(order)
            if order_id not in self._read and self._is_recent(order):
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
        read = read_token(self._world.seed, self._name, token)
        if read is None:
            return None
        order_id, stage = read
        order = self._orders.order(order_id)
        return order_id if order is not None and 0 < stage <= self._stage(order) else None

    def mark(self, tokens: Iterable[str]) -> None:
        """Mark items as read, for every reader; the tokens must have an owner."""
        self._follow_clock()
        for token in tokens:
            order_id, stage = (int(part) for part in token.split("-")[:2])
            if self._given_out.get(order_id) == token:
                del self._given_out[order_id]
            self._marks[str(order_id)] = max(stage, self._marks.get(str(order_id), 0))
            self._note_if_read(str(order_id))

    def changed(self, order_id: int) -> None:
        """The order was written to: what it has that is new is unread, whatever was marked before."""
        self._read.discard(order_id)
        if str(order_id) in self._marks:
            self._note_if_read(str(order_id))

    def _follow_clock(self) -> None:
        if self._clock == self._world.now:
            return
        self._clock = self._world.now
        self._read = set()
        for order_id in self._marks:
            self._note_if_read(order_id)

    def _note_if_read(self, order_id: str) -> None:
        order = self._orders.order(int(order_id))
        if order is not None and self._stage(order) <= self._marks[order_id]:
            self._read.add(int(order_id))

    def _stage(self, order: Order) -> int:
        return self._orders.standing(order).stage

    def _is_recent(self, _order: Order) -> bool:
        """Whether a change that this feed is about, of an order that changed within the retention, lies in it too."""
        return True

    def _token(self, order_id: int, stage: int) -> str:
        return feed_token(self._world.seed, self._name, order_id, stage)


class ReservationFeed(OrderFeed):
    """Unread changes of what orders hold back of the stock: an item when it is reserved, another when that ends."""

    _name = "reservations"

    def _stage(self, order: Order) -> int:
        return 1 if self._orders.standing(order).left_stock is None else 2

    def _is_recent(self, order: Order) -> bool:
        left = self._orders.standing(order).left_stock
        changed = self._orders.placed(order) if left is None else left
        return changed > self._world.now - RETENTION
