"""The places of what a later release brings: said plainly, with what works meanwhile."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from confere.desktop.theme.measures import WIDE_GAP
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.plain_text import Label

_ICON = 48
_TEXT_WIDTH = 460


class ComingPage(QWidget):
    """An icon, a title and two sentences."""

    def __init__(self, look: Look, icon: str, title: str, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._icon_name = icon
        layout = QVBoxLayout(self)
        layout.setSpacing(WIDE_GAP)
        layout.addStretch(1)
        self._icon = Label()
        layout.addWidget(self._icon, alignment=Qt.AlignmentFlag.AlignHCenter)
        heading = Label(title)
        heading.setProperty("rank", "title")
        layout.addWidget(heading, alignment=Qt.AlignmentFlag.AlignHCenter)
        words = Label(text)
        words.setProperty("rank", "muted")
        words.setWordWrap(True)
        words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        words.setMinimumWidth(_TEXT_WIDTH)
        words.setMaximumWidth(_TEXT_WIDTH)
        words.ensurePolished()
        words.setMinimumHeight(words.heightForWidth(_TEXT_WIDTH))  # aligned, the layout would take it for wider
        layout.addWidget(words, alignment=Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch(2)
        look.changed.connect(self._paint)
        self._paint()

    def _paint(self) -> None:
        self._icon.setPixmap(self._look.picture(self._icon_name, "strong_line", _ICON, self.devicePixelRatioF()))
