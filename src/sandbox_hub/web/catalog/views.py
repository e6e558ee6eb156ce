"""Products, SKUs, images, stock and prices as the hub answers them."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from sandbox_hub.catalog.catalog import Catalog
from sandbox_hub.catalog.world_catalog import ProductRecord
from sandbox_hub.world.timeline import utc_time

_PLAIN = (
    *("id", "title", "description", "nbm", "origin", "model", "warrantyText", "warrantyTime"),
    *("weight", "height", "width", "length", "images", "priceFactor", "calculatedPrice", "characteristics"),
)
_OF_SKU = (
    *("id", "title", "partnerId", "ean", "price", "amount", "additionalTime", "variations"),
    *("internalIdProduct", "unit"),
)


def product_view(catalog: Catalog, product: ProductRecord) -> dict[str, Any]:
    """A product of the specification; what it has no value for is left out."""
    brand = catalog.brands.get(product["brand"])
    assert brand is not None
    return {
        **{name: product[name] for name in _PLAIN if name in product},
        "brand": {"id": str(brand["id"]), "name": brand["name"]},
        "category": {"id": str(product["category"])},
        "skus": [sku_view(product, sku) for sku in product["skus"]],
        "lastUpdate": utc_time(product["changed"]),
    }


def sku_view(product: ProductRecord, sku: dict[str, Any]) -> dict[str, Any]:
    """A SKU of the specification."""
    return {**{name: sku[name] for name in _OF_SKU if name in sku}, "idProduct": product["id"]}


def stock_view(catalog: Catalog, sku: dict[str, Any]) -> dict[str, Any]:
    """A stock item of the specification; its id is the SKU's. What orders hold back of it is part of the quantity."""
    reserved = catalog.reserved(sku["partnerId"])
    kept: dict[str, Any] = {"reserved": float(reserved)} if reserved else {}
    kept |= {name: sku[name] for name in ("cost", "additionalTime") if name in sku}
    return {"id": sku["id"], "partnerId": sku["partnerId"], "quantity": float(sku["amount"]), **kept}


def price_view(catalog: Catalog, sku: dict[str, Any]) -> dict[str, Any]:
    """The price of a SKU, and what a campaign makes of it now."""
    discount = catalog.discount(sku)
    lowered = {} if discount is None else {"discountPrice": discount.price, "campaignId": discount.campaign_id}
    return {"id": sku["id"], "partnerId": sku["partnerId"], "price": sku["price"], **lowered}


def numeric_text(value: float | str) -> str:
    """A number in plain digits, as `amount` is written; a text stays as it is."""
    if isinstance(value, str):
        return value
    return format(Decimal(repr(value)).quantize(Decimal("0.0001")).normalize(), "f")
