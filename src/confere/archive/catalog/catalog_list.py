"""The long list of products: what it is narrowed to and sorted by, what it comes to, and what it can be narrowed to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import REAL, ColumnElement, and_, cast, exists, func, or_, select

from confere.archive.catalog.catalog_search import CatalogRow, by_ids
from confere.archive.list_selection import VALUES, ListSelection, among
from confere.archive.message_encoding import storable
from confere.archive.named_rows import NamedRow
from confere.archive.schema.schema import account, catalog_name, catalog_product, catalog_sku
from confere.archive.transaction import Ids, Transaction
from confere.sales.catalog_product import CatalogName
from confere.system.plain_text import folded_words

_PRODUCT: Final = catalog_product.alias("p")
_SKU: Final = catalog_sku.alias("s")
_CATEGORY: Final = catalog_name.alias("c")
_ACCOUNT: Final = account.alias("a")
_SOURCE: Final = _PRODUCT.join(_ACCOUNT, _ACCOUNT.c.id == _PRODUCT.c.account_id).outerjoin(
    _CATEGORY,
    and_(
        _CATEGORY.c.account_id == _PRODUCT.c.account_id,
        _CATEGORY.c.kind == CatalogName.CATEGORY.value,
        _CATEGORY.c.hub_id == _PRODUCT.c.category_id,
    ),
)
_CATEGORY_NAME: Final = func.coalesce(_CATEGORY.c.name, _PRODUCT.c.category_id)
_OF_PRODUCT: Final = _SKU.c.product_id == _PRODUCT.c.id
_STOCK: Final = cast(_SKU.c.stock, REAL)


def _of_skus(value: ColumnElement[Any], *conditions: ColumnElement[bool]) -> ColumnElement[Any]:
    return select(value).where(_OF_PRODUCT, *conditions).correlate(_PRODUCT).scalar_subquery()


def _has_sku(*conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    return exists().where(_OF_PRODUCT, *conditions).correlate(_PRODUCT)


_UNITS: Final = _of_skus(func.sum(_STOCK))
_SORTS: Final[dict[str, ColumnElement[Any]]] = {
    "title": _PRODUCT.c.title.collate("NOCASE"),
    "code": _of_skus(_SKU.c.code, _SKU.c.position == 0),
    "ean": _of_skus(_SKU.c.ean, _SKU.c.position == 0),
    "ncm": _PRODUCT.c.ncm,
    "origin": _PRODUCT.c.origin,
    "price": _of_skus(func.min(_SKU.c.price_cents)),
    "stock": _UNITS,
    "brand": _PRODUCT.c.brand.collate("NOCASE"),
    "category": _CATEGORY_NAME.collate("NOCASE"),
    "changed": _PRODUCT.c.changed_at,
    "gone": _PRODUCT.c.gone_since,
    "model": _PRODUCT.c.model,
    "product": _PRODUCT.c.hub_id,
    "account": _ACCOUNT.c.name,
}
SORTS: Final = tuple(_SORTS)
"""What products can be sorted by; those of several SKUs by the first one, the lowest price and the sum of the stock."""
_LACKS: Final[Mapping[str, ColumnElement[bool]]] = {
    "ncm": or_(_PRODUCT.c.ncm.is_(None), _PRODUCT.c.ncm.not_like("_" * 8), _PRODUCT.c.ncm.op("GLOB")("*[^0-9]*")),
    "origin": or_(_PRODUCT.c.origin.is_(None), _PRODUCT.c.origin.op("NOT GLOB")("[0-8]")),
    "ean": _has_sku(func.coalesce(_SKU.c.ean, "") == ""),
    "code": or_(_has_sku(_SKU.c.code == ""), ~_has_sku()),
    "price": _has_sku(func.coalesce(_SKU.c.price_cents, 0) <= 0),
    "stock": func.coalesce(_UNITS, 0) <= 0,
}
LACKS: Final = tuple(_LACKS)
"""What a product may lack: an NCM of eight digits, an origin from 0 to 8, and of one of its SKUs the EAN, the code, a
price; `stock` is of a product with none of any SKU."""
_WORTH: Final = _of_skus(func.sum(_SKU.c.price_cents * _STOCK))
_FIGURES: Final = (
    func.count().label("number"),
    func.sum(_of_skus(func.count())).label("skus"),
    func.sum(_WORTH).label("worth"),
)
_GONE: Final = _PRODUCT.c.gone_since.is_not(None)
_MOST_WORTH: Final = 10**17  # centavos; what is more is no price of anything


@dataclass(frozen=True, slots=True)
class ProductQuery:
    """Which products: of these accounts (empty for all), with all words of `text`, and a value of each of the others.

    `gone` are those no longer listed, or not those; `lacks` are of `LACKS`, of which a product lacks one at least;
    `brands` and `categories` are names. `sort` is one of `SORTS`; what has no value comes last, whichever way.
    """

    account_ids: tuple[int, ...] = ()
    text: str = ""
    gone: bool | None = None
    lacks: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    brands: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    sort: str = "title"
    descending: bool = False


@dataclass(frozen=True, slots=True)
class CatalogTotals:
    """How many products there are, `gone` of them no longer listed; SKUs of the others, and their price × stock.

    `worth` is in centavos; a SKU without price or stock adds nothing to it.
    """

    count: int = 0
    skus: int = 0
    worth: int = 0
    gone: int = 0


@dataclass(frozen=True, slots=True)
class CatalogChoices:
    """What products can be narrowed to, each with how many there are, the most frequent first."""

    listed: int
    gone: int
    lacks: tuple[tuple[str, int], ...]
    origins: tuple[tuple[str, int], ...]
    brands: tuple[tuple[str, int], ...]
    categories: tuple[tuple[str, int], ...]


def page(transaction: Transaction, query: ProductQuery, limit: int) -> tuple[CatalogRow, ...]:
    """The first products of `query`."""
    chosen = transaction.integers(_selection(query).page(_PRODUCT.c.id, limit=limit, offset=0))
    return by_ids(transaction, chosen)


def ids(transaction: Transaction, query: ProductQuery) -> Ids:
    """The archive's numbers of all products of `query` in its order, eight bytes each."""
    return transaction.integers(_selection(query).ordered(_PRODUCT.c.id))


