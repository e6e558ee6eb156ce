"""What a page shows where nothing is to be listed: why, and the way on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from confere.app.labels import labels
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.card import label
from confere.desktop.widgets.plain_text import Label
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.fiscal.periods import MonthSpan

_PICTURE = 48


class EmptyList(QWidget):
    """Two faces: nothing archived yet, or nothing that matches.

    `title` and `text` are of the first, with a button for each of `ways`: a text and the action that it triggers.
    """

    clear_wanted = Signal()
    every_month_wanted = Signal()
    month_wanted = Signal(str)
    """`YYYY-MM`."""

    def __init__(
        self,
        look: Look,
        drawing: str,
        title: str,
        text: str,
        ways: Sequence[tuple[str, QAction]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._look = look
        self._drawing = self._usual = drawing
        self._none = (title, text)
        self._picture = Label()
        self._title, self._text = label("", "heading", wraps=True), label("", "muted", wraps=True)
        for line in (self._title, self._text):
            line.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._ways = tuple(QPushButton(words) for words, _ in ways)
        for button, (_, action) in zip(self._ways, ways, strict=True):
            button.clicked.connect(action.trigger)
            button.setEnabled(action.isEnabled())
            action.enabledChanged.connect(button.setEnabled)
        self._clear = QPushButton(t("Clear search and filters"))
        self._clear.clicked.connect(self.clear_wanted)
        self._every = QPushButton(t("Search in every month"))
        self._every.clicked.connect(self.every_month_wanted)
        self._last_month = ""
        self._month = QPushButton()
        self._month.clicked.connect(lambda: self.month_wanted.emit(self._last_month))
        self._buttons = (*self._ways, self._clear, self._month, self._every)
        row = QHBoxLayout()
        row.setSpacing(GAP)
        row.addStretch(1)
        for button in self._buttons:
            row.addWidget(button)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(GAP)
        layout.addStretch(2)
        layout.addWidget(self._picture, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(self._title)
        layout.addWidget(self._text)
        layout.addSpacing(GAP)
        layout.addLayout(row)
        layout.addStretch(3)
        self._paint()
        look.changed.connect(self._paint)

    @property
    def offered(self) -> tuple[str, ...]:
        """The buttons that are shown, by their text."""
        return tuple(button.text() for button in self._buttons if not button.isHidden())

    @property
    def title(self) -> str:
        return self._title.text()

    @property
    def text(self) -> str:
        return self._text.text()

    def explain(self, text: str) -> None:
        """What is said from now on where the archive has nothing of it."""
        self._none = (self._none[0], text)

    def nothing_here(self) -> None:
        """The archive has nothing of it, or is not there."""
        self._say(*self._none, self._usual)
        self._offer(*self._ways)

    def nothing_found(self, *, narrowed: bool, in_a_month: bool, elsewhere: bool) -> None:
        """Nothing matches; `narrowed` by search or filters, and `elsewhere` where other months have some."""
        if elsewhere:
            text = t("Other months have some.")
        elif narrowed:
            text = t("Change the search or the filters.")
        else:
            text = t("Choose another company or month.")
        title = t("Nothing in this month") if in_a_month and not narrowed else t("Nothing matches")
        self._say(title, text, "search")
        self._offer(*((self._clear,) if narrowed else ()), *((self._every,) if elsewhere else ()))

    def found_elsewhere(self, months: MonthSpan, *, narrowed: bool) -> None:
        """Nothing matches in the month or period in use; in `months`, of which the last is known, something does."""
        title = t("Nothing matches") if narrowed else t("Nothing in this month")
        self._say(title, labels.other_months_text(months), "search")
        self._last_month = months.last or ""
        self._month.setText(t("Show {month}", month=labels.month_word(self._last_month)))
        self._offer(
            *((self._clear,) if narrowed else ()),
            self._month,
            *((self._every,) if months.first != months.last else ()),
        )

    def _say(self, title: str, text: str, drawing: str) -> None:
        self._title.setText(title)
        self._text.setText(text)
        self._drawing = drawing
        self._paint()

    def _offer(self, *buttons: QPushButton) -> None:
        for button in self._buttons:
            button.setVisible(button in buttons)

    def _paint(self) -> None:
        self._picture.setPixmap(self._look.picture(self._drawing, "strong_line", _PICTURE, self.devicePixelRatioF()))
