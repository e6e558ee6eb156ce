"""What is being read just now, noted on the disk before it begins: what ended the program is known by name afterwards.

The notes are a file beside the archive, written by whoever holds the write lock. An exception is an answer like any
other; only where the whole process ended does a name stay. What it names is read apart from us the next time, and
after a second end not again until that is asked for, or a newer release reads.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from confere.archive.file_uri import beside
from confere.errors import EnvironmentFault, Message, message
from confere.system.data_folder import NOTES_BYTES
from confere.system.files import held_files
from confere.system.files.own_files import open_own, read_own

ENDING: Final = "-in-hand"
SET_ASIDE: Final = 2
"""Ends of the program after which something is not read again."""

_BEGUN, _DONE, _COUNTED, _READER = "+", "-", "=", "reader "
_LONGEST: Final = 256 * 1024  # bytes of notes; then they are written anew, shorter
_log = logging.getLogger(__name__)


class InHand:
    """The notes of one archive. Safe to use from several threads; without a `path` nothing is noted."""

    def __init__(self, path: Path | None = None, reader: int = 0) -> None:
        self._file = None if path is None else beside(path, ENDING)
        self._reader = reader
        self._lock = threading.Lock()
        self._begun: dict[str, None] = {}
        self._ends: dict[str, int] = {}
        self._descriptor: int | None = None
        self._size = 0
        if self._file is not None:
            self._load(self._file)

    def ends(self, name: str) -> int:
        """How many times the program has ended while it read this."""
        return self._ends.get(_of_one_line(name), 0)

    def ended(self, beginning: str) -> dict[str, int]:
        """What the program ended with, of the names that begin so: how many times."""
        return {name: count for name, count in self._ends.items() if name.startswith(beginning)}

    def is_set_aside(self, name: str) -> bool:
        return self.ends(name) >= SET_ASIDE

    @contextmanager
    def doing(self, name: str) -> Iterator[None]:
        """Inside the block this is being read."""
        name = _of_one_line(name)
        with self._lock:
            self._begun[name] = None
            self._write(_BEGUN + name)
        try:
            yield
        finally:
            with self._lock:
                self._begun.pop(name, None)
                if self._ends.get(name, 0) < SET_ASIDE:
                    self._ends.pop(name, None)
                self._write(_DONE + name)

    def set_aside(self, name: str) -> None:
        """Do not read this again: a process of its own ended while it did."""
        name = _of_one_line(name)
        with self._lock:
            self._ends[name] = SET_ASIDE
            self._write(f"{_COUNTED}{SET_ASIDE} {name}")

    def forget(self, beginning: str = "") -> None:
        """Read again what was set aside, of the names that begin so; once more alone, and apart from us."""
        with self._lock:
            for name in self._ends:
                if name.startswith(beginning):
                    self._ends[name] = min(self._ends[name], SET_ASIDE - 1)
            self._write_anew()

    def close(self) -> None:
        """Let go of the file; there is none where nothing has to be remembered."""
        with self._lock:
            if self._file is None:
                return
            if self._begun or self._ends:
                self._write_anew()
            self._let_go()
            if not self._begun and not self._ends:
                with suppress(OSError):
                    held_files.remove(self._file)
            self._file = None

    def _load(self, file: Path) -> None:
        try:
            lines = read_own(file, NOTES_BYTES).decode("utf-8", "replace").split("\n")
        except (OSError, EnvironmentFault):
            return
        begun: dict[str, None] = {}
        is_older = lines[0] != f"{_READER}{self._reader}"
        for line in lines[1:-1]:  # what follows the last line's end was cut short
            sign, name = line[:1], line[1:]
            if sign == _BEGUN:
                begun[name] = None
            elif sign == _DONE:
                begun.pop(name, None)
                if self._ends.get(name, 0) < SET_ASIDE:
                    self._ends.pop(name, None)
            elif sign == _COUNTED and name[:1].isdecimal():
                self._ends[name[2:]] = min(int(name[0]), SET_ASIDE - 1 if is_older else SET_ASIDE)
        for name in begun:
            self._ends[name] = min(self._ends.get(name, 0) + 1, SET_ASIDE)
        if self._ends:
            self._write_anew()

    def _write_anew(self) -> None:
        lines = [f"{_COUNTED}{count} {name}" for name, count in self._ends.items()]
        lines += [_BEGUN + name for name in self._begun]
        if self._descriptor is not None:
            with suppress(OSError):
                os.ftruncate(self._descriptor, 0)
        self._size = 0
        self._write(*lines)

    def _write(self, *lines: str) -> None:
        """Add lines. No disk is waited for: the notes are for the end of a process, not of a machine."""
        if self._file is None:
            return
        if self._size > _LONGEST:
            self._size = 0
            self._write_anew()
            return
        try:
            if self._descriptor is None:
                self._descriptor = open_own(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_TRUNC)
                self._size = 0
            head = [f"{_READER}{self._reader}"] if not self._size else []
            data = "".join(f"{line}\n" for line in (*head, *lines)).encode("utf-8", "replace")
            os.write(self._descriptor, data)
            self._size += len(data)
        except (OSError, EnvironmentFault):
            _log.info("what is being read cannot be noted", exc_info=True)
            self._let_go()
            self._file = None

    def _let_go(self) -> None:
        if self._descriptor is not None:
            with suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = None


def why_ended(ends: int) -> Message:
    """Why something is not here with which the program ended so many times."""
    if ends < SET_ASIDE:
        return message("Confere ended while it fetched or read this; it is tried alone the next time.")
    return message(
        "Confere ended twice while it fetched or read this, so it was set aside. `confere sync --retry` tries again."
    )


def why_set_aside() -> Message:
    """Why bytes were not read that cost a process its life."""
    return message("Reading this file ended the program, or took too much memory or time; it was set aside unread.")


def _of_one_line(name: str) -> str:
    return " ".join(name.split())
