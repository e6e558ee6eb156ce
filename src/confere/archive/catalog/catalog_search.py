"""Reading the catalog: products by words, one by a code, every SKU of an account."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, func, select

from confere.archive.catalog.products import sku_of
from confere.archive.message_encoding import storable
from confere.archive.named_rows import NamedRow
from confere.archive.schema.schema import account, catalog_product, catalog_sku, catalog_version
from confere.archive.transaction import Transaction
from confere.sales.catalog_product import CatalogProduct, SoldSku
from confere.system.plain_text import folded_words

_PRODUCT: Final = catalog_product.alias("p")
_ACCOUNT: Final = account.alias("a")
_VERSIONS: Final = (
    select(func.count())
    .select_from(catalog_version)
    .where(catalog_version.c.product_id == _PRODUCT.c.id)
    .correlate(_PRODUCT)
    .scalar_subquery()
)
_ROWS: Final = select(_PRODUCT, _ACCOUNT.c.name.label("account"), _VERSIONS.label("versions")).select_from(
    _PRODUCT.join(_ACCOUNT, _ACCOUNT.c.id == _PRODUCT.c.account_id)
)
_SKUS: Final = "SELECT * FROM catalog_sku WHERE product_id IN {} ORDER BY product_id, position"
_PART = 400


@dataclass(frozen=True, slots=True)
class CatalogRow:
    """A product as it stands. `versions` counts its versions, `content_id` is the JSON of the newest one.

    `seen_at` is when it was last listed, `gone_since` since when a listing of everything did not show it (UTC text).
    """

    id: int
    account: str
    product: CatalogProduct
    content_id: int
    seen_at: str
    gone_since: str | None
    versions: int


@dataclass(frozen=True, slots=True)
class CatalogQuery:
    """Which products: of one account or all, with all of these words, `gone` those no longer listed, or not those."""

    account_id: int | None = None
    words: str = ""
    gone: bool | None = None


@dataclass(frozen=True, slots=True)
class CatalogVersion:
    """A version of a product; its JSON comes by `Archive.content(content_id)`, `seen_at` is when it came first."""

    position: int
    content_id: int
    sha256: str  # of its bytes as received
    seen_at: str


class KnownProduct(NamedTuple):
    """A product by the hub's id of it, and the JSON of its newest version (`Archive.content`)."""

    hub_id: str
    content_id: int


def page(transaction: Transaction, query: CatalogQuery, limit: int, offset: int = 0) -> tuple[CatalogRow, ...]:
    """Products by their titles; `limit` -1 for all of them."""
    rows = _ROWS.where(*_conditions(query)).order_by(_PRODUCT.c.title, _PRODUCT.c.id).limit(limit).offset(offset)
    return _with_skus(transaction, transaction.named(rows))


def count(transaction: Transaction, query: CatalogQuery) -> int:
    """How many products there are of such."""
    return int(transaction.scalar(select(func.count()).select_from(_PRODUCT).where(*_conditions(query))))


def ids(transaction: Transaction, query: CatalogQuery) -> Sequence[int]:
    """The archive's numbers of the products, in the order of `page`."""
    return transaction.integers(
        select(_PRODUCT.c.id).where(*_conditions(query)).order_by(_PRODUCT.c.title, _PRODUCT.c.id)
    )


def by_ids(transaction: Transaction, numbers: Sequence[int]) -> tuple[CatalogRow, ...]:
    """The products with these numbers of the archive, in their order; those that are not there left out."""
    rows = _with_skus(transaction, transaction.named(_ROWS.where(_PRODUCT.c.id.in_(numbers))))
    order = {number: place for place, number in enumerate(numbers)}
    return tuple(sorted(rows, key=lambda row: order[row.id]))


def called(transaction: Transaction, account_id: int, code: str) -> tuple[CatalogRow, ...]:
    """The products that have a SKU of this code; else those with this EAN, else the one with this id of the hub."""
    name = storable(code)
    for column in ("code", "ean"):
        with_sku = select(catalog_sku.c.product_id).where(
            catalog_sku.c.account_id == account_id, catalog_sku.c[column] == name
        )
        rows = transaction.named(_ROWS.where(_PRODUCT.c.id.in_(with_sku)).order_by(_PRODUCT.c.id))
        if rows:
            return _with_skus(transaction, rows)
    rows = transaction.named(_ROWS.where(_PRODUCT.c.account_id == account_id, _PRODUCT.c.hub_id == name))
    return _with_skus(transaction, rows)


