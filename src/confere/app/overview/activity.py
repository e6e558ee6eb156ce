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
from confere.archive.accounts.audit import AuditLine
from confere.archive.accounts.overview import account_names
from confere.archive.accounts.runs import Run
from confere.archive.documents import details
from confere.archive.hub import download_queue
from confere.archive.hub.download_queue import DETAIL_KIND, FailedDownload
from confere.archive.lock import Holder
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import Message, NotInArchive, message

INTERRUPTED = "interrupted"
RUNNING = "running"


@dataclass(frozen=True, slots=True)
class RunEntry:
    """One sync, import or export. `seconds` is how long it took, or takes so far.

    `outcome`: done, partial, failed, stopped; running; or interrupted, where the process ended without a word.
    """

    run: Run
    account: str | None
    outcome: str
    seconds: float | None

    @property
    def id(self) -> int:
        """The number of the run."""
        return self.run.id

    @property
    def kind(self) -> str:
        """sync, import, export, reconcile, verify and the like."""
        return self.run.kind

    @property
    def started_at(self) -> datetime:
        """When it began, in the zone of Brasília."""
        return moment(self.run.started_at)

    @property
    def finished_at(self) -> datetime | None:
        """When it ended, in the zone of Brasília; None where it has not, or its process was killed."""
        return moment(self.run.finished_at) if self.run.finished_at else None

    @property
    def counts(self) -> tuple[tuple[Message, int], ...]:
        """What it counted, as labels with numbers."""
        return activity_text.counts(self.run.kind, self.run.counts)

    @property
    def bytes(self) -> int | None:
        """What an export wrote."""
        size = self.run.counts.get("bytes")
        return size if isinstance(size, int) else None

    @property
    def parameters(self) -> tuple[Message, ...]:
        """What it was asked for, in sentences."""
        return activity_text.parameters(self.run.kind, self.run.parameters)

    @property
    def problem(self) -> Message | None:
        """Why it failed."""
        return message_encoding.read(self.run.problem) if self.run.problem else None


@dataclass(frozen=True, slots=True)
class AccountFailure:
    """A download of an account that failed and stays in the queue."""

    account: str
    download: FailedDownload

    @property
    def tried_at(self) -> datetime | None:
        """When it was tried last, in the zone of Brasília."""
        return moment(self.download.tried_at) if self.download.tried_at else None

    @property
    def is_record(self) -> bool:
        """Whether not an XML but the hub's own record was asked for; then the item's id is the hub's id of it."""
        return self.download.kind == DETAIL_KIND


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """A line of the audit trail, and how people are told of it."""

    line: AuditLine

    @property
    def at(self) -> datetime:
        """When it was written, in the zone of Brasília."""
        return moment(self.line.at)

    @property
    def subject(self) -> str:
        """What it was done to, as people call it."""
        return activity_text.subject(self.line.action, self.line.subject)

    @property
    def details(self) -> tuple[Message, ...]:
        """Sentences about it."""
        return activity_text.detail(self.line.action, self.line.detail)


def runs(
    opened: OpenArchive, limit: int = 200, before: int | None = None, company: str | None = None
) -> tuple[RunEntry, ...]:
    """The newest runs first; `before` is the id to go on from. None where nothing was ever stored.

    Of a `company` (CNPJ) its own, and those of an account that may hold it or of the whole archive.
    """
    if not opened.exists:
        return ()
    archive = opened.archive()
    with archive.reading() as transaction:
        return entries(archive, transaction, records.page(transaction, limit, before, company))


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


def failures(opened: OpenArchive, limit: int = 1000) -> tuple[AccountFailure, ...]:
    """The open failed downloads of every account in use, oldest first, at most `limit` of each account."""
    if not opened.exists:
        return ()
    with opened.reading() as transaction:
        return tuple(
            AccountFailure(account.name, download)
            for account in accounts.every(transaction)
            for download in download_queue.failures(transaction, account.id, limit)
        )


def trail(
    opened: OpenArchive, limit: int = 200, before: int | None = None, company: str | None = None
) -> tuple[AuditEntry, ...]:
    """The newest lines of the audit trail first; `before` is the id to go on from.

    Of a `company` (CNPJ) without those about another company or an account of others alone.
    """
    if not opened.exists:
        return ()
    with opened.reading() as transaction:
        return tuple(map(AuditEntry, audit.page(transaction, limit, before, company)))


def unreadable(opened: OpenArchive, limit: int = 1000) -> tuple[UnreadableFile, ...]:
    """What was received and cannot be read, with the reason, oldest first."""
    if not opened.exists:
        return ()
    with opened.reading() as transaction:
        found = details.unreadable(transaction, limit)
    return tuple(UnreadableFile(entry.sha256, entry.size, entry.problem, entry.sources) for entry in found)


def _entry(found: Run, names: dict[int, str], held: Holder | None) -> RunEntry:
    outcome = found.outcome or (RUNNING if _runs(found, held) else INTERRUPTED)
    account = None if found.account_id is None else names.get(found.account_id)
    return RunEntry(found, account, outcome, _seconds(found, is_running=outcome == RUNNING))


def _runs(found: Run, held: Holder | None) -> bool:
    """A run without an end is running where a process has held the archive's lock since before it began."""
    return held is not None and found.started_at >= held.since


def _seconds(found: Run, *, is_running: bool) -> float | None:
    measured = found.counts.get("seconds")
    if isinstance(measured, int | float):
        return float(measured)
    if is_running:
        until = clock()
    elif found.finished_at:
        until = moment(found.finished_at)
    else:
        return None
    return max(0.0, (until - moment(found.started_at)).total_seconds())
