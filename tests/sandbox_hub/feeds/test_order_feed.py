"""The order feed against walking every order: retention, tokens, marks, and what the clock does to them."""

from __future__ import annotations

import pytest

from sandbox_hub.feeds.order_feed import OrderFeed
from sandbox_hub.posted.order_book import OrderBook
from sandbox_hub.world.filters import OrderQuery
from sandbox_hub.world.selection import members
from sandbox_hub.world.timeline import DAY, END
from sandbox_hub.world.world import World


@pytest.fixture
def world() -> World:
    return World(8, 1_500)


def changed_within(world: World, days: int) -> list[int]:
    """Ids of the orders whose last change is at most so many days old."""
    found = []
    for number in members(world.select_orders(OrderQuery())):
        order = world.order_at(number)
        _, at = world.lives.reached(order.seat, order.cycle, world.now)[-1]
        if world.now - at < days * DAY:
            found.append(world.order_id(order))
    return found


def test_unread_items_stay_thirty_days(world: World) -> None:
    feed = OrderFeed(OrderBook(world), {})
    expected = changed_within(world, 30)
    assert len(expected) > 50
    assert [item.id for item in feed.unread(10_000)] == expected
    assert [item.id for item in feed.unread(7)] == expected[:7]


def test_marked_items_go_away_for_every_reader(world: World) -> None:
    marks: dict[str, int] = {}
    feed = OrderFeed(OrderBook(world), marks)
    first = feed.unread(10)
    feed.mark([item.token for item in first[:4]])
    assert feed.unread(6) == first[4:]
    assert OrderFeed(OrderBook(world), marks).unread(6) == first[4:]
    feed.mark([item.token for item in first])
    assert not {item.id for item in first} & {item.id for item in feed.unread(10_000)}


def test_a_later_change_is_a_new_item(world: World) -> None:
    world.set_clock(END - 60 * DAY)
    feed = OrderFeed(OrderBook(world), {})
    before = feed.unread(10_000)
    feed.mark([item.token for item in before])
    assert feed.unread(10_000) == []
    world.set_clock(END - 55 * DAY)
    after = feed.unread(10_000)
    again = {item.id for item in before} & {item.id for item in after}
    assert again
    assert not {item.token for item in before} & {item.token for item in after}
    world.set_clock(END - 60 * DAY)
    assert feed.unread(10_000) == []


def test_an_old_token_does_not_hide_a_new_change(world: World) -> None:
    world.set_clock(END - 60 * DAY)
    feed = OrderFeed(OrderBook(world), {})
    old = {item.id: item.token for item in feed.unread(10_000)}
    world.set_clock(END - 55 * DAY)
    new = {item.id: item.token for item in feed.unread(10_000)}
    changed = [order_id for order_id in old if order_id in new and old[order_id] != new[order_id]]
    assert changed
    feed.mark([old[order_id] for order_id in changed])
    assert set(changed) <= {item.id for item in feed.unread(10_000)}


def test_tokens_belong_to_their_order(world: World) -> None:
    feed = OrderFeed(OrderBook(world), {})
    item = feed.unread(5)[0]
    assert feed.owner(item.token) == item.id
    stranger = OrderFeed(OrderBook(World(9, 1_500)), {}).unread(5)[0].token
    for text in ("", "x", "1-2-3-4", "1-1-00000000", item.token[:-1] + "g", stranger, "9" * 30 + "-1-00000000"):
        assert feed.owner(text) is None
