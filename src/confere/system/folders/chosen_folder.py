"""The data folder that a person chose: remembered outside of it, and marked in it.

The mark tells the folder from an empty mount point or from another drive with the same letter, so that a drive that is
gone is never taken for a new, empty data folder.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final, NamedTuple

import platformdirs

from confere.errors import EnvironmentFault, message
from confere.system.files.atomic_file import storage_fault, write_text
from confere.system.files.own_files import read_own
from confere.system.files.regular_files import open_regular

MARK: Final = ".confere-home"
"""The file in a chosen folder that holds its mark; the name begins as those of Confere's own files do."""
_NAME: Final = "data-folder.json"
_MOST: Final = 64 * 1024  # bytes of the mark, and of the choice


class ChosenFolder(NamedTuple):
    """`path` is absolute; `mark` is what the file `MARK` in it holds."""

    path: Path
    mark: str

    @property
    def is_marked(self) -> bool:
        """Whether the folder of this path is the one that was chosen."""
        try:
            return read_own(self.path / MARK, _MOST).decode("ascii", "replace").strip() == self.mark
        except (OSError, EnvironmentFault):
            return False


def choice_file() -> Path:
    """Where the choice is kept, in the configuration of this installation."""
    return configuration_folder() / _NAME


def configuration_folder() -> Path:
    """The system's place for the configuration of this installation, which belongs to no data folder.

    Windows and macOS have one place for configuration and data, which is the usual data folder: the configuration lies
    beside it there, since that folder may be moved, removed or come from somebody else.
    """
    folder = Path(platformdirs.user_config_dir("Confere", appauthor=False))
    return folder.with_name("Confere Settings") if folder == usual_folder() else folder


def usual_folder() -> Path:
    """The system's place for user data, which is the data folder where nobody chose another."""
    return Path(platformdirs.user_data_dir("Confere", appauthor=False))


def read() -> ChosenFolder | None:
    """The folder that was chosen; None where nobody chose one.

    Raises `EnvironmentFault` where the choice is there and cannot be read: to go on with the usual folder would show
    an archive that is not the chosen one.
    """
    file = choice_file()
    try:
        with open_regular(file) as opened:
            kept = json.loads(opened.read(_MOST))
        return ChosenFolder(Path(kept["path"]), str(kept["mark"]))
    except FileNotFoundError:
        return None
    except (OSError, EnvironmentFault, ValueError, KeyError, TypeError, RecursionError) as error:
        raise EnvironmentFault(
            message("The file {path}, which says where the data folder is, cannot be read.", path=str(file)),
            message(
                "Choose the data folder again with `confere home DIR`, or the usual one with `confere home --forget`."
            ),
        ) from error


def remember(path: Path) -> ChosenFolder:
    """Mark this folder, which is there, and remember it. Raises what `storage_fault` makes of an `OSError`."""
    chosen = ChosenFolder(path, os.urandom(16).hex())
    file = choice_file()
    try:
        write_text(path / MARK, chosen.mark + "\n", own=True)
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_text(file, json.dumps({"path": str(path), "mark": chosen.mark}, ensure_ascii=False) + "\n")
    except OSError as error:
        raise storage_fault(error, file) from error
    return chosen


def forget() -> bool:
    """Remember no folder any more, whether the choice could be read or not; whether there was one."""
    try:
        choice_file().unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise storage_fault(error, choice_file()) from error
    return True
