"""Notices that the archive was written to, by whichever process, and says so no more often than the eye can follow."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from confere.app.archive_session import OpenArchive

_EVERY_MS = 1000


class ArchiveWatch(QObject):
    """`changed` comes at most once a second; `appeared` and `vanished` when the file itself comes or goes."""

    changed = Signal()
    appeared = Signal()
    vanished = Signal()

    def __init__(self, opened: OpenArchive, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._opened = opened
        self._seen = opened.stamp()
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def look(self) -> None:
        """Compare now."""
        now = self._opened.stamp()
        if now == self._seen:
            return
        before, self._seen = self._seen, now
        if not now:
            self.vanished.emit()
        elif not before:
            self.appeared.emit()
            self.changed.emit()
        else:
            self.changed.emit()
