"""A product's JSON as `confere.sales.catalog_product.CatalogProduct`, from whatever shape a hub gives it.

The specification names the fields; a value that cannot be understood is None, and nothing here raises on any JSON.
Source: interfaces.md, "Product" and "SKU".
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Final

from confere.hub.json.json_values import cents, exact, number, objects, pick, text
from confere.hub.orders.order_reader import time
from confere.sales.catalog_product import CatalogName, CatalogProduct, CatalogSku, RegisteredName

MOST_SKUS: Final = 5000
"""Of one product that are read; its bytes are kept whole."""
_MOST_VARIATIONS: Final = 20
_MOST_VALUES: Final = 5000
_LARGEST_DELAY: Final = 10_000  # days
Source = Mapping[str, object]


def product(source: Source) -> CatalogProduct:
    """The product that `source` describes; its `hub_id` is empty where the hub gave none."""
    return CatalogProduct(
        hub_id=pick(source, text, "id", "productId", "idProduct") or "",
        title=pick(source, text, "title", "name"),
        ncm=pick(source, _ncm, "nbm.id", "nbm", "ncm.id", "ncm"),
        origin=pick(source, text, "origin.id", "origin"),
        brand=pick(source, text, "brand.name", "brandName"),
        brand_id=pick(source, text, "brand.id", "idBrand"),
        category_id=pick(source, text, "category.id", "idCategory"),
        model=pick(source, text, "model"),
        changed_at=pick(source, time, "lastUpdate", "updatedAt", "lastUpdated"),
        skus=tuple(map(sku, islice(objects(source.get("skus") or []), MOST_SKUS))),
    )


def sku(source: Source) -> CatalogSku:
    """The SKU that `source` describes; its code is empty where the hub gave none."""
    return CatalogSku(
        hub_id=pick(source, text, "id", "idSku"),
        code=pick(source, text, "partnerId", "partnerID", "code") or "",
        ean=pick(source, text, "ean", "gtin"),
        title=pick(source, text, "title", "name"),
        price_cents=pick(source, cents, "price"),
        stock=pick(source, exact, "amount", "quantity"),
        unit=pick(source, text, "unit"),
        extra_days=_days(pick(source, number, "additionalTime")),
        variations=_variations(source.get("variations")),
    )


def registered(source: Source, kind: CatalogName) -> RegisteredName | None:
    """The brand, category or variation that `source` describes; None where it has no id or no name."""
    hub_id, name = pick(source, text, "id"), pick(source, text, "name", "title")
    if hub_id is None or name is None:
        return None
    given = source.get("values")
    values = [text(value) for value in islice(given, _MOST_VALUES)] if isinstance(given, list) else []
    return RegisteredName(
        kind,
        hub_id,
        name,
        pick(source, text, "partnerId"),
        pick(source, text, "parentId", "parent.id"),
        tuple(value for value in values if value is not None),
    )


def _ncm(value: object) -> str | None:
    """An NCM without its dots."""
    written = text(value)
    return None if written is None else written.replace(".", "") or None


def _days(value: int | None) -> int | None:
    return value if value is not None and 0 <= value <= _LARGEST_DELAY else None


def _variations(value: object) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, dict):
        return ()
    pairs = ((text(name), text(chosen)) for name, chosen in islice(value.items(), _MOST_VARIATIONS))
    return tuple((name, chosen) for name, chosen in pairs if name is not None and chosen is not None)
