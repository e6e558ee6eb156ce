"""What every menu needs that is filled anew each time it opens."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu

_OWN = Qt.FindChildOption.FindDirectChildrenOnly


def empty(menu: QMenu) -> None:
    """Take everything out of `menu`; by itself Qt would keep the menus and groups in it as long as the menu lives."""
    menu.clear()
    for gone in (*menu.findChildren(QMenu, options=_OWN), *menu.findChildren(QActionGroup, options=_OWN)):
        gone.deleteLater()
