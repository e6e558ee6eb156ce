"""The head of a table, whose words are shortened with a sign of it where there is no room for all of them."""

from __future__ import annotations

from math import ceil
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QWidget

_DISPLAY: Final = Qt.ItemDataRole.DisplayRole
_SIDES: Final = 17  # pixels beside the words of a head, its line included
ARROW_ROOM: Final = 12
"""Pixels that the arrow of the sorted one takes from its words."""
_ROUNDED: Final = 0.5  # on dense screens letters stand between two pixels


class ElidedHeader(QHeaderView):
    """Qt shortens the words as if they were not bold, and with less room at their sides than the style sheet gives."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, section: int) -> None:
        super().initStyleOptionForIndex(option, section)
        words = self.model().headerData(section, self.orientation(), _DISPLAY)
        if words:
            has_arrow = self.isSortIndicatorShown() and self.sortIndicatorSection() == section
            room = self.sectionSize(section) - _SIDES - (ARROW_ROOM if has_arrow else 0)
            option.text = _bold(self).elidedText(words, Qt.TextElideMode.ElideRight, max(room, 0) + _ROUNDED)


def head_width(header: QHeaderView, words: str) -> int:
    """What a head needs to be read whole; Qt's own hint has room for the arrow of the sorted one in each."""
    return ceil(_bold(header).horizontalAdvance(words)) + _SIDES


def _bold(header: QHeaderView) -> QFontMetricsF:
    font = QFont(header.font())
    font.setWeight(QFont.Weight.DemiBold)
    return QFontMetricsF(font)
