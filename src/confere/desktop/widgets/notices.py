"""Where pages and jobs leave a message: errors with details to copy, and good news with a next step."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from confere.desktop.core.error_reporting import Fault

GOOD, INFO, WARN, BAD = "good", "info", "warn", "bad"
OF_ARCHIVE = "archive"  # the topic of what is wrong with the archive's file


class Notice(NamedTuple):
    """A sentence; `action` is a button's text with what it does. Of the same `topic` only the newest is shown."""

    kind: str
    text: str
    topic: str = ""
    action: tuple[str, Callable[[], None]] | None = None
    fault: Fault | None = None


class Notices(QObject):
    """Where pages and jobs leave a notice; the window shows the newest few over its pages."""

    added = Signal(object)
    withdrawn = Signal(str)

    def add(
        self, kind: str, text: str, *, topic: str = "", action: tuple[str, Callable[[], None]] | None = None
    ) -> None:
        """Tell `text`; it replaces what was told under the same topic."""
        self.added.emit(Notice(kind, text, topic, action))

    def add_fault(self, fault: Fault, *, topic: str = "") -> None:
        """Tell an error; told again it is not shown twice. With a topic it holds until that has better news."""
        text = f"{fault.what} {fault.remedy}".strip()
        self.added.emit(Notice(BAD, text, topic or (OF_ARCHIVE if fault.of_archive else fault.what), None, fault))

    def withdraw(self, topic: str) -> None:
        """What was told under `topic` holds no more."""
        self.withdrawn.emit(topic)
