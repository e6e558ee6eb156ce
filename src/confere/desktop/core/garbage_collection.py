"""Collects Python's garbage on the window's own thread only, in pieces too small to be felt.

Python collects in whichever thread happens to allocate. A widget in a reference cycle would then be destroyed by a
reader thread, which takes the process down.

A collection takes half a millisecond for every thousand objects that it walks. What has been alive for a while is
therefore frozen, so that no later look walks it; it is walked again when the window is not in use.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication

_EVERY_MS = 500
_OLDEST_EVERY = 240  # looks between two collections of everything: some two minutes
_MOST_WALKED = 10_000  # objects in one look while the window is in use: some 5 ms


class Tidier(QObject):
    """From `start` to `stop` nothing is collected anywhere but here."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._looks = 0
        self._survivors = 0  # at most so many objects have outlived a look and are not frozen
        self._is_due = False
        self._was_on = False
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """What is alive now is left out of every later look: modules and classes stay as long as the process."""
        self._was_on = gc.isenabled()
        gc.disable()
        gc.freeze()
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        gc.unfreeze()
        if self._was_on:
            gc.enable()

    def collect_all_soon(self) -> None:
        """Collect everything at the next look, whoever looks: for when much went at once and was waited for anyway."""
        self._is_due = True

    def look(self) -> None:
        """Collect the young, as Python itself would by now; everything from time to time, while nobody looks."""
        self._looks += 1
        young = gc.get_count()[0]
        if self._is_due or (self._looks >= _OLDEST_EVERY and not self._is_in_use()):
            self._looks, self._is_due = 0, False
            gc.unfreeze()
            gc.collect()
            self._freeze()
        elif young > _MOST_WALKED:
            self._freeze()  # modules were loaded, or a page was made: next to none of it is garbage
        elif self._survivors + young > _MOST_WALKED:
            gc.collect(1)
            self._freeze()
        elif young >= gc.get_threshold()[0]:
            gc.collect(0)
            self._survivors += young

    def _freeze(self) -> None:
        gc.freeze()
        self._survivors = 0

    @staticmethod
    def _is_in_use() -> bool:
        return QGuiApplication.applicationState() == Qt.ApplicationState.ApplicationActive
