"""The bar above a long list: what is selected, what can be done with it, and with all that the list has.

Its place is always there, so that nothing moves under the pointer when a second row is selected.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QWidget

from confere.desktop.theme.measures import GAP
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.elided_labels import Elided
from confere.desktop.widgets.menus import empty, menu_of
from confere.desktop.widgets.plain_text import as_tip
from confere.system import formatting
from confere.system.messages import ngettext, t

FEW: Final = 2  # selected rows from which the bar speaks of a selection
_HEIGHT: Final = 36
_SPACING: Final = 2
_USUAL_SUM: Final = 46  # digits as wide as "12 selected · R$ 1.234,56 · without effect: 1, R$ 12,34", in Spanish too
_BETWEEN: Final = " · "
_WORDS: Final = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
_DRAWING: Final = Qt.ToolButtonStyle.ToolButtonIconOnly


class BarCommand(NamedTuple):
    """A button; with `offers`, pairs of a key and a title, it opens a menu of them.

    `short` stands on the button, where there is little room; `title` is its tip and name. Without it it is an icon.
    """

    key: str
    title: str
    icon: str
    short: str
    offers: tuple[tuple[str, str], ...] = ()


class SelectionBar(QFrame):
    """`wanted` has the key of what is to be done with the selected rows, `all_wanted` with every row of the list."""

    wanted = Signal(str)
    all_wanted = Signal(str)

    def __init__(self, look: Look, commands: Sequence[BarCommand], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("selectionBar")
        self.setAccessibleName(t("Selected rows"))
        self._look, self._commands = look, tuple(commands)
        self.text = Elided()
        self.text.setProperty("rank", "muted")
        self.buttons = {command.key: self._button(command) for command in commands}
        self.every = self._tool_button(t("All of the list"))
        self.every.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = menu_of(self.every)
        menu.aboutToShow.connect(self._fill)
        self.every.setMenu(menu)
        row = QHBoxLayout(self)
        row.setContentsMargins(GAP + 6, 0, GAP, 0)
        row.setSpacing(_SPACING)
        row.addWidget(self.text, 1)
        for button in (*self.buttons.values(), self.every):
            row.addWidget(button)
        self.setFixedHeight(max(_HEIGHT, self.every.sizeHint().height() + 4))
        look.changed.connect(self._paint)
        self._paint()
        self.show_counts(0, 0)

    def show_counts(self, listed: int, selected: int, words: str = "") -> None:
        """So many rows are listed and selected; `words` say what the selected ones amount to."""
        several = selected >= FEW
        for button in self.buttons.values():
            button.setVisible(several)
        if several:
            count = ngettext("{count} selected", "{count} selected", selected)
            amount = words.partition(_BETWEEN)[0]
            ways = [
                _BETWEEN.join(filter(None, parts)) for parts in ((count, words), (count, amount), (amount or count,))
            ]
            self.text.show_longest(*dict.fromkeys(ways))
        else:
            self.text.show_longest(*_hints(listed))
        self.every.setEnabled(listed > 0)
        self.every.setText(t("All {count}", count=formatting.count(listed)))
        self.every.setAccessibleName(t("Save all {count} rows of this list", count=formatting.count(listed)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Take words off the widest buttons until a usual sum stands there whole: their drawings and tips are left.

        By the bar's width alone, whatever is selected: a button that moved would be missed.
        """
        worded = [self.buttons[command.key] for command in self._commands if command.short]
        for button in worded:
            button.setToolButtonStyle(_WORDS)
        taken = sum(button.sizeHint().width() + _SPACING for button in (*self.buttons.values(), self.every))
        lacks = self.text.fontMetrics().horizontalAdvance("0" * _USUAL_SUM) + taken + 2 * GAP + 6 - self.width()
        for button in sorted(worded, key=lambda button: -button.sizeHint().width()):
            if lacks <= 0:
                return
            before = button.sizeHint().width()
            button.setToolButtonStyle(_DRAWING)
            lacks -= before - button.sizeHint().width()

    def _button(self, command: BarCommand) -> QToolButton:
        made = self._tool_button(command.title)
        made.setText(command.short)
        made.setToolTip(as_tip(command.title))
        if not command.short:
            made.setToolButtonStyle(_DRAWING)
        if command.offers:
            made.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
            menu = menu_of(made)
            for key, title in command.offers:
                menu.addAction(title, partial(self.wanted.emit, key))
            made.setMenu(menu)
        else:
            made.clicked.connect(partial(self._want, command.key))
        return made

    def _tool_button(self, title: str) -> QToolButton:
        made = QToolButton(self)
        made.setProperty("look", "quiet")
        made.setToolButtonStyle(_WORDS)
        made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        made.setText(title)
        made.setAccessibleName(title)
        return made

    def _want(self, key: str, _checked: bool = False) -> None:
        self.wanted.emit(key)

    def _fill(self) -> None:
        menu = self.every.menu()
        empty(menu)
        for command in self._commands:
            for key, title in command.offers or ((command.key, command.title),):
                whole = f"{command.title}: {title}" if command.offers else title
                menu.addAction(self._look.icon(command.icon), whole, partial(self.all_wanted.emit, key))

    def _paint(self) -> None:
        for command in self._commands:
            self.buttons[command.key].setIcon(self._look.icon(command.icon, "muted"))
        self.every.setIcon(self._look.icon("down", "muted"))


def _hints(listed: int) -> tuple[str, ...]:
    if not listed:
        return ("",)
    return t("Select two or more rows to save or copy them together"), t("Select two or more rows")
