"""The files of an archive as the file system shows them, looked at before SQLite opens them by their names.

SQLite follows a link and would write into what it leads to; it waits for a pipe for ever.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from confere.errors import ArchiveCorrupt, message
from confere.system.data_folder import OF_SQLITE
from confere.system.files import own_files

_HEADER: Final = 100  # bytes; SQLite's own
_OTHERS: Final = (".lock", ".holder", "-in-hand")


def refuse_odd(path: Path) -> None:
    """Raise `OwnFileRefused` where the archive at `path`, or what is beside it, is a link, a pipe or a device."""
    for ending in (*OF_SQLITE, *_OTHERS):
        seen = _seen(f"{path}{ending}")
        if seen is not None and not (ending and stat.S_ISDIR(seen.st_mode)):  # what needs that file says so itself
            own_files.refuse(Path(f"{path}{ending}"), seen)


def refuse_second_names(path: Path) -> None:
    """Raise `OwnFileRefused` where a file that SQLite would write to has a second name elsewhere."""
    for ending in OF_SQLITE:
        seen = _seen(f"{path}{ending}")
        if seen is not None:
            own_files.refuse_second_name(Path(f"{path}{ending}"), seen)


def refuse_zeros(path: Path) -> None:
    """Raise `ArchiveCorrupt` where the archive begins with zeros alone, before it is copied or walked through.

    Nothing in this process may have the file open: closing it here would end SQLite's locks on it.
    """
    try:
        with os.fdopen(own_files.open_own(path, os.O_RDONLY), "rb") as file:
            head = file.read(_HEADER)
    except OSError:
        return
    if head and not any(head):
        raise ArchiveCorrupt(
            message("The archive {path} is damaged: {why}.", path=str(path), why=message("it begins with zeros alone")),
            message(
                "Do not delete it. Run `confere doctor --repair`, or restore the newest copy of the backups folder."
            ),
        )


def _seen(name: str) -> os.stat_result | None:
    """What is there; None for nothing, and for what opening it will find out of reach."""
    try:
        return os.lstat(name)
    except OSError:
        return None
