"""Reads an archive's file beside SQLite without taking SQLite's locks from it.

On POSIX a process loses all its locks on a file when it closes any descriptor of that file. So the descriptor by
which the archive's pages are read is shared by a process and closed only when none of its archives is open on it.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(slots=True)
class _Held:
    users: int = 0
    descriptors: dict[tuple[int, int, int], int] = field(default_factory=dict)  # by device, file number, flags


_guard = threading.Lock()
_held: dict[Path, _Held] = {}


class HeldFile:
    """One use of an archive's file; `release` it when every connection of this use is closed."""

    def __init__(self, path: Path) -> None:
        self._path: Path | None = Path(os.path.realpath(path))
        with _guard:
            _held.setdefault(self._path, _Held()).users += 1

    def descriptor(self, *, writable: bool = False) -> int:
        """A descriptor to read by, or to write by too, which nobody else closes. Raises `OSError`."""
        assert self._path is not None
        flags = (os.O_RDWR if writable else os.O_RDONLY) | getattr(os, "O_BINARY", 0)
        with _guard:
            seen = self._path.stat()
            opened = _held[self._path].descriptors
            identity = (seen.st_dev, seen.st_ino, flags)
            if identity not in opened:
                opened[identity] = os.open(self._path, flags)
            return opened[identity]

    def release(self) -> None:
        """End this use; safe to call twice."""
        path, self._path = self._path, None
        if path is None:
            return
        with _guard:
            held = _held[path]
            held.users -= 1
            if held.users:
                return
            del _held[path]
            for descriptor in held.descriptors.values():
                with suppress(OSError):
                    os.close(descriptor)


def write_at(descriptor: int, data: bytes, offset: int) -> None:
    """Put `data` at `offset`, and on the disk."""
    with _guard:
        os.lseek(descriptor, offset, os.SEEK_SET)
        os.write(descriptor, data)
        os.fsync(descriptor)


def read_at(descriptor: int, count: int, offset: int) -> bytes:
    """Up to `count` bytes from `offset`; fewer at the end of the file."""
    if hasattr(os, "pread"):
        return os.pread(descriptor, count, offset)
    with _guard:  # Windows: the descriptor's place is shared
        os.lseek(descriptor, offset, os.SEEK_SET)
        return os.read(descriptor, count)
