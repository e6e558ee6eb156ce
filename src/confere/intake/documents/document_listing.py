"""The list of documents: what of it is written down, what it must show, and what it shows to be gone."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from confere.archive.accounts.accounts import Account
from confere.archive.clock import from_text, utc_text
from confere.archive.hub import coverage, newest_known_records, no_longer_listed
from confere.archive.hub.hub_records import HubRecord
from confere.archive.hub.shortfalls import Short
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import HubRefusedRequest
from confere.hub.documents import documents
from confere.hub.documents.documents import DocumentFilter, DocumentPage
from confere.hub.session import HubSession
from confere.intake.documents.document_windows import document_filter
from confere.intake.documents.download_workers import Fetcher
from confere.intake.documents.file_downloads import DocumentFiles
from confere.intake.documents.record_writer import DocumentRecords
from confere.intake.documents.sync_request import SyncRequest, belongs, is_of_type
from confere.intake.documents.sync_result import SyncResult
from confere.intake.listing.date_filter_check import documents_honour
from confere.intake.listing.engine import PAGE, ListReader, PageWritten
from confere.intake.listing.hub_clock import hear_again
from confere.intake.listing.hub_traits_store import remember
from confere.intake.listing.listing_errors import Sighted, TypeUnproven
from confere.intake.listing.listing_window import SLACK, ListingWindow
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter

PAGE_OVERLAP = 2  # items that two pages share: a list that shifts while it is read shows there


class DocumentList(ListReader[DocumentPage]):
    """The list of documents. Pages are asked for in the background while downloads go on."""

    list_name = documents.LIST
    axis = coverage.CREATED

    def __init__(
        self,
        archive: Archive,
        session: HubSession,
        account: Account,
        run_id: int,
        request: SyncRequest,
        records: DocumentRecords,
        files: DocumentFiles,
        fetcher: Fetcher,
        result: SyncResult,
        meter: Meter,
        stop: Stop | None,
    ) -> None:
        super().__init__(archive, session, account, run_id)
        self.narrowed = request.narrowed
        self._request = request
        self._records = records
        self._files = files
        self._fetcher = fetcher
        self._result = result
        self._meter = meter
        self._stop = stop
        self._type_value: str | None = None  # that the list is narrowed by at the hub
        self._listed: set[int] = set()
        self._shown = 0  # of those listed
        self._new: set[int] = set()
        self._updated: set[int] = set()

    def _read(self, window: ListingWindow, sighted: Sighted | None = None) -> None:
        """Narrowed by the hub to the type asked for, where it does that as we understand it; else picked out here."""
        if sighted is None and self._request.type_value is not None:
            self._type_value = self._request.type_value
            try:
                super()._read(window)
                return
            except (TypeUnproven, HubRefusedRequest):
                self._type_value = None
        super()._read(window, sighted)

    def _pages(self, window: ListingWindow, offset: int) -> Iterator[DocumentPage]:
        pages = documents.pages(
            self._session,
            document_filter(window, self._request, self._type_value),
            offset=offset,
            limit=PAGE,
            overlap=PAGE_OVERLAP,
            stop=self._stop,
        )
        while True:
            future = self._fetcher.in_background(lambda: next(pages, None))
            while not future.done():
                self._files.pump()
            page = future.result()
            if page is None:
                return
            yield page

    def _of_days(self, first: datetime | None, last: datetime | None) -> Iterator[DocumentPage]:
        of_days = DocumentFilter(created_from=first, created_to=last)
        return documents.pages(self._session, of_days, limit=PAGE, stop=self._stop)

    def _disproves(self, page: DocumentPage, window: ListingWindow, widened: timedelta) -> bool:
        is_created = window.axis == coverage.CREATED
        if any(window.excludes(item.created_at if is_created else item.updated_at, widened) for item in page.items):
            return True
        if self._type_value is not None and not all(is_of_type(item, self._type_value) for item in page.items):
            raise TypeUnproven
        return False

    def _write(self, transaction: Transaction, page: DocumentPage, window: ListingWindow) -> PageWritten:
        known = len(self._new)
        records = [HubRecord(document) for document in page.items if belongs(document, self._request)]
        observed = self._records.write(transaction, records)
        ids = {record.hub_document_id for record in observed}
        no_longer_listed.listed_again(transaction, ids)
        for record in observed:
            self._result.already += record.already if record.hub_document_id not in self._listed else 0
            self._listed.add(record.hub_document_id)
            if record.new:
                self._new.add(record.hub_document_id)
            elif record.changed and record.hub_document_id not in self._new:
                self._updated.add(record.hub_document_id)
        self._result.listed = len(self._listed)
        self._result.new = len(self._new)
        self._result.updated = len(self._updated)
        shows = window.landmark is not None and not ids.isdisjoint(window.landmark.hub_document_ids)
        return PageWritten(len(self._new) - known, shows)

    def _written(self) -> None:
        remember(self._archive, self._account.id, self._session)
        self._fetcher.expect()

    def _show(self, page: DocumentPage) -> None:
        self._meter.advance(len(self._listed) - self._shown, total=page.total)
        self._shown = len(self._listed)

    def _newest(self, transaction: Transaction, axis: str) -> str | None:
        newest = newest_known_records.newest(transaction, self._account.id, axis)
        return None if newest is None else newest.at

    def _is_honestly_empty(self, window: ListingWindow) -> bool:
        """Whether days that a person asked for are empty, and not just the answer: the dates are proven elsewhere."""
        if window.method != coverage.ASKED:
            return False
        with self._archive.reading() as transaction:
            known = newest_known_records.newest(transaction, self._account.id, coverage.CREATED)
        return documents_honour(
            self._session,
            None if known is None else from_text(known.at),
            document_filter(window, self._request, None),
            narrowed=bool(self.narrowed),
            stop=self._stop,
        )

    def _prove(self, window: ListingWindow, item_count: int, *, shows_landmark: bool) -> None:
        if self._type_value is not None and not item_count:
            raise TypeUnproven  # an empty answer proves nothing
        super()._prove(window, item_count, shows_landmark=shows_landmark)

    def _tell_date_filter(self, date_filter: str) -> None:
        self._result.date_filter = date_filter

    def _ended(self, short: Short | None, refused: int) -> None:
        hear_again(self._session, self._account, lambda: documents.probe(self._session, stop=self._stop))
        self._result.never_shown = max(self._result.never_shown, short.missing if short is not None else 0)
        self._result.no_records = max(self._result.no_records, refused)

    def _claimed(self, transaction: Transaction, window: coverage.Window, refused: int, *, resumed: bool) -> None:
        if window.method == coverage.SCAN:  # it saw every document as it is now: both axes are covered
            other = coverage.begin(
                transaction,
                self._account.id,
                self._run_id,
                axis=coverage.UPDATED,
                from_at=window.from_at,
                to_at=window.to_at,
                narrowed=window.narrowed,
                method=window.method,
            )
            coverage.finish(transaction, other.id, window.to_at)
        if not resumed and not refused:
            self._mark_gone(transaction, window)

    def _mark_gone(self, transaction: Transaction, window: coverage.Window) -> None:
        """What a listing read whole, of everything or of the last days, had to show and did not is gone."""
        if window.narrowed or window.method not in (coverage.SCAN, coverage.RELIST):
            return
        # Hubs compare dates in zones of their own: what stands close to the edge may be left out.
        edge = None if window.from_at == coverage.FOREVER else utc_text(from_text(window.from_at) + SLACK)
        self._result.gone += no_longer_listed.mark(transaction, self._account.id, self._run_id, edge)
