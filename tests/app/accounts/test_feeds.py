"""The feeds that are not of orders, read over HTTP from the embedded hub: kept as versions, marked only by choice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from confere.app.accounts import accounts, feeds
from confere.app.accounts.accounts import AccountChange, NewAccount
from confere.app.accounts.feeds import FeedLine, HubFeed
from confere.app.accounts.sync import SyncRequest, sync_accounts
from confere.app.context import EMBEDDED, Workspace
from confere.archive.accounts import audit
from confere.archive.feeds import feed_records, published_prices
from confere.hub.contract import feed_terms as contract_feeds
from confere.intake.feeds import feed_reading
from confere.intake.feeds.feed_figures import FeedResult, FeedsResult
from confere.sales.published_price import PublishedPrice
from tests.sandbox_hub.publications.seller import Seller, shop

OTHERS = tuple(feed for feed in HubFeed if feed is not HubFeed.ORDERS)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.at(tmp_path / "home")


def connected(workspace: Workspace, seller: Seller) -> None:
    accounts.add(workspace, NewAccount("loja", seller.hub.address, "test", EMBEDDED), seller.hub.token)


def read(workspace: Workspace, *names: HubFeed) -> FeedsResult:
    result = feeds.read(workspace, "loja", names or OTHERS)
    assert result.failed == 0, [each.lost for each in result.feeds]
    return result


def only(result: FeedsResult, feed: HubFeed) -> FeedResult:
    (figures,) = [each for each in result.feeds if each.feed is feed]
    return figures


def line(workspace: Workspace, feed: HubFeed) -> FeedLine:
    return next(each for each in feeds.listing(workspace).lines if each.feed is feed)


def unread(seller: Seller, feed: HubFeed) -> list[int]:
    return [item["id"] for item in seller.ok(f"/{feed}/feeds")]


def mark(workspace: Workspace, *names: HubFeed) -> None:
    accounts.change(workspace, "loja", AccountChange(mark_feeds=names))


def prices(workspace: Workspace, sku: str, moment: str = "9999") -> list[PublishedPrice]:
    with workspace.reading() as archive, archive.reading() as transaction:
        held = published_prices.at(transaction, 1, "LOJA_VERDE", [sku], moment)
    return list(held.get(sku, ()))


def test_what_feeds_name_is_kept_and_nothing_is_taken_away(workspace: Workspace) -> None:
    with shop() as seller:
        connected(workspace, seller)
        published = seller.published("SKU-0001", price=59.9, discountPrice=49.9, campaign="Outubro")
        assert seller.put("/products/1001", {"description": "Outra."}).status_code == 200
        result = read(workspace)
        prices_feed = only(result, HubFeed.PRICES)
        assert (prices_feed.items, prices_feed.fetched, prices_feed.changed) == (1, 1, 1)
        assert only(result, HubFeed.TRANSMISSIONS).fetched == 1
        assert (only(result, HubFeed.PRODUCTS).items, only(result, HubFeed.PRODUCTS).marked) == (1, 0)
        reserved = only(result, HubFeed.RESERVATIONS).items  # of the orders that are still open
        assert reserved == len(unread(seller, HubFeed.RESERVATIONS))
        assert unread(seller, HubFeed.PRICES) == [published["id"]]
        assert unread(seller, HubFeed.PRODUCTS) == [1001]
        again = read(workspace)
        assert [(each.items, each.fetched, each.changed) for each in again.feeds] == [
            (1, 0, 0),
            (1, 0, 0),
            (1, 0, 0),
            (reserved, 0, 0),
        ]
    (price,) = prices(workspace, "SKU-0001")
    assert (price.price, price.discount_price, price.campaign, price.is_dated) == (5990, 4990, "Outubro", True)
    assert price.asked == 4990
    assert prices(workspace, "SKU-0001", "2000-01-01T00:00:00.000+00:00") == []
    assert prices(workspace, "SKU-0002") == []


def test_every_version_stays(workspace: Workspace) -> None:
    with shop(clock="2026-10-29T12:00:00-03:00") as seller:
        connected(workspace, seller)
        published = seller.published("SKU-0001", price=59.9)
        read(workspace, HubFeed.PRICES)
        seller.move_clock("2026-10-30T12:00:00-03:00")
        seller.update(published["id"], price=64.9)
        result = only(read(workspace, HubFeed.PRICES), HubFeed.PRICES)
        assert (result.fetched, result.changed, result.prices) == (1, 1, 1)
        known = line(workspace, HubFeed.PRICES)
        assert (known.records, known.versions, known.is_offered, known.gives_records) == (1, 2, True, True)
        assert feeds.listing(workspace).prices == {"loja": 2}
    assert [price.price for price in prices(workspace, "SKU-0001")] == [6490]
    assert [price.price for price in prices(workspace, "SKU-0001", "2026-10-30T14:59:59.000+00:00")] == [5990]


def test_only_chosen_feeds_are_marked_and_all_of_them_to_the_end(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feed_reading, "PAGE", 5)  # the least a hub takes
    with shop() as seller:
        connected(workspace, seller)
        mark(workspace, HubFeed.PRODUCTS)
        for number in range(1001, 1030):
            seller.put(f"/products/{number}", {"description": "Outra."})
        waiting = len(unread(seller, HubFeed.PRODUCTS))
        published = seller.published("SKU-0001", price=59.9)
        result = read(workspace)
        products = only(result, HubFeed.PRODUCTS)
        assert waiting > 5
        assert (products.items, products.marked, products.fetched) == (waiting, waiting, waiting)
        assert unread(seller, HubFeed.PRODUCTS) == []
        assert unread(seller, HubFeed.TRANSMISSIONS) == [published["id"]]
        assert line(workspace, HubFeed.PRODUCTS).is_marked
        assert not line(workspace, HubFeed.ORDERS).is_marked
        with workspace.reading() as archive, archive.reading() as transaction:
            lines = [entry for entry in audit.lines(transaction) if entry.action == "feed mark"]
        assert len(lines) == -(-waiting // 5)
        assert all((entry.detail or "").startswith("products: 1") for entry in lines)
        mark(workspace)
        seller.put("/products/1001", {"description": "Ainda outra."})
        assert only(read(workspace), HubFeed.PRODUCTS).marked == 0
        assert unread(seller, HubFeed.PRODUCTS) == [1001]


def test_a_change_that_comes_while_it_is_read_stays_unread(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with shop() as seller:
        connected(workspace, seller)
        mark(workspace, HubFeed.PRODUCTS)
        seller.put("/products/1001", {"description": "Primeira."})
        real = feed_reading.feed.mark_together
        changes = iter(("Segunda.",))

        def change_first(*given: Any, **named: Any) -> None:
            for description in changes:
                seller.put("/products/1001", {"description": description})
            real(*given, **named)

        monkeypatch.setattr(feed_reading.feed, "mark_together", change_first)
        result = only(read(workspace, HubFeed.PRODUCTS), HubFeed.PRODUCTS)
        assert (result.items, result.fetched, result.changed, result.marked) == (2, 2, 2, 2)
        assert unread(seller, HubFeed.PRODUCTS) == []
        assert line(workspace, HubFeed.PRODUCTS).versions == 2


def test_a_feed_shows_its_oldest_alone(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed_reading, "PAGE", 5)
    with shop() as seller:
        connected(workspace, seller)
        for number in range(1001, 1030):
            seller.put(f"/products/{number}", {"description": "Outra."})
        products = only(read(workspace, HubFeed.PRODUCTS), HubFeed.PRODUCTS)
        assert (products.items, products.is_cut) == (5, True)


def test_without_a_contract_what_the_specification_shows_is_read(workspace: Workspace) -> None:
    with shop(contract="none") as seller:
        connected(workspace, seller)
        published = seller.published("SKU-0001", price=59.9)
        mark(workspace, *HubFeed)
        result = read(workspace)
        transmissions = only(result, HubFeed.TRANSMISSIONS)
        # The specification shows no address where a publication could be read: that it changed is all there is.
        assert (transmissions.named, transmissions.fetched, transmissions.marked) == (1, 0, 1)
        assert (only(result, HubFeed.PRICES).named, only(result, HubFeed.PRICES).marked) == (1, 1)
        assert unread(seller, HubFeed.PRICES) == unread(seller, HubFeed.TRANSMISSIONS) == []
        with workspace.reading() as archive, archive.reading() as transaction:
            assert feed_records.counts(transaction, 1)["transmissions"].versions == 0
        assert published["id"]


def test_where_all_that_was_shown_is_marked_at_once_an_item_that_nobody_could_read_keeps_it_from_that(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Marking all would take away what never came here."""
    with shop(contract="none") as seller:
        connected(workspace, seller)
        published = seller.published("SKU-0001", price=59.9)
        mark(workspace, HubFeed.PRICES)
        real = feed_reading.feed.unread
        monkeypatch.setattr(
            feed_reading.feed, "unread", lambda *args, **named: real(*args, **named)._replace(nameless=1)
        )
        prices_feed = only(read(workspace, HubFeed.PRICES), HubFeed.PRICES)
        assert (prices_feed.named, prices_feed.marked) == (1, 0)
        assert unread(seller, HubFeed.PRICES) == [published["id"]]


