"""The use case "keep the data elsewhere": which folder is used, and another one chosen, with a copy or without.

Nothing is ever moved or removed: the folder that was in use stays as it is, and the choice holds from the next start.
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from confere.app.backups import restore
from confere.app.context import Workspace
from confere.archive.maintenance.backups import backup_check
from confere.archive.maintenance.backups.backup_check import BackupContents
from confere.errors import N_, ConfereError, EnvironmentFault, Message, NotInArchive, UsageFault, message
from confere.system.files import presence
from confere.system.files.atomic_file import storage_fault
from confere.system.folders import chosen_folder, named_folder
from confere.system.paths import Home, HomeOrigin, cloud_warning, is_own_name, share_warning
from confere.system.processes.cancellation import Stop
from confere.system.progress import Reporter
from confere.system.settings import Settings

SUBFOLDER: Final = "Confere"
"""What a folder for the data is called where the named one holds other things."""
_OF_THE_SYSTEM: Final = frozenset(
    {
        *("$recycle.bin", "system volume information", "desktop.ini", "thumbs.db", ".ds_store", ".localized"),
        *(".spotlight-v100", ".trashes", ".fseventsd", "lost+found", ".trash-1000", ".directory"),
    }
)
_COPIED: Final = ("settings.json", "authorities.pem", "trust", "schemas", "stamp-roots")
"""What goes with a copy of the archive, where it is there: what a person set, and what signatures are judged by."""


_ORIGINS: Final = {
    HomeOrigin.OPTION: N_("Named by the option --home."),
    HomeOrigin.VARIABLE: N_("Named by the variable CONFERE_HOME."),
    HomeOrigin.CHOSEN: N_("Chosen with `confere home`, or in Settings."),
    HomeOrigin.USUAL: N_("The system's place for data."),
}


@dataclass(frozen=True, slots=True)
class HomeFacts:
    """Which data folder is used and who said so. `chosen` is the one that is remembered for starts without more.

    `is_there`: the chosen folder, else the one in use, can be reached. `problem` says why nothing can be done with it.
    """

    root: Path
    origin: HomeOrigin
    chosen: Path | None
    usual: Path
    is_there: bool
    has_archive: bool
    warnings: tuple[Message, ...]
    problem: Message | None = None

    @property
    def why(self) -> Message:
        """Why this folder is used."""
        return Message(_ORIGINS[self.origin])

    @property
    def wins_over(self) -> Message | None:
        """The sentence that says why the choice does not hold now; None where it does, or would."""
        if self.origin is HomeOrigin.OPTION:
            return message("The option --home names this folder and wins over a choice.")
        if self.origin is HomeOrigin.VARIABLE:
            return message("The variable CONFERE_HOME names this folder and wins over a choice.")
        return None


@dataclass(frozen=True, slots=True)
class FolderLook:
    """What a folder would be as the data folder: whether it has an archive, and what to beware of."""

    path: Path
    has_archive: bool
    warnings: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class HomeChosen:
    """The folder that is used from the next start on. `copied` is what the copy of the archive holds, where one was
    asked for; `notes` are worth knowing."""

    look: FolderLook
    copied: BackupContents | None
    notes: tuple[Message, ...]


def facts(home: Home) -> HomeFacts:
    """How things stand; raises nothing, also where the folder is gone."""
    chosen, problem = home.chosen, None
    with suppress(EnvironmentFault):
        chosen = chosen_folder.read()
    try:
        home.require()
    except EnvironmentFault as error:
        problem = error.what
    there = presence.is_folder(home.root)
    return HomeFacts(
        root=home.root,
        origin=home.origin,
        chosen=None if chosen is None else chosen.path,
        usual=chosen_folder.usual_folder(),
        is_there=there and problem is None,
        has_archive=presence.is_file(home.archive),
        warnings=_warnings(home),
        problem=problem,
    )


def look(home: Home, folder: Path) -> FolderLook:
    """What `folder` would be, without making or changing anything.

    Raises `UsageFault` for a folder that cannot be meant: one inside the data folder, a file, one that holds other
    things, or a new one in a folder that is not there. `EnvironmentFault` for one that cannot be read or written.
    """
    path = _absolute(folder)
    real, root = Path(os.path.realpath(path)), Path(os.path.realpath(home.root))
    if real != root and real.is_relative_to(root):
        raise UsageFault(
            message("{path} is inside the data folder of now.", path=str(path)),
            message("Choose a folder outside of it."),
        )
    named_folder.check(path)
    has_archive = False
    if presence.is_folder(path):
        try:
            names = os.listdir(path)  # noqa: PTH208 - names alone
        except OSError as error:
            raise storage_fault(error, path) from error
        has_archive = "archive.sqlite3" in names
        foreign = sorted(name for name in names if not is_own_name(name) and name.lower() not in _OF_THE_SYSTEM)
        if foreign and real != root and not has_archive and not (path / chosen_folder.MARK).is_file():
            raise UsageFault(
                message("{path} holds other things: {names}.", path=str(path), names=", ".join(foreign[:3])),
                message("Choose an empty folder, or a new one in it: {path}", path=str(path / SUBFOLDER)),
            )
    named_folder.require_writable(path)
    return FolderLook(path, has_archive, _warnings(Home(path)))


def fitting(home: Home, folder: Path) -> Path:
    """`folder`, or a new one in it where it holds other things."""
    try:
        look(home, folder)
    except UsageFault:
        inner = _absolute(folder) / SUBFOLDER
        with suppress(ConfereError):
            return look(home, inner).path
    except ConfereError:
        pass
    return folder


def choose(
    home: Home, folder: Path, *, copy: bool, reporter: Reporter | None = None, stop: Stop | None = None
) -> HomeChosen:
    """Use `folder` from the next start on; with `copy` a checked copy of the archive is put there first.

    The folder is made where it is not there. Nothing is remembered where anything of this fails. Raises what `look`
    raises, `NotInArchive` where there is nothing to copy, `UsageFault` where the folder has an archive to which a copy
    would be put, and what copying raises.
    """
    found = look(home, folder)
    is_same = found.path == home.root
    notes: list[Message] = []
    if copy:
        home.require()
        if not home.archive.is_file():
            raise NotInArchive(message("There is no archive here that could be copied."))
        if found.has_archive:
            raise UsageFault(
                message("{path} has an archive already.", path=str(found.path)),
                message("Choose it without a copy, or choose an empty folder."),
            )
    elif found.has_archive and not is_same:
        backup_check.contents(found.path / "archive.sqlite3")  # it is an archive, and one of this program's
    was_made = named_folder.made(found.path)
    if was_made is not None:
        notes.append(was_made)
    target = Home(found.path).ensure()
    copied = None
    if copy:
        new = Workspace(target, Settings(target.settings))
        copied = restore.copy_over(Workspace.at(home.root), new, reporter=reporter, stop=stop)
        _copy_settings(home, target)
    chosen_folder.remember(found.path)
    if home.schedule.is_file() and not is_same:
        notes.append(
            message(
                "Unattended runs still work in {path}: turn them off there, and set them up again in the new folder.",
                path=str(home.root),
            )
        )
    return HomeChosen(found, copied, tuple(notes))


def forget() -> Path:
    """Use the usual folder from the next start on; which it is. What is in the chosen one stays."""
    chosen_folder.forget()
    return chosen_folder.usual_folder()


def _absolute(folder: Path) -> Path:
    r"""The whole path. On Windows a path without a drive (`\data`) or relative to a drive's folder (`D:data`) is
    refused: what it means depends on where the program was started."""
    if sys.platform == "win32" and not folder.is_absolute() and (folder.drive or folder.root):
        raise UsageFault(
            message("{path} is no whole path.", path=str(folder)),
            message("Name the drive and the folder from its root on, as in D:\\Confere."),
        )
    return folder.expanduser().absolute()


def _warnings(home: Home) -> tuple[Message, ...]:
    return tuple(warning for warning in (share_warning(home), cloud_warning(home)) if warning is not None)


def _copy_settings(source: Home, target: Home) -> None:
    """Copy what is set and trusted, where the target has none of it."""
    for name in _COPIED:
        here, there = source.root / name, target.root / name
        if there.exists():
            continue
        try:
            if here.is_dir():
                shutil.copytree(here, there)
            elif here.is_file():
                shutil.copy2(here, there)
        except OSError as error:
            raise storage_fault(error, there) from error
