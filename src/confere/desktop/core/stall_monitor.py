"""Measures how long the window's thread was ever kept from its events, and what it was doing then."""

from __future__ import annotations

import sys
import threading
import time
import traceback
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, QTimer

_TICK_MS = 5
_LONG_ENOUGH = 0.05  # seconds: three frames; below that nobody feels it


@dataclass(frozen=True, slots=True)
class Stall:
    """`seconds` without an event handled; `doing` is where the thread stood when it was looked at, or empty."""

    seconds: float
    doing: str


class StallWatch(QObject):
    """Ticks in the event loop and, from a thread beside it, looks where it stands when a tick is late."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.longest = 0.0  # seconds
        self.stalls: list[Stall] = []
        self._last = time.monotonic()
        self._seen = ""
        self._thread = threading.get_ident()
        self._over = threading.Event()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._beside = threading.Thread(target=self._look, name="stall watch", daemon=True)

    def start(self) -> None:
        self._last = time.monotonic()
        self._timer.start()
        self._beside.start()

    def stop(self) -> None:
        self._timer.stop()
        self._over.set()
        self._beside.join()

    def forget(self) -> None:
        """Begin anew: what was before does not count."""
        self.longest = 0.0
        self.stalls.clear()
        self._last = time.monotonic()

    def _tick(self) -> None:
        now = time.monotonic()
        late = now - self._last - _TICK_MS / 1000
        self._last = now
        if late > self.longest:
            self.longest = late
        if late >= _LONG_ENOUGH:
            self.stalls.append(Stall(late, self._seen))
        self._seen = ""

    def _look(self) -> None:
        while not self._over.wait(_LONG_ENOUGH / 2):
            if time.monotonic() - self._last > _LONG_ENOUGH:
                frame = sys._current_frames().get(self._thread)
                if frame is not None:
                    self._seen = "".join(traceback.format_stack(frame)[-4:])