def test_where_all_is_marked_at_once_a_record_that_never_rests_is_left_to_the_next_run(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with shop(contract="none") as seller:
        connected(workspace, seller)
        published = seller.published("SKU-0001", price=59.9)
        mark(workspace, HubFeed.PRICES)
        real, times = feed_reading.feed.mark_all_read, iter(range(1, feed_reading.MOST_ITEMS + 1))

        def mark_then_change(*given: Any, **named: Any) -> None:
            real(*given, **named)
            for time in times:
                seller.update(published["id"], price=60 + time)
                if time == feed_reading.MOST_ITEMS:
                    seller.published("SKU-0002", price=59.9)
                return

        monkeypatch.setattr(feed_reading.feed, "mark_all_read", mark_then_change)
        read(workspace, HubFeed.PRICES)
        assert published["id"] in unread(seller, HubFeed.PRICES), "its newest change was not looked at"


def test_a_feed_that_the_contract_does_not_declare_is_not_offered(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = contract_feeds.feed_terms

    def without_reservations(contract: Any, feed: HubFeed) -> contract_feeds.FeedTerms:
        terms = real(contract, feed)
        return terms._replace(is_offered=False) if feed is HubFeed.RESERVATIONS else terms

    monkeypatch.setattr(feeds, "feed_terms", without_reservations)
    with shop() as seller:
        connected(workspace, seller)
        result = read(workspace)
        assert [each.is_offered for each in result.feeds] == [True, True, True, False]
        assert line(workspace, HubFeed.RESERVATIONS).is_offered is False
        assert line(workspace, HubFeed.RESERVATIONS).read_at is None


def test_a_sync_reads_them_all(workspace: Workspace) -> None:
    with shop() as seller:
        connected(workspace, seller)
        seller.published("SKU-0001", price=59.9)
        result = sync_accounts(workspace)
        assert result.orders is not None
        assert result.feeds is not None
        assert [each.feed for each in result.feeds.feeds] == list(OTHERS)
        assert only(result.feeds, HubFeed.PRICES).prices == 1
        assert sync_accounts(workspace, request=SyncRequest(orders=False)).feeds is None
        assert sync_accounts(workspace, request=SyncRequest(order_id="1")).feeds is None
        assert sync_accounts(workspace, request=SyncRequest(only_failed=True)).feeds is None


def test_the_feed_of_orders_alone(workspace: Workspace) -> None:
    with shop(documents=60) as seller:
        connected(workspace, seller)
        waiting = unread(seller, HubFeed.ORDERS)
        result = only(read(workspace, HubFeed.ORDERS), HubFeed.ORDERS)
        assert (result.items, result.fetched, result.changed) == (len(waiting), len(waiting), len(waiting))
        assert result.is_offered
        assert line(workspace, HubFeed.ORDERS).read_at is not None
        assert unread(seller, HubFeed.ORDERS) == waiting
