"""Reading a hub's catalog, as far as its contract declares reads: the specification shows none of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from confere.errors import HubNotFound
from confere.hub.catalog import product_reader
from confere.hub.contract.contract import Contract
from confere.hub.documents.documents import segment
from confere.hub.http.exchange import HubAnswer
from confere.hub.json.json_reader import Record, of_text, read_record
from confere.hub.json.json_values import moment
from confere.hub.listing import date_filters, list_page, list_requests, paging
from confere.hub.listing.date_filters import Bound
from confere.hub.retry.rate import StopSignal
from confere.hub.session import HubSession
from confere.sales.catalog_product import CatalogName, CatalogProduct, RegisteredName

LIST: Final = "products"
"""The name of the list of products among what is learnt of a hub."""
PRODUCTS: Final = "/products"
NAMES: Final = {
    CatalogName.BRAND: "/brands",
    CatalogName.CATEGORY: "/categories",
    CatalogName.VARIATION: "/variations",
}
_CHANGED_AFTER: Final = "changedAfter"
_PARTNER_ID: Final = "partnerId"


class CatalogReads(NamedTuple):
    """Which reads a contract declares: the list of products, its filters by change and by code, lists of names."""

    products: bool
    changed_after: bool
    by_code: bool
    names: tuple[CatalogName, ...]


@dataclass(frozen=True, slots=True)
class HubProduct:
    """A product with its JSON as received (UTF-8)."""

    product: CatalogProduct
    raw: bytes

    @property
    def created_at(self) -> datetime | None:
        """When it last changed: what the list's filter is about, as the creation is of other lists."""
        return moment(self.product.changed_at)

    @property
    def identity(self) -> str:
        """The product's id, else its bytes."""
        hub_id = self.product.hub_id
        return f"id:{hub_id}" if hub_id else f"raw:{hashlib.sha256(self.raw).hexdigest()}"


ProductPage = list_page.ListPage[HubProduct]


def reads_of(contract: Contract | None) -> CatalogReads:
    """What a contract declares; nothing where there is none."""
    if contract is None:
        return CatalogReads(False, False, False, ())
    listing = contract.at("GET", PRODUCTS)
    return CatalogReads(
        listing is not None,
        listing is not None and listing.query(_CHANGED_AFTER) is not None,
        listing is not None and listing.query(_PARTNER_ID) is not None,
        tuple(kind for kind, path in NAMES.items() if contract.at("GET", path) is not None),
    )


def product_of(record: Record) -> HubProduct | None:
    """The record as a value; None where it is no object."""
    source = record.value
    return HubProduct(product_reader.product(source), record.raw) if isinstance(source, dict) else None


def product_of_text(raw: bytes) -> HubProduct:
    """The product of JSON that was kept. Raises `ValueError` where it is none."""
    product = product_of(of_text(raw))
    if product is None:
        raise ValueError("no object")
    return product


_KIND: Final = list_page.ListKind(PRODUCTS, product_of, lambda entry: entry.identity, LIST)


def products(
    session: HubSession,
    changed_after: datetime | None = None,
    *,
    offset: int = 0,
    limit: int = list_requests.LARGEST,
    overlap: int = 1,
    stop: StopSignal | None = None,
) -> Iterator[ProductPage]:
    """The pages of products, of those that changed at `changed_after` or later; see `date_filters.pages`."""
    bounds = {} if changed_after is None else {_CHANGED_AFTER: Bound(changed_after)}
    return date_filters.pages(session, _KIND, {}, bounds, offset=offset, limit=limit, overlap=overlap, stop=stop)


def products_with(session: HubSession, code: str, *, stop: StopSignal | None = None) -> tuple[HubProduct, ...]:
    """The products that have a SKU of this code, by the list's filter; empty where none has."""
    pages = paging.pages(session, _KIND, {_PARTNER_ID: code}, limit=list_requests.SMALLEST, stop=stop)
    return tuple(entry for page in pages for entry in page.items if any(sku.code == code for sku in entry.product.skus))


def product(session: HubSession, hub_id: str, *, stop: StopSignal | None = None) -> HubProduct | None:
    """One product; None where the hub has none of this id."""

    def read(answer: HubAnswer) -> HubProduct:
        entry = product_of(read_record(answer))
        assert entry is not None  # read_record gives objects only
        return entry

    try:
        return session.get(f"{PRODUCTS}/{segment(hub_id)}", read=read, stop=stop)
    except HubNotFound:
        return None


def names(session: HubSession, kind: CatalogName, *, stop: StopSignal | None = None) -> tuple[RegisteredName, ...]:
    """Every brand, category or variation that is registered; records without an id or a name are left out."""

    def read(record: Record) -> RegisteredName | None:
        source = record.value
        return product_reader.registered(source, kind) if isinstance(source, dict) else None

    of_names = list_page.ListKind(NAMES[kind], read, lambda entry: entry.hub_id, NAMES[kind].strip("/"))
    return tuple(entry for page in paging.pages(session, of_names, {}, stop=stop) for entry in page.items)
