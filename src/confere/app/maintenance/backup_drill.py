"""The use case "try whether a backup can be restored": the newest one is put into a scratch place and verified there.

The archive itself is not touched but for the line in its audit trail that says when a copy was tried, and how it went.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Final

from confere.app.backups import backup_copies
from confere.app.backups.backup_status import BackupCopy, BackupStatus, CopyPlaceKind
from confere.app.context import Workspace
from confere.app.maintenance import doctor
from confere.app.maintenance.checks.check_result import Examination
from confere.app.maintenance.storage import free_bytes
from confere.archive.accounts import audit
from confere.archive.maintenance import health
from confere.archive.maintenance.backups import backup_check, copy_counts, copy_records, encrypted_copies
from confere.archive.maintenance.backups.backup_check import BackupContents
from confere.archive.maintenance.backups.trail_standing import DRILLED, FAILED, PASSED
from confere.archive.maintenance.health import VaultShare
from confere.archive.maintenance.shared_memory import FREE_TO_WRITE
from confere.archive.store import Archive
from confere.errors import (
    ArchiveError,
    BackupMissing,
    BackupRefused,
    ConfereError,
    DiskFull,
    Message,
    PassphraseUnavailable,
    message,
)
from confere.system import formatting
from confere.system.files import scratch
from confere.system.files.atomic_file import storage_fault
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent, sum_told
from confere.system.secrets.token_store import Secret

EVERY: Final = timedelta(days=30)
"""How often unattended work tries a backup."""
_PURPOSE: Final = "backup --drill"
_WAIT: Final = 60.0  # seconds, for whoever writes to the archive when the result is to be written down
_BLOCK: Final = 1024 * 1024
_STOPPED: Final = message("The trial was stopped; nothing was changed.")

Passphrase = Callable[[str], Secret]
"""Gives the passphrase for copies of the archive of this id; asked only for an encrypted copy."""


@dataclass(frozen=True, slots=True)
class DrillResult:
    """What the trial of one copy came to. `read` counts the contents that were read back; `problems` is empty where
    it passed."""

    file: Path
    encrypted: bool
    documents: int
    events: int
    read: int
    problems: tuple[Message, ...] = ()

    @property
    def passed(self) -> bool:
        return not self.problems


def is_due(state: BackupStatus) -> bool:
    """Whether there is a copy, and none was tried for a month."""
    if not state.whole:
        return False
    return state.drill is None or state.now - state.drill.at >= EVERY


def drill(
    workspace: Workspace,
    passphrase: Passphrase,
    *,
    archive: Archive | None = None,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> DrillResult:
    """Restore the newest whole copy beside the archive, verify it, and remove it again.

    `archive` is open for writing already, where it is. Raises `BackupMissing` without a copy, `DiskFull`,
    `PassphraseUnavailable` where there is none to try, `Cancelled`, `ArchiveLocked`; what is wrong with the copy
    itself is told in the result.
    """
    reporter, stop = reporter or Silent(), stop or Stop()
    parent = Path(os.path.realpath(workspace.home.archive)).parent
    scratch.sweep(parent)
    copy = _newest(backup_copies.status(workspace, on_step=lambda: stop.check(_STOPPED)))
    secret = passphrase(copy.record.archive_id or "" if copy.record else "") if copy.encrypted else None
    _room(copy, parent)
    try:
        with scratch.scratch_folder(parent) as folder:
            result = _tried(workspace, copy, folder / "archive.sqlite3", secret, reporter, stop)
    except OSError as error:
        raise storage_fault(error, parent) from error
    detail = PASSED if result.passed else FAILED
    with ExitStack() as opened:
        ours = archive or opened.enter_context(workspace.writing(_PURPOSE, wait_seconds=_WAIT))
        with ours.writing() as transaction:
            audit.write(transaction, DRILLED, copy.path.name, f"{detail}: documents {result.documents}")
    return result


def _newest(state: BackupStatus) -> BackupCopy:
    """The newest whole copy; of those made together the one in the second folder, which is to outlive this disk."""
    if not state.whole:
        raise BackupMissing(message("There is no whole backup to try."), message("Make one first: `confere backup`."))
    return max(state.whole, key=lambda copy: (copy.number, copy.place is CopyPlaceKind.SECOND, copy.made_at))


def _room(copy: BackupCopy, parent: Path) -> None:
    needed, free = copy.size + 2 * FREE_TO_WRITE, free_bytes(parent)
    if free < needed:
        raise DiskFull(
            message(
                "The disk of {path} has no room for the backup: it needs {needed}, and {free} are free.",
                path=str(parent),
                needed=formatting.size(needed),
                free=formatting.size(free),
            ),
            message("Free some space on that disk and try again; the archive is as it was."),
        )


def _tried(
    workspace: Workspace, copy: BackupCopy, stage: Path, secret: Secret | None, reporter: Reporter, stop: Stop
) -> DrillResult:
    result = DrillResult(copy.path, copy.encrypted, 0, 0, 0)
    try:
        digest = _put(copy, stage, secret, reporter, stop)
        contents = backup_check.check(stage, named=copy.path, on_step=lambda: stop.check(_STOPPED))
        result = replace(result, documents=contents.documents, events=contents.events)
        problems = _differences(copy, contents, digest)
        if not problems:
            examination = _examined(workspace, stage, reporter, stop)
            result = replace(result, read=examination.facts["verified"])
            problems = [finding.what for finding in examination.findings if not finding.well]
        return replace(result, problems=tuple(problems))
    except (BackupRefused, ArchiveError, PassphraseUnavailable) as error:
        if isinstance(error, BackupRefused) and copy.record is not None:
            copy_records.keep(workspace.home.root, [replace(copy.record, problem="damaged")])
        return replace(result, problems=(_told(error),))


def _put(copy: BackupCopy, stage: Path, secret: Secret | None, reporter: Reporter, stop: Stop) -> str | None:
    """Decrypt or copy it to `stage`; the SHA-256 of a copy that is not encrypted."""
    if secret is not None:
        telling = sum_told(Meter(reporter, message("Decrypting the backup")), lambda: stop.check(_STOPPED))
        encrypted_copies.decrypt(copy.path, stage, secret.reveal(), telling, named=copy.path)
        return None
    telling = sum_told(Meter(reporter, message("Copying the backup")), lambda: stop.check(_STOPPED))
    digest, done = hashlib.sha256(), 0
    with copy.path.open("rb") as source, stage.open("xb") as target:
        while block := source.read(_BLOCK):
            target.write(block)
            digest.update(block)
            done += len(block)
            telling(min(done, copy.size), copy.size)
    return digest.hexdigest()


def _differences(copy: BackupCopy, contents: BackupContents, digest: str | None) -> list[Message]:
    """What the copy's record says otherwise."""
    record, held = copy.record, contents.held
    if record is None:
        return []
    problems = []
    if digest is not None and record.sha256 not in (None, digest):
        problems.append(
            message("{path} is not the file that was written: its SHA-256 is another.", path=str(copy.path))
        )
    if record.counts is not None and held is not None:
        falls = copy_counts.falls(record.counts, held.counts) or copy_counts.falls(held.counts, record.counts)
        if falls:
            problems.append(message("{path} does not hold what was counted in it.", path=str(copy.path)))
    return problems


def _examined(workspace: Workspace, stage: Path, reporter: Reporter, stop: Stop) -> Examination:
    """Open it as an archive, brought up to date where it is older, and read everything in it back."""
    examination = Examination()
    telling = sum_told(Meter(reporter, message("Reading the backup back")), lambda: stop.check(_STOPPED))
    with Archive.to_write(stage, _PURPOSE) as archive:
        with archive.reading() as transaction:
            state = health.examine(transaction, archive, thorough=True)
        if state.damage:
            what = message("The archive is damaged: {why}", why="; ".join(state.damage))
            examination.add("archive", False, what)
        doctor.verify_archive(workspace, archive, examination, VaultShare(), telling, is_trial=True)
    return examination


def _told(error: ConfereError) -> Message:
    return message("{what} {remedy}", what=error.what, remedy=error.remedy or "")
