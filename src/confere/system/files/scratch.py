"""Folders of the data folder for plain copies that are to vanish: each is held by whoever works in it.

What a killed process left there is taken away by the next command that writes, whatever its age.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from confere.system.files import held_files
from confere.system.files.own_files import is_own_folder

if TYPE_CHECKING:
    from filelock import BaseFileLock

BEGINNING: Final = ".confere-scratch-"
_HELD: Final = "held"


@contextmanager
def scratch_folder(root: Path) -> Iterator[Path]:
    """A new folder in `root` that other users cannot read; it is gone afterwards. Raises `OSError`."""
    folder, lock = _held_folder(root)
    try:
        yield folder
    finally:
        _remove(folder, lock)


def sweep(root: Path) -> None:
    """Take away the folders in `root` that no process holds; what cannot be removed stays, without a word."""
    with suppress(OSError), os.scandir(root) as entries:
        for entry in entries:
            if entry.name.startswith(BEGINNING) and is_own_folder(Path(entry.path)):
                _remove_if_left(Path(entry.path))


def _held_folder(root: Path) -> tuple[Path, BaseFileLock]:
    """A new folder with its lock; once more where a sweep took it away before it was held."""
    from filelock import FileLock

    for is_last in (False, True):
        folder = root / f"{BEGINNING}{os.urandom(6).hex()}"
        folder.mkdir(mode=0o700)
        try:
            lock = FileLock(folder / _HELD)
            lock.acquire()
        except OSError:
            if is_last:
                raise
        else:
            return folder, lock
    raise AssertionError


def _remove_if_left(folder: Path) -> None:
    from filelock import FileLock, Timeout

    with suppress(OSError):
        folder.rmdir()  # killed before anything was in it
        return
    with suppress(OSError, Timeout):
        lock = FileLock(folder / _HELD)
        lock.acquire(timeout=0)
        _remove(folder, lock)


def _remove(folder: Path, lock: BaseFileLock) -> None:
    """What is in the folder goes first, so that one which is left is always known by its lock."""
    try:
        with suppress(OSError):
            for path in folder.iterdir():
                if is_own_folder(path):
                    shutil.rmtree(path, ignore_errors=True)
                elif path.name != _HELD:
                    held_files.remove(path)
    finally:
        lock.release()
    with suppress(OSError):
        held_files.remove(folder / _HELD)
        folder.rmdir()
