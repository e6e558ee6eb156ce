"""The row of chips above the list: each opens a menu of what occurs, and shows what was chosen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from confere.desktop.documents.filters import CHIPS, Chip, DocumentFilters, fixed
from confere.desktop.documents.mark_chip import MarkChip
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.chip import ChipButton, Offer
from confere.desktop.widgets.flow_layout import FlowLayout
from confere.errors import Message
from confere.system import formatting
from confere.system.messages import render, t

if TYPE_CHECKING:
    from confere.app.documents.browse import Choices


class ChipRow(QWidget):
    """Shows `filters`; `changed` comes when a person chose otherwise, `wanted` when a menu needs fresh choices."""

    changed = Signal(object)
    wanted = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._filters = DocumentFilters()
        self._layout = FlowLayout(self, spacing=3)
        self._chips: dict[str, ChipButton] = {}
        for chip in CHIPS:
            button = MarkChip(chip, look, self) if chip.mark else _made(chip, self)
            button.changed.connect(self._choose)
            button.menu().aboutToShow.connect(self.wanted)
            self._chips[chip.key] = button
            self._layout.addWidget(button)
        self._day = QToolButton(self)
        self._day.setProperty("look", "chip")
        self._day.setProperty("chosen", "true")
        self._day.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._day.setAccessibleDescription(t("Show every day again"))
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
    def filters(self) -> DocumentFilters:
        return self._filters

    @property
    def buttons(self) -> tuple[QToolButton, ...]:
        """The chips, in order."""
        return tuple(self._chips.values())

    def show_filters(self, filters: DocumentFilters) -> None:
        """Show these as chosen, without telling."""
        self._filters = filters
        for key, button in self._chips.items():
            button.show_chosen(filters.chosen(key))
        self._day.setVisible(filters.day is not None)
        if filters.day is not None:
            day = formatting.date(filters.day)
            self._day.setText(t("Day: {day} ✕", day=day))
            self._day.setAccessibleName(t("{filter}: {values}", filter=t("Day"), values=day))
            self._day.setToolTip(t("Show every day again"))
        self._clear.setVisible(filters.is_any)
        self._layout.invalidate()
        self.updateGeometry()

    def offer(self, choices: Choices) -> None:
        """Fill the menus."""
        for chip in CHIPS:
            self._chips[chip.key].offer([Offer(entry.value, entry.documents) for entry in chip.offered(choices)])

    def clear(self) -> None:
        """Choose nothing."""
        self._take(DocumentFilters())

    def _choose(self, key: str, values: object) -> None:
        if isinstance(values, tuple):
            self._take(self._filters.with_chosen(key, values))

    def _drop_day(self) -> None:
        self._take(replace(self._filters, day=None))

    def _take(self, filters: DocumentFilters) -> None:
        if filters != self._filters:
            had_focus = self._clear.hasFocus() or self._day.hasFocus()
            self.show_filters(filters)
            if had_focus and not self._clear.isVisible():
                self.buttons[0].setFocus()
            self.changed.emit(filters)

    def _paint(self) -> None:
        for chip in CHIPS:
            if not chip.mark:
                self._chips[chip.key].setIcon(self._look.icon("down", "muted"))


def _made(chip: Chip, row: QWidget) -> ChipButton:
    return ChipButton(
        chip.key, render(Message(chip.title)), chip.word, several=chip.several, fixed=fixed(chip.key), parent=row
    )
