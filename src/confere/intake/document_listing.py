"""Listing a hub's documents: each page is written in one transaction with the cursor behind it and the downloads it
names, and a window is closed only when the whole answer was held against what must be in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Protocol

from confere.archive import coverage, hub_records, landmarks
from confere.archive.accounts import Account
from confere.archive.clock import from_text, utc_text
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import HubRefusedRequest
from confere.hub import documents
from confere.hub import shape as shapes
from confere.hub.contract import HubDocument
from confere.hub.dates import DatesRefused, widened
from confere.hub.documents import DocumentPage
from confere.hub.session import HubSession
from confere.intake.date_proof import documents_honour
from confere.intake.fetching import Fetcher
from confere.intake.learnt import remember
from confere.intake.proof import FilterIgnored, Moved, SeamOpen, Sighted, TypeUnproven
from confere.intake.request import SyncRequest, belongs, is_of_type, now, proves_filter_ignored
from confere.intake.translate import to_record
from confere.intake.windows import Plan, plan, undated, whole
from confere.system.jobs import Meter
from confere.system.stopping import Stop

PAGE = 100
PAGE_OVERLAP = 2  # items that two pages share: a list that shifts while it is read shows there


class ListingFigures(Protocol):
    """The figures that a listing counts up: `listed` are distinct documents, `already` files that were here."""

    listed: int
    new: int
    updated: int
    already: int
    date_filter: str


class DocumentListing:
    """One sync's listing of an account. `pump` lets downloads go on while a page is waited for."""

    def __init__(
        self,
        archive: Archive,
        session: HubSession,
        account: Account,
        request: SyncRequest,
        run_id: int,
        result: ListingFigures,
        meter: Meter,
        fetcher: Fetcher,
        pump: Callable[[], None],
        stop: Stop | None,
    ) -> None:
        self._archive = archive
        self._session = session
        self._account = account
        self._request = request
        self._run_id = run_id
        self._result = result
        self._meter = meter
        self._fetcher = fetcher
        self._pump = pump
        self._stop = stop
        self._listed: set[int] = set()
        self._new: set[int] = set()
        self._updated: set[int] = set()

    def run(self) -> None:
        """List what is to be listed. Raises `HubError` when the hub itself fails, and `Cancelled`."""
        # An interrupted listing of everything goes on first; then what happened since.
        if self._list_all():
            self._list_all()

    def _list_all(self) -> bool:
        with self._archive.writing() as transaction:
            plans = plan(transaction, self._account.id, self._request)
        for entry in plans:
            try:
                self._list(entry)
            except (FilterIgnored, DatesRefused) as useless:
                refused = isinstance(useless, DatesRefused)
                self._result.date_filter = shapes.REFUSED if refused else shapes.IGNORED
                self._list(undated(entry))
                if refused:  # now that the list came without dates, it was these that the hub refused
                    self._session.shapes.learn(documents.LIST, dates=shapes.REFUSED)
                else:
                    self._session.shapes.learn(documents.LIST, date_filter=shapes.IGNORED)
                break  # a whole listing leaves nothing for the other windows
            except SeamOpen:
                self._list(whole())
        return any(entry.resumed is not None for entry in plans)

    def _list(self, entry: Plan) -> None:
        value = self._request.type_value
        if value is None:
            self._list_window(entry, None)
            return
        try:
            self._list_window(entry, value)
        except (TypeUnproven, HubRefusedRequest):
            self._list_window(entry, None)  # filter by type here

    def _list_window(self, entry: Plan, type_value: str | None, sighted: Sighted | None = None) -> None:
        sighted = sighted or Sighted()
        sent = entry.filter(self._request, type_value)
        window = entry.resumed
        pages = documents.pages(
            self._session,
            sent,
            offset=max(0, window.offset - PAGE) if window else 0,
            limit=PAGE,
            overlap=PAGE_OVERLAP,
            stop=self._stop,
        )
        hub_now: datetime | None = None
        came = 0
        seen: set[int] = set()
        try:
            for page in self._pages(pages):
                more = widened(self._session.shapes.of(documents.LIST).dates)
                if any(proves_filter_ignored(document, sent, more) for document in page.items):
                    raise FilterIgnored
                if type_value is not None and not all(is_of_type(d, type_value) for d in page.items):
                    raise TypeUnproven
                hub_now = hub_now or self._session.server_time or now()
                came += len(page.items)
                sighted.note(page)
                known = len(self._listed)
                kept = [document for document in page.items if belongs(document, self._request)]
                with self._archive.writing() as transaction:
                    if window is None:
                        window = self._begin(transaction, entry, hub_now)
                    before = len(self._new)
                    seen |= self._observe(transaction, kept)
                    coverage.advance(transaction, window.id, page.offset + len(page.items) + page.refused)
                remember(self._archive, self._account.id, self._session)
                self._fetcher.expect()
                if entry.resumed is not None and page.offset + len(page.items) <= entry.resumed.offset:
                    self._hold_seam(before)
                self._meter.advance(len(self._listed) - known, total=page.total)
            if type_value is not None and not came:
                raise TypeUnproven  # an empty answer proves nothing
            self._prove(entry, came, seen)
            if entry.resumed is None and sighted.short():
                raise Moved
        except (FilterIgnored, TypeUnproven, SeamOpen, Moved, HubRefusedRequest) as useless:
            if window is not None:
                with self._archive.writing() as transaction:
                    coverage.abandon(transaction, window.id)
            if not isinstance(useless, Moved):
                raise
            self._list_window(entry, type_value, sighted)
            return
        with self._archive.writing() as transaction:
            if window is None:
                window = self._begin(transaction, entry, hub_now or now())
            self._finish(transaction, window)

    def _prove(self, entry: Plan, came: int, seen: set[int]) -> None:
        """Hold the whole answer against what must be in it, before it counts as listed."""
        if entry.dated:
            if not came and not self._honestly_empty(entry):
                raise FilterIgnored
            if entry.landmark is not None and not seen & entry.landmark.hub_document_ids:
                raise FilterIgnored
            self._result.date_filter = shapes.HONOURED
            self._session.shapes.learn(documents.LIST, date_filter=shapes.HONOURED)

    def _honestly_empty(self, entry: Plan) -> bool:
        """Whether days that a person asked for are empty, and not just the answer: the dates are proven elsewhere."""
        if entry.method != coverage.ASKED:
            return False
        with self._archive.reading() as transaction:
            known = landmarks.newest(transaction, self._account.id, coverage.CREATED)
        return documents_honour(
            self._session,
            None if known is None else from_text(known.at),
            entry.filter(self._request, None),
            narrowed=bool(self._request.narrowed),
            stop=self._stop,
        )

    def _hold_seam(self, new_before: int) -> None:
        """A page before the place of a resumed listing holds nothing new, unless items moved over that place."""
        if len(self._new) > new_before:
            raise SeamOpen

    def _begin(self, transaction: Transaction, entry: Plan, hub_now: datetime) -> coverage.Window:
        return coverage.begin(
            transaction,
            self._account.id,
            self._run_id,
            axis=entry.axis,
            from_at=entry.from_at,
            to_at=min(entry.to_at, utc_text(hub_now)) if entry.to_at else utc_text(hub_now),
            narrowed=self._request.narrowed,
            method=entry.method,
        )

    def _finish(self, transaction: Transaction, window: coverage.Window) -> None:
        if window.to_at < window.from_at:  # days that are still to come
            coverage.abandon(transaction, window.id)
            return
        coverage.finish(transaction, window.id)
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
            coverage.finish(transaction, other.id)

    def _pages(self, pages: Iterator[DocumentPage]) -> Iterator[DocumentPage]:
        """The pages, each asked for in the background while downloads go on."""
        while True:
            future = self._fetcher.in_background(lambda: next(pages, None))
            while not future.done():
                self._pump()
            page = future.result()
            if page is None:
                return
            yield page

    def _observe(self, transaction: Transaction, found: list[HubDocument]) -> set[int]:
        """Write down a page of the list; the archive's numbers of its records."""
        seen = hub_records.observe(
            transaction,
            self._archive.vault_writer,
            self._account.id,
            self._run_id,
            [to_record(document) for document in found],
        )
        for entry in seen:
            self._result.already += entry.already if entry.hub_document_id not in self._listed else 0
            self._listed.add(entry.hub_document_id)
            if entry.new:
                self._new.add(entry.hub_document_id)
            elif entry.changed and entry.hub_document_id not in self._new:
                self._updated.add(entry.hub_document_id)
        self._result.listed = len(self._listed)
        self._result.new = len(self._new)
        self._result.updated = len(self._updated)
        return {entry.hub_document_id for entry in seen}
