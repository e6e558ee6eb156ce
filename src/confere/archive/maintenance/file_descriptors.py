"""Opens a file that SQLite has open too without taking SQLite's locks from it.

On POSIX a process loses all its locks on a file when it closes any descriptor of that file. So such a descriptor is
shared by a process and closed only when none of its archives is open on the file.
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
    descriptors: dict[tuple[int, int], int] = field(default_factory=dict)  # by device and file number


_guard = threading.Lock()
_held: dict[Path, _Held] = {}


class HeldFile:
    """One use of a file of SQLite's; `release` it when every connection of this use is closed."""

    def __init__(self, path: Path) -> None:
        self._path: Path | None = Path(os.path.realpath(path))
        with _guard:
            _held.setdefault(self._path, _Held()).users += 1

    def descriptor(self) -> int:
        """A descriptor to write by, which nobody else closes. Raises `OSError`."""
        assert self._path is not None
        with _guard:
            seen = self._path.stat()
            opened = _held[self._path].descriptors
            identity = (seen.st_dev, seen.st_ino)
            if identity not in opened:
                opened[identity] = os.open(self._path, os.O_RDWR)
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
