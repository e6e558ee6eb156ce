"""In what two versions of a product differ, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Final, NamedTuple

from confere.sales.catalog_product import CatalogProduct, CatalogSku

PRODUCT_FIELDS: Final = ("title", "ncm", "origin", "brand", "category_id", "model")
SKU_FIELDS: Final = ("title", "ean", "price_cents", "stock", "unit", "extra_days", "variations")


class ProductChange(NamedTuple):
    """One difference. `code` is the SKU's, None for a field of the product; a value that is not stated is None.

    `field` is one of `PRODUCT_FIELDS` or `SKU_FIELDS`; `sku` for a SKU that came or went, with its code as the value.
    """

    field: str
    code: str | None
    before: str | int | None
    after: str | int | None


def changes(before: CatalogProduct, after: CatalogProduct) -> tuple[ProductChange, ...]:
    """What is other in `after` than in `before`, the product's fields first."""
    return tuple(_changes(before, after))


def _changes(before: CatalogProduct, after: CatalogProduct) -> Iterator[ProductChange]:
    for name in PRODUCT_FIELDS:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield ProductChange(name, None, old, new)
    was = {sku.code: sku for sku in before.skus}
    now = {sku.code: sku for sku in after.skus}
    for code in dict.fromkeys((*was, *now)):
        if code not in now:
            yield ProductChange("sku", code, code, None)
        elif code not in was:
            yield ProductChange("sku", code, None, code)
        else:
            yield from _of_sku(was[code], now[code])


def _of_sku(before: CatalogSku, after: CatalogSku) -> Iterator[ProductChange]:
    for name in SKU_FIELDS:
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield ProductChange(name, after.code, _plain(old), _plain(new))


def _plain(value: str | int | Decimal | tuple[tuple[str, str], ...] | None) -> str | int | None:
    if isinstance(value, tuple):
        return ", ".join(f"{name}: {chosen}" for name, chosen in value) or None
    return f"{value:f}" if isinstance(value, Decimal) else value
