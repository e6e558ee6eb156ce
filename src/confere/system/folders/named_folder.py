"""A folder that a person names: made where only its last part is missing, refused where more of it is."""

from __future__ import annotations

import os
from pathlib import Path

from confere.errors import EnvironmentFault, Message, UsageFault, message
from confere.system.files import presence
from confere.system.files.atomic_file import storage_fault


def check(path: Path) -> None:
    """`UsageFault` where `path` is a file, or a new folder in one that is not there: a slip, or a drive that is off."""
    if presence.is_there(path) and not presence.is_folder(path):
        raise UsageFault(message("{path} is a file, not a folder.", path=str(path)), message("Choose a folder."))
    if not presence.is_there(path) and not presence.is_folder(path.parent):
        parent = str(path.parent)
        raise UsageFault(
            message(
                "There is no folder {path}, and no {parent} in which it could be made.", path=str(path), parent=parent
            ),
            message("Look at how it is written, connect its drive, or make {parent} first.", parent=parent),
        )


def made(path: Path) -> Message | None:
    """Make the folder where it is not there, and say so. Raises what `check` raises, and `EnvironmentFault`."""
    check(path)
    if presence.is_folder(path):
        return None
    try:
        path.mkdir()
    except OSError as error:
        raise storage_fault(error, path) from error
    return message("The folder {path} was not there and was made.", path=str(path))


def require_writable(path: Path) -> None:
    """Raise `EnvironmentFault` where nothing can be made in `path`, or in the folder in which it would be made."""
    place = path
    while not presence.is_there(place) and place != place.parent:
        place = place.parent
    if not place.is_dir():  # a drive that is not there, or a file on the way
        raise EnvironmentFault(
            message("{path} cannot be made: {place} is not a folder that is there.", path=str(path), place=str(place)),
            message("Connect its disk, or choose another folder."),
        )
    if not os.access(place, os.W_OK | os.X_OK) or (place == path and not _takes_files(path)):
        raise EnvironmentFault(
            message("Nothing can be written to {path}.", path=str(place)),
            message("Let this user write there, or choose another folder."),
        )


def _takes_files(folder: Path) -> bool:
    """Whether a file can be made there: of folders Windows says that all can be written to, whatever their rights."""
    import secrets  # with OpenSSL

    trial = folder / f".confere-{secrets.token_hex(6)}.tmp"  # a name that `stale_drafts` knows
    try:
        trial.touch(exist_ok=False)
        trial.unlink()
    except OSError:
        return False
    return True
