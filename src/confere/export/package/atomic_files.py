"""Files that appear whole or not at all: written beside their place, then moved there together.

A draft is called `<name>.<token>.partial`. It goes away with whatever ends the work; what a killed process left is
removed by the next one that writes the same name (`sweep`), and never what another process is still writing: on
POSIX a draft is locked until it takes its place; on Windows an open file cannot be removed, and one that is closed
already, which is renamed within moments, only once it is old.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import sys
import time
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import Final

from confere.errors import ExportRefused, message
from confere.system.files import held_files
from confere.system.files.atomic_file import move_to_free_place, settle_folder, storage_fault
from confere.system.files.stale_drafts import hold, remove_if_idle, sweep_once

_ENDING: Final = ".partial"
_BUFFER = 256 * 1024
_OLD_SECONDS = 600


class AtomicFile:
    """A file on its way to `path`; knows the size and the SHA-256 of what was written.

    Every method raises `DiskFull` or `EnvironmentFault` for what the disk refuses.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        self._digest = hashlib.sha256()
        self._waiting: list[bytes] = []
        self._weight = 0
        self._partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}{_ENDING}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            sweep(path)
            sweep_once(path.parent)
            self._file = _create(self._partial)
            hold(self._file.fileno())
            while not self._partial.exists():  # swept away in the instant before it was locked
                self._file.close()
                self._file = _create(self._partial)
                hold(self._file.fileno())
        except OSError as error:
            raise storage_fault(error, path) from error

    @property
    def draft(self) -> Path:
        """Where its bytes are until it is settled."""
        return self._partial

    @property
    def sha256(self) -> str:
        """In hexadecimals; whole once `seal` was called."""
        return self._digest.hexdigest()

    def write(self, data: bytes, /) -> None:
        self._waiting.append(data)
        self._weight += len(data)
        if self._weight >= _BUFFER:
            self._flush()

    def seal(self) -> None:
        """Nothing more comes: the bytes are on the disk when this returns."""
        self._flush()
        try:
            os.fsync(self._file.fileno())
            if sys.platform == "win32":
                self._file.close()  # an open file cannot be renamed here; elsewhere the lock is still needed
        except OSError as error:
            raise storage_fault(error, self.path) from error

    def settle(self, replace: bool) -> None:
        """Take the place of `path`; `ExportRefused` where there is a file already and `replace` is not set."""
        move = _replace if replace else move_to_free_place
        try:
            held_files.patiently(lambda: move(self._partial, self.path))
        except FileExistsError as error:
            raise _taken(self.path) from error
        except OSError as error:
            raise storage_fault(error, self.path) from error
        with suppress(OSError):
            self._file.close()
        settle_folder(self.path.parent)

    def discard(self) -> None:
        """Leave nothing behind; does nothing after `settle`."""
        with suppress(OSError):
            self._file.close()
        with suppress(OSError):
            held_files.remove(self._partial)

    def _flush(self) -> None:
        data = b"".join(self._waiting)
        self._waiting.clear()
        self._weight = 0
        self._digest.update(data)
        self.size += len(data)
        left = memoryview(data)
        try:
            while left:
                left = left[self._file.write(left) or 0 :]
        except OSError as error:
            raise storage_fault(error, self.path) from error


def is_same(file: AtomicFile) -> bool:
    """Whether the very bytes of a sealed `file` stand in its place already."""
    try:
        if file.path.is_symlink() or file.path.stat().st_size != file.size:
            return False
        with file.path.open("rb") as existing:
            return hashlib.file_digest(existing, "sha256").hexdigest() == file.sha256
    except OSError:
        return False


def refuse_existing(path: Path) -> None:
    """`ExportRefused` where there is something called `path`."""
    if path.exists() or path.is_symlink():
        raise _taken(path)


def sweep(path: Path) -> None:
    """Remove what killed processes left of a file called `path`."""
    with suppress(OSError):
        for left in path.parent.glob(f"{_literal(path.name)}.*{_ENDING}"):
            with suppress(OSError):
                _remove_if_idle(left)


def _taken(path: Path) -> ExportRefused:
    return ExportRefused(
        message("{path} exists already.", path=str(path)),
        message("Nothing was written. Move that file away, choose another place with --to, or use --replace."),
    )


def _create(path: Path) -> FileIO:
    return FileIO(path, "x")


def _replace(partial: Path, path: Path) -> None:
    partial.replace(path)


def _literal(name: str) -> str:
    return "".join(f"[{character}]" if character in "*?[" else character for character in name)


def _remove_if_idle(path: Path) -> None:
    # On Windows an open file cannot be removed, but one that is closed and renamed within moments could.
    if sys.platform != "win32" or time.time() - path.stat().st_mtime > _OLD_SECONDS:
        remove_if_idle(path)
