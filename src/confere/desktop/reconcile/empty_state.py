"""What stands where there is nothing to show: why, in two sentences, and the way on."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.card import button, clear, label
from confere.desktop.widgets.plain_text import Label

_PICTURE = 48
_WIDEST = 560

Way = tuple[str, Callable[[], None]]
"""What a button says, and what it does."""


class Empty(QWidget):
    """The first of its buttons is the one to press."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._drawing, self._role = "reconcile", "strong_line"
        self._picture = Label()
        self.title, self.text = label("", "heading", wraps=True), label("", "muted", wraps=True)
        for line in (self.title, self.text):
            line.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            line.setMaximumWidth(_WIDEST)
        self._offered: tuple[QPushButton, ...] = ()
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(GAP)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(GAP)
        layout.addStretch(2)
        layout.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignHCenter)
        for line in (self.title, self.text):
            row = QHBoxLayout()
            row.addStretch(1)
            row.addWidget(line, 1000)
            row.addStretch(1)
            layout.addLayout(row)
        layout.addSpacing(GAP)
        layout.addLayout(self._buttons)
        layout.addStretch(3)
        look.changed.connect(self._paint)
        self._paint()

    @property
    def offered(self) -> tuple[QPushButton, ...]:
        """The buttons, in order."""
        return self._offered

    def say(self, drawing: str, title: str, text: str, *ways: Way, role: str = "strong_line") -> None:
        """Say this; told again it stays as it is, so that no button goes from under the mouse."""
        offered = tuple(made.text() for made in self.offered)
        if (self._drawing, self.title.text(), self.text.text(), offered) == (
            drawing,
            title,
            text,
            tuple(name for name, _ in ways),
        ):
            return
        self._drawing, self._role = drawing, role
        self.title.setText(title)
        self.text.setText(text)
        clear(self._buttons)
        self._offered = tuple(button(name, act, "" if number else "primary") for number, (name, act) in enumerate(ways))
        self._buttons.addStretch(1)
        for made in self._offered:
            self._buttons.addWidget(made)
        self._buttons.addStretch(1)
        self._paint()

    def _paint(self) -> None:
        picture = self._look.picture(self._drawing, self._role, _PICTURE, self.devicePixelRatioF())
        self._picture.setPixmap(picture)
