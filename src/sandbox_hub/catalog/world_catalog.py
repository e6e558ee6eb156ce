"""The catalog of what a world sells: each product computed when it is asked for, from the same facts as the invoices.

Some products are variable: two to four goods of one kind in different colours are SKUs of one product. A lot (see
`lots`) is a product of its own with one SKU.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from sandbox_hub.catalog.ids import FIRST_LOT, FIRST_OF_WORLD
from sandbox_hub.catalog.lots import sold_lots
from sandbox_hub.catalog.planted_errors import EAN, NBM, ORIGIN, UNIT_FIELD, PlantedErrors, on_invoices
from sandbox_hub.catalog.registered import COLOUR, brand_id, category_id, packed_size
from sandbox_hub.world.parties.products import KIND_NAMES, Product
from sandbox_hub.world.seeded_random import Die
from sandbox_hub.world.timeline import START
from sandbox_hub.world.world import World

ProductRecord = dict[str, Any]  # as it is kept: the specification's product, with `changed` in seconds
_VARIABLE_KINDS = (0, 1)  # T-shirts and shoes
_MOST_COLOURS = 4


class _Sold(NamedTuple):
    """Goods of the world as a SKU: `number` is what its throws are drawn by."""

    sku_id: int
    number: int
    goods: Product


class WorldCatalog:
    """`share`: of how many products a field is wrong on purpose."""

    def __init__(self, world: World, share: float) -> None:
        self._world = world
        self._die = Die(world.seed, "catalog")
        products = world.goods.products
        self.errors = PlantedErrors(world.seed, share, tuple(product.ncm for product in products[: len(KIND_NAMES)]))
        self._numbers: dict[int, list[int]] = _grouped(products)
        self._product_of = {number: owner for owner, numbers in self._numbers.items() for number in numbers}
        self._number_of = {product.code: number for number, product in enumerate(products)}
        self.product_ids = tuple(self._numbers)
        self.sku_ids = range(FIRST_OF_WORLD, FIRST_OF_WORLD + len(products))

    @property
    def lot_ids(self) -> range:
        """Ids of lots, which are those of their SKUs too."""
        return range(FIRST_LOT, FIRST_LOT + len(self._lots))

    def product(self, product_id: int) -> ProductRecord | None:
        """The product as it is kept; None where the world has none of this id."""
        if product_id in self._numbers:
            products = self._world.goods.products
            sold = [_Sold(FIRST_OF_WORLD + number, number, products[number]) for number in self._numbers[product_id]]
            return self._record(product_id, sold)
        if product_id >= FIRST_LOT and product_id in self.lot_ids:
            goods = self._lots[product_id - FIRST_LOT]
            return self._record(product_id, [_Sold(product_id, product_id, goods)])
        return None

    def product_of_sku(self, sku_id: int) -> int | None:
        """The id of the product that has this SKU."""
        if sku_id in self.sku_ids:
            return self._product_of[sku_id - FIRST_OF_WORLD]
        return sku_id if sku_id >= FIRST_LOT and sku_id in self.lot_ids else None

    def product_of_code(self, code: str) -> int | None:
        """The id of the product that has the SKU of this code."""
        number = self._number_of.get(code)
        return self._lot_of.get(code) if number is None else self._product_of[number]

    def goods(self, code: str) -> Product | None:
        """What the world sells by this code."""
        number = self._number_of.get(code)
        if number is not None:
            return self._world.goods.products[number]
        lot = self._lot_of.get(code)
        return None if lot is None else self._lots[lot - FIRST_LOT]

    def wrong_products(self) -> Iterator[int]:
        """Ids of the products with a planted error."""
        for product_id, numbers in self._numbers.items():
            if self.errors.field(numbers[0]):
                yield product_id
        for lot in self.lot_ids:
            if self.errors.field(lot):
                yield lot

    @cached_property
    def _lots(self) -> tuple[Product, ...]:
        return sold_lots(self._world)

    @cached_property
    def _lot_of(self) -> dict[str, int]:
        return {lot.code: FIRST_LOT + k for k, lot in enumerate(self._lots)}

    def _record(self, product_id: int, sold: list[_Sold]) -> ProductRecord:
        first = sold[0]
        number = int(first.goods.code[4:8]) - 1  # a lot's code begins with that of its product
        told = on_invoices(first.goods)
        wrong = self.errors.field(first.number)
        if wrong:
            told[wrong] = self.errors.value(first.number, wrong, told[wrong])
        variable = len(sold) > 1
        size = packed_size(number)
        skus = [self._sku(product_id, entry, variable=variable) for entry in sold]
        if wrong in (EAN, UNIT_FIELD):
            skus[0][wrong] = told[wrong]
        return {
            "id": product_id,
            "title": KIND_NAMES[number % len(KIND_NAMES)] if variable else first.goods.description,
            "description": f"{first.goods.description}. Garantia contra defeitos de fabricação.",
            "nbm": {"id": told[NBM]},
            "brand": brand_id(number),
            "origin": {"id": told[ORIGIN]},
            "category": category_id(number),
            "model": _after_mod(first.goods.description),
            "warrantyText": "Garantia do fabricante",
            "warrantyTime": "3",
            "weight": float(first.goods.weight),
            "height": size.height,
            "width": size.width,
            "length": size.length,
            "images": [_image(k, entry, variable=variable) for k, entry in enumerate(sold)],
            "priceFactor": 1.0,
            "calculatedPrice": False,
            "characteristics": [{"index": 0, "name": "Embalagem", "value": "Unitária"}],
            "skus": skus,
            "changed": START,
        }

    def _sku(self, product_id: int, sold: _Sold, *, variable: bool) -> dict[str, Any]:
        told = on_invoices(sold.goods)
        sku: dict[str, Any] = {
            "id": sold.sku_id,
            "title": sold.goods.description,
            "partnerId": sold.goods.code,
            "ean": told[EAN],
            "price": sold.goods.price_cents / 100,
            "amount": str(self._die.between(sold.number, 0, 180)),
            "internalIdProduct": f"P-{product_id}",
            "unit": told[UNIT_FIELD],
            "cost": sold.goods.price_cents * 55 // 100 / 100,
        }
        if variable:
            sku["variations"] = {COLOUR: _colour(sold.goods)}
        return sku


def _grouped(products: tuple[Product, ...]) -> dict[int, list[int]]:
    """Numbers of the goods that are SKUs of one product, by its id, which follows from the first of them."""
    groups: dict[int, list[int]] = {}
    open_group: dict[int, int] = {}  # by kind, the variable product that can take more colours
    for number, product in enumerate(products):
        kind = number % len(KIND_NAMES)
        owner = open_group.get(kind)
        if owner is not None and _takes(groups[owner], product, products):
            groups[owner].append(number)
            continue
        groups[FIRST_OF_WORLD + number] = [number]
        if kind in _VARIABLE_KINDS:
            open_group[kind] = FIRST_OF_WORLD + number
    return groups


def _takes(numbers: list[int], product: Product, products: tuple[Product, ...]) -> bool:
    colours = {_colour(products[number]) for number in numbers}
    return len(numbers) < _MOST_COLOURS and _colour(product) not in colours


def _colour(product: Product) -> str:
    """The colour, which stands in the description before the model."""
    return product.description.partition(" mod. ")[0].rsplit(" ", 1)[1]


def _after_mod(description: str) -> str:
    return description.partition(" mod. ")[2].partition(" ")[0]


def _image(k: int, sold: _Sold, *, variable: bool) -> dict[str, Any]:
    image = {"id": sold.sku_id, "main": k == 0, "url": f"https://imagens.example/{sold.goods.code}.jpg"}
    return {**image, "variation": _colour(sold.goods)} if variable else image
