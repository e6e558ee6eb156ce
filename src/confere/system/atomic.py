"""Writes a file so that a reader sees the old content or the new one, never half of either."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from confere.errors import ConfereError, DiskFull, EnvironmentFault, message
from confere.system import held_files

_FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}
_WINDOWS_FULL = {39, 112}  # ERROR_HANDLE_DISK_FULL, ERROR_DISK_FULL
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}


def write_bytes(path: Path, data: bytes, *, private: bool = False) -> None:
    """Replace the content of `path` at once; see `atomic_file`."""
    with atomic_file(path, private=private) as file:
        file.write(data)


def write_text(path: Path, text: str, *, private: bool = False) -> None:
    """Replace the content of `path` at once by `text` in UTF-8, line ends as given; see `atomic_file`."""
    write_bytes(path, text.encode(), private=private)


@contextmanager
def atomic_file(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """Give a file to write; when the block ends well it takes the place of `path`, else `path` stays as it was.

    The bytes are on the disk before the name changes. A symbolic link is followed, not replaced. `private`
    keeps other users of the machine out (POSIX mode 0600; on Windows the folder's own rules hold).

    Raises `DiskFull` or `EnvironmentFault`; an `OSError` of the block itself is taken as one of the file.
    """
    target = Path(os.path.realpath(path))
    # The name is short whatever the target's is: a name of 250 letters must not become too long here.
    temporary = target.with_name(f".confere-{secrets.token_hex(6)}.tmp")
    mode = 0o600 if private else 0o666  # the process's umask applies
    try:
        with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        held_files.replace(temporary, target)
        _settle(target.parent)
    except OSError as error:
        raise storage_fault(error, path) from error
    finally:
        with suppress(OSError):
            held_files.remove(temporary)


def storage_fault(error: OSError, path: Path) -> ConfereError:
    """The error of our own tree for an `OSError` met while writing or reading `path`."""
    where = str(path)
    if error.errno in _FULL or getattr(error, "winerror", None) in _WINDOWS_FULL:
        return DiskFull(
            message("The disk has no room left for {path}.", path=where),
            message("Free some space on that disk and try again; what was there before is untouched."),
        )
    if held_files.is_held(error, path):
        return held_files.held_fault(path)
    if error.errno in _FORBIDDEN:
        return EnvironmentFault(
            message("The system does not let Confere use {path}.", path=where),
            message("Check who may read and write there, or choose another folder."),
        )
    return EnvironmentFault(
        message("{path} cannot be used: {why}.", path=where, why=error.strerror or type(error).__name__),
        message("Check that the folder exists and that its disk works, or choose another folder."),
    )


def _settle(folder: Path) -> None:
    """Make the new name survive a power cut; folders cannot be synced on Windows, and some disks refuse."""
    if os.name != "posix":
        return
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
