"""The use case "what happened here": runs, downloads that failed, files that cannot be read, and the audit trail."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from confere.app.accounts.freshness import clock, moment
from confere.app.archive_session import OpenArchive
from confere.app.documents.browse import UnreadableFile as UnreadableFile
from confere.app.overview import activity_text
from confere.archive import lock, message_encoding
from confere.archive.accounts import accounts, audit
from confere.archive.accounts import runs as records
from confere.archive.accounts.overview import account_names, last_whole_sync
from confere.archive.accounts.runs import Run
from confere.archive.documents import details
from confere.archive.hub import downloads, shortfalls
from confere.archive.hub.downloads import DETAIL_KIND
from confere.archive.lock import Holder
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import Message, NotInArchive, message

INTERRUPTED = "interrupted"
RUNNING = "running"


@dataclass(frozen=True, slots=True)
class RunEntry:
    """One sync, import or export. Moments are in the zone of Brasília, `seconds` is how long it took, or takes so far.

    `outcome`: done, partial, failed, stopped; running; or interrupted, where the process ended without a word.
    `counts` are labels with numbers, `bytes` what an export wrote, `problem` why it failed.
    """

    id: int
    kind: str
    account: str | None
    started_at: datetime
    finished_at: datetime | None
    outcome: str
    seconds: float | None
    counts: tuple[tuple[Message, int], ...]
    bytes: int | None
    parameters: tuple[Message, ...]
    problem: Message | None


@dataclass(frozen=True, slots=True)
class Failure:
    """A download that failed and stays in the queue. `tried_at` is in the zone of Brasília.

    `is_record` says that not an XML but the hub's own record was asked for; then `item` is the hub's id.
    """

    account: str
    access_key: str | None
    hub_id: str | None
    item: str
    is_record: bool
    attempts: int
    reason: Message
    tried_at: datetime | None


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """A line of the audit trail; `at` is in the zone of Brasília. `details` are sentences about it."""

    id: int
    at: datetime
    actor: str
    action: str
    subject: str
    details: tuple[Message, ...]


def runs(opened: OpenArchive, limit: int = 200, before: int | None = None) -> tuple[RunEntry, ...]:
    """The newest runs first; `before` is the id to go on from. None where nothing was ever stored."""
    if not opened.exists:
        return ()
    archive = opened.archive()
    with archive.reading() as transaction:
        return entries(archive, transaction, records.page(transaction, limit, before))


def entries(archive: Archive, transaction: Transaction, found: Iterable[Run]) -> tuple[RunEntry, ...]:
    """These runs as they are told."""
    held = lock.holder(archive.path)
    names = account_names(transaction)
    return tuple(_entry(entry, names, held) for entry in found)


def run(opened: OpenArchive, id: int) -> RunEntry:
    """One run; `NotInArchive` where there is no such."""
    archive = opened.archive()
    held = lock.holder(archive.path)
    with archive.reading() as transaction:
        found = records.numbered(transaction, id)
        names = account_names(transaction)
    if found is None:
        raise NotInArchive(
            message("There is no run {number} in the archive.", number=id),
            message("Look at the list of runs again; another archive may stand in this place now."),
        )
    return _entry(found, names, held)


def newest_sync(opened: OpenArchive) -> datetime | None:
    """When a sync of any account last listed its hub to the end; None where none ever did."""
    if not opened.exists:
        return None
    with opened.reading() as transaction:
        ends = [last_whole_sync(transaction, account.id) for account in accounts.every(transaction)]
    return max((moment(end) for end in ends if end is not None), default=None)


def is_short(opened: OpenArchive) -> bool:
    """Whether a list of the hub of any account stands as short of what the hub has."""
    if not opened.exists:
        return False
    with opened.reading() as transaction:
        return any(shortfalls.every(transaction, account.id) for account in accounts.every(transaction))


def failures(opened: OpenArchive, limit: int = 1000) -> tuple[Failure, ...]:
    """The open failed downloads of every account in use, oldest first, at most `limit` of each account."""
    if not opened.exists:
        return ()
    found: list[Failure] = []
    with opened.reading() as transaction:
        for account in accounts.every(transaction):
            for entry in downloads.failures(transaction, account.id, limit):
                is_record = entry.kind == DETAIL_KIND
                found.append(
                    Failure(
                        account=account.name,
                        access_key=entry.access_key,
                        hub_id=entry.hub_id,
                        item=entry.item_id,
                        is_record=is_record,
                        attempts=entry.attempts,
                        reason=entry.reason,
                        tried_at=moment(entry.tried_at) if entry.tried_at else None,
                    )
                )
    return tuple(found)


def trail(opened: OpenArchive, limit: int = 200, before: int | None = None) -> tuple[AuditEntry, ...]:
    """The newest lines of the audit trail first; `before` is the id to go on from."""
    if not opened.exists:
        return ()
    with opened.reading() as transaction:
        found = audit.page(transaction, limit, before)
    return tuple(
        AuditEntry(
            id=line.id,
            at=moment(line.at),
            actor=line.actor,
            action=line.action,
            subject=activity_text.subject(line.action, line.subject),
            details=activity_text.detail(line.action, line.detail),
        )
        for line in found
    )


def unreadable(opened: OpenArchive, limit: int = 1000) -> tuple[UnreadableFile, ...]:
    """What was received and cannot be read, with the reason, oldest first."""
    if not opened.exists:
        return ()
    with opened.reading() as transaction:
        found = details.unreadable(transaction, limit)
    return tuple(UnreadableFile(entry.sha256, entry.size, entry.problem, entry.sources) for entry in found)


def _entry(found: Run, names: dict[int, str], held: Holder | None) -> RunEntry:
    started, ended = moment(found.started_at), moment(found.finished_at) if found.finished_at else None
    outcome = found.outcome or (RUNNING if _runs(found, held) else INTERRUPTED)
    until = clock() if outcome == RUNNING else ended
    size = found.counts.get("bytes")
    return RunEntry(
        id=found.id,
        kind=found.kind,
        account=None if found.account_id is None else names.get(found.account_id),
        started_at=started,
        finished_at=ended,
        outcome=outcome,
        seconds=_seconds(found, started, until),
        counts=activity_text.counts(found.kind, found.counts),
        bytes=size if isinstance(size, int) else None,
        parameters=activity_text.parameters(found.kind, found.parameters),
        problem=message_encoding.read(found.problem) if found.problem else None,
    )


def _runs(found: Run, held: Holder | None) -> bool:
    """A run without an end is running where a process has held the archive's lock since before it began."""
    return held is not None and found.started_at >= held.since


def _seconds(found: Run, started: datetime, until: datetime | None) -> float | None:
    measured = found.counts.get("seconds")
    if isinstance(measured, int | float):
        return float(measured)
    return None if until is None else max(0.0, (until - started).total_seconds())
