"""What a marketplace's ad of a SKU asked for it, and since when."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PublishedPrice:
    """A price of one publication from `since_at` (UTC text) on, in centavos; `discount_price` is after discount.

    `publication` is the hub's id of it, `sku` the seller's code. `is_dated`: the hub says since when; where it does
    not, `since_at` is when the price was first seen.
    """

    publication: str
    sku: str
    marketplace: str | None
    since_at: str
    price: int | None
    discount_price: int | None
    campaign: str | None
    is_dated: bool

    @property
    def asked(self) -> int | None:
        """What a buyer was asked: the price after discount, where there is one."""
        return self.price if self.discount_price is None else self.discount_price
