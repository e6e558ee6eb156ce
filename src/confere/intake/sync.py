"""Sync: list what is new and what changed at the hub, fetch every XML, and be killable at any moment.

Each page of the list is written in one transaction with the cursor behind it and the downloads it names; each
batch of downloads in one with its marks in the queue. Whatever kills the process, the next run goes on from there.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from confere.archive import downloads, hub_records
from confere.archive.accounts import Account
from confere.archive.booking import booked
from confere.archive.hub_records import HubRecord, Observed
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import Cancelled, Message, message
from confere.hub.session import HubSession
from confere.intake.document_listing import DocumentListing
from confere.intake.fetching import BATCH, Failed, Fetched, Fetcher
from confere.intake.learnt import recall, remember
from confere.intake.order_work import OrdersResult
from confere.intake.recorder import Outcome, Received, record
from confere.intake.request import SyncRequest
from confere.intake.translate import to_record
from confere.system.jobs import Meter, Reporter, Silent
from confere.system.stopping import Stop


@dataclass(frozen=True, slots=True)
class FailedItem:
    """One download that stays in the queue, and why; or an account that could not be synced at all, by its name."""

    item_id: str
    reason: Message
    is_account: bool = False


@dataclass(slots=True)
class SyncResult:
    """Figures of one sync; `listed` counts distinct documents, `downloaded` XML files."""

    listed: int = 0
    new: int = 0
    updated: int = 0
    downloaded: int = 0
    already: int = 0
    failed: int = 0
    requests: int = 0
    seconds: float = 0.0
    throttled: int = 0
    stopped: bool = False
    date_filter: str = "not needed"  # honoured, ignored, refused
    failures: list[FailedItem] = field(default_factory=list)
    orders: OrdersResult | None = None  # of the same account's orders, a run of their own

    def counts(self) -> dict[str, int | float | str]:
        """The figures of the documents alone, as runs and scripts want them."""
        names = ("listed", "new", "updated", "downloaded", "already", "failed", "requests", "throttled", "date_filter")
        return {name: getattr(self, name) for name in names} | {"seconds": round(self.seconds, 3)}


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
            run.outcome = "partial" if result.failed else "done"
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
        self._fetched: list[Fetched] = []
        self._failed: list[Failed] = []
        self._flushed = time.monotonic()

    def run(self) -> None:
        with self._archive.reading() as transaction:
            recall(transaction, self._account.id, self._session)
        try:
            if not self._request.only_failed:
                self._list()
            self._drain()
        finally:
            self._fetcher.close()
            self._flush()
            remember(self._archive, self._account.id, self._session)
            self._listing.finish()
            self._fetching.finish()

    def _list(self) -> None:
        DocumentListing(
            self._archive,
            self._session,
            self._account,
            self._request,
            self._run_id,
            self._result,
            self._listing,
            self._fetcher,
            self._pump,
            self._stop,
        ).run()

    def _write_down(self, transaction: Transaction, records: list[HubRecord]) -> list[Observed]:
        return hub_records.observe(transaction, self._archive.vault_writer, self._account.id, self._run_id, records)

    # -- fetching ------------------------------------------------------------------------------------------

    def _pump(self) -> None:
        if self._stop is not None:
            self._stop.check()
        self._fetcher.fill()
        fetched, failed = self._fetcher.wait()
        self._fetched += fetched
        self._failed += failed
        if len(self._fetched) + len(self._failed) >= BATCH or time.monotonic() - self._flushed > 0.5:
            self._flush()

    def _drain(self) -> None:
        self._fetcher.fill()
        while True:
            while self._fetcher.busy():
                self._pump()
            self._flush()
            self._fetcher.again()
            self._fetcher.fill()
            if not self._fetcher.busy():
                return

    def _flush(self) -> None:
        self._flushed = time.monotonic()
        fetched, failed = self._fetched, self._failed
        self._fetched, self._failed = [], []
        details = [entry for entry in fetched if entry.detail is not None]
        files = [entry for entry in fetched if entry.detail is None]
        if details or failed:
            with self._archive.writing() as transaction:
                self._write_down(
                    transaction,
                    [to_record(e.detail, asked_of=e.queued.hub_document_id) for e in details if e.detail],
                )
                downloads.mark_asked(transaction, [entry.queued for entry in details])
                downloads.mark_failed(
                    transaction, [(e.queued.id, self._note(e.queued, e.error.what), None) for e in failed]
                )
            self._fetcher.expect()
        if files:
            self._record(files)
        if fetched or failed:
            with self._archive.reading() as transaction:
                waiting = downloads.count_open(transaction, self._account.id)
            self._fetching.advance(len(files), total=self._result.downloaded + max(0, waiting - self._result.failed))

    def _record(self, files: list[Fetched]) -> None:
        def mark(transaction: Transaction, outcomes: Sequence[Outcome]) -> None:
            pairs = list(zip(files, outcomes, strict=True))
            downloads.mark_done(transaction, [(e.queued.id, o.content_id) for e, o in pairs if not e.broken])
            downloads.mark_failed(
                transaction,
                [
                    (entry.queued.id, self._note(entry.queued, entry.reading.problem), outcome.content_id)
                    for entry, outcome in pairs
                    if entry.broken and entry.reading and entry.reading.problem
                ],
            )

        record(
            self._archive,
            self._run_id,
            [Received(entry.data, f"hub:{self._account.name}/{entry.queued.item_id}") for entry in files],
            readings=[entry.reading for entry in files if entry.reading is not None],
            also=mark,
        )
        self._result.downloaded += sum(1 for entry in files if not entry.broken)

    def _note(self, queued: downloads.Queued, why: Message) -> Message:
        self._result.failed += 1
        self._result.failures.append(FailedItem(queued.item_id, why))
        return why
