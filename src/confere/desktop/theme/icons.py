"""Icons of our own hand, drawn in the colour that the palette asks for and sharp on every screen."""

from __future__ import annotations

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from confere.desktop.theme.measures import ICON
from confere.system.resources import resource

_SIZES = (ICON, 18, 20)  # where icons stand in buttons, lists and menus; larger ones are asked for as pictures
_INK = "#000000"  # what stands for the colour in the drawings


def icon(name: str, colour: str, disabled: str | None = None) -> QIcon:
    """The drawing `resources/icons/NAME.svg` in `colour`; `disabled` is its colour where it cannot be used."""
    found = QIcon()
    densities = sorted({screen.devicePixelRatio() for screen in QGuiApplication.screens()})
    for mode, ink in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, disabled)):
        if ink is not None:
            for size in _SIZES:
                for density in densities:
                    found.addPixmap(pixmap(name, ink, size, density), mode)
    return found


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
