"""Icons of our own hand, drawn in the colour that the palette asks for and sharp on every screen."""

from __future__ import annotations

from functools import cache
from typing import ClassVar

import shiboken6
from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QStyle

from confere.desktop.theme.measures import ICON
from confere.system.resources import resource

_CENTER = Qt.AlignmentFlag.AlignCenter
_INK = "#000000"  # what stands for the colour in the drawings


def icon(name: str, colour: str, disabled: str | None = None) -> QIcon:
    """The drawing `resources/icons/NAME.svg` in `colour`; `disabled` is its colour where it cannot be used.

    A copy, since PySide makes the engine a child of the icon that it was given to: when Python collects that icon in
    a cycle, as at the end of the process, it may delete the engine first, which Qt still uses. A copy has no child,
    and the engine lives as long as Qt needs it.
    """
    return QIcon(QIcon(_DrawnIcon(name, colour, disabled or colour)))


class _DrawnIcon(QIconEngine):
    """Draws a size when it is painted first: most icons of a window are in menus that nobody opened yet."""

    _clones: ClassVar[list[_DrawnIcon]] = []

    def __init__(self, name: str, colour: str, disabled: str) -> None:
        super().__init__()
        self._name, self._colour, self._disabled = name, colour, disabled
        self._drawn: dict[tuple[str, int, float], QPixmap] = {}

    def clone(self) -> QIconEngine:
        """What Qt asks for before it changes an icon of which there are copies; Qt deletes it in the end.

        Of what is returned here PySide leaves Python the owner, which would delete it at once: it is held until Qt has.
        """
        made = _DrawnIcon(self._name, self._colour, self._disabled)
        self._clones[:] = [held for held in self._clones if shiboken6.isValid(held)]
        self._clones.append(made)
        return made

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, _state: QIcon.State, scale: float) -> QPixmap:
        ink = self._disabled if mode == QIcon.Mode.Disabled else self._colour
        wanted = (ink, min(size.width(), size.height()), scale)
        if wanted not in self._drawn:
            self._drawn[wanted] = pixmap(self._name, *wanted)
        return self._drawn[wanted]

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        density = QGuiApplication.primaryScreen().devicePixelRatio()  # to ask what is painted on costs a class of Qt
        drawn = self.scaledPixmap(rect.size(), mode, state, density)
        room = drawn.deviceIndependentSize().toSize()
        painter.drawPixmap(QStyle.alignedRect(Qt.LayoutDirection.LeftToRight, _CENTER, room, rect), drawn)


def pixmap(name: str, colour: str, size: int = ICON, density: float = 1) -> QPixmap:
    """One picture of it, `size` logical pixels wide on a screen of `density` device pixels each."""
    image = QPixmap(round(size * density), round(size * density))
    image.setDevicePixelRatio(density)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer = QSvgRenderer(QByteArray(_drawing(name).replace(_INK, colour).encode()))
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return image


@cache
def _drawing(name: str) -> str:
    return resource("icons", f"{name}.svg").read_text(encoding="utf-8")
