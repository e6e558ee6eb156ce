"""The use case "which backups are there": where each copy stands, whether it is whole, and how old the newest is.

A copy counts as whole only where somebody read it from beginning to end and it was an archive of this name. That is
remembered by its size and time (`copy_records`), so that it is not read at every question.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Final

from confere.app.archive_session import OpenArchive
from confere.app.context import EMBEDDED, Workspace
from confere.app.maintenance.storage import made_at
from confere.archive.accounts import accounts, overview
from confere.archive.clock import from_text, utc_now
from confere.archive.maintenance import backup_check, copies, copy_records, encrypted_copies
from confere.archive.maintenance.copy_records import CopyRecord
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import ArchiveNewer, BackupRefused, ConfereError, Message, message, nmessage
from confere.fiscal.periods import BRASILIA
from confere.system import formatting
from confere.system.files import presence
from confere.system.files.own_files import is_own_file
from confere.system.paths import Home
from confere.system.settings import BACKUP_ALARM, BACKUP_FOLDER

_PATTERNS: Final = ("archive-*.sqlite3", "archive-*.sqlite3.age")
_DAMAGED: Final = "damaged"
_OTHER: Final = "other"
_AHEAD: Final = timedelta(days=1)  # what a clock may be wrong without telling of the future


class CopyState(StrEnum):
    """What is known of a copy. Only `WHOLE` counts."""

    WHOLE = "whole"
    DAMAGED = "damaged"
    UNCHECKED = "unchecked"  # not read yet, or encrypted by somebody else and not readable without its passphrase
    OTHER = "other"  # of another archive, or no archive of a format known here


class CopyPlaceKind(StrEnum):
    """Where a copy stands: in the data folder, in the second folder, or where a person named a file."""

    BACKUPS = "backups"
    SECOND = "second"
    ELSEWHERE = "elsewhere"


class Depth(StrEnum):
    """How much is read to know whether copies are whole."""

    KNOWN = "known"  # nothing: what is not remembered is unchecked
    NEW = "new"  # what is not remembered
    ALL = "all"  # every copy anew


@dataclass(frozen=True, slots=True)
class BackupCopy:
    """One copy; `size` in bytes, `made_at` in the zone of Brasília. `documents` counts what it holds, where known."""

    path: Path
    place: CopyPlaceKind
    state: CopyState
    made_at: datetime
    size: int
    encrypted: bool
    record: CopyRecord | None = None  # of its newest check

    @property
    def number(self) -> int:
        return 0 if self.record is None else self.record.number

    @property
    def documents(self) -> int:
        return 0 if self.record is None else self.record.documents

    @property
    def newest_run(self) -> str | None:
        return None if self.record is None else self.record.newest_run


@dataclass(frozen=True, slots=True)
class BackupStatus:
    """All copies, the newest first, and what has to be said of them.

    `since` is when the archive began, None where nothing has to be saved yet (no archive, nothing in it, or only a
    demonstration). `second_folder` is None where none is set, `second_reachable` whether it is there just now.
    """

    copies: tuple[BackupCopy, ...]
    now: datetime
    since: datetime | None
    alarm_days: int
    second_folder: Path | None = None
    second_reachable: bool = False

    @property
    def whole(self) -> tuple[BackupCopy, ...]:
        return tuple(copy for copy in self.copies if copy.state is CopyState.WHOLE)

    @property
    def newest(self) -> BackupCopy | None:
        """The newest whole copy; one that claims to be of the future tells nothing of its age."""
        dated = [copy for copy in self.whole if copy.made_at <= self.now + _AHEAD]
        return max(dated, key=lambda copy: copy.made_at, default=None)

    @property
    def days(self) -> int | None:
        """The age of the newest whole copy in whole days; None without one."""
        return None if self.newest is None else max((self.now - self.newest.made_at).days, 0)

    @property
    def is_from_today(self) -> bool:
        """Whether the newest whole copy was made on the calendar day of `now`, or claims a later one."""
        return self.newest is not None and self.newest.made_at.date() >= self.now.date()

    @property
    def alarm(self) -> Message | None:
        """What to do, where no whole copy is younger than the days that were set; None while all is well."""
        limit = timedelta(days=self.alarm_days)
        if not self.alarm_days or self.since is None:
            return None
        if self.newest is None:
            if self.now - self.since < limit:
                return None
            return message("There is no whole backup of the archive. Run `confere backup`, to another disk if you can.")
        if self.now - self.newest.made_at < limit:
            return None
        return nmessage(
            "The newest whole backup is {count} day old. Run `confere backup`, or have it done by `confere schedule`.",
            "The newest whole backup is {count} days old. Run `confere backup`, or have it done by `confere schedule`.",
            self.days or 0,
        )

    @property
    def sentence(self) -> Message:
        """How many whole copies there are, and how old the newest is."""
        if self.is_from_today:
            return counted(len(self.whole), 0)
        return counted(len(self.whole), None if self.days is None else max(self.days, 1))


def counted(whole: int, days: int | None) -> Message:
    """So many whole copies, the newest so many days old; 0: of today, None: nobody knows."""
    if not whole:
        return message("No whole copy of the archive.")
    if days is None:  # all of them of a clock that ran ahead
        return message("Whole copies: {count}; none of them has a date to trust.", count=formatting.count(whole))
    if days == 0:
        return nmessage("{count} whole copy, made today.", "{count} whole copies, the newest made today.", whole)
    return nmessage(
        "{count} whole copy, {age} old.",
        "{count} whole copies, newest {age} old.",
        whole,
        age=nmessage("{count} day", "{count} days", days),
    )


def status(
    workspace: Workspace, depth: Depth = Depth.NEW, *, on_step: Callable[[], object] | None = None
) -> BackupStatus:
    """Look at every copy. `on_step` is called now and then while copies are read; what it raises ends that.

    Raises nothing for an archive that cannot be opened: its copies are listed all the same.
    """
    archive_id: str | None = None
    since: datetime | None = None
    with suppress(ConfereError), workspace.reading() as archive:
        archive_id = archive.id
        since = _since(archive)
    return of_archive(workspace, archive_id, since, depth, on_step=on_step)


def of_open(opened: OpenArchive, *, everywhere: bool = True) -> BackupStatus:
    """As `status`, for the archive that a window has open: no copy is read for it.

    Without `everywhere` other disks and shares, which may be slow to answer, are asked only where the backups folder
    alone would give an alarm.
    """
    if not opened.exists:
        return of_archive(opened.workspace, None, None, Depth.KNOWN)
    archive = opened.archive()
    with archive.reading() as transaction:
        since = since_of(transaction)
    if not everywhere:
        near = of_archive(opened.workspace, archive.id, since, Depth.KNOWN, near=True)
        if near.alarm is None:
            return near
    return of_archive(opened.workspace, archive.id, since, Depth.KNOWN)


def of_archive(
    workspace: Workspace,
    archive_id: str | None,
    since: datetime | None,
    depth: Depth,
    *,
    on_step: Callable[[], object] | None = None,
    near: bool = False,
) -> BackupStatus:
    """As `status`, for an archive that was looked at already; without `archive_id` the copies of any count.

    `near`: of the backups folder alone.
    """
    home = workspace.home
    second = None if near else second_folder(workspace)
    records = copy_records.load(home.root)
    if near:
        records = {name: record for name, record in records.items() if Path(name).parent == home.backups}
    listed: list[BackupCopy] = []
    fresh: list[CopyRecord] = []
    for path, place in _files(home, second, records):
        record = records.get(str(path))
        if record is None or not record.holds(path) or depth is Depth.ALL:
            checked = None if depth is Depth.KNOWN else _checked(path, record, on_step)
            if checked is not None:
                fresh.append(checked)
            record = checked
        with suppress(OSError):  # another process may just be clearing away
            listed.append(_copy(path, place, record, archive_id))
    if fresh:
        copy_records.keep(home.root, fresh)
    listed.sort(key=lambda copy: (copy.made_at, copy.number, copy.path.name), reverse=True)
    return BackupStatus(
        copies=tuple(listed),
        now=datetime.now(BRASILIA),
        since=since,
        alarm_days=workspace.settings.get(BACKUP_ALARM),
        second_folder=second,
        second_reachable=second is not None and presence.is_folder(second),
    )


def since_of(transaction: Transaction) -> datetime | None:
    """Since when this archive holds what would be lost; None for one with nothing in it but a demonstration."""
    every = accounts.every(transaction)
    if every and all(account.environment == EMBEDDED for account in every):
        return None
    if not overview.count_documents(transaction):
        return None
    made = overview.created_at(transaction) or overview.began_at(transaction)
    return None if made is None else from_text(made).astimezone(BRASILIA)


def _since(archive: Archive) -> datetime | None:
    with archive.reading() as transaction:
        return since_of(transaction)


def second_folder(workspace: Workspace) -> Path | None:
    """The second folder that was set; None where none is."""
    named = workspace.settings.get(BACKUP_FOLDER)
    return Path(named).expanduser() if named else None


def record_of(path: Path, contents: backup_check.BackupContents, number: int, digest: str | None = None) -> CopyRecord:
    """The record of a copy that was just found whole. Raises `OSError`."""
    seen = path.stat()
    return CopyRecord(
        path=str(path),
        size=seen.st_size,
        changed_ns=seen.st_mtime_ns,
        made_at=made_at(path, seen.st_mtime).astimezone(UTC).isoformat(timespec="seconds"),
        checked_at=utc_now(),
        archive_id=contents.archive_id,
        number=number,
        documents=contents.documents,
        newest_run=contents.newest_run,
        digest=digest,
    )


def _files(home: Home, second: Path | None, records: dict[str, CopyRecord]) -> Iterator[tuple[Path, CopyPlaceKind]]:
    """Every file that may be a copy, once."""
    seen: set[Path] = set()
    for folder, place in ((home.backups, CopyPlaceKind.BACKUPS), (second, CopyPlaceKind.SECOND)):
        if folder is None:
            continue
        for pattern in _PATTERNS:
            with suppress(OSError):
                for path in folder.glob(pattern):
                    if path not in seen and is_own_file(path):
                        seen.add(path)
                        yield path, place
    for name in records:
        path = Path(name)
        with suppress(OSError):
            if path not in seen and is_own_file(path):
                seen.add(path)
                yield path, CopyPlaceKind.ELSEWHERE


def _checked(path: Path, record: CopyRecord | None, on_step: Callable[[], object] | None) -> CopyRecord | None:
    """Read the copy; None where only its passphrase could tell. Raises what `on_step` does."""
    try:
        seen = path.stat()
        if encrypted_copies.is_encrypted(path):
            return _encrypted(path, record, on_step)
        try:
            contents = backup_check.check(path, on_step=on_step)
        except (BackupRefused, ArchiveNewer) as error:
            damaged = isinstance(error, BackupRefused) and copies.number_of(path) > 0
            return _failed(path, seen, _DAMAGED if damaged else _OTHER)
        return record_of(path, contents, copies.number_of(path))
    except OSError:
        return None


def _encrypted(path: Path, record: CopyRecord | None, on_step: Callable[[], object] | None) -> CopyRecord | None:
    """An encrypted copy is whole while its bytes are those that were read back after they were written."""
    if record is None or record.digest is None:
        return None

    def step(_done: int, _total: int) -> None:
        if on_step is not None:
            on_step()

    digest = encrypted_copies.sha256_of(path, step)
    seen = path.stat()
    return replace(
        record,
        size=seen.st_size,
        changed_ns=seen.st_mtime_ns,
        checked_at=utc_now(),
        problem=None if digest == record.digest else _DAMAGED,
    )


def _failed(path: Path, seen: os.stat_result, problem: str) -> CopyRecord:
    day = made_at(path, seen.st_mtime).astimezone(UTC).isoformat(timespec="seconds")
    return CopyRecord(str(path), seen.st_size, seen.st_mtime_ns, day, utc_now(), problem=problem)


def _copy(path: Path, place: CopyPlaceKind, record: CopyRecord | None, archive_id: str | None) -> BackupCopy:
    seen = path.stat()
    moment = made_at(path, seen.st_mtime)
    if record is None:
        state = CopyState.UNCHECKED
    elif record.problem is not None:
        state = CopyState.DAMAGED if record.problem == _DAMAGED else CopyState.OTHER
    elif archive_id is not None and record.archive_id != archive_id:
        state = CopyState.OTHER
    else:
        state = CopyState.WHOLE
    if record is not None and record.problem is None:
        moment = from_text(record.made_at).astimezone(BRASILIA)
    return BackupCopy(
        path=path,
        place=place,
        state=state,
        made_at=moment,
        size=seen.st_size,
        encrypted=path.name.endswith(encrypted_copies.ENDING) or (record is not None and record.digest is not None),
        record=record,
    )
