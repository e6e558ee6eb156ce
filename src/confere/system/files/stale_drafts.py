"""Takes away what killed processes left: drafts and half copies under our own names, an hour old, held by nobody.

A draft is locked by whoever writes it, so that a sweep can tell it from one that was left. On Windows no lock is
needed: an open file cannot be removed there.
"""

from __future__ import annotations

import os
import re
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

OLD_SECONDS: Final = 3600
_OURS: Final = re.compile(
    r"\.confere-[0-9a-f]{12}\.tmp"  # `system.atomic`
    r"|.+\.[0-9a-f]{8}\.partial"  # `export.drafts`
    r"|archive-[\w.-]+\.sqlite3(\.partial)+(-journal|-wal|-shm)?"  # `archive.backup`
)
_swept: set[Path] = set()


def sweep(folder: Path, *, older_than: float = OLD_SECONDS) -> None:
    """Remove the leftovers in `folder` itself that are so many seconds old; what cannot be removed stays, without a
    word."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _OURS.fullmatch(entry.name):
                with suppress(OSError):
                    _remove_if_left(Path(entry.path), older_than)


def sweep_once(folder: Path) -> None:
    """As `sweep`, the first time this process writes to `folder`: to look at each file costs something."""
    folder = folder.absolute()
    if folder not in _swept:
        _swept.add(folder)
        sweep(folder)


def _remove_if_left(path: Path, older_than: float) -> None:
    if not path.is_symlink() and path.is_file() and time.time() - path.stat().st_mtime >= older_than:
        remove_if_idle(path)


if sys.platform == "win32":

    def hold(_descriptor: int) -> None:
        """An open file cannot be removed here: no lock is needed."""

    def remove_if_idle(path: Path) -> None:
        """Remove a file that no process has open. Raises `OSError` where one has."""
        path.unlink()

else:
    import fcntl

    def hold(descriptor: int) -> None:
        """Hold a new file against sweeps, which hold their own lock for an instant only."""
        with suppress(OSError):  # a file system without locks: then a sweep cannot tell, and removes nothing
            fcntl.flock(descriptor, fcntl.LOCK_EX)

    def remove_if_idle(path: Path) -> None:
        """Remove a file that no process holds. Raises `OSError` where one does, or where that cannot be told."""
        descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()  # still locked: whoever makes a file of this name now waits, and sees that it is gone
        finally:
            os.close(descriptor)
