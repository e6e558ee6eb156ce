"""Labels of the panel's head: a key in groups of four, and a line that gives way."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from confere.app.labels import labels
from confere.desktop.widgets.plain_text import as_tip

_ELIDE = Qt.TextElideMode.ElideRight
_MIDDLE = Qt.AlignmentFlag.AlignVCenter


class KeyGroups(QLabel):
    """An access key in groups of four: one line where there is room, else two of about the same length."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)

    def show_key(self, access_key: str) -> None:
        self._key = access_key
        self._break()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._break()

    def _break(self) -> None:
        line = labels.key_groups(self._key)
        groups = line.split(" ")
        middle = (len(groups) + 1) // 2
        if self.fontMetrics().horizontalAdvance(line) >= self.width() and len(groups) > 1:
            line = " ".join(groups[:middle]) + "\n" + " ".join(groups[middle:])
        if line != self.text():
            self.setText(line)


class Elided(QLabel):
    """One line of text that gives way where there is no room, and shows itself in full as a tooltip."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shorter: tuple[str, ...] = ()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def show_longest(self, text: str, *shorter: str) -> None:
        """Show `text`, or where it has no room the first of those that has: a sum must not be cut in its figures."""
        self._shorter = shorter
        self.setText(text)

    @property
    def shown(self) -> str:
        """What there is room for."""
        metrics, room = self.fontMetrics(), self.contentsRect().width()
        ways = (self.text(), *self._shorter)
        whole = (way for way in ways if metrics.horizontalAdvance(way) <= room)
        return next(whole, metrics.elidedText(ways[-1], _ELIDE, room))

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        text = self.shown
        self.setToolTip(as_tip(self.text() if text != self.text() else ""))
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), _MIDDLE, text)
        painter.end()
