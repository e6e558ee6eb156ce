"""The published price beside order and invoice: known, of several ads, or not known; nothing is found by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.labels.price_labels import asked_word, invoiced_word, ordered_word
from confere.app.reconciliation import queries
from confere.app.reconciliation.queries import ItemPrices
from confere.archive.accounts import accounts
from confere.archive.accounts.hub_facts import of_feed
from confere.archive.feeds import published_prices
from confere.sales.hub_feeds import HubFeed
from confere.sales.published_price import PublishedPrice
from confere.system import messages
from tests.app import business

ORDERED = "2026-10-04T15:00:00.000+00:00"  # when the orders of the small business were placed


def price(cents: int, since: str, **how: Any) -> PublishedPrice:
    told: dict[str, Any] = {"publication": "P1", "marketplace": "Market", "campaign": None, "is_dated": True}
    told |= {"sku": "A1", "since_at": since, "price": cents, "discount_price": None}
    return PublishedPrice(**(told | how))


def compared(folder: Path, *prices: PublishedPrice, has_feed: bool = True) -> tuple[ItemPrices, ...]:
    workspace = business.workspace_at(folder)
    with workspace.writing("test") as archive, archive.writing() as transaction:
        owner = accounts.named(transaction, business.ACCOUNT)
        published_prices.record(transaction, owner.id, prices)
        if has_feed:
            accounts.learn(transaction, owner.id, {of_feed(HubFeed.PRICES).has: True})
    opened = OpenArchive(workspace)
    try:
        return queries.side_by_side_of(opened, business.ACCOUNT, order_id="o1").prices
    finally:
        opened.close()


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "language", lambda: "en")


def test_three_prices_of_one_piece(tmp_path: Path) -> None:
    prices = (
        price(900, "2026-09-01T00:00:00.000+00:00"),
        price(1200, "2026-10-01T00:00:00.000+00:00", discount_price=1100, campaign="Semana"),
        price(5000, "2026-10-04T15:00:01.000+00:00"),
    )
    (line,) = compared(tmp_path, *prices)
    assert (line.order_id, line.code, line.order_price, line.invoice_prices) == ("o1", "A1", 1000, (1000,))
    (asked,) = line.published
    assert (asked.price, asked.discount_price, asked.campaign, asked.is_dated) == (1200, 1100, "Semana", True)
    assert (ordered_word(line), invoiced_word(line)) == ("R$ 10,00", "R$ 10,00")
    assert asked_word(line) == "R$ 12,00, after discount R$ 11,00 (Semana)"


def test_a_price_holds_from_its_first_second(tmp_path: Path) -> None:
    (line,) = compared(tmp_path, price(900, ORDERED))
    assert [asked.price for asked in line.published] == [900]


def test_several_ads_of_one_sku(tmp_path: Path) -> None:
    since = "2026-10-01T00:00:00.000+00:00"
    prices = (price(900, since), price(950, since, publication="P2"), price(950, since, publication="P3"))
    (line,) = compared(tmp_path, *prices)
    assert asked_word(line) == "R$ 9,00 / R$ 9,50"


@pytest.mark.parametrize(
    "other",
    [
        price(900, "2026-10-05T00:00:00.000+00:00"),
        price(900, "2026-10-01T00:00:00.000+00:00", marketplace="OTHER"),
        None,
    ],
)
def test_not_known(tmp_path: Path, other: PublishedPrice | None) -> None:
    (line,) = compared(tmp_path, *([] if other is None else [other]))
    assert (line.published, asked_word(line)) == ((), "not known")


def test_where_the_hub_publishes_no_prices_nothing_is_said(tmp_path: Path) -> None:
    assert compared(tmp_path, has_feed=False) == ()


def test_a_price_that_is_seen_again_is_not_new(tmp_path: Path) -> None:
    workspace = business.workspace_at(tmp_path)
    seen, later = "2026-10-01T00:00:00.000+00:00", "2026-10-02T00:00:00.000+00:00"
    with workspace.writing("test") as archive, archive.writing() as transaction:
        record = published_prices.record
        assert record(transaction, 1, [price(900, seen, is_dated=False)]) == 1
        assert record(transaction, 1, [price(900, later, is_dated=False)]) == 0
        assert record(transaction, 1, [price(950, later, is_dated=False)]) == 1
        # The hub's own date of it takes the place of the moment at which it was seen.
        assert record(transaction, 1, [price(950, "2026-10-01T12:00:00.000+00:00")]) == 1
        assert published_prices.count(transaction, 1) == 2
        held = published_prices.at(transaction, 1, "market", ["A1"], "2026-10-01T12:00:00.000+00:00")
        assert [each.price for each in held["A1"]] == [950]
