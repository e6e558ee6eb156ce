"""Waits until a window has what it shows, takes its picture, and refuses one that shows nothing or shows it again."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, QTimer
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QMenu, QWidget

from confere.desktop.services import Services

_PATIENCE = 300.0  # seconds until a page must have what it shows: a busy machine is slow, not wrong
_CALM = 10  # looks without news
_SOON = 1000  # milliseconds: a timer that rings within them is waited for
_PAUSE = 0.01  # seconds between two looks
_FEWEST_COLOURS = 12  # letters alone have more, by the smoothing of their edges
_EVERY = 7  # pixel that is looked at


class BlankPicture(AssertionError):
    """A screen shows nothing, the same as another one, or never came to rest."""


class Camera:
    """Takes pictures into `out`; those whose name lacks `only` are left out. `taken` counts them."""

    def __init__(self, out: Path, only: str, suffix: str) -> None:
        self._out = out
        self._only = only
        self._suffix = suffix
        self._seen: dict[str, str] = {}
        self.taken = 0

    def begin(self) -> None:
        """Another window: its pictures are compared with each other only."""
        self._seen.clear()

    def wants(self, name: str) -> bool:
        """Whether this picture is to be taken."""
        return self._only in name + self._suffix

    def keep(
        self, widget: QWidget, name: str, services: Services, menu: QMenu | None = None, place: QPoint | None = None
    ) -> None:
        """A picture of `widget`, with `menu` over it at `place`, as far as it fits; raises `BlankPicture`."""
        if not self.wants(name):
            return
        self.settle(services, name)
        if menu is not None and not menu.actions():
            raise BlankPicture(f"{name}: the menu is empty")
        if not widget.isVisible() or (menu is not None and not menu.isVisible()):
            raise BlankPicture(f"{name}: what should be seen is hidden")
        picture = widget.grab()
        if menu is not None and place is not None:
            painter = QPainter(picture)
            room = widget.rect().adjusted(0, 0, -menu.width() - 4, -menu.height() - 4)
            inside = QPoint(max(min(place.x(), room.right()), 0), max(min(place.y(), room.bottom()), 0))
            painter.drawPixmap(inside, menu.grab())
            painter.end()
        self._judge(picture.toImage(), name)
        picture.save(str(self._out / f"{name}{self._suffix}.png"))
        self.taken += 1

    def settle(self, services: Services, name: str = "a window", busy: Callable[[], bool] = lambda: False) -> None:
        """Until nothing is being asked nor otherwise `busy`, and what came of it is painted."""
        until = time.monotonic() + _PATIENCE
        calm = 0
        while calm < _CALM:
            if time.monotonic() > until:
                raise BlankPicture(f"{name}: after {_PATIENCE:.0f} s it still asks for what it shows")
            QApplication.processEvents()
            time.sleep(_PAUSE)
            calm = calm + 1 if not (services.reader.busy or busy() or _rings_soon()) else 0

    def _judge(self, image: QImage, name: str) -> None:
        pixels = bytes(image.convertToFormat(QImage.Format.Format_RGB32).constBits())
        if len(set(memoryview(pixels).cast("I")[::_EVERY])) < _FEWEST_COLOURS:
            raise BlankPicture(f"{name}: the picture is blank")
        digest = hashlib.sha256(pixels).hexdigest()
        if digest in self._seen:
            raise BlankPicture(f"{name}: the picture is the same as {self._seen[digest]}")
        self._seen[digest] = name


def _rings_soon() -> bool:
    """Whether a timer of any window is about to do something: however late a busy machine lets it."""
    return any(
        timer.isActive() and timer.isSingleShot() and timer.interval() <= _SOON
        for window in QApplication.topLevelWidgets()
        for timer in window.findChildren(QTimer)
    )
