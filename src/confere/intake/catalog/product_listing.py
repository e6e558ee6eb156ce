"""The list of products: what of it is written down, and what a listing of everything no longer shows."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from confere.archive.accounts.accounts import Account
from confere.archive.catalog import products
from confere.archive.catalog.products import ReceivedProduct
from confere.archive.clock import from_text, utc_text
from confere.archive.hub import coverage
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import message
from confere.hub.catalog import catalog_reads
from confere.hub.catalog.catalog_reads import CatalogReads, ProductPage
from confere.hub.session import HubSession
from confere.intake.catalog.catalog_result import CatalogResult
from confere.intake.listing.engine import ListReader, PageWritten
from confere.intake.listing.listing_window import OVERLAP, ListingWindow, going_on, known_until, looks_again, whole
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter

RELIST_AFTER = timedelta(days=7)
"""A listing of what changed shows nobody that a product is gone: so often everything is listed."""


def plan(transaction: Transaction, account_id: int, reads: CatalogReads, *, full: bool) -> ListingWindow:
    """What to list: an interrupted listing of everything, what changed since the last one, or everything."""
    axes = (coverage.PRODUCTS,)
    coverage.forget_interrupted(transaction, account_id, axes)
    coverage.tidy(transaction, account_id)
    interrupted = coverage.unfinished(transaction, account_id, axes)
    if interrupted is not None and not full:
        return going_on(interrupted)
    since = known_until(transaction, account_id, coverage.PRODUCTS)
    listed_at = coverage.last_whole(transaction, account_id, coverage.PRODUCTS)
    now = datetime.now(UTC)
    is_due = listed_at is None or not now - RELIST_AFTER < from_text(listed_at) <= now
    if full or since is None or is_due or not reads.changed_after:
        return whole(coverage.PRODUCTS)
    if looks_again(transaction, account_id, coverage.PRODUCTS):
        return whole(coverage.PRODUCTS)
    begin = utc_text(since - OVERLAP)
    return ListingWindow(coverage.PRODUCTS, coverage.WINDOW, begin, None, dated=True)


class ProductList(ListReader[ProductPage]):
    """The list of products of one account."""

    list_name = catalog_reads.LIST
    axis = coverage.PRODUCTS

    def __init__(
        self,
        archive: Archive,
        session: HubSession,
        account: Account,
        run_id: int,
        result: CatalogResult,
        meter: Meter,
        stop: Stop | None,
    ) -> None:
        super().__init__(archive, session, account, run_id)
        self._result = result
        self._meter = meter
        self._stop = stop
        self._listed: set[str] = set()
        self._nameless: set[str] = set()
        self._no_records = 0

    def _pages(self, window: ListingWindow, offset: int) -> Iterator[ProductPage]:
        return catalog_reads.products(self._session, window.after, offset=offset, stop=self._stop)

    def _of_days(self, first: datetime | None, last: datetime | None) -> Iterator[ProductPage]:
        """Of days up to one the list has no filter."""
        return iter(()) if last is not None else catalog_reads.products(self._session, first, stop=self._stop)

    def _is_honestly_empty(self, _window: ListingWindow) -> bool:
        """That nothing changed is what most listings say; everything is listed again in `RELIST_AFTER`."""
        return True

    def _tell_date_filter(self, date_filter: str) -> None:
        self._result.date_filter = date_filter

    def _write(self, transaction: Transaction, page: ProductPage, _window: ListingWindow) -> PageWritten:
        received = [ReceivedProduct(item.product, item.raw) for item in page.items if item.product.hub_id]
        recorded = products.record(transaction, self._archive.vault_writer, self._account.id, self._run_id, received)
        self._result.new += recorded.new
        self._result.changed += recorded.changed
        return PageWritten(recorded.new)

    def _show(self, page: ProductPage) -> None:
        known = len(self._listed)
        for item in page.items:
            if not item.product.hub_id and item.identity not in self._nameless:
                self._nameless.add(item.identity)
                self._result.fail("?", message("The hub lists a product without an id: it cannot be kept."))
            self._listed.add(item.identity)
        self._meter.advance(len(self._listed) - known, total=page.total)

    def _ended(self, _short: object, refused: int) -> None:
        for _ in range(refused - self._no_records):
            self._result.fail("?", message("The hub lists something among its products that is no record."))
        self._no_records = max(self._no_records, refused)
        self._result.refused = self._no_records + len(self._nameless)
        self._result.listed = self._no_records + len(self._listed)

    def _claimed(self, transaction: Transaction, window: coverage.Window, refused: int, *, resumed: bool) -> None:  # noqa: ARG002
        self._result.whole = self._result.whole or window.method == coverage.SCAN
        if window.method == coverage.SCAN and not refused:  # what an interrupted run saw before this one is listed too
            self._result.gone += products.mark_gone(transaction, self._account.id, window.run_id)
