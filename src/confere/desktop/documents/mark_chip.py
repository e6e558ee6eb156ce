"""A chip that is drawn as the head of its column is: its name is said where something is chosen, and when asked."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from confere.desktop.documents.filters import Chip, fixed
from confere.desktop.theme.measures import ICON
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.chip import ChipButton
from confere.desktop.widgets.plain_text import as_tip
from confere.errors import Message
from confere.system.messages import render

_ARROW = 10
_GAP = 2
_PLAIN = QSize(_ARROW, _ARROW)
_MARKED = QSize(ICON + _GAP + _ARROW, ICON)
_SIDES = 12  # padding and border of the style sheet


class MarkChip(ChipButton):
    """All chips are to stand in one line of the smallest usual screen: words alone would not."""

    _look: Look | None = None  # before it is known nothing is drawn

    def __init__(self, chip: Chip, look: Look, parent: QWidget | None = None) -> None:
        title = render(Message(chip.title))
        super().__init__(chip.key, title, chip.word, several=chip.several, fixed=fixed(chip.key), parent=parent)
        self._look, self._mark = look, chip.mark
        look.changed.connect(self._draw)
        self._say()

    def sizeHint(self) -> QSize:
        """As high as a chip with a word, whatever the font."""
        hint = super().sizeHint()
        if self.text():
            return hint
        line = self.fontMetrics().height()
        return QSize(_MARKED.width() + _SIDES, hint.height() - max(ICON, line) + line)

    def _say(self) -> None:
        super()._say()
        if not self._chosen:
            self.setText("")
            self.setToolTip(as_tip(self._title))
        self._draw()

    def _draw(self) -> None:
        if self._look is None:
            return
        self.setIconSize(_PLAIN if self._chosen else _MARKED)
        self.setIcon(self._look.icon("down", "muted") if self._chosen else self._marked(self._look))

    def _marked(self, look: Look) -> QIcon:
        """The drawing with the arrow behind it."""
        density = self.devicePixelRatioF()
        drawn = QPixmap(_MARKED * density)
        drawn.setDevicePixelRatio(density)
        drawn.fill(Qt.GlobalColor.transparent)
        painter = QPainter(drawn)
        painter.drawPixmap(0, 0, look.picture(self._mark, "text", ICON, density))
        arrow = look.picture("down", "muted", _ARROW, density)
        painter.drawPixmap(ICON + _GAP, (ICON - _ARROW) // 2, arrow)
        painter.end()
        return QIcon(drawn)
