"""The strip above the pages that tells what happened: errors with details to copy, and good news with a next step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from confere.desktop.core.error_reporting import Fault
from confere.desktop.theme.measures import GAP, ICON, WIDE_GAP
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.error_details import show_fault
from confere.desktop.widgets.plain_text import Label
from confere.system.messages import t

GOOD, INFO, WARN, BAD = "good", "info", "warn", "bad"
_ICONS = {GOOD: "check", INFO: "info", WARN: "warning", BAD: "error"}
OF_ARCHIVE = "archive"  # the topic of what is wrong with the archive's file
_SHOWN = 3
_PASSING = (GOOD, INFO)  # good news gives way to the next; what is wrong stays until it is closed or mended


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence; `action` is a button's text with what it does. Of the same `topic` only the newest is shown."""

    kind: str
    text: str
    topic: str = ""
    action: tuple[str, Callable[[], None]] | None = None
    fault: Fault | None = None


class Notices(QObject):
    """Where pages and jobs leave a notice; the strip shows the newest few until they are closed."""

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


class NoticeStrip(QWidget):
    """The strip itself; takes no room while there is nothing to tell."""

    def __init__(self, notices: Notices, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._lines: list[_Line] = []
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(0)
        self.hide()
        notices.added.connect(self._add)
        notices.withdrawn.connect(self._withdraw)

    @property
    def texts(self) -> list[str]:
        """What is shown, newest first."""
        return [line.notice.text for line in self._lines]

    def _add(self, notice: Notice) -> None:
        if notice.fault is not None and notice.fault in [line.notice.fault for line in self._lines]:
            return  # drawn anew it would bring the next one, were it a fault of drawing
        if notice.topic:
            self._withdraw(notice.topic)
        if notice.kind in _PASSING:
            for line in [line for line in self._lines if line.notice.kind in _PASSING]:
                self._remove(line)
        for same in [line for line in self._lines if line.notice.text == notice.text]:
            self._remove(same)
        line = _Line(notice, self._look, self)
        line.closed.connect(self._remove)
        self._lines.insert(0, line)
        self._layout.insertWidget(0, line)
        for old in self._lines[_SHOWN:]:
            self._remove(old)
        self.show()

    def _withdraw(self, topic: str) -> None:
        for line in [line for line in self._lines if line.notice.topic == topic]:
            self._remove(line)

    def _remove(self, line: _Line) -> None:
        if line in self._lines:
            self._lines.remove(line)
            self._layout.removeWidget(line)
            line.hide()
            line.deleteLater()
        self.setVisible(bool(self._lines))


class _Line(QFrame):
    closed = Signal(object)

    def __init__(self, notice: Notice, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self.notice = notice
        self._look = look
        self.setProperty("notice", notice.kind)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, 6, GAP, 6)
        self._icon = Label()
        layout.addWidget(self._icon)
        text = Label(notice.text)
        text.setWordWrap(True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        text.setAccessibleName(notice.text)
        layout.addWidget(text, 1)
        if notice.action is not None:
            title, act = notice.action
            layout.addWidget(self._button(title, act))
        if notice.fault is not None:
            fault = notice.fault
            layout.addWidget(self._button(t("Details"), lambda: self._show(fault)))
        self._close = QToolButton()
        self._close.setProperty("look", "quiet")
        self._close.setAccessibleName(t("Close this notice"))
        self._close.setToolTip(t("Close this notice"))
        self._close.clicked.connect(lambda: self.closed.emit(self))
        layout.addWidget(self._close)
        self._paint()
        look.changed.connect(self._paint)

    def _show(self, fault: Fault) -> None:
        show_fault(fault, self._look, self.window())

    def _button(self, title: str, act: Callable[[], None]) -> QPushButton:
        button = QPushButton(title)
        button.setProperty("look", "link")
        button.clicked.connect(lambda: act())
        return button

    def _paint(self) -> None:
        role = self.notice.kind
        self._icon.setPixmap(self._look.icon(_ICONS[role], role).pixmap(ICON, ICON))
        self._close.setIcon(self._look.icon("close"))
