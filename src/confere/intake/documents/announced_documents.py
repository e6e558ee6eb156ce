"""Documents that somebody announced by their ids: asked for at the hub, and recorded as a sync records them.

An announcement proves nothing: only what the hub itself gives for an id counts, and an id that it does not know changes
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from confere.archive.accounts.accounts import Account
from confere.archive.accounts.recorded_run import booked
from confere.archive.hub import hub_records
from confere.archive.hub.hub_records import NOT_LISTED, HubRecord
from confere.archive.store import Archive
from confere.archive.vault.vault import digest_of
from confere.errors import Cancelled, HubAnswerUnreadable, HubNotFound, HubRefusedRequest, HubRefusedToken, message
from confere.hub.documents import documents
from confere.hub.session import HubSession
from confere.intake.documents.download_workers import Fetcher
from confere.intake.documents.file_downloads import DocumentFiles
from confere.intake.documents.record_writer import DocumentRecords
from confere.intake.documents.sync_result import SyncResult
from confere.intake.hub_failures import WORKERS
from confere.intake.listing.hub_traits_store import recall, remember
from confere.sales.hub_document import HubDocument
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent


class AnnouncedAnswers(NamedTuple):
    """What the hub gave for announced ids: records that are new or changed, and how many ids brought nothing."""

    records: list[HubRecord]
    unchanged: int
    unknown: int


def ask(
    archive: Archive, session: HubSession, account: Account, hub_ids: Sequence[str], stop: Stop | None = None
) -> AnnouncedAnswers:
    """Ask the hub for these documents; nothing is written. Raises `HubError` where the hub itself fails."""
    with archive.reading() as transaction:
        recall(transaction, account.id, session)
        known = hub_records.known_by_hub_id(transaction, account.id, hub_ids)
    with ThreadPoolExecutor(WORKERS, thread_name_prefix="announced") as pool:
        futures = [pool.submit(_fetch, session, hub_id, stop) for hub_id in hub_ids]
        try:
            answers = [future.result() for future in futures]
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    records: list[HubRecord] = []
    unchanged = unknown = 0
    for hub_id, document in zip(hub_ids, answers, strict=True):
        record = known.get(hub_id)
        # A record that calls itself otherwise, and was never listed, might be known by that other id: left to the list.
        if document is None or (record is None and document.hub_id not in (None, hub_id)):
            unknown += 1
        elif record is not None and digest_of(document.raw) in record.digests:
            unchanged += 1
        else:
            records.append(HubRecord(document, NOT_LISTED if record is None else record.id))
    return AnnouncedAnswers(records, unchanged, unknown)


def record_announced(
    archive: Archive,
    session: HubSession,
    account: Account,
    records: Sequence[HubRecord],
    *,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> SyncResult:
    """Write these records down and fetch their files; the figures of the run, of these documents alone."""
    result = SyncResult()
    with booked(archive, "notification", account.id, {}, account.name, result) as run:
        try:
            _record(archive, session, account, records, run.id, result, reporter or Silent(), stop)
            run.outcome = "partial" if result.failed else "done"
        except Cancelled:
            result.stopped = True
            run.outcome = "stopped"
        finally:
            result.requests, result.throttled = session.requests, session.throttled
    return result


def _record(
    archive: Archive,
    session: HubSession,
    account: Account,
    records: Sequence[HubRecord],
    run_id: int,
    result: SyncResult,
    reporter: Reporter,
    stop: Stop | None,
) -> None:
    writer = DocumentRecords(archive, session, account, run_id)
    with archive.writing() as transaction:
        observed = writer.write(transaction, records)
    result.new = sum(1 for seen in observed if seen.new)
    result.updated = len(observed) - result.new
    meter = Meter(reporter, message("Downloading XML of {account}", account=account.name))
    fetcher = Fetcher(archive, session, account.id, stop, {seen.hub_document_id for seen in observed})
    files = DocumentFiles(archive, account, run_id, fetcher, writer, result, meter, stop)
    try:
        files.drain()
    finally:
        fetcher.close()
        files.flush()
        remember(archive, account.id, session)
        meter.finish()


def _fetch(session: HubSession, hub_id: str, stop: Stop | None) -> HubDocument | None:
    """The hub's record; None where it has none for this token, or nothing that can be read."""
    try:
        return documents.fetch(session, hub_id, stop=stop)
    except (HubNotFound, HubRefusedRequest, HubAnswerUnreadable):
        return None
    except HubRefusedToken as refused:
        if refused.status == 403:  # kept from the token, as other documents of this hub may be
            return None
        raise
