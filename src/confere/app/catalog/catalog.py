"""The use cases on a catalog: bring it up to date, find products, show one with how it changed."""

from __future__ import annotations

from dataclasses import dataclass

from confere.app.accounts import hub_contract
from confere.app.accounts.account_choice import one_account
from confere.app.catalog.product_history import ProductChange as ProductChange
from confere.app.catalog.product_history import changes
from confere.app.context import Workspace
from confere.app.sandbox.sandbox_accounts import awake
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.catalog import catalog_search, registered_names
from confere.archive.catalog.catalog_search import CatalogQuery as CatalogQuery
from confere.archive.catalog.catalog_search import CatalogRow as CatalogRow
from confere.archive.catalog.catalog_search import CatalogVersion as CatalogVersion
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import NotInArchive, UsageFault, message
from confere.intake.catalog.catalog_result import CatalogResult as CatalogResult
from confere.sales.catalog_product import CatalogName
from confere.system.processes.cancellation import Stop
from confere.system.processes.command_text import arguments
from confere.system.progress import Reporter
from confere.system.secrets import token_store

_MOST_ABOVE = 20  # categories above a category


@dataclass(frozen=True, slots=True)
class CatalogPage:
    """A page of products; `total` counts all of them."""

    products: tuple[CatalogRow, ...]
    total: int


@dataclass(frozen=True, slots=True)
class ShownVersion:
    """A version of a product, and in what it differs from the one before; nothing for the first one."""

    version: CatalogVersion
    changes: tuple[ProductChange, ...]


@dataclass(frozen=True, slots=True)
class ShownProduct:
    """A product with its history, the newest version first. `category` is the path of its category, as names."""

    row: CatalogRow
    category: str
    versions: tuple[ShownVersion, ...]


def sync(
    workspace: Workspace,
    account: str | None = None,
    *,
    full: bool = False,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
    prompt: token_store.Prompt | None = None,
) -> CatalogResult:
    """Bring the catalog of an account up to date. Raises `UsageFault` where the hub's contract declares no reads."""
    from confere.hub.catalog.catalog_reads import reads_of
    from confere.intake.catalog.catalog_sync import sync_catalog

    with workspace.writing("catalog sync") as archive:
        with archive.reading() as transaction:
            chosen = one_account(transaction, account)
        with awake(workspace, chosen, reporter) as woken:
            workspace.require_origin(archive, woken)
            reads = reads_of(hub_contract.of_account(workspace.home, chosen, address=woken.address).contract)
            if not reads.products:
                raise no_reads(chosen)
            with workspace.session(archive, woken, stop=stop, prompt=prompt) as session:
                return sync_catalog(archive, session, woken, reads, full=full, reporter=reporter, stop=stop)


def no_reads(account: Account) -> UsageFault:
    """What is said where a hub cannot be asked for its products."""
    return UsageFault(
        message("This hub's contract declares no catalog reads ({account}).", account=account.name),
        message("`confere catalog push` still writes to it; what is there can only be looked at in the hub's panel."),
    )


def find(
    workspace: Workspace,
    words: str = "",
    *,
    account: str | None = None,
    gone: bool | None = None,
    limit: int | None = 50,
) -> CatalogPage:
    """Products with all of these words in titles, codes, EANs, NCM, brand or model, by title."""
    with workspace.reading() as archive, archive.reading() as transaction:
        owner = None if account is None else accounts.named(transaction, account).id
        query = CatalogQuery(owner, words, gone)
        found = catalog_search.page(transaction, query, -1 if limit is None else limit)
        return CatalogPage(found, catalog_search.count(transaction, query))


def show(workspace: Workspace, code: str, *, account: str | None = None) -> ShownProduct:
    """The product with a SKU of this code, else with this EAN, else with this id of the hub.

    Raises `NotInArchive` where there is none, and `UsageFault` where there are several.
    """
    with workspace.reading() as archive, archive.reading() as transaction:
        every = accounts.every(transaction) if account is None else (accounts.named(transaction, account),)
        rows = [(owner, row) for owner in every for row in catalog_search.called(transaction, owner.id, code)]
        if not rows:
            raise NotInArchive(
                message("There is no product {code} in the archive.", code=code),
                message("`confere catalog list` lists them; `confere catalog sync` brings new ones."),
            )
        if len({owner.id for owner, _ in rows}) > 1:
            raise UsageFault(
                message("Several accounts have a product {code}.", code=code),
                message("Say which with --account: {known}.", known=arguments(owner.name for owner, _ in rows)),
            )
        if len(rows) > 1:
            raise UsageFault(
                message("Several products are called {code}.", code=code),
                message("Use the hub's id of one: {known}.", known=", ".join(row.product.hub_id for _, row in rows)),
            )
        owner, row = rows[0]
        return in_full(archive, transaction, owner, row)


def in_full(archive: Archive, transaction: Transaction, owner: Account, row: CatalogRow) -> ShownProduct:
    """A product of the account `owner` with its history."""
    path = category_path(transaction, owner.id, row.product.category_id)
    return ShownProduct(row, path, _versions(archive, transaction, row))


def raw(workspace: Workspace, version: CatalogVersion) -> bytes:
    """A version of a product exactly as it was received."""
    with workspace.reading() as archive:
        return archive.content(version.content_id)


def category_path(transaction: Transaction, account_id: int, category_id: str | None) -> str:
    """The names of a category and of those above it, `Casa > Cozinha`; its id where it is not known."""
    known = {entry.hub_id: entry for entry in registered_names.every(transaction, account_id, CatalogName.CATEGORY)}
    names: list[str] = []
    at = category_id
    while at in known and len(names) < _MOST_ABOVE:
        names.append(known[at].name)
        at = known[at].parent_id
    return " > ".join(reversed(names)) or category_id or ""


def _versions(archive: Archive, transaction: Transaction, row: CatalogRow) -> tuple[ShownVersion, ...]:
    from confere.hub.catalog.catalog_reads import product_of_text

    listed = catalog_search.versions(transaction, row.id)
    products = [product_of_text(archive.vault.get(transaction, version.content_id)).product for version in listed]
    return tuple(
        ShownVersion(version, changes(products[place + 1], products[place]) if place + 1 < len(products) else ())
        for place, version in enumerate(listed)
    )
