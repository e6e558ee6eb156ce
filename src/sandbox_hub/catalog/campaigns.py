"""Campaigns: by how much they lower the price of which SKU, and when."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple

_CENT = Decimal("0.01")


class Discount(NamedTuple):
    """The lowest price of a SKU in a campaign."""

    price: float
    campaign_id: int


def discount_of(campaigns: Iterable[dict[str, Any]], code: str, price: float, now: int) -> Discount | None:
    """The price after discount, rounded half up to the centavo, where a campaign has this SKU at `now` (seconds)."""
    best: Discount | None = None
    for campaign in campaigns:
        if campaign["from"] <= now < campaign["to"] and code in campaign["skus"]:
            kept = (100 - Decimal(repr(campaign["discountPercent"]))) / 100
            lowered = float((Decimal(repr(price)) * kept).quantize(_CENT, ROUND_HALF_UP))
            if best is None or lowered < best.price:
                best = Discount(lowered, campaign["id"])
    return best
