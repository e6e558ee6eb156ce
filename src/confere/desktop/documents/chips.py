"""The row of chips above the list: each opens a menu of what occurs, and shows what was chosen."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton, QWidget

from confere.app.browsing import Choice, Choices
from confere.desktop.documents.filters import CHIPS, Chip, Filters, chosen_text, fixed
from confere.desktop.documents.flow import FlowLayout
from confere.desktop.look.theme import Look
from confere.errors import Message
from confere.system import figures
from confere.system.messages import render, t

_MOST_OFFERED: Final = 60
_ARROW: Final = 10
_BESIDE_TEXT: Final = _ARROW + 4 + 14  # the arrow, its distance, padding and border of the style sheet
_SPARE: Final = 1


class ChipRow(QWidget):
    """Shows `filters`; `changed` comes when a person chose otherwise, `wanted` when a menu needs fresh choices."""

    changed = Signal(object)
    wanted = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._filters = Filters()
        self._layout = FlowLayout(self, spacing=3)
        self._chips: dict[str, _ChipButton] = {}
        for chip in CHIPS:
            button = _ChipButton(chip, self)
            button.changed.connect(self._choose)
            button.menu().aboutToShow.connect(self.wanted)
            self._chips[chip.key] = button
            self._layout.addWidget(button)
        self._day = QToolButton(self)
        self._day.setProperty("look", "chip")
        self._day.setProperty("chosen", "true")
        self._day.clicked.connect(self._drop_day)
        self._day.hide()
        self._layout.addWidget(self._day)
        self._clear = QPushButton(t("Clear filters"), self)
        self._clear.setProperty("look", "link")
        self._clear.clicked.connect(self.clear)
        self._clear.hide()
        self._layout.addWidget(self._clear)
        self._paint()
        look.changed.connect(self._paint)

    @property
    def filters(self) -> Filters:
        return self._filters

    @property
    def buttons(self) -> tuple[QToolButton, ...]:
        """The chips, in order."""
        return tuple(self._chips.values())

    def show_filters(self, filters: Filters) -> None:
        """Show these as chosen, without telling."""
        self._filters = filters
        for key, button in self._chips.items():
            button.show_chosen(filters.chosen(key))
        self._day.setVisible(filters.day is not None)
        if filters.day is not None:
            self._day.setText(t("Day: {day} ✕", day=figures.date(filters.day)))
            self._day.setToolTip(t("Show every day again"))
        self._clear.setVisible(filters.is_any)
        self._layout.invalidate()
        self.updateGeometry()

    def offer(self, choices: Choices) -> None:
        """Fill the menus."""
        for button in self._chips.values():
            button.offer(button.chip.offered(choices))

    def clear(self) -> None:
        """Choose nothing."""
        self._take(Filters())

    def _choose(self, key: str, values: object) -> None:
        if isinstance(values, tuple):
            self._take(self._filters.with_chosen(key, values))

    def _drop_day(self) -> None:
        self._take(replace(self._filters, day=None))

    def _take(self, filters: Filters) -> None:
        if filters != self._filters:
            had_focus = self._clear.hasFocus() or self._day.hasFocus()
            self.show_filters(filters)
            if had_focus and not self._clear.isVisible():
                self.buttons[0].setFocus()
            self.changed.emit(filters)

    def _paint(self) -> None:
        for button in self._chips.values():
            button.setIcon(self._look.icon("down", "muted"))


class _ChipButton(QToolButton):
    changed = Signal(str, object)

    def __init__(self, chip: Chip, parent: QWidget) -> None:
        super().__init__(parent)
        self.chip = chip
        self._chosen: tuple[str, ...] = ()
        self._offered: tuple[Choice, ...] = ()
        self.setProperty("look", "chip")
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands behind the word
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setIconSize(QSize(_ARROW, _ARROW))
        menu = _StayingMenu(self)
        menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        menu.setToolTipsVisible(True)
        menu.triggered.connect(self._pick)
        self.setMenu(menu)
        self._fill()
        self._say()

    def sizeHint(self) -> QSize:
        """No wider than word and arrow: all chips are to stand in one line of the smallest usual screen."""
        words = self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic.value, self.text()).width()
        return QSize(words + _BESIDE_TEXT + _SPARE, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def show_chosen(self, values: tuple[str, ...]) -> None:
        if values != self._chosen:
            self._chosen = values
            self._tick()
            self._say()

    def offer(self, offered: tuple[Choice, ...]) -> None:
        if offered != self._offered:
            self._offered = offered
            self._fill()

    def _say(self) -> None:
        title = render(Message(self.chip.title))
        text = t("{filter}: {values}", filter=title, values=chosen_text(self.chip, self._chosen))
        self.setText((text if self._chosen else title).replace("&", "&&"))  # of one, a letter to press is made
        self.setAccessibleName(text if self._chosen else title)
        self.setToolTip(", ".join(map(self.chip.word, self._chosen)))
        self.setProperty("chosen", "true" if self._chosen else "false")
        self.style().unpolish(self)
        self.style().polish(self)
        self.updateGeometry()

    def _fill(self) -> None:
        menu = self.menu()
        standing = menu.activeAction().data() if menu.activeAction() else None
        menu.clear()
        counts = {entry.value: entry.documents for entry in self._offered}
        # What is chosen can be given up although nothing of it occurs any more.
        codes = dict.fromkeys((*fixed(self.chip.key), *list(counts)[:_MOST_OFFERED], *self._chosen))
        for code in codes:
            count = f"\t{figures.count(counts[code])}" if code in counts else ""
            action = QAction(self.chip.word(code).replace("&", "&&") + count, menu)
            action.setCheckable(True)
            action.setData(code)
            menu.addAction(action)
            if code == standing:
                menu.setActiveAction(action)
        if not codes:
            menu.addAction(t("Nothing to choose from here")).setEnabled(False)
        menu.addSeparator()
        every = QAction(t("Show all"), menu)
        every.setData(None)
        menu.addAction(every)
        self._tick()

    def _tick(self) -> None:
        for action in self.menu().actions():
            if action.data() is not None:
                action.setChecked(action.data() in self._chosen)
            elif not action.isSeparator():
                action.setEnabled(bool(self._chosen))

    def _pick(self, action: QAction) -> None:
        code = action.data()
        if code is None:
            values: tuple[str, ...] = ()
        elif code in self._chosen:
            values = tuple(value for value in self._chosen if value != code)
        else:
            values = (*self._chosen, code) if self.chip.several else (code,)
        self.changed.emit(self.chip.key, values)
        self._tick()


class _StayingMenu(QMenu):
    """Stays open while values are ticked, by the mouse or by the space bar."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if not self._toggle(self.actionAt(event.position().toPoint())):
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Space or not self._toggle(self.activeAction()):
            super().keyPressEvent(event)

    def _toggle(self, action: QAction | None) -> bool:
        if action is None or not action.isCheckable() or not action.isEnabled():
            return False
        action.trigger()
        return True
