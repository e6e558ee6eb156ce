"""What a sync fetches: details and files are taken from the workers and written down in batches with their marks."""

from __future__ import annotations

import time
from collections.abc import Sequence

from confere.archive.accounts.accounts import Account
from confere.archive.hub import download_queue, unreadable_records
from confere.archive.hub.hub_records import HubRecord
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.archive.vault import wrapped_contents
from confere.archive.vault.unfinished_reads import SET_ASIDE, why_ended
from confere.archive.vault.wrapped_contents import Wrapped
from confere.errors import Message
from confere.intake.documents.download_workers import BATCH, Fetcher
from confere.intake.documents.fetch_outcomes import NO_WAY_TO_ASK, Failed, Fetched, is_unknown_by_key
from confere.intake.documents.record_writer import DocumentRecords
from confere.intake.documents.sync_result import FailedItem, SyncResult
from confere.intake.isolated_reading import Received
from confere.intake.recorder import RecordOutcome, record
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter

_LONGEST_WAIT = 0.5  # seconds until what came is written down


class DocumentFiles:
    """The downloads of one sync; the figures go into its `result`."""

    def __init__(
        self,
        archive: Archive,
        account: Account,
        run_id: int,
        fetcher: Fetcher,
        records: DocumentRecords,
        result: SyncResult,
        meter: Meter,
        stop: Stop | None,
    ) -> None:
        self._archive = archive
        self._account = account
        self._run_id = run_id
        self._fetcher = fetcher
        self._records = records
        self._result = result
        self._meter = meter
        self._stop = stop
        self._fetched: list[Fetched] = []
        self._failed: list[Failed] = []
        self._flushed = time.monotonic()

    def pump(self) -> None:
        """Wait a moment for what is on its way; write down when it is much, or long ago. Raises what ends the run."""
        if self._stop is not None:
            self._stop.check()
        self._fetcher.fill()
        fetched, failed = self._fetcher.wait()
        self._fetched += fetched
        self._failed += failed
        is_full = len(self._fetched) + len(self._failed) >= BATCH or self._fetcher.holds_large
        if is_full or time.monotonic() - self._flushed > _LONGEST_WAIT:
            self.flush()

    def drain(self) -> None:
        """Fetch until nothing waits that was not tried in this run."""
        self._fetcher.fill()
        while True:
            while self._fetcher.busy():
                self.pump()
            self.flush()
            if self._fetcher.fill_with_suspect():
                continue
            self._fetcher.again()
            self._fetcher.fill()
            if not self._fetcher.busy() and not self._fetcher.has_suspects:
                break
        aside = self._fetcher.set_aside
        with self._archive.reading() as transaction:
            reasons = download_queue.reasons(transaction, [entry.id for entry in aside])
        for entry in aside:
            self._note(entry, reasons.get(entry.id) or why_ended(SET_ASIDE))

    def flush(self) -> None:
        """Write down what came since the last time."""
        self._flushed = time.monotonic()
        fetched, failed = self._fetched, self._failed
        self._fetched, self._failed = [], []
        details = [entry for entry in fetched if entry.detail is not None]
        files = [entry for entry in fetched if entry.detail is None]
        refused = [entry for entry in failed if is_unknown_by_key(entry)]
        failed = [entry for entry in failed if not is_unknown_by_key(entry)]
        if details or failed or refused:
            with self._archive.writing() as transaction:
                received = [HubRecord(e.detail, e.queued.hub_document_id) for e in details if e.detail]
                self._records.write(transaction, received)
                unreadable_records.refuse(transaction, {e.queued.hub_document_id: NO_WAY_TO_ASK for e in refused})
                download_queue.mark_asked(transaction, [e.queued for e in details] + [e.queued for e in refused])
                download_queue.mark_failed(
                    transaction, [(e.queued.id, self._note(e.queued, e.error.what), None) for e in failed]
                )
            self._fetcher.expect()
        if files:
            self._record(files)
        self._fetcher.recorded()
        if fetched or failed:
            with self._archive.reading() as transaction:
                waiting = download_queue.count_open(transaction, self._account.id)
            self._meter.advance(len(files), total=self._result.downloaded + max(0, waiting - self._result.failed))

    def _record(self, files: list[Fetched]) -> None:
        def mark(transaction: Transaction, outcomes: Sequence[RecordOutcome]) -> None:
            pairs = list(zip(files, outcomes, strict=True))
            download_queue.mark_done(transaction, [(e.queued.id, o.content_id) for e, o in pairs if e.refused is None])
            wrapped_contents.keep(
                transaction,
                self._archive.vault_writer,
                self._run_id,
                [Wrapped(o.content_id, e.received, e.layers, self._source(e)) for e, o in pairs if e.layers],
            )
            download_queue.mark_failed(
                transaction,
                [
                    (entry.queued.id, self._note(entry.queued, entry.refused), outcome.content_id)
                    for entry, outcome in pairs
                    if entry.refused is not None
                ],
            )

        record(
            self._archive,
            self._run_id,
            [Received(entry.data, self._source(entry)) for entry in files],
            readings=[entry.reading for entry in files if entry.reading is not None],
            also=mark,
        )
        self._result.downloaded += sum(1 for entry in files if entry.refused is None)

    def _source(self, entry: Fetched) -> str:
        return f"hub:{self._account.name}/{entry.queued.item_id}"

    def _note(self, queued: download_queue.Queued, why: Message) -> Message:
        self._result.failed += 1
        self._result.failures.append(FailedItem(queued.item_id, why))
        return why
