"""Who on this machine may read what Confere keeps: nobody but its user (POSIX modes 0600 and 0700).

On Windows a data folder below the user's profile is closed by the profile's own rules; those of a folder elsewhere
are neither set nor looked at here.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

ARE_KNOWN: Final = sys.platform != "win32"
"""Whether this system says by modes who may read a file."""

_OTHERS: Final = 0o077


def keep_private() -> None:
    """Close everything that this process and those it starts will write to the other users of the machine."""
    os.umask(_OTHERS)


def close(folder: Path, is_ours: Callable[[str], bool]) -> None:
    """Close what is called ours in a folder to other users, whatever mode it had: files, and folders with their files.

    The folder itself is closed where nothing but ours lies in it: a folder may hold other people's things too. What
    belongs to another user, and links, stay as they are.
    """
    if not ARE_KNOWN:
        return
    alone = True
    for path in _in(folder):
        if not is_ours(path.name):
            alone = False
            continue
        _close(path)
        if path.is_dir() and not path.is_symlink():
            for inner in _in(path):
                _close(inner)
    if alone:
        _close(folder)


def readable_by_others(folder: Path) -> Iterator[Path]:
    """What lies in a folder, one level deep, that other users can read; nothing where they cannot enter it."""
    if not ARE_KNOWN or not _is_open(folder):
        return
    for path in _in(folder):
        if _is_open(path):
            yield path
            if path.is_dir() and not path.is_symlink():
                yield from filter(_is_open, _in(path))


def _in(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _is_open(path: Path) -> bool:
    try:
        seen = path.lstat()
    except OSError:
        return False
    return not stat.S_ISLNK(seen.st_mode) and bool(seen.st_mode & _OTHERS)


if sys.platform == "win32":

    def _close(path: Path) -> None:
        """Modes say nothing here."""

else:

    def _close(path: Path) -> None:
        """Take the others' rights of a file or folder of this user; what vanishes or refuses is left."""
        with suppress(OSError):
            seen = path.lstat()
            if seen.st_mode & _OTHERS and seen.st_uid == os.geteuid() and not stat.S_ISLNK(seen.st_mode):
                path.chmod(stat.S_IMODE(seen.st_mode) & ~_OTHERS)
