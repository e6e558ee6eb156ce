"""Shift+F10 opens the menu of a list on every system; by itself only Windows makes it a wish for one."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView


class MenuKey(QShortcut):
    """Belongs to a list, and asks for its menu at the current row as the mouse does at another place."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(QKeySequence("Shift+F10"), view)
        self._view = view
        self.setContext(Qt.ShortcutContext.WidgetShortcut)
        self.activated.connect(self._ask)

    def _ask(self) -> None:
        view = self._view
        view.customContextMenuRequested.emit(view.visualRect(view.currentIndex()).center())
