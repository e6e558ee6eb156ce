"""The use case "put a backup back": looked through first, then in the archive's place, which is set aside whole.

The copy is made ready beside the archive under another name: decrypted, checked, brought up to date, with its line in
the audit trail. Only then the two change places, so that a kill at any moment leaves the old archive or the new one.
"""

from __future__ import annotations

import os
import secrets
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from confere.app.backups import backup_copies, restored_accounts
from confere.app.backups.restored_accounts import RestoredAccount
from confere.app.context import Workspace
from confere.app.labels import labels
from confere.app.maintenance.storage import free_bytes
from confere.archive.accounts import audit
from confere.archive.clock import from_text
from confere.archive.lock import WriteLock
from confere.archive.maintenance import set_aside
from confere.archive.maintenance.backups import (
    backup,
    backup_check,
    copies,
    copy_records,
    encrypted_copies,
    restore_losses,
)
from confere.archive.maintenance.backups.backup_check import BackupContents
from confere.archive.maintenance.backups.restore_losses import Loss
from confere.archive.maintenance.backups.trail_standing import RESTORED as RESTORED
from confere.archive.maintenance.shared_memory import FREE_TO_WRITE
from confere.archive.store import Archive
from confere.errors import BackupMissing, ConfereError, DiskFull, Message, UsageFault, message
from confere.fiscal.periods import BRASILIA
from confere.system import formatting
from confere.system.files import presence
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent, sum_told
from confere.system.secrets.token_store import Secret

COPIED: Final = "archive copied"
"""In the audit trail of a copy for another data folder: the subject is the folder from which it came."""
_STAGE: Final = "archive-restore-"
_LOOK: Final = "archive-look-"
_STOPPED: Final = message("The restore was stopped; the archive is as it was.")
_NOT_COPIED: Final = message("The copy was stopped; nothing was changed.")
_PURPOSE: Final = "restore"
_OLD_SECONDS: Final = 24 * 3600

Passphrase = Callable[[str], Secret]
"""Gives the passphrase of a backup; it is asked with the id of the present archive, empty where there is none."""


@dataclass(frozen=True, slots=True)
class RestorePlan:
    """What a restore would do. `present` is what the archive holds now, None where there is none or it is damaged.

    Sizes in bytes. `is_same`: the backup is of the archive that is here. `losses` is what the archive holds and the
    backup does not, kind by kind; None where the archive cannot be read. `accounts` are those of both, with addresses.
    """

    file: Path
    size: int
    encrypted: bool
    contents: BackupContents
    there: bool
    present: BackupContents | None
    present_size: int
    losses: tuple[Loss, ...] | None
    accounts: tuple[RestoredAccount, ...] = ()

    @property
    def is_same(self) -> bool:
        return self.present is not None and self.present.archive_id == self.contents.archive_id

    @property
    def comes_back(self) -> bool:
        """Whether the archive that is set aside can be restored in turn, as far as it was read."""
        return self.present is not None and all(loss.number is not None for loss in self.losses or ())


@dataclass(frozen=True, slots=True)
class Restored:
    """What was done. `aside` is where the archive that was here is kept, None where there was none."""

    plan: RestorePlan
    aside: Path | None


def find_file(workspace: Workspace, named: Path) -> Path:
    """The file that a person means: as it is, or by its name alone in one of the folders for backups.

    Raises `BackupMissing` where there is none, `UsageFault` for the archive itself.
    """
    second = backup_copies.second_folder(workspace)
    places = [named.expanduser()]
    folders = [folder for folder in (workspace.home.backups, second) if folder is not None]
    if named.name == str(named):
        places += [folder / named for folder in folders]
    for place in places:
        if presence.is_file(place):
            archive = workspace.home.archive
            if archive.exists() and place.samefile(archive):
                raise UsageFault(message("{path} is the archive that is in use.", path=str(place)))
            return place.absolute()
    raise BackupMissing(
        _why_missing(places, folders),
        message("`confere backup --status` lists the backups that are known here, with their paths."),
    )


def _why_missing(places: list[Path], folders: list[Path]) -> Message:
    """What stands at the first of these places instead of a file; `places` has more than one where `folders` count."""
    path = places[0]
    if presence.is_hidden(path):
        return message("The system does not let Confere look at {path}.", path=str(path))
    if presence.is_folder(path):
        return message("{path} is a folder; name a file in it.", path=str(path))
    if presence.is_there(path):
        return message("{path} is no ordinary file.", path=str(path))
    if len(places) > 1:
        return message(
            "There is no file {path} here, nor in {folders}.",
            path=str(path),
            folders=", ".join(map(str, folders)),
        )
    return message("There is no file {path}.", path=str(path))


