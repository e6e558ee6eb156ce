"""Sync of a hub's catalog: brands, categories and variations, then products page by page; killable at any moment."""

from __future__ import annotations

from confere.archive.accounts.accounts import Account
from confere.archive.accounts.recorded_run import booked
from confere.archive.catalog import products, registered_names
from confere.archive.hub import coverage, shortfalls
from confere.archive.store import Archive
from confere.errors import Cancelled, message
from confere.hub.catalog import catalog_reads
from confere.hub.catalog.catalog_reads import CatalogReads
from confere.hub.session import HubSession
from confere.intake.catalog.catalog_result import CatalogResult
from confere.intake.catalog.product_listing import ProductList, plan
from confere.intake.listing.hub_traits_store import recall, remember
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent

RUN = "catalog"
"""The kind of such a run in the archive."""


def sync_catalog(
    archive: Archive,
    session: HubSession,
    account: Account,
    reads: CatalogReads,
    *,
    full: bool = False,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> CatalogResult:
    """Bring the catalog of `account` up to date with what its hub's contract lets read (`reads.products` is true).

    Raises `HubError` when the hub itself fails; what came is kept.
    """
    result = CatalogResult()
    before = session.requests
    with booked(archive, RUN, account.id, {"full": full}, account.name, result) as run:
        try:
            _run(archive, session, account, reads, run.id, result, reporter or Silent(), stop, full=full)
            run.outcome = "partial" if result.failed else "done"
        except Cancelled:
            result.stopped = True
            run.outcome = "stopped"
        finally:
            result.requests = session.requests - before
    return result


def _run(
    archive: Archive,
    session: HubSession,
    account: Account,
    reads: CatalogReads,
    run_id: int,
    result: CatalogResult,
    reporter: Reporter,
    stop: Stop | None,
    *,
    full: bool,
) -> None:
    with archive.reading() as transaction:
        recall(transaction, account.id, session)
    meter = Meter(reporter, message("Listing products of {account}", account=account.name))
    try:
        for kind in reads.names:
            names = catalog_reads.names(session, kind, stop=stop)
            with archive.writing() as transaction:
                registered_names.replace(transaction, account.id, kind, names)
            result.names[kind.value] = len(names)
        listing = ProductList(archive, session, account, run_id, result, meter, stop)
        listing.read_due(lambda transaction: plan(transaction, account.id, reads, full=full))
    finally:
        remember(archive, account.id, session)
        meter.finish()
    with archive.reading() as transaction:
        result.archived = products.seen_by(transaction, account.id, run_id)
        for entry in shortfalls.every(transaction, account.id, coverage.PRODUCTS):
            result.short += 1
            result.fail(account.name, entry.what)
