"""The SKUs of the catalog, as publications offer them."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from sandbox_hub.catalog.catalog import Catalog
from sandbox_hub.catalog.world_catalog import ProductRecord
from sandbox_hub.publications.publication import AdContent, OfferedSku, Terms


def sku_of_id(catalog: Catalog, sku_id: int) -> OfferedSku | None:
    """The SKU of that id; None where there is none."""
    return next((sku for sku in skus_of(catalog, catalog.product_of_sku(sku_id)) if sku.id == sku_id), None)


def sku_of_code(catalog: Catalog, code: str) -> OfferedSku | None:
    """The SKU that the seller calls this (`partnerId`); None where there is none."""
    return next((sku for sku in skus_of(catalog, catalog.product_of_code(code)) if sku.partner_id == code), None)


def skus_of(catalog: Catalog, product_id: int | None) -> Iterator[OfferedSku]:
    """Every SKU of a product; none where there is no such product."""
    product = None if product_id is None else catalog.product(product_id)
    if product is not None:
        yield from (_facts(catalog, product, sku) for sku in product["skus"])


def _facts(catalog: Catalog, product: ProductRecord, sku: dict[str, Any]) -> OfferedSku:
    discount = catalog.discount(sku)
    campaign = None if discount is None else catalog.campaigns.get(discount.campaign_id)
    offer = Terms(
        price_cents=_cents(sku["price"]),
        discount_cents=None if discount is None else _cents(discount.price),
        campaign=None if campaign is None else str(campaign["name"]),
        available=int(catalog.available(sku)),  # a marketplace sells whole pieces
    )
    content = AdContent(
        title=sku["title"],
        description=product.get("description") or "",
        images=tuple(image["url"] for image in product["images"]),
    )
    return OfferedSku(sku["id"], product["id"], sku["partnerId"], content, offer)


def _cents(price: float) -> int:
    return int((Decimal(repr(price)) * 100).quantize(Decimal(1), ROUND_HALF_UP))
