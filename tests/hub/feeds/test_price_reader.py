"""Published prices out of records: with their history, alone, or not understood."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from confere.hub.feeds.price_reader import published_prices
from confere.sales.published_price import PublishedPrice

SEEN = "2026-10-10T00:00:00.000+00:00"
RECORD: dict[str, Any] = {"id": 7, "skuPartnerId": "A1", "marketplace": "VERDE", "price": Decimal("59.9")}


def price(cents: int | None, since: str = SEEN, **how: Any) -> PublishedPrice:
    told = {"discount_price": None, "campaign": None, "is_dated": since != SEEN} | how
    return PublishedPrice("7", "A1", "VERDE", since, cents, **told)


def test_a_price_without_a_date_is_dated_by_when_it_was_seen() -> None:
    assert published_prices(RECORD, "7", SEEN) == (price(5990),)
    assert published_prices({**RECORD, "id": None}, "7", SEEN) == (price(5990),)


def test_former_prices_come_with_their_dates() -> None:
    record = {
        **RECORD,
        "discountPrice": 50,
        "campaign": "Outubro",
        "history": [
            {"since": "2026-09-01T00:00:00-03:00", "price": 70},
            {"since": "2026-10-01T00:00:00Z", "price": "59.90", "discountPrice": 50, "campaign": "Outubro"},
            {"since": "bad", "price": 1},
            {"since": "2026-10-02T00:00:00Z"},
            17,
        ],
    }
    assert published_prices(record, "7", SEEN) == (
        price(7000, "2026-09-01T03:00:00.000+00:00"),
        price(5990, "2026-10-01T00:00:00.000+00:00", discount_price=5000, campaign="Outubro"),
    )


def test_a_price_that_the_history_does_not_have_yet() -> None:
    record = {**RECORD, "history": [{"since": "2026-09-01T00:00:00Z", "price": 70}]}
    assert [each.price for each in published_prices(record, "7", SEEN)] == [7000, 5990]


@pytest.mark.parametrize(
    "record", [{}, {**RECORD, "skuPartnerId": None}, {**RECORD, "price": "?"}, {**RECORD, "price": True}]
)
def test_what_tells_no_price(record: dict[str, Any]) -> None:
    assert published_prices(record, "7", SEEN) == ()


def test_what_a_buyer_was_asked() -> None:
    assert (price(5990).asked, price(5990, discount_price=4990).asked) == (5990, 4990)
