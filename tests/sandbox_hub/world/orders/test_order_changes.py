"""What clients write to orders: the life that goes on around it, the selections that see it, and the feed."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox_hub.feeds.order_feed import OrderFeed
from sandbox_hub.posted.order_book import OrderBook
from sandbox_hub.world.filters import OrderQuery
from sandbox_hub.world.orders.order_changes import Change, standing
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.selection import members
from sandbox_hub.world.timeline import DAY, END
from sandbox_hub.world.world import World

LIFE = [
    (Status.PENDING, 100),
    (Status.PAID_WAITING_SHIP, 200),
    (Status.INVOICED, 300),
    (Status.PAID_WAITING_DELIVERY, 400),
    (Status.CONCLUDED, 500),
]
INVOICE = {"series": "1", "number": "7"}


def so_far(now: int) -> list[tuple[Status, int]]:
    return [(status, at) for status, at in LIFE if at <= now]


def test_without_writes_an_order_is_what_its_life_says() -> None:
    found = standing(so_far(450), (), 450)
    assert (found.status, found.changed, found.stage) == (Status.PAID_WAITING_DELIVERY, 400, 4)
    assert dict(found.lived) == dict(LIFE[:4])
    assert found.passed == {status for status, _ in LIFE[:4]}
    assert (found.invoice, dict(found.tracking), found.failure, found.waits_for_shipment) == (None, {}, "", False)


def test_its_life_goes_on_forwards_from_where_it_was_moved() -> None:
    changes = [Change(250, Status.INVOICED, INVOICE)]
    now = standing(so_far(260), changes, 260)
    assert (now.status, now.invoice, now.changed) == (Status.INVOICED, INVOICE, 250)
    later = standing(so_far(350), changes, 350)
    assert (later.status, later.invoice, later.changed) == (Status.INVOICED, INVOICE, 250)
    assert Status.INVOICED not in later.lived
    assert standing(so_far(450), changes, 450).status is Status.PAID_WAITING_DELIVERY


def test_nothing_comes_after_a_cancellation_but_a_cancellation_after_the_end() -> None:
    dead = [Change(250, Status.CANCELED)]
    assert standing(so_far(600), dead, 600).status is Status.CANCELED
    returned = [*LIFE, (Status.CANCELED, 700)]
    done = [Change(450, Status.CONCLUDED)]
    assert standing(returned, done, 800).status is Status.CANCELED
    assert standing(returned, done, 800).changed == 700


def test_of_one_second_what_was_written_counts() -> None:
    assert standing(so_far(300), [Change(300, Status.CANCELED)], 300).status is Status.CANCELED


def test_tracking_adds_up_and_a_failure_lasts_until_the_next_change() -> None:
    changes = [
        Change(310, early_shipment=True),
        Change(320, failure="nein"),
        Change(330, Status.PAID_WAITING_DELIVERY, tracking={"shippedDate": "a", "carrier": "x"}),
        Change(340, Status.PAID_WAITING_DELIVERY, tracking={"deliveredDate": "b", "carrier": "y"}),
    ]
    assert standing(so_far(315), changes, 315).waits_for_shipment
    refused = standing(so_far(325), changes, 325)
    assert (refused.failure, refused.waits_for_shipment, refused.status) == ("nein", False, Status.INVOICED)
    sent = standing(so_far(350), changes, 350)
    assert (sent.failure, sent.status) == ("", Status.PAID_WAITING_DELIVERY)
    assert dict(sent.tracking) == {"shippedDate": "a", "deliveredDate": "b", "carrier": "y"}


statuses = st.sampled_from([None, *Status])
changes = st.builds(
    Change,
    st.integers(100, 700),
    statuses,
    st.sampled_from([None, INVOICE]),
    st.sampled_from([{}, {"carrier": "x"}]),
    st.booleans(),
    st.sampled_from(["", "não"]),
)


@given(changes)
def test_changes_come_back_from_the_state_file_as_they_were(change: Change) -> None:
    assert Change.from_json(json.loads(json.dumps(change.as_json()))) == change


@given(st.lists(changes, max_size=6), st.integers(100, 700))
def test_each_write_is_another_stage_and_time_never_takes_one_back(made: list[Change], now: int) -> None:
    stages = [standing(so_far(at), made, at).stage for at in range(100, 701, 10)]
    assert all(before <= after for before, after in pairwise(stages))
    written = standing(so_far(now), [*made, Change(now, Status.CANCELED)], now)
    assert written.stage > max(standing(so_far(at), made, at).stage for at in (100, now, 700))
    assert written.changed <= now
    assert Status.PENDING in written.passed


# -- selections and the feed -----------------------------------------------------------------------------


@pytest.fixture
def world() -> World:
    return World(8, 1_200)


def walked(world: World, status: str | None = None, changed_from: int | None = None) -> list[int]:
    """What a selection must hold, by looking at every order."""
    found = []
    for number in members(world.select_orders(OrderQuery())):
        now = world.standing(world.order_at(number))
        if status in (None, now.status) and (changed_from is None or now.changed >= changed_from):
            found.append(number)
    return found


def test_selections_see_what_was_written(world: World) -> None:
    concluded = [world.order_at(n) for n in members(world.select_orders(OrderQuery(status="CONCLUDED")))]
    for order in concluded[::40]:
        world.write(world.order_id(order), Change(world.now - DAY, Status.CANCELED))
    for status in Status:
        assert list(members(world.select_orders(OrderQuery(status=status)))) == walked(world, status)
    since = END - 3 * DAY
    changed = list(members(world.select_orders(OrderQuery(changed_from=since))))
    assert changed == walked(world, changed_from=since)
    assert len(changed) >= len(concluded[::40])
    only = OrderQuery(status="CANCELED", changed_from=since, created_to=END - 100 * DAY, marketplace="LOJA_VERDE")
    few = [world.order_at(number) for number in members(world.select_orders(only))]
    assert few
    assert {order.seat.marketplace for order in few} == {1}
    world.set_clock(END - 2 * DAY)
    assert list(members(world.select_orders(OrderQuery(status="CANCELED")))) == walked(world, "CANCELED")


def test_a_page_anywhere_is_right_with_many_members_taken_out(world: World) -> None:
    everything = list(members(world.select_orders(OrderQuery(status="CONCLUDED"))))
    for number in everything[::3]:
        world.write(world.order_id(world.order_at(number)), Change(world.now, Status.CANCELED))
    kept = [number for k, number in enumerate(everything) if k % 3]
    selection = world.select_orders(OrderQuery(status="CONCLUDED"))
    assert len(selection) == len(kept)
    for offset in range(0, len(kept), 17):
        assert selection.page(offset, 40) == kept[offset : offset + 40]


@settings(max_examples=20, deadline=None)
@given(st.data())
def test_the_feed_holds_whatever_is_new_and_marking_old_tokens_takes_nothing_newer(data: st.DataObject) -> None:
    world = World(8, 300)
    marks: dict[str, int] = {}
    feed = OrderFeed(OrderBook(world), marks)
    world.set_clock(END - 40 * DAY)
    seen: dict[int, list[str]] = {}
    marked: set[str] = set()
    moves = st.sampled_from(["read", "mark", "write", "clock", "restart"])
    for move in data.draw(st.lists(moves, min_size=4, max_size=9)):
        items = feed.unread(10_000)
        for item in items:
            tokens = seen.setdefault(item.id, [])
            if item.token not in tokens:
                tokens.append(item.token)
        assert not marked & {item.token for item in items}
        assert feed.unread(10_000) == items  # reading takes nothing away
        if move == "mark" and seen:
            order_id = data.draw(st.sampled_from(sorted(seen)))
            token = data.draw(st.sampled_from(seen[order_id]))
            newest = {item.id: item.token for item in items}
            feed.mark([token])
            marked.add(token)
            left = {item.id: item.token for item in feed.unread(10_000)}
            expected = {other: it for other, it in newest.items() if it != token}
            assert left == expected
        elif move == "write" and items:
            item = data.draw(st.sampled_from(items))
            world.write(item.id, Change(world.now, Status.CANCELED))
            feed.changed(item.id)
            token = {entry.id: entry.token for entry in feed.unread(10_000)}[item.id]
            assert token not in {known for tokens in seen.values() for known in tokens}
        elif move == "clock":
            world.set_clock(world.now + data.draw(st.integers(1, 3)) * DAY)
        elif move == "restart":
            feed = OrderFeed(OrderBook(world), marks)
            assert feed.unread(10_000) == items


def test_a_write_to_a_marked_order_brings_it_back_also_under_a_clock_moved_back(world: World) -> None:
    feed = OrderFeed(OrderBook(world), {})
    items = feed.unread(10_000)
    order_id = items[-1].id
    feed.mark([item.token for item in items])
    assert feed.unread(5) == []
    order = world.order(order_id)
    assert order is not None
    world.set_clock(world.standing(order).changed)
    world.write(order_id, Change(world.now, Status.CANCELED))
    feed.changed(order_id)
    assert order_id in {item.id for item in feed.unread(10_000)}
    world.set_clock(END)
    assert [item.id for item in feed.unread(5)] == [order_id]
    (item,) = feed.unread(5)
    assert feed.owner(item.token) == order_id
    feed.mark([item.token])
    assert feed.unread(5) == []


# -- early shipments -------------------------------------------------------------------------------------


def test_early_shipments_are_accepted_or_refused_and_another_asking_may_end_otherwise(world: World) -> None:
    orders = [world.order_at(number) for number in members(world.select_orders(OrderQuery()))]
    able = [order for order in orders if OrderBook(world).is_on_demand(order)]
    assert 0.2 < len(able) / len(orders) < 0.8
    outcomes = {order: OrderBook(world).early_shipment(order) for order in able}
    for order, change in outcomes.items():
        if order.seat.marketplace == 2:
            assert "FEIRA_DIGITAL" in change.failure
        assert (change.status is Status.PAID_WAITING_DELIVERY) == (not change.failure)
        assert bool(change.tracking) == (not change.failure)
    refused = [order for order, change in outcomes.items() if change.failure and order.seat.marketplace != 2]
    assert 0.1 < len(refused) / len([order for order in able if order.seat.marketplace != 2]) < 0.4
    for order in refused:
        world.write(world.order_id(order), Change(world.now, early_shipment=True))
    assert any(not OrderBook(world).early_shipment(order).failure for order in refused)
