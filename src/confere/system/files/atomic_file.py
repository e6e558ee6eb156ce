"""Writes a file so that a reader sees the old content or the new one, never half of either."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from confere.errors import ConfereError, DiskFull, EnvironmentFault, message
from confere.system.files import held_files, system_words
from confere.system.files.stale_drafts import hold, sweep_once

_FULL = {errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)}
_WINDOWS_FULL = {39, 112}  # ERROR_HANDLE_DISK_FULL, ERROR_DISK_FULL
_FORBIDDEN = {errno.EACCES, errno.EPERM, errno.EROFS}


def write_bytes(path: Path, data: bytes, *, private: bool = False, own: bool = False) -> None:
    """Replace the content of `path` at once; see `atomic_file`."""
    with atomic_file(path, private=private, own=own) as file:
        file.write(data)


def write_text(path: Path, text: str, *, private: bool = False, own: bool = False) -> None:
    """Replace the content of `path` at once by `text` in UTF-8, line ends as given; see `atomic_file`."""
    write_bytes(path, text.encode(), private=private, own=own)


def write_new(path: Path, data: bytes) -> None:
    """Write a file where nothing is yet; `FileExistsError` where something is, also by then. See `atomic_file`."""
    if os.path.lexists(path):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    with atomic_file(path, replace=False) as file:
        file.write(data)


@contextmanager
def atomic_file(path: Path, *, private: bool = False, own: bool = False, replace: bool = True) -> Iterator[BinaryIO]:
    """Give a file to write; when the block ends well it takes the place of `path`, else `path` stays as it was.

    The bytes are on the disk before the name changes. A symbolic link is followed, not replaced. `private`
    keeps other users of the machine out (POSIX mode 0600; on Windows the folder's own rules hold). `own` is for a file
    of the data folder: private, and a link that has its name is replaced, not followed. Without `replace`
    nothing may be called `path` yet.

    Raises `DiskFull` or `EnvironmentFault`; an `OSError` of the block itself is taken as one of the file. Without
    `replace` `FileExistsError` too.
    """
    target = Path(os.path.realpath(path.parent)) / path.name if own else Path(os.path.realpath(path))
    sweep_once(target.parent)
    # The name is short whatever the target's is: a name of 250 letters must not become too long here.
    import secrets  # with OpenSSL

    temporary = target.with_name(f".confere-{secrets.token_hex(6)}.tmp")
    mode = 0o600 if private or own else 0o666  # the process's umask applies
    try:
        with open(temporary, "xb", opener=lambda name, flags: os.open(name, flags, mode)) as file:
            hold(file.fileno())
            yield file
            file.flush()
            os.fsync(file.fileno())
            if sys.platform != "win32":  # an open file cannot be renamed there; elsewhere the lock is still needed
                _take_place(temporary, target, replace)
        if sys.platform == "win32":
            _take_place(temporary, target, replace)
        settle_folder(target.parent)
    except FileExistsError as error:
        if not replace:
            raise
        raise storage_fault(error, path) from error
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
        message("{path} cannot be used: {why}.", path=where, why=system_words.why(error)),
        message("Check that the folder exists and that its disk works, or choose another folder."),
    )


def _take_place(temporary: Path, target: Path, replace: bool) -> None:
    if replace:
        held_files.replace(temporary, target)
    else:
        held_files.patiently(lambda: move_to_free_place(temporary, target))


if sys.platform == "win32":

    def move_to_free_place(temporary: Path, target: Path) -> None:
        """Give a whole file its name; `FileExistsError` where somebody was faster."""
        temporary.rename(target)

    def settle_folder(_folder: Path) -> None:
        """Folders cannot be synced here."""

else:

    def move_to_free_place(temporary: Path, target: Path) -> None:
        """Give a whole file its name; `FileExistsError` where somebody was faster."""
        try:
            os.link(temporary, target)
        except FileExistsError:
            raise
        except OSError:  # a file system without hard links: the place is taken first, then filled
            os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
            try:
                temporary.replace(target)
            except BaseException:
                target.unlink(missing_ok=True)
                raise
        else:
            temporary.unlink()

    def settle_folder(folder: Path) -> None:
        """Make the new name survive a power cut; some disks refuse."""
        with suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
