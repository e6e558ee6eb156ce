"""Sync: list what is new and what changed at the hub, fetch every XML, and be killable at any moment.

Each page of the list is written in one transaction with the cursor behind it and the downloads it names; each
batch of downloads in one with its marks in the queue. Whatever kills the process, the next run goes on from there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from confere.archive.accounts.accounts import Account
from confere.archive.accounts.recorded_run import booked
from confere.archive.clock import from_text, utc_text
from confere.archive.hub import coverage, downloads, newest_known_records, no_longer_listed, record_balance, shortfalls
from confere.archive.hub.hub_records import HubRecord
from confere.archive.hub.shortfalls import Short
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.archive.vault import damage
from confere.errors import Cancelled, HubRefusedRequest, message
from confere.hub.documents import documents
from confere.hub.documents.documents import DocumentFilter, DocumentPage
from confere.hub.listing.date_filters import DatesRefused, widened
from confere.hub.session import HubSession
from confere.hub.traits import hub_traits as shapes
from confere.intake.documents import record_rereading
from confere.intake.documents.download_workers import Fetcher
from confere.intake.documents.file_downloads import DocumentFiles
from confere.intake.documents.record_writer import DocumentRecords
from confere.intake.documents.sync_request import SLACK, SyncRequest, belongs, is_of_type, now, proves_filter_ignored
from confere.intake.documents.sync_result import UNPROVEN
from confere.intake.documents.sync_result import FailedItem as FailedItem
from confere.intake.documents.sync_result import SyncResult as SyncResult
from confere.intake.isolated_reading import CONTENTS
from confere.intake.listing.date_filter_check import documents_honour
from confere.intake.listing.date_windows import RELIST_AGAIN, ListingWindow, plan, undated, whole
from confere.intake.listing.hub_clock import Begun, hear_again
from confere.intake.listing.hub_traits_store import recall, remember
from confere.intake.listing.listing_errors import FilterIgnored, Moved, SeamOpen, Sighted, TypeUnproven
from confere.sales.hub_document import HubDocument
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent

PAGE = 100
PAGE_OVERLAP = 2  # items that two pages share: a list that shifts while it is read shows there


def sync(
    archive: Archive,
    session: HubSession,
    account: Account,
    request: SyncRequest | None = None,
    *,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> SyncResult:
    """Bring `account` up to date. Raises `HubError` when the hub itself fails; what came until then is kept."""
    request = request or SyncRequest()
    result = SyncResult()
    asked = {"narrowed": request.narrowed, "full": request.full, "only_failed": request.only_failed}
    with booked(archive, "sync", account.id, asked, account.name, result, detail=request.narrowed or None) as run:
        try:
            _Sync(archive, session, account, request, run.id, result, reporter or Silent(), stop).run()
            run.outcome = "partial" if result.lacking else "done"
        except Cancelled:
            result.stopped = True
            run.outcome = "stopped"
        finally:
            result.requests = session.requests
            result.throttled = session.throttled
    return result


class _Sync:
    def __init__(
        self,
        archive: Archive,
        session: HubSession,
        account: Account,
        request: SyncRequest,
        run_id: int,
        result: SyncResult,
        reporter: Reporter,
        stop: Stop | None,
    ) -> None:
        self._archive = archive
        self._session = session
        self._account = account
        self._request = request
        self._run_id = run_id
        self._result = result
        self._stop = stop
        self._listing = Meter(reporter, message("Listing documents of {account}", account=account.name))
        self._fetching = Meter(reporter, message("Downloading XML of {account}", account=account.name))
        self._fetcher = Fetcher(archive, session, account.id, stop)
        self._records = DocumentRecords(archive, session, account, run_id)
        self._files = DocumentFiles(
            archive, account, run_id, self._fetcher, self._records, result, self._fetching, stop
        )
        self._listed: set[int] = set()
        self._new: set[int] = set()
        self._updated: set[int] = set()

    def run(self) -> None:
        self._note_ends()
        self._ask_for_what_is_lost()
        with self._archive.reading() as transaction:
            recall(transaction, self._account.id, self._session)
        try:
            # An interrupted listing of everything goes on first; then what happened since.
            self._look_again()
            if not self._request.only_failed and self._list_all():
                self._list_all()
            self._files.drain()
            if self._request.full and not self._request.narrowed:
                with self._archive.writing() as transaction:
                    damage.give_up_records(transaction)
        finally:
            self._fetcher.close()
            self._files.flush()
            remember(self._archive, self._account.id, self._session)
            self._listing.finish()
            self._fetching.finish()
            self._result.settle(self._archive, self._account, self._records.changed)

    def _note_ends(self) -> None:
        """Count the attempts with which the program ended, before anything is tried again."""
        in_hand, names = self._archive.in_hand, downloads.in_hand_names(self._account.id)
        if self._request.only_failed:
            in_hand.forget(names)
            in_hand.forget(CONTENTS)
        ended = in_hand.ended(names)
        if ended:
            with self._archive.writing() as transaction:
                downloads.note_ends(transaction, self._account.id, ended)

    def _look_again(self) -> None:
        """Try once more what was not understood: where that is asked for, or this release reads more than the last."""
        at_once = self._request.full or self._request.only_failed
        with self._archive.writing() as transaction:
            if at_once:
                downloads.ask_again(transaction, self._account.id)
            if self._account.facts.get(UNPROVEN):
                before = utc_text(now()) if at_once else utc_text(now() - RELIST_AGAIN)
                record_balance.ask_unproven_again(transaction, self._account.id, before)
        record_rereading.read_by_this_release(self._archive, self._account.id)

    def _ask_for_what_is_lost(self) -> None:
        """What the vault lost waits again; where a record of the list is lost, everything is listed again."""
        with self._archive.writing() as transaction:
            damage.note_missing(transaction)
            lists = damage.records_to_list(transaction, self._account.id)
        if lists and not self._request.narrowed and not self._request.only_failed:
            self._request = replace(self._request, full=True)

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

    def _list(self, entry: ListingWindow) -> None:
        value = self._request.type_value
        if value is None:
            self._list_window(entry, None)
            return
        try:
            self._list_window(entry, value)
        except (TypeUnproven, HubRefusedRequest):
            self._list_window(entry, None)  # filter by type here

    def _list_window(self, entry: ListingWindow, type_value: str | None, sighted: Sighted | None = None) -> None:
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
        begun: Begun | None = None
        came = refused = 0
        seen: set[int] = set()
        try:
            for page in self._pages(pages):
                more = widened(self._session.shapes.of(documents.LIST).dates)
                if any(proves_filter_ignored(document, sent, more) for document in page.items):
                    raise FilterIgnored
                if type_value is not None and not all(is_of_type(d, type_value) for d in page.items):
                    raise TypeUnproven
                begun = begun or Begun.now(self._session, self._account)
                came += len(page.items)
                refused += page.refused
                sighted.note(page)
                known = len(self._listed)
                kept = [document for document in page.items if belongs(document, self._request)]
                with self._archive.writing() as transaction:
                    if window is None:
                        window = self._begin(transaction, entry, begun)
                    before = len(self._new)
                    seen |= self._observe(transaction, kept)
                    coverage.advance(transaction, window.id, page.offset + len(page.items) + page.refused)
                remember(self._archive, self._account.id, self._session)
                self._fetcher.expect()
                if entry.resumed is not None and page.offset + len(page.items) <= entry.resumed.offset:
                    self._hold_seam(before)
                self._listing.advance(len(self._listed) - known, total=page.total)
            if type_value is not None and not came:
                raise TypeUnproven  # an empty answer proves nothing
            self._prove(entry, came, seen)
            if entry.resumed is not None and sighted.ends_early:
                raise SeamOpen
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
        begun = begun or Begun.now(self._session, self._account)
        short = None if entry.resumed is not None else self._short(entry, sighted, begun.at)
        hear_again(self._session, self._account, lambda: documents.probe(self._session, stop=self._stop))
        self._result.never_shown = max(self._result.never_shown, short.missing if short is not None else 0)
        self._result.no_records = max(self._result.no_records, refused)
        with self._archive.writing() as transaction:
            if window is None:
                window = self._begin(transaction, entry, begun)
            if short is not None:  # nothing is claimed for it: the next sync lists it again
                coverage.abandon(transaction, window.id)
                if not window.narrowed:
                    shortfalls.note(transaction, self._account.id, window, short)
                return
            self._finish(transaction, window, self._until(transaction, entry, begun))
            if entry.resumed is None and not refused:
                self._mark_gone(transaction, window)

    def _short(self, entry: ListingWindow, sighted: Sighted, begun: datetime) -> Short | None:
        """How the list was short of what the hub has."""

        def read(first: datetime | None, last: datetime | None) -> Iterator[DocumentPage]:
            asked = DocumentFilter(created_from=first, created_to=last)
            return documents.pages(self._session, asked, limit=PAGE, stop=self._stop)

        is_whole = entry.method == coverage.SCAN and not self._request.narrowed
        return sighted.short_of(read, begun, is_whole=is_whole)

    def _mark_gone(self, transaction: Transaction, window: coverage.Window) -> None:
        """What a listing read whole, of everything or of the last days, had to show and did not is gone."""
        if window.narrowed or window.method not in (coverage.SCAN, coverage.RELIST):
            return
        # Hubs compare dates in zones of their own: what stands close to the edge may be left out.
        edge = None if window.from_at == coverage.FOREVER else utc_text(from_text(window.from_at) + SLACK)
        self._result.gone += no_longer_listed.mark(transaction, self._account.id, self._run_id, edge)

    def _prove(self, entry: ListingWindow, came: int, seen: set[int]) -> None:
        """Hold the whole answer against what must be in it, before it counts as listed."""
        if entry.dated:
            if not came and not self._honestly_empty(entry):
                raise FilterIgnored
            if entry.landmark is not None and not seen & entry.landmark.hub_document_ids:
                raise FilterIgnored
            self._result.date_filter = shapes.HONOURED
            self._session.shapes.learn(documents.LIST, date_filter=shapes.HONOURED)

    def _honestly_empty(self, entry: ListingWindow) -> bool:
        """Whether days that a person asked for are empty, and not just the answer: the dates are proven elsewhere."""
        if entry.method != coverage.ASKED:
            return False
        with self._archive.reading() as transaction:
            known = newest_known_records.newest(transaction, self._account.id, coverage.CREATED)
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

    def _begin(self, transaction: Transaction, entry: ListingWindow, begun: Begun) -> coverage.Window:
        return coverage.begin(
            transaction,
            self._account.id,
            self._run_id,
            axis=entry.axis,
            from_at=entry.from_at,
            to_at=self._until(transaction, entry, begun),
            narrowed=self._request.narrowed,
            method=entry.method,
        )

    def _until(self, transaction: Transaction, entry: ListingWindow, begun: Begun) -> str:
        """Up to when a listing that began at `begun` may be claimed; one that goes on with another, as that one."""
        if entry.resumed is not None:
            return entry.resumed.to_at
        newest = newest_known_records.newest(transaction, self._account.id, entry.axis)
        moment = begun.until(self._session, None if newest is None else newest.at)
        return min(entry.to_at, moment) if entry.to_at else moment

    def _finish(self, transaction: Transaction, window: coverage.Window, to_at: str) -> None:
        if to_at < window.from_at:  # days that are still to come
            coverage.abandon(transaction, window.id)
            return
        coverage.finish(transaction, window.id, to_at)
        shortfalls.settle(transaction, self._account.id, replace(window, to_at=to_at))
        if window.method == coverage.SCAN:  # it saw every document as it is now: both axes are covered
            other = coverage.begin(
                transaction,
                self._account.id,
                self._run_id,
                axis=coverage.UPDATED,
                from_at=window.from_at,
                to_at=to_at,
                narrowed=window.narrowed,
                method=window.method,
            )
            coverage.finish(transaction, other.id, to_at)

    def _pages(self, pages: Iterator[DocumentPage]) -> Iterator[DocumentPage]:
        """The pages, each asked for in the background while downloads go on."""
        while True:
            future = self._fetcher.in_background(lambda: next(pages, None))
            while not future.done():
                self._files.pump()
            page = future.result()
            if page is None:
                return
            yield page

    def _observe(self, transaction: Transaction, found: list[HubDocument]) -> set[int]:
        """Write down a page of the list; the archive's numbers of its records."""
        seen = self._records.write(transaction, [HubRecord(document) for document in found])
        no_longer_listed.listed_again(transaction, {entry.hub_document_id for entry in seen})
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
