"""The use case "copy the archive to safety": a checked copy, a second one elsewhere, encrypted where that is wanted."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final

from confere.app.backups import backup_copies, backup_loss
from confere.app.backups.backup_copies import BackupCopy, BackupStatus, CopyPlaceKind, Depth
from confere.app.context import Workspace
from confere.app.maintenance import storage
from confere.archive.accounts import audit
from confere.archive.maintenance.backups import (
    backup,
    backup_check,
    copies,
    copy_memory,
    copy_records,
    encrypted_copies,
    retention,
)
from confere.archive.maintenance.backups.backup_check import BackupContents
from confere.archive.maintenance.backups.copy_memory import HeldMore
from confere.archive.maintenance.backups.copy_records import CopyRecord
from confere.archive.maintenance.backups.retention import DatedCopy, RetentionPolicy
from confere.archive.maintenance.backups.trail_standing import ACKNOWLEDGED, HeadPlace
from confere.errors import ConfereError, EnvironmentFault, Message, UsageFault, message
from confere.system.files import held_files, presence, scratch
from confere.system.files.atomic_file import atomic_file, storage_fault
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent, sum_told
from confere.system.secrets.token_store import Secret
from confere.system.settings import (
    BACKUP_ENCRYPTED,
    BACKUP_EVERY,
    BACKUPS_DAILY,
    BACKUPS_MONTHLY,
    BACKUPS_WEEKLY,
    BACKUPS_YEARLY,
)

_STOPPED: Final = message("The backup was stopped; what was written before is whole, and the archive was not touched.")
_TOLERANCE: Final = timedelta(hours=4)  # a nightly job does not run at the same minute every night
_BLOCK: Final = 1024 * 1024

Passphrase = Callable[[str], Secret]
"""Gives the passphrase for copies of the archive of this id; asked once, and only where one is needed."""


@dataclass(frozen=True, slots=True)
class BackupWish:
    """What is to be written. `target` is a file or a folder that a person named; without it the usual places.

    `encrypt` holds for all of it; the second folder is encrypted where the settings say so too. `second_only` leaves
    the backups folder out.
    """

    target: Path | None = None
    encrypt: bool = False
    second_only: bool = False


@dataclass(frozen=True, slots=True)
class BackupsMade:
    """What was written. `problems` say what was not, `notes` what else is worth knowing.

    `loss`: the new copy holds less than an older one, which stays, until a person accepts that.
    """

    written: tuple[Path, ...]
    problems: tuple[ConfereError, ...] = ()
    notes: tuple[Message, ...] = ()
    loss: Message | None = None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where one copy goes: `folder` gets a name of ours, `file` is whole."""

    folder: Path
    file: Path | None
    encrypted: bool
    is_second: bool = False


