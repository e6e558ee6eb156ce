"""The use cases of the window's page Catalog: a long list to scroll through, what it can be narrowed to, one in full.

`first`, `snapshot` and `rows` are what a list in a window is made of.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from confere.app.accounts import hub_contract
from confere.app.accounts.freshness import may_hold
from confere.app.archive_session import OpenArchive
from confere.app.catalog import catalog
from confere.app.catalog.catalog import CatalogRow as CatalogRow
from confere.app.catalog.catalog import ShownProduct as ShownProduct
from confere.app.catalog.catalog import ShownVersion as ShownVersion
from confere.app.catalog.product_history import ProductChange as ProductChange
from confere.app.context import Workspace
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.catalog import catalog_list, catalog_search, sold_items
from confere.archive.catalog.catalog_list import LACKS as LACKS
from confere.archive.catalog.catalog_list import SORTS as SORTS
from confere.archive.catalog.catalog_list import CatalogChoices as CatalogChoices
from confere.archive.catalog.catalog_list import CatalogTotals as CatalogTotals
from confere.archive.catalog.catalog_list import ProductQuery as ProductQuery
from confere.archive.catalog.sold_items import SoldItem as SoldItem
from confere.archive.transaction import Transaction
from confere.errors import NotInArchive, message

MOST_SOLD = 300
"""Items of orders that are shown of one product."""


@dataclass(frozen=True, slots=True)
class ProductsScope:
    """Whose products: of the accounts that may hold a company's (None for all), of one `account` (None for each).

    `query` says which of them; `sort` is one of `SORTS`.
    """

    company: str | None = None
    account: str | None = None
    query: ProductQuery = field(default_factory=ProductQuery)
    sort: str = "title"
    descending: bool = False


@dataclass(frozen=True, slots=True)
class ListedProduct:
    """A product of a list, with the name of its category; empty where it has none."""

    row: CatalogRow
    category: str

    @property
    def id(self) -> int:
        """The archive's number of it."""
        return self.row.id


@dataclass(frozen=True, slots=True)
class CatalogAccount:
    """An account and whether its catalog can be synced: None where the hub was not asked for its contract yet.

    `is_synced`: a product of it was listed before.
    """

    name: str
    has_reads: bool | None
    is_synced: bool


def first(opened: OpenArchive, scope: ProductsScope, limit: int = 60) -> tuple[ListedProduct, ...]:
    """The first products of a scope, at once; all of it is a `snapshot`."""
    with opened.reading() as transaction:
        query = _narrowed(transaction, scope)
        return () if query is None else _named(transaction, catalog_list.page(transaction, query, limit))


def snapshot(opened: OpenArchive, scope: ProductsScope) -> array[int]:
    """The archive's numbers of all products of a scope in its order, as they are now."""
    with opened.reading() as transaction:
        query = _narrowed(transaction, scope)
        return array("q") if query is None else catalog_list.ids(transaction, query)


def rows(opened: OpenArchive, ids: Sequence[int]) -> tuple[ListedProduct, ...]:
    """These products, in the order asked for; one that is not there is left out."""
    with opened.reading() as transaction:
        return _named(transaction, catalog_search.by_ids(transaction, ids))


def totals(opened: OpenArchive, scope: ProductsScope) -> CatalogTotals:
    """What the products of a scope came to."""
    with opened.reading() as transaction:
        query = _narrowed(transaction, scope)
        return CatalogTotals() if query is None else catalog_list.totals(transaction, query)


def totals_of(opened: OpenArchive, ids: Collection[int]) -> CatalogTotals:
    """What these products came to."""
    with opened.reading() as transaction:
        return catalog_list.totals_of(transaction, ids)


def choices(opened: OpenArchive, scope: ProductsScope) -> CatalogChoices:
    """What the products of a scope can be narrowed to, whatever they are narrowed to now but its text."""
    with opened.reading() as transaction:
        of_all = replace(scope, query=ProductQuery(text=scope.query.text))
        query = _narrowed(transaction, of_all)
        return CatalogChoices(0, 0, (), (), (), ()) if query is None else catalog_list.choices(transaction, query)


def accounts_of(workspace: Workspace, opened: OpenArchive, company: str | None) -> tuple[CatalogAccount, ...]:
    """The accounts of a company (None for all), and what is known of their catalogs without asking anybody."""
    with opened.reading() as transaction:
        own = [(account, catalog_search.has_catalog(transaction, account.id)) for account in _own(transaction, company)]
    return tuple(CatalogAccount(account.name, _has_reads(workspace, account), synced) for account, synced in own)


def detail(opened: OpenArchive, product_id: int) -> ShownProduct:
    """One product, by the archive's number of it. `NotInArchive` where there is none."""
    archive = opened.archive()
    with opened.reading() as transaction:
        found = catalog_search.by_ids(transaction, (product_id,))
        if not found:
            raise NotInArchive(
                message("There is no product {code} in the archive.", code=str(product_id)),
                message("Sync the catalog: it may have come since."),
            )
        owner = accounts.named(transaction, found[0].account)
        return catalog.in_full(archive, transaction, owner, found[0])


def sales_of(opened: OpenArchive, row: CatalogRow) -> tuple[SoldItem, ...]:
    """The newest items of orders that sell this product, at most `MOST_SOLD`."""
    with opened.reading() as transaction:
        owner = accounts.named(transaction, row.account)
        codes = [sku.code for sku in row.product.skus]
        return sold_items.sold(transaction, owner.id, codes, MOST_SOLD)


def version_text(opened: OpenArchive, content_id: int) -> str:
    """The JSON of a version, as it was received."""
    return opened.archive().content(content_id).decode("utf-8", "replace")


def _own(transaction: Transaction, company: str | None) -> list[Account]:
    return [account for account in accounts.every(transaction) if may_hold(account, company)]


def _has_reads(workspace: Workspace, account: Account) -> bool | None:
    from confere.hub.catalog.catalog_reads import reads_of

    kept = hub_contract.kept(workspace.home, account)
    return reads_of(kept.contract).products if kept.fetched_at else None


def _narrowed(transaction: Transaction, scope: ProductsScope) -> ProductQuery | None:
    """The query of the accounts that are wanted; None where there is no such account."""
    wanted = [account.id for account in _own(transaction, scope.company) if scope.account in (None, account.name)]
    if not wanted:
        return None
    return replace(scope.query, account_ids=tuple(wanted), sort=scope.sort, descending=scope.descending)


def _named(transaction: Transaction, found: Sequence[CatalogRow]) -> tuple[ListedProduct, ...]:
    names = catalog_list.category_names(transaction, [row.id for row in found])
    return tuple(ListedProduct(row, names.get(row.id, "")) for row in found)
