"""Collects Python's garbage on the window's own thread only.

Python collects in whichever thread happens to allocate. A widget in a reference cycle would then be destroyed by a
reader thread, which takes the process down.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_EVERY_MS = 500
_OLDEST_EVERY = 240  # looks between two collections of everything: some two minutes


class Tidier(QObject):
    """From `start` to `stop` nothing is collected anywhere but here."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._looks = 0
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

    def look(self) -> None:
        """Collect the young, as Python itself would by now, and from time to time everything."""
        self._looks += 1
        young, middle, _ = gc.get_count()
        thresholds = gc.get_threshold()
        if self._looks % _OLDEST_EVERY == 0:
            gc.collect()
        elif middle >= thresholds[1]:
            gc.collect(1)
        elif young >= thresholds[0]:
            gc.collect(0)
