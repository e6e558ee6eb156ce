"""What a campaign makes of a price, and when."""

from __future__ import annotations

from typing import Any

import pytest

from sandbox_hub.catalog.campaigns import discount_of

WEEK: dict[str, Any] = {"id": 1, "from": 100, "to": 200, "discountPercent": 15, "skus": ["A"]}


@pytest.mark.parametrize(("now", "there"), [(99, False), (100, True), (199, True), (200, False)])
def test_it_begins_with_its_first_moment_and_ends_before_its_last(now: int, there: bool) -> None:
    assert (discount_of([WEEK], "A", 10.0, now) is not None) is there


def test_it_is_for_its_skus_alone() -> None:
    assert discount_of([WEEK], "B", 10.0, 150) is None


@pytest.mark.parametrize(
    ("price", "percent", "lowered"), [(59.9, 15, 50.92), (0.1, 50, 0.05), (0.01, 50, 0.01), (19.99, 12.5, 17.49)]
)
def test_half_a_centavo_is_rounded_up(price: float, percent: float, lowered: float) -> None:
    discount = discount_of([{**WEEK, "discountPercent": percent}], "A", price, 150)
    assert discount is not None
    assert discount.price == lowered


def test_of_two_campaigns_the_lower_price_counts() -> None:
    discount = discount_of([WEEK, {**WEEK, "id": 2, "discountPercent": 20}, {**WEEK, "id": 3}], "A", 10.0, 150)
    assert discount == (8.0, 2)
