"""The use case "which backups are there": where each copy stands, whether it is whole, and how old the newest is.

A copy counts as whole only where somebody read it from beginning to end and it was an archive of this name. That is
remembered by its size and time (`copy_records`), so that it is not read at every question.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Final

from confere.app.archive_session import OpenArchive
from confere.app.backups.backup_status import AHEAD as AHEAD
from confere.app.backups.backup_status import BackupCopy as BackupCopy
from confere.app.backups.backup_status import BackupStatus as BackupStatus
from confere.app.backups.backup_status import CopyPlaceKind as CopyPlaceKind
from confere.app.backups.backup_status import CopyState as CopyState
from confere.app.backups.backup_status import counted as counted
from confere.app.context import EMBEDDED, Workspace
from confere.app.maintenance.storage import made_at
from confere.archive.accounts import accounts, overview
from confere.archive.clock import from_text, utc_now
from confere.archive.maintenance.backups import backup_check, copies, copy_records, encrypted_copies, trail_standing
from confere.archive.maintenance.backups.copy_counts import CopyCounts
from confere.archive.maintenance.backups.copy_records import CopyRecord
from confere.archive.maintenance.backups.trail_standing import NOTHING_KNOWN, TrailStanding
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import ArchiveNewer, BackupRefused, ConfereError
from confere.fiscal.periods import BRASILIA
from confere.system.files import presence
from confere.system.files.own_files import is_own_file
from confere.system.paths import Home
from confere.system.settings import BACKUP_ALARM, BACKUP_FOLDER

_PATTERNS: Final = ("archive-*.sqlite3", "archive-*.sqlite3.age")
_DAMAGED: Final = "damaged"
_OTHER: Final = "other"
_IS_WINDOWS: Final = sys.platform == "win32"
_REMOTE: Final = ("\\\\", "\\??\\")
ReadTrail = Callable[[Collection[int]], TrailStanding]
"""Reads what the audit trail says of copies, given the numbers of the last lines in them."""


class Depth(StrEnum):
    """How much is read to know whether copies are whole."""

    KNOWN = "known"  # nothing: what is not remembered is unchecked
    NEW = "new"  # what is not remembered
    ALL = "all"  # every copy anew


def status(
    workspace: Workspace,
    depth: Depth = Depth.NEW,
    *,
    on_step: Callable[[], object] | None = None,
    everywhere: bool = False,
) -> BackupStatus:
    """Look at every copy. `on_step` is called now and then while copies are read; what it raises ends that.

    `everywhere`: also at other machines that a data folder of a stranger may name. Windows signs in at any it asks, so
    that only what a person asks to be written or erased in copies may.

    Raises nothing for an archive that cannot be opened: its copies are listed all the same.
    """
    archive_id: str | None = None
    since: datetime | None = None
    with suppress(ConfereError), workspace.reading() as archive:
        archive_id = archive.id
        since = _since(archive)
    return of_archive(
        workspace, archive_id, since, depth, partial(_trail, workspace), on_step=on_step, everywhere=everywhere
    )


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

    def trail(lines: Collection[int]) -> TrailStanding:
        with archive.reading() as transaction:
            return trail_standing.read(transaction, lines)

    if not everywhere:
        near = of_archive(opened.workspace, archive.id, since, Depth.KNOWN, trail, near=True)
        if near.alarm is None:
            return near
    return of_archive(opened.workspace, archive.id, since, Depth.KNOWN, trail)


def of_archive(
    workspace: Workspace,
    archive_id: str | None,
    since: datetime | None,
    depth: Depth,
    trail: ReadTrail | None = None,
    *,
    on_step: Callable[[], object] | None = None,
    near: bool = False,
    everywhere: bool = False,
) -> BackupStatus:
    """As `status`, for an archive that was looked at already; without `archive_id` the copies of any count.

    `near`: of the backups folder alone.
    """
    home = workspace.home
    second = None if near else second_folder(workspace)
    records = copy_records.load(home.root)
    if not everywhere and _IS_WINDOWS and home.is_foreign:
        second = None if second is not None and _is_remote(str(second)) else second
        records = {name: record for name, record in records.items() if not _is_remote(name)}
    if near:
        records = {name: record for name, record in records.items() if Path(name).parent == home.backups}
    listed: list[BackupCopy] = []
    fresh: list[CopyRecord] = []
    for path, place in _files(home, second, records):
        record = records.get(str(path))
        if record is None or not record.holds(path) or depth is Depth.ALL or _uncounted(record, depth):
            checked = None if depth is Depth.KNOWN else _checked(path, record, on_step)
            if checked is not None:
                fresh.append(checked)
            record = checked
        with suppress(OSError):  # another process may just be clearing away
            listed.append(_copy(path, place, record, archive_id))
    if fresh:
        copy_records.keep(home.root, fresh)
    lines = [copy.record.audit_line for copy in listed if copy.state is CopyState.WHOLE and copy.record is not None]
    listed.sort(key=lambda copy: (copy.made_at, copy.number, copy.path.name), reverse=True)
    return BackupStatus(
        copies=tuple(listed),
        now=datetime.now(BRASILIA),
        since=since,
        alarm_days=workspace.settings.get(BACKUP_ALARM),
        second_folder=second,
        second_reachable=second is not None and presence.is_folder(second),
        trail=NOTHING_KNOWN if trail is None or archive_id is None else trail(lines),
        archive_id=archive_id,
    )


def _trail(workspace: Workspace, lines: Collection[int]) -> TrailStanding:
    """What the audit trail says; nothing where the archive cannot be read."""
    with suppress(ConfereError), workspace.reading() as archive, archive.reading() as transaction:
        return trail_standing.read(transaction, lines)
    return NOTHING_KNOWN


def _uncounted(record: CopyRecord, depth: Depth) -> bool:
    """Whether a copy that an older version checked is to be counted now, where that takes no passphrase."""
    return depth is not Depth.KNOWN and record.problem is None and record.counts is None and record.digest is None


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


def _is_remote(path: str) -> bool:
    """Whether a path of Windows names another machine, or may."""
    return path.replace("/", "\\").startswith(_REMOTE)


def second_folder(workspace: Workspace) -> Path | None:
    """The second folder that was set; None where none is."""
    named = workspace.settings.get(BACKUP_FOLDER)
    return Path(named).expanduser() if named else None


def record_of(
    path: Path,
    contents: backup_check.BackupContents,
    number: int,
    digest: str | None = None,
    *,
    sha256: str | None = None,
    on_step: Callable[[], object] | None = None,
) -> CopyRecord:
    """The record of a copy that was just found whole: of an encrypted one with the `digest` of its file.

    Of any other its SHA-256, where it is known already. Raises `OSError`.
    """
    if digest is None and sha256 is None:
        sha256 = encrypted_copies.sha256_of(path, _stepping(on_step))
    seen = path.stat()
    held = contents.held or CopyCounts()
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
        sha256=sha256,
        counts=None if contents.held is None else held.counts,
        audit_line=held.audit_line,
        audit_head=held.audit_head,
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
        fresh = record_of(path, contents, copies.number_of(path), on_step=on_step)
        if record is None or record.sha256 is None or record.problem == _OTHER:
            return fresh
        if fresh.sha256 != record.sha256:  # whole, and not what Confere wrote there
            return replace(fresh, problem=_DAMAGED, sha256=record.sha256)
        return replace(fresh, fell=record.fell)
    except OSError:
        return None


def _encrypted(path: Path, record: CopyRecord | None, on_step: Callable[[], object] | None) -> CopyRecord | None:
    """An encrypted copy is whole while its bytes are those that were read back after they were written."""
    if record is None or record.digest is None:
        return None
    digest = encrypted_copies.sha256_of(path, _stepping(on_step))
    seen = path.stat()
    return replace(
        record,
        size=seen.st_size,
        changed_ns=seen.st_mtime_ns,
        checked_at=utc_now(),
        problem=None if digest == record.digest else _DAMAGED,
    )


def _stepping(on_step: Callable[[], object] | None) -> encrypted_copies.OnCopiedBytes:
    def step(_done: int, _total: int) -> None:
        if on_step is not None:
            on_step()

    return step


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
