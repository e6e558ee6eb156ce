"""Room on the disk for the file that SQLite maps into memory, asked for before it does.

The index of the write-ahead log (`-shm`) is a mapped file. SQLite makes it as long as it needs, but not every file
system gives it its blocks by that: on a full disk the system then ends the process (SIGBUS) at the first touch, and
nobody can say why. Windows gives a file its blocks when it is made longer.
"""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import Final

from confere.archive.file_uri import beside
from confere.archive.maintenance.file_descriptors import HeldFile
from confere.errors import DiskFull, message

_PART: Final = 32 * 1024  # SQLite maps so much at a time, for 4,096 pages of the log
_PARTS: Final = 8  # as much log as the largest transaction writes, with room to spare
FREE_TO_WRITE: Final = 1024 * 1024 + _PART * _PARTS
FREE_TO_READ: Final = 4 * _PART
_FULL: Final = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}


def ask_for_room(path: Path) -> None:
    """Raise `DiskFull` where an archive cannot be written for want of room beside it."""
    if _free(path) < FREE_TO_WRITE:
        raise full(path)


def has_room_to_read(path: Path) -> bool:
    """Whether reading may map a file: where somebody writes just now it is there already."""
    if _free(path) >= FREE_TO_READ:
        return True
    from confere.archive import lock

    return lock.holder(path) is not None


def reserve(path: Path, held: HeldFile) -> None:
    """Give the mapped file of an archive that is open its blocks. Raises `DiskFull`."""
    if not hasattr(os, "posix_fallocate"):
        return
    try:
        os.posix_fallocate(held.descriptor(), 0, _PART * _PARTS)
    except OSError as error:
        if error.errno in _FULL:
            raise full(path) from error
        # A file system that cannot: SQLite's own way has to do.


def mapped_file(path: Path) -> Path:
    return beside(path, "-shm")


def full(path: Path) -> DiskFull:
    return DiskFull(
        message("The disk that holds {path} is full.", path=str(path)),
        message("Free some space and run the same command again: it goes on where it stopped."),
    )


def _free(path: Path) -> int:
    try:
        return shutil.disk_usage(path.parent).free
    except OSError:
        return FREE_TO_WRITE  # a disk that does not say