def make(
    workspace: Workspace,
    wish: BackupWish,
    passphrase: Passphrase,
    *,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> BackupsMade:
    """Copy the archive, whoever writes to it meanwhile; each copy is read back before it gets its name.

    A second folder that is not there is told as a problem; the first copy stands. Raises `UsageFault` for a place that
    makes no sense, `PassphraseUnavailable`, and what stood in the way of the first copy.
    """
    reporter, stop = reporter or Silent(), stop or Stop()
    places = _places(workspace, wish)
    with workspace.reading() as archive:
        archive_id, path = archive.id, archive.path
    secret = passphrase(archive_id) if any(place.encrypted for place in places) else None
    folder = workspace.home.backups
    name = backup.new_name()
    first = places[0]
    is_kept = first.file is None and first.folder == folder and not first.encrypted
    copying = Meter(reporter, message("Copying the archive"))
    written: list[Path] = []
    problems: list[ConfereError] = []
    records: list[CopyRecord] = []
    ending = ExitStack()
    try:
        scratch.sweep(workspace.home.ensure().root)
        base = folder / name if is_kept else ending.enter_context(_plain_place(workspace))
        backup.copy(path, base, sum_told(copying, lambda: stop.check(_STOPPED)), _least_number(workspace, places))
        contents = backup_check.check(base, on_step=lambda: stop.check(_STOPPED))
        number = copies.number_of(base)
        if is_kept:
            written.append(base)
            records.append(backup_copies.record_of(base, contents, number, on_step=lambda: stop.check(_STOPPED)))
        for place in places[1:] if is_kept else places:
            try:
                record = _placed(base, place, name, secret, contents, number, reporter, stop)
            except EnvironmentFault as error:
                if not place.is_second:
                    raise
                problems.append(error)
                continue
            written.append(Path(record.path))
            records.append(record)
    finally:
        copy_records.keep(workspace.home.root, records)
        ending.close()
    state = backup_copies.status(workspace, on_step=lambda: stop.check(_STOPPED), everywhere=True)
    if not _is_read(state, archive_id):
        return BackupsMade(tuple(written), tuple(problems))
    copy_records.keep(
        workspace.home.root,
        copy_memory.remembered([copy.record for copy in state.whole if copy.record is not None], state.holding_more),
    )
    notes = [note for place in places if place.file is None for note in _tidy(workspace, place, written, state)]
    return BackupsMade(tuple(written), tuple(problems), tuple(notes), state.loss)


def _is_read(state: BackupStatus, archive_id: str) -> bool:
    """Whether the status speaks of this archive and knows its audit trail.

    Else it may call another archive's copies whole, and nothing may be removed or said by it.
    """
    return bool(archive_id) and state.archive_id == archive_id and state.trail.hashes is not None


@contextmanager
def _plain_place(workspace: Workspace) -> Iterator[Path]:
    """Where the plain copy is made that others are made of, such as encrypted ones.

    It never lies among the backups, which may be carried elsewhere.
    """
    root = workspace.home.root
    try:
        with scratch.scratch_folder(root) as folder:
            yield folder / "archive.sqlite3"
    except OSError as error:
        raise storage_fault(error, root) from error


def _least_number(workspace: Workspace, places: Sequence[_Place]) -> int:
    """A number above every copy's that is known, wherever it lies: the second folder may outlive the machine."""
    known = [record.number for record in copy_records.load(workspace.home.root).values() if record.number < copies.MOST]
    return max([*(copies.next_number(place.folder) for place in places), *(1 + number for number in known)], default=1)


def back_up_if_due(
    workspace: Workspace,
    passphrase: Passphrase,
    *,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> BackupsMade | None:
    """Make the usual copies where the newest whole one of any usual place is as old as the settings say; else None.

    For a scheduler, as often as it likes. Raises what `make` does; nothing is due where there never was an archive.
    """
    if not workspace.has_archive:
        return None
    on_step = None if stop is None else stop.check
    state = backup_copies.status(workspace, Depth.NEW, on_step=on_step, everywhere=True)
    every = timedelta(days=workspace.settings.get(BACKUP_EVERY)) - _TOLERANCE
    usual = [CopyPlaceKind.BACKUPS, *([CopyPlaceKind.SECOND] if state.second_folder is not None else [])]
    for place in usual:
        newest = _newest(state.whole, place)
        if newest is None or state.now - newest.made_at >= every or newest.made_at - state.now > _TOLERANCE:
            break
    else:
        return None
    return make(workspace, BackupWish(), passphrase, reporter=reporter, stop=stop)


def accept_loss(workspace: Workspace) -> tuple[HeldMore, ...] | None:
    """Write into the audit trail that a person says it is right that newer copies hold less, or another audit trail.

    What older copies held more; None where there was nothing to accept, and nothing is written. They are removed when
    their time has come. Raises what opening the archive to write raises.
    """
    state = backup_copies.status(workspace, everywhere=True)
    numbers = [copy.number for copy in state.whole if state.head_place(copy) is HeadPlace.MISSING]
    held = state.holding_more
    if not held and not numbers:
        return None
    newest = max(copy.number for copy in state.whole)
    accepted = newest + 1 if newest in numbers else newest
    falls = "; ".join(
        f"{Path(each.record.path).name}: {fall.kind} {fall.month} {fall.had} -> {fall.has}"
        for each in held
        for fall in backup_loss.totals(each)
    )
    with workspace.writing("backup --acknowledge") as archive:
        if not _is_read(state, archive.id):
            return None
        with archive.writing() as transaction:
            audit.write(transaction, ACKNOWLEDGED, str(accepted), falls or None)
    return held


def _newest(whole: tuple[BackupCopy, ...], place: CopyPlaceKind) -> BackupCopy | None:
    return max((copy for copy in whole if copy.place is place), key=lambda copy: copy.made_at, default=None)


def _places(workspace: Workspace, wish: BackupWish) -> tuple[_Place, ...]:
    """Where copies go, the first in whose way nothing may stand."""
    if wish.target is not None:
        if wish.second_only:
            raise UsageFault(message("A place for the backup was named and the second folder asked for: choose one."))
        target = wish.target.expanduser().absolute()
        if presence.is_folder(target):
            return (_Place(target, None, wish.encrypt),)
        if presence.is_there(target):
            raise UsageFault(
                message("{path} is there already.", path=str(target)),
                message("Choose another name; a backup takes no other file's place."),
            )
        return (_Place(target.parent, target, wish.encrypt),)
    second = backup_copies.second_folder(workspace)
    if wish.second_only and second is None:
        raise UsageFault(
            message("No second folder for backups is set."),
            message("Set it with `confere backup --second-folder FOLDER`, or in Settings, Archive."),
        )
    places = [] if wish.second_only else [_Place(workspace.home.backups, None, wish.encrypt)]
    if second is not None:
        encrypted = wish.encrypt or workspace.settings.get(BACKUP_ENCRYPTED)
        places.append(_Place(second, None, encrypted, is_second=not wish.second_only))
    return tuple(places)


def _placed(
    base: Path,
    place: _Place,
    name: str,
    secret: Secret | None,
    contents: BackupContents,
    number: int,
    reporter: Reporter,
    stop: Stop,
) -> CopyRecord:
    """Write one copy of the checked copy `base`, and read it back."""
    if not presence.is_folder(place.folder):
        raise EnvironmentFault(
            message("The folder {path} for backups is not there.", path=str(place.folder)),
            message("Connect its disk, or choose another folder."),
        )
    target = place.file or place.folder / (name + (encrypted_copies.ENDING if place.encrypted else ""))
    try:
        if place.encrypted:
            assert secret is not None
            telling = sum_told(Meter(reporter, message("Encrypting the copy")), lambda: stop.check(_STOPPED))
            digest = encrypted_copies.encrypt(base, target, secret.reveal(), telling)
            return backup_copies.record_of(target, contents, number, digest)
        _copied(base, target, sum_told(Meter(reporter, message("Copying the archive")), lambda: stop.check(_STOPPED)))
        return backup_copies.record_of(target, contents, number)
    except OSError as error:
        raise storage_fault(error, target) from error


def _copied(base: Path, target: Path, progress: Callable[[int, int], None]) -> None:
    """The same bytes under another name, read back before they get it: a stick that lies is found now."""
    size, done = base.stat().st_size, 0
    draft = target.with_name(f"{target.name}.{secrets.token_hex(4)}.partial")
    try:
        with atomic_file(draft, private=True) as file, base.open("rb") as source:
            while block := source.read(_BLOCK):
                file.write(block)
                done += len(block)
                progress(done, 2 * size)
        with draft.open("rb") as again, base.open("rb") as source:
            while True:
                block = source.read(_BLOCK)
                if again.read(_BLOCK) != block:
                    raise backup_check.damaged(str(target), message("it cannot be read back"))
                if not block:
                    break
                done += len(block)
                progress(done, 2 * size)
        held_files.replace(draft, target, pauses=held_files.LONG_PAUSES)
    finally:
        with suppress(OSError):
            held_files.remove(draft)


def _tidy(workspace: Workspace, place: _Place, written: list[Path], state: BackupStatus) -> list[Message]:
    """Remove what is more than the settings keep, in a usual place that just got a copy; what could not be removed.

    Only whole copies of this archive that Confere named go, and none that holds more than every newer one there: each
    folder keeps its own. What cannot be removed now, since another program has it open, goes with a later copy.
    """
    usual = (workspace.home.backups, backup_copies.second_folder(workspace))
    if place.folder not in usual or not any(path.parent == place.folder for path in written):
        return []
    there = [
        copy
        for copy in state.whole
        if copy.path.parent == place.folder
        and copy.path.name.startswith(backup.ASKED)
        and storage.named_moment(copy.path) is not None
    ]
    held = copy_memory.holding_more((copy.record for copy in there if copy.record is not None), state.trail)
    pinned = {*written, *(Path(each.record.path) for each in held)}
    dated = [DatedCopy(copy.path, copy.made_at, copy.number) for copy in there]
    notes = []
    for old in retention.keep(dated, _policy(workspace), state.now + backup_copies.AHEAD, pinned).removed:
        try:
            held_files.remove(old.path)
        except OSError:
            notes.append(
                message(
                    "The older copy {path} could not be removed now; a later backup removes it.", path=str(old.path)
                )
            )
    return notes


def _policy(workspace: Workspace) -> RetentionPolicy:
    settings = workspace.settings
    return RetentionPolicy(
        settings.get(BACKUPS_DAILY),
        settings.get(BACKUPS_WEEKLY),
        settings.get(BACKUPS_MONTHLY),
        settings.get(BACKUPS_YEARLY),
    )
