"""Whether locks on files do anything here: each kind that an archive relies on is tried against a second descriptor.

SQLite locks ranges of bytes by `fcntl`, which never hinders the process that holds the lock; a lock of an open file
description does, and the two kinds exclude each other. Costs less than a tenth of a millisecond, so that nothing is
remembered.
"""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path
from typing import Final

from confere.system.files import held_files

_HELD: Final = {errno.EACCES, errno.EAGAIN, errno.EDEADLK}
_WITHOUT: Final = {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP}


def locks_do_nothing(folder: Path) -> bool:
    """Whether a second lock is granted in `folder` while the first is held, or there are none. Raises `OSError`."""
    probe = folder / f".confere-{os.urandom(6).hex()}.tmp"  # the name of a draft, which a sweep takes away
    first = os.open(probe, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0), 0o600)
    try:
        second = os.open(probe, os.O_RDWR | getattr(os, "O_CLOEXEC", 0))
        try:
            return not _exclude_each_other(first, second)
        finally:
            os.close(second)
    finally:
        os.close(first)
        held_files.remove(probe)


def _is_refused(error: OSError) -> bool:
    """Whether a second lock was refused, as it must be. Raises the error where it says nothing of locks."""
    if error.errno in _HELD:
        return True
    if error.errno in _WITHOUT:
        return False
    raise error


if sys.platform == "win32":
    import msvcrt

    def _exclude_each_other(first: int, second: int) -> bool:
        try:
            msvcrt.locking(first, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            return _is_refused(error)
        try:
            msvcrt.locking(second, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            return _is_refused(error)
        else:
            return False
        finally:
            os.lseek(first, 0, os.SEEK_SET)
            msvcrt.locking(first, msvcrt.LK_UNLCK, 1)

else:
    import fcntl
    import struct

    _OF_DESCRIPTION: Final = getattr(fcntl, "F_OFD_SETLK", None)  # Linux alone
    _WRITE_LOCK: Final = struct.pack("hhqqi4x", getattr(fcntl, "F_WRLCK", 1), os.SEEK_SET, 0, 1, 0)

    def _exclude_each_other(first: int, second: int) -> bool:
        """By `flock`, which our own locks are, and where the system can tell it by SQLite's kind too."""
        try:
            fcntl.flock(first, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            return _is_refused(error)
        try:
            fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if not _is_refused(error):
                return False
        else:
            return False
        fcntl.flock(first, fcntl.LOCK_UN)  # some network file systems make the other kind of it
        if _OF_DESCRIPTION is None:
            return True
        try:
            fcntl.lockf(first, fcntl.LOCK_EX | fcntl.LOCK_NB, 1)
        except OSError as error:
            return _is_refused(error)
        try:
            fcntl.fcntl(second, _OF_DESCRIPTION, _WRITE_LOCK)
        except OSError as error:
            return error.errno == errno.EINVAL or _is_refused(error)  # a kernel without locks of this kind
        return False
