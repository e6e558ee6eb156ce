"""What context menus and refilled menus of lists share."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QActionGroup, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QMenu

_OWN = Qt.FindChildOption.FindDirectChildrenOnly


def empty(menu: QMenu) -> None:
    """Take everything out of `menu`; by itself Qt would keep the menus and groups in it as long as the menu lives."""
    menu.clear()
    for gone in (*menu.findChildren(QMenu, options=_OWN), *menu.findChildren(QActionGroup, options=_OWN)):
        gone.deleteLater()


def menu_of(button: QAbstractButton) -> QMenu:
    """A menu for this button, called as it is; the button has its name already."""
    made = QMenu(button)
    made.setAccessibleName(button.accessibleName() or button.text())
    return made


class MenuKey(QShortcut):
    """Shift+F10 opens the menu of a list at its current row; by itself Qt does so on Windows alone."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(QKeySequence("Shift+F10"), view)
        self._view = view
        self.setContext(Qt.ShortcutContext.WidgetShortcut)
        self.activated.connect(self._ask)

    def _ask(self) -> None:
        view = self._view
        view.customContextMenuRequested.emit(view.visualRect(view.currentIndex()).center())