def look(
    workspace: Workspace,
    file: Path,
    passphrase: Passphrase,
    *,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> RestorePlan:
    """Read the backup from beginning to end and say what it is; changes nothing.

    Raises `BackupRefused`, `ArchiveNewer`, `PassphraseUnavailable`, `DiskFull`, `Cancelled`.
    """
    reporter, stop = reporter or Silent(), stop or Stop()
    encrypted = encrypted_copies.is_encrypted(file)
    if not encrypted:
        contents = backup_check.check(file, named=file, on_step=lambda: stop.check(_STOPPED))
        _remember(workspace, file, contents, copies.number_of(file))
        return _plan(workspace, file, file, contents, stop)
    with _folder_beside(workspace, _LOOK) as folder:
        plain = folder / "archive.sqlite3"
        _room(workspace, file, 1)
        _decrypted(workspace, file, plain, passphrase, reporter, stop)
        contents = backup_check.check(plain, named=file, on_step=lambda: stop.check(_STOPPED))
        _remember(workspace, file, contents, copies.number_of(plain), encrypted=True)
        return _plan(workspace, file, plain, contents, stop, encrypted=True)


def restore(
    workspace: Workspace,
    file: Path,
    passphrase: Passphrase,
    *,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> Restored:
    """Put the backup into the archive's place; the archive that is there is kept beside it under another name.

    Raises `ArchiveLocked` while another process writes, naming it, and what `look` raises; the archive is as it was
    then. `EnvironmentFault` where another program holds the archive's file open (Windows).
    """
    reporter, stop = reporter or Silent(), stop or Stop()
    path = workspace.home.archive
    workspace.home.ensure()
    lock = WriteLock(path, _PURPOSE)
    lock.acquire()
    try:
        set_aside.forget_second_name(path)
        _sweep(_beside(workspace))
        encrypted = encrypted_copies.is_encrypted(file)
        if not encrypted:
            backup_check.check(file, named=file, on_step=lambda: stop.check(_STOPPED))
        with _folder_beside(workspace, _STAGE) as folder:
            stage = folder / "archive.sqlite3"
            _room(workspace, file, 1 if encrypted else 2)
            if encrypted:
                _decrypted(workspace, file, stage, passphrase, reporter, stop)
            else:
                copying = Meter(reporter, message("Copying the backup"))
                backup.copy(file, stage, sum_told(copying, lambda: stop.check(_STOPPED)))
            contents = backup_check.check(stage, named=file, on_step=lambda: stop.check(_STOPPED))
            plan = _plan(workspace, file, stage, contents, stop, encrypted=encrypted)
            aside = set_aside.aside_name(path)
            with Archive.to_write(stage, _PURPOSE) as archive, archive.writing() as transaction:
                detail = f"set aside: {aside.name}" if plan.there else None
                audit.write(transaction, RESTORED, file.name, detail)
            stop.check(_STOPPED)
            was_there = set_aside.put_in_place(stage, path, aside)
    finally:
        lock.release()
    return Restored(plan, aside if was_there else None)


def copy_over(
    source: Workspace, target: Workspace, *, reporter: Reporter | None = None, stop: Stop | None = None
) -> BackupContents:
    """Put a checked copy of the archive of `source` into `target`, which has none; what the copy holds.

    Whoever writes to the archive meanwhile, the copy is one moment of it; it gets its name only when it was read from
    beginning to end. Raises what `backup.copy` and `backup_check.check` raise, `DiskFull`, `Cancelled`.
    """
    reporter, stop = reporter or Silent(), stop or Stop()
    path = target.home.archive
    lock = WriteLock(path, _PURPOSE)
    lock.acquire()
    try:
        _sweep(_beside(target))
        with _folder_beside(target, _STAGE) as folder:
            stage = folder / "archive.sqlite3"
            _room(target, source.home.archive, 1)
            copying = Meter(reporter, message("Copying the archive"))
            backup.copy(source.home.archive, stage, sum_told(copying, lambda: stop.check(_NOT_COPIED)))
            contents = backup_check.check(stage, on_step=lambda: stop.check(_NOT_COPIED))
            with Archive.to_write(stage, _PURPOSE) as archive, archive.writing() as transaction:
                audit.write(transaction, COPIED, str(source.home.root))
            stop.check(_NOT_COPIED)
            set_aside.put_in_place(stage, path, set_aside.aside_name(path))
    finally:
        lock.release()
    return contents


def _remember(
    workspace: Workspace, file: Path, contents: BackupContents, number: int, *, encrypted: bool = False
) -> None:
    """What was just read whole counts from now on, where it stands in a folder for backups."""
    if file.parent not in (workspace.home.backups, backup_copies.second_folder(workspace)):
        return
    with suppress(OSError):
        digest = encrypted_copies.sha256_of(file) if encrypted else None
        copy_records.keep(workspace.home.root, [backup_copies.record_of(file, contents, number, digest)])


def _plan(
    workspace: Workspace, file: Path, plain: Path, contents: BackupContents, stop: Stop, *, encrypted: bool = False
) -> RestorePlan:
    """`plain` is the backup as SQLite reads it: the file itself, or what was decrypted or copied of it."""
    path = workspace.home.archive
    present: BackupContents | None = None
    losses: tuple[Loss, ...] | None = ()
    if path.is_file():
        with suppress(ConfereError):
            present = backup_check.contents(path)
        losses = restore_losses.losses(path, plain, on_step=lambda: stop.check(_STOPPED))
    sizes = [place.stat().st_size for place in (path, path.with_name(path.name + "-wal")) if place.is_file()]
    return RestorePlan(
        file=file,
        size=file.stat().st_size,
        encrypted=encrypted,
        contents=contents,
        there=path.is_file(),
        present=present,
        present_size=sum(sizes),
        losses=losses,
        accounts=restored_accounts.compared(plain, contents.archive_id, path if path.is_file() else None),
    )


def _decrypted(
    workspace: Workspace, file: Path, target: Path, passphrase: Passphrase, reporter: Reporter, stop: Stop
) -> None:
    archive_id = ""
    with suppress(ConfereError):
        archive_id = backup_check.contents(workspace.home.archive).archive_id
    secret = passphrase(archive_id)
    telling = sum_told(Meter(reporter, message("Decrypting the backup")), lambda: stop.check(_STOPPED))
    encrypted_copies.decrypt(file, target, secret.reveal(), telling, named=file)


def _room(workspace: Workspace, file: Path, times: int) -> None:
    """Raise `DiskFull` where the backup does not fit beside the archive, which stays until the end and after it."""
    needed = file.stat().st_size * times + 2 * FREE_TO_WRITE
    free = free_bytes(_beside(workspace))
    if free < needed:
        raise DiskFull(
            message(
                "The disk of {path} has no room for the backup: it needs {needed}, and {free} are free.",
                path=str(_beside(workspace)),
                needed=formatting.size(needed),
                free=formatting.size(free),
            ),
            message("Free some space on that disk and try again; the archive is as it was."),
        )


def _beside(workspace: Workspace) -> Path:
    """The folder of the archive's file itself, where a link leads to it: only there a file can change its name."""
    return Path(os.path.realpath(workspace.home.archive)).parent


@contextmanager
def _folder_beside(workspace: Workspace, beginning: str) -> Iterator[Path]:
    """A folder of one's own on the archive's disk, with everything in it gone afterwards."""
    folder = _beside(workspace) / f"{beginning}{secrets.token_hex(4)}"
    folder.mkdir(mode=0o700, parents=True)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sweep(parent: Path) -> None:
    """Take away what killed restores left; whoever calls holds the write lock, so none is at work but who looks."""
    for left in (*parent.glob(f"{_STAGE}*"), *parent.glob(f"{_LOOK}*")):
        with suppress(OSError):
            is_old = left.name.startswith(_STAGE) or time.time() - left.stat().st_mtime > _OLD_SECONDS
            if left.is_dir() and not left.is_symlink() and is_old:
                shutil.rmtree(left, ignore_errors=True)


def words(contents: BackupContents) -> Message:
    """What a backup holds, in one line."""
    newest = message("nothing was ever synced or imported") if contents.newest_run is None else None
    return message(
        "{documents} and {events}; newest run {run}; format {format}",
        documents=labels.documents_word(contents.documents),
        events=labels.events_word(contents.events),
        run=newest or formatting.moment(from_text(contents.newest_run or "").astimezone(BRASILIA)),
        format=contents.format,
    )