def category_names(transaction: Transaction, wanted: Collection[int]) -> dict[int, str]:
    """The category's name of each of these products, by the archive's number; its id where it is not registered."""
    named = select(_PRODUCT.c.id, _CATEGORY_NAME.label("name")).select_from(_SOURCE).where(_PRODUCT.c.id.in_(VALUES))
    return {row.id: row.name or "" for row in transaction.named_in(named, wanted)}


def totals(transaction: Transaction, query: ProductQuery) -> CatalogTotals:
    """What the products of `query` came to."""
    every = _selection(query).select(*_FIGURES)
    return _totals(transaction.named(every.where(~_GONE)), transaction.named(every.where(_GONE)))


def totals_of(transaction: Transaction, wanted: Collection[int]) -> CatalogTotals:
    """What these products came to, by the archive's numbers of them."""
    of_these = select(*_FIGURES).select_from(_PRODUCT).where(_PRODUCT.c.id.in_(VALUES))
    listed = transaction.named_in(of_these.where(~_GONE), wanted)
    return _totals(listed, transaction.named_in(of_these.where(_GONE), wanted))


def choices(transaction: Transaction, query: ProductQuery) -> CatalogChoices:
    """What the products of `query` have."""

    def counted(column: ColumnElement[str]) -> tuple[tuple[str, int], ...]:
        grouped = selection.select(column, func.count()).where(func.coalesce(column, "") != "").group_by(column)
        return tuple(sorted(transaction.fetch(grouped), key=lambda pair: (-pair[1], pair[0])))

    def number(of: ProductQuery) -> int:
        return int(transaction.scalar(_selection(of).count()))

    selection = _selection(query)
    return CatalogChoices(
        number(replace(query, gone=False)),
        number(replace(query, gone=True)),
        tuple((code, number(replace(query, lacks=(code,)))) for code in LACKS),
        counted(_PRODUCT.c.origin),
        counted(_PRODUCT.c.brand),
        counted(_CATEGORY_NAME),
    )


def _selection(query: ProductQuery) -> ListSelection:
    conditions: list[ColumnElement[bool]] = []
    if query.account_ids:
        conditions.append(among(_PRODUCT.c.account_id, query.account_ids))
    if query.gone is not None:
        conditions.append(_GONE if query.gone else ~_GONE)
    if query.lacks:
        conditions.append(or_(*(_LACKS[code] for code in query.lacks)))
    for column, values in (
        (_PRODUCT.c.origin, query.origins),
        (_PRODUCT.c.brand, query.brands),
        (_CATEGORY_NAME, query.categories),
    ):
        if values:
            conditions.append(among(column, values))
    words = storable(folded_words(query.text)).split()
    conditions += [_PRODUCT.c.words.contains(word, autoescape=True) for word in words]
    return ListSelection(_SOURCE, tuple(conditions), _order(query.sort, descending=query.descending))


def _order(sort: str, *, descending: bool) -> tuple[ColumnElement[Any], ...]:
    columns = dict.fromkeys((_SORTS[sort], _SORTS["title"], _PRODUCT.c.id))
    ways = [column.desc() if descending else column.asc() for column in columns]
    ways[0] = ways[0].nulls_last()
    return tuple(ways)


def _totals(listed: Iterable[NamedRow], gone: Iterable[NamedRow]) -> CatalogTotals:
    (number, skus, worth), (lost, _, _) = map(_figures, (listed, gone))
    return CatalogTotals(number + lost, skus, worth, lost)


def _figures(rows: Iterable[NamedRow]) -> tuple[int, int, int]:
    number = skus = 0
    worth = 0.0
    for row in rows:
        number += row.number
        skus += row.skus or 0
        worth += row.worth or 0
    return number, skus, round(min(max(worth, -_MOST_WORTH), _MOST_WORTH))