def versions(transaction: Transaction, product_id: int) -> tuple[CatalogVersion, ...]:
    """Every version of a product, the newest first, by the archive's number of it."""
    rows = transaction.named(
        "SELECT v.position, v.content_id, c.digest, v.seen_at FROM catalog_version v"
        " JOIN content c ON c.id = v.content_id WHERE v.product_id = ? ORDER BY v.position DESC",
        (product_id,),
    )
    return tuple(CatalogVersion(row.position, row.content_id, row.digest.hex(), row.seen_at) for row in rows)


def owners(transaction: Transaction, account_id: int, codes: Collection[str]) -> dict[str, KnownProduct]:
    """The listed products that have SKUs of these codes, by code."""
    names = {storable(code): code for code in codes}
    rows = transaction.named_in(
        "SELECT s.code, p.hub_id, p.content_id FROM catalog_sku s JOIN catalog_product p ON p.id = s.product_id"
        f" WHERE p.gone_since IS NULL AND s.account_id = {int(account_id)} AND s.code IN {{}} ORDER BY p.id DESC",
        names,
    )
    return {names[row.code]: KnownProduct(row.hub_id, row.content_id) for row in rows}


def has_catalog(transaction: Transaction, account_id: int) -> bool:
    """Whether a product of this account was ever listed."""
    return transaction.first("SELECT 1 FROM catalog_product WHERE account_id = ? LIMIT 1", (account_id,)) is not None


def iter_catalog_skus(transaction: Transaction, account_id: int) -> Iterator[SoldSku]:
    """Every SKU of an account with its product, by product; those of products no longer listed come with `gone_since`.

    One SKU after the other, so that a large catalog is not in memory at once.
    """
    rows = transaction.each_named(
        "SELECT p.id AS product_number, p.hub_id AS product_hub_id, p.title AS product_title, p.ncm, p.origin, p.brand,"
        " p.brand_id, p.category_id, p.model, p.changed_at, p.gone_since, s.* FROM catalog_product p"
        " JOIN catalog_sku s ON s.product_id = p.id WHERE p.account_id = ? ORDER BY p.id, s.position",
        (account_id,),
    )
    for _, of_product in groupby(rows, key=lambda row: row.product_number):
        listed = list(of_product)
        first = listed[0]
        skus = tuple(map(sku_of, listed))
        product = CatalogProduct(
            first.product_hub_id,
            first.product_title,
            first.ncm,
            first.origin,
            first.brand,
            first.brand_id,
            first.category_id,
            first.model,
            first.changed_at,
            skus,
        )
        for sku in skus:
            yield SoldSku(product, sku, first.gone_since)


def _conditions(query: CatalogQuery) -> list[ColumnElement[Any]]:
    conditions: list[ColumnElement[Any]] = []
    if query.account_id is not None:
        conditions.append(_PRODUCT.c.account_id == query.account_id)
    if query.gone is not None:
        conditions.append(_PRODUCT.c.gone_since.is_not(None) if query.gone else _PRODUCT.c.gone_since.is_(None))
    conditions += [
        _PRODUCT.c.words.contains(word, autoescape=True) for word in storable(folded_words(query.words)).split()
    ]
    return conditions


def _with_skus(transaction: Transaction, rows: Sequence[NamedRow]) -> tuple[CatalogRow, ...]:
    skus: dict[int, list[NamedRow]] = {}
    for start in range(0, len(rows), _PART):
        for sku in transaction.named_in(_SKUS, [row.id for row in rows[start : start + _PART]]):
            skus.setdefault(sku.product_id, []).append(sku)
    return tuple(
        CatalogRow(
            row.id,
            row.account,
            CatalogProduct(
                row.hub_id,
                row.title,
                row.ncm,
                row.origin,
                row.brand,
                row.brand_id,
                row.category_id,
                row.model,
                row.changed_at,
                tuple(map(sku_of, skus.get(row.id, ()))),
            ),
            row.content_id,
            row.seen_at,
            row.gone_since,
            row.versions,
        )
        for row in rows
    )
