"""Sync: list what is new and what changed at the hub, fetch every XML, and be killable at any moment.

Each page of the list is written in one transaction with the cursor behind it and the downloads it names; each
batch of downloads in one with its marks in the queue. Whatever kills the process, the next run goes on from there.
"""

from __future__ import annotations

from dataclasses import replace

from confere.archive.accounts.accounts import Account
from confere.archive.accounts.recorded_run import booked
from confere.archive.clock import utc_text
from confere.archive.hub import download_queue, record_balance
from confere.archive.store import Archive
from confere.archive.vault import damage
from confere.errors import Cancelled, message
from confere.hub.session import HubSession
from confere.intake.documents import record_rereading
from confere.intake.documents.document_listing import DocumentList
from confere.intake.documents.document_windows import plan
from confere.intake.documents.download_workers import Fetcher
from confere.intake.documents.file_downloads import DocumentFiles
from confere.intake.documents.record_writer import DocumentRecords
from confere.intake.documents.sync_request import SyncRequest
from confere.intake.documents.sync_result import UNPROVEN
from confere.intake.documents.sync_result import FailedItem as FailedItem
from confere.intake.documents.sync_result import SyncResult as SyncResult
from confere.intake.isolated_reading import CONTENTS
from confere.intake.listing.hub_clock import now
from confere.intake.listing.hub_traits_store import recall, remember
from confere.intake.listing.listing_window import RELIST_AGAIN
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent


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
        self._list = DocumentList(
            archive,
            session,
            account,
            run_id,
            request,
            self._records,
            self._files,
            self._fetcher,
            result,
            self._listing,
            stop,
        )

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
        in_hand, names = self._archive.in_hand, download_queue.in_hand_names(self._account.id)
        if self._request.only_failed:
            in_hand.forget(names)
            in_hand.forget(CONTENTS)
        ended = in_hand.ended(names)
        if ended:
            with self._archive.writing() as transaction:
                download_queue.note_ends(transaction, self._account.id, ended)

    def _look_again(self) -> None:
        """Try once more what was not understood: where that is asked for, or this release reads more than the last."""
        at_once = self._request.full or self._request.only_failed
        with self._archive.writing() as transaction:
            if at_once:
                download_queue.ask_again(transaction, self._account.id)
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
        """List what is due; whether an interrupted listing was among it."""
        with self._archive.writing() as transaction:
            windows = plan(transaction, self._account.id, self._request)
        for window in windows:
            if self._list.read(window):
                break  # a whole listing leaves nothing for the other windows
        return any(window.resumed is not None for window in windows)
