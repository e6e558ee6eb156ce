"""What the window remembers between two starts: its place, columns, splitters, last company; never a document."""

from __future__ import annotations

import re
from collections.abc import Hashable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QByteArray, QSettings, QTimer
from PySide6.QtWidgets import QHeaderView, QSplitter, QWidget

from confere.errors import EnvironmentFault, Message, message
from confere.system import data_folder
from confere.system.files import held_files, own_files
from confere.system.paths import Home

_LINE = re.compile(r"\s*(?:[;#\[].*|[^=]+=.*)?")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_OBJECT = "@Variant("  # we keep texts and bytes only
_SOON_MS = 400


class Draft(NamedTuple):
    """What the fields of a dialog said when it was opened, and what was typed into them and not used."""

    before: tuple[str, ...]
    typed: tuple[str, ...]


class Memory:
    """An INI file in the data folder, so that each archive remembers its own window.

    `problem` says that it could not be read or will not be kept, or is None; the window opens all the same.
    """

    def __init__(self, home: Home) -> None:
        self._fresh: dict[str, str | QByteArray] = {}  # what is to be written still
        self.drafts: dict[Hashable, Draft] = {}
        """Texts that were typed into a dialog and not used, by what they are about: in no file, they name people."""
        self._soon = QTimer()
        self._soon.setSingleShot(True)
        self._soon.setInterval(_SOON_MS)
        self._soon.timeout.connect(self.save)
        self.file: Path = home.root / "window.ini"
        self.problem = _put_aside(self.file)
        self._kept = QSettings(str(self.file), QSettings.Format.IniFormat)
        if not self._kept.isWritable():
            self.problem = message(
                "What the window remembers of its places and sizes cannot be kept: {path} cannot be written.",
                path=str(self.file),
            )

    def text(self, name: str, default: str = "") -> str:
        value = self._value(name)
        return value if isinstance(value, str) else default

    def put(self, name: str, value: str) -> None:
        self._put(name, value)

    def keep_window(self, name: str, window: QWidget) -> None:
        self._put(f"{name}/geometry", window.saveGeometry())

    def restore_window(self, name: str, window: QWidget) -> bool:
        """Whether there was something to restore."""
        return window.restoreGeometry(self._bytes(f"{name}/geometry"))

    def keep_splitter(self, name: str, splitter: QSplitter) -> None:
        self._put(f"{name}/splitter", splitter.saveState())

    def restore_splitter(self, name: str, splitter: QSplitter) -> bool:
        return splitter.restoreState(self._bytes(f"{name}/splitter"))

    def keep_header(self, name: str, header: QHeaderView) -> None:
        self._put(f"{name}/columns", header.saveState())

    def restore_header(self, name: str, header: QHeaderView) -> bool:
        return header.restoreState(self._bytes(f"{name}/columns"))

    def save(self) -> None:
        """Write it to the disk now."""
        self._soon.stop()
        for name, value in self._fresh.items():
            self._kept.setValue(name, value)
        self._fresh.clear()
        if _is_ours(self.file):
            self._kept.sync()

    def _put(self, name: str, value: str | QByteArray) -> None:
        """Written when the hand rests: a column that is dragged wider changes with every pixel."""
        self._fresh[name] = value
        self._soon.start()

    def _value(self, name: str) -> Any:
        return self._fresh[name] if name in self._fresh else self._kept.value(name)

    def _bytes(self, name: str) -> QByteArray:
        value = self._value(name)
        return value if isinstance(value, QByteArray) else QByteArray()


def _is_ours(file: Path) -> bool:
    """Whether Qt may write it: it would follow a link."""
    try:
        return own_files.problem_of(file, file.lstat()) is None
    except OSError:
        return True


def _put_aside(file: Path) -> Message | None:
    """Move a file away that was not written by us or was cut off; Qt would take anything in it for a value."""
    try:
        data = own_files.read_own(file, data_folder.WINDOW_BYTES)
        lines = [line.rstrip("\r") for line in data.decode("utf-8").split("\n")]
    except OSError:
        return None
    except EnvironmentFault as error:
        return error.what
    except UnicodeDecodeError:
        lines = [_OBJECT]
    if all(_LINE.fullmatch(line) and not _CONTROL.search(line) and _OBJECT not in line for line in lines):
        return None
    aside = file.with_name(file.name + ".damaged")
    with suppress(OSError):
        held_files.replace(file, aside)
    return message(
        "What the window remembered of its places and sizes cannot be understood; it begins anew. "
        "The file is now {path}.",
        path=str(aside),
    )
