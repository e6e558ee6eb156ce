"""A hub's catalog as frozen values, in the terms of the hub's specification: products with their SKUs.

Units: money is an integer number of centavos, quantities are exact `Decimal`, times are as the hub writes them. A field
that the hub does not show is None; codes stay as they are written, apart from the dots of an NCM.
"""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

from confere.sales.slotted_records import record


class CatalogName(StrEnum):
    """What must be registered before a product that refers to it."""

    BRAND = "brand"
    CATEGORY = "category"
    VARIATION = "variation"


@record
class CatalogSku:
    """What is sold and stocked. `code` is the seller's own (`partnerId`), by which orders and invoices call it.

    It is empty where the hub shows none. `unit` is the commercial unit, as on an invoice (uCom), where there is one;
    `stock` its amount; `extra_days` the additional time for dispatch, in days; `variations` pairs of type and value.
    """

    hub_id: str | None
    code: str
    ean: str | None
    title: str | None
    price_cents: int | None
    stock: Decimal | None
    unit: str | None
    extra_days: int | None
    variations: tuple[tuple[str, str], ...] = ()


@record
class CatalogProduct:
    """A product. `ncm` has eight digits (`nbm.id`), `origin` one from 0 to 8; both as written where they do not.

    `brand` is the brand's name, `category_id` the hub's id of its category; `changed_at` is its last change at the hub.
    """

    hub_id: str
    title: str | None
    ncm: str | None
    origin: str | None
    brand: str | None
    brand_id: str | None
    category_id: str | None
    model: str | None
    changed_at: str | None
    skus: tuple[CatalogSku, ...] = ()


@record
class RegisteredName:
    """A brand, category or variation. `parent_id` is the category above, `values` are those of a variation."""

    kind: CatalogName
    hub_id: str
    name: str
    partner_id: str | None = None
    parent_id: str | None = None
    values: tuple[str, ...] = ()


class SoldSku(NamedTuple):
    """A SKU with the product that it belongs to, whose NCM and origin are the SKU's.

    `gone_since` is when a listing of everything did not show the product any more (UTC text); None while it is listed.
    """

    product: CatalogProduct
    sku: CatalogSku
    gone_since: str | None
