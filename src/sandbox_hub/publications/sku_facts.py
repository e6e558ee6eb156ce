"""What a publication needs to know of the SKU that it offers, and the SKUs of the world's own products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from sandbox_hub.world.parties.products import Product
from sandbox_hub.world.seeded_random import Die

_FIRST_SKU = 700_001
_FIRST_PRODUCT = 600_001
_LEAST_STOCK, _MOST_STOCK = 5, 60


class SkuFacts(Protocol):
    """A SKU of the hub: `partner_id` is the seller's own identifier, `stock` are whole pieces."""

    @property
    def id(self) -> int: ...
    @property
    def product_id(self) -> int: ...
    @property
    def partner_id(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def price_cents(self) -> int: ...
    @property
    def stock(self) -> int: ...


class WorldSku(NamedTuple):
    """A SKU of the world: each of its products has one."""

    id: int
    product_id: int
    partner_id: str
    title: str
    price_cents: int
    stock: int


class WorldSkus:
    """The SKUs that the world's orders sell, by their ids; a function of the seed."""

    def __init__(self, seed: int, products: Sequence[Product]) -> None:
        self._products = products
        self._stock = Die(seed, "stock")
        self._numbers = {product.code: number for number, product in enumerate(products)}

    def by_id(self, sku_id: int) -> WorldSku | None:
        """The SKU of that id."""
        number = sku_id - _FIRST_SKU
        if not 0 <= number < len(self._products):
            return None
        product = self._products[number]
        return WorldSku(
            id=sku_id,
            product_id=_FIRST_PRODUCT + number,
            partner_id=product.code,
            title=product.description,
            price_cents=product.price_cents,
            stock=self._stock.between(number, _LEAST_STOCK, _MOST_STOCK),
        )

    def by_partner_id(self, partner_id: str) -> WorldSku | None:
        """The SKU that the seller calls this."""
        number = self._numbers.get(partner_id)
        return None if number is None else self.by_id(_FIRST_SKU + number)
