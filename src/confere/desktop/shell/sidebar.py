"""The sidebar: the window's places, one of them in use; below them what a person saved."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QButtonGroup, QFrame, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from confere.desktop.core.actions import PLACES, Action, Actions, key_text
from confere.desktop.shell.saved.saved_list import SavedSearchList
from confere.desktop.theme.measures import GAP, SIDEBAR
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.plain_text import as_tip
from confere.system.messages import t

_ICON = 18
_BESIDE_TEXT = 62  # margins, padding and the icon


class Sidebar(QFrame):
    """One button a place; `chosen` gives its `Action`."""

    chosen = Signal(Action)

    def __init__(self, actions: Actions, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self._look = look
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GAP, GAP + 4, GAP, GAP)
        layout.setSpacing(2)
        self._group = QButtonGroup(self)
        self._buttons: dict[Action, QToolButton] = {}
        for act in PLACES:
            layout.addWidget(self._button(act, actions))
        layout.addSpacing(GAP)
        self.saved = SavedSearchList(look)
        layout.addWidget(self.saved, 1)
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)  # as the style sheet writes the one in use
        widest = max(QFontMetrics(bold).horizontalAdvance(button.text()) for button in self._buttons.values())
        self.setFixedWidth(max(SIDEBAR, widest + _BESIDE_TEXT))
        self._paint()
        look.changed.connect(self._paint)

    @property
    def buttons(self) -> Mapping[Action, QToolButton]:
        return self._buttons

    def show_chosen(self, act: Action) -> None:
        """Mark the place in use."""
        self._buttons[act].setChecked(True)

    def _button(self, act: Action, actions: Actions) -> QToolButton:
        button = QToolButton()
        button.setProperty("look", "place")
        button.setText(actions[act].text())
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setIconSize(QSize(_ICON, _ICON))
        button.setCheckable(True)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        shortcut = key_text(actions[act].shortcut())
        button.setToolTip(as_tip(t("{what} ({shortcut})", what=actions[act].text(), shortcut=shortcut)))
        button.clicked.connect(lambda: self.chosen.emit(act))
        self._group.addButton(button)
        self._buttons[act] = button
        return button

    def _paint(self) -> None:
        for act, button in self._buttons.items():
            button.setIcon(self._look.icon(act.value.icon, "muted"))
