"""What stands where there is nothing yet: three ways to begin."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from confere.desktop.core.actions import Action, Actions
from confere.desktop.theme import icons
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.card import label
from confere.desktop.widgets.plain_text import Label
from confere.system.messages import t

_PICTURE = 72
_MARK = 28
_WIDEST = 940
_NARROW = 720  # below, the ways stand one under the other


class EmptyView(QWidget):
    """`account_wanted` and `demo_wanted` are two of the ways; files are asked for by the window's own action."""

    account_wanted = Signal()
    demo_wanted = Signal()

    def __init__(self, look: Look, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._marks: list[tuple[QLabel, str]] = []
        self._picture = Label()
        self._picture.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        title = label(t("Every fiscal document, kept and at hand"), "title", wraps=True)
        words = label(
            t(
                "Confere fetches NF-e and CT-e from your marketplace hub, keeps them exactly as they came,"
                " and hands over the month. Choose how to begin; everything stays on this computer."
            ),
            "muted",
            wraps=True,
        )
        for line in (title, words):
            line.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        words.setMaximumWidth(_NARROW)
        self._ways = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._ways.setSpacing(WIDE_GAP)
        self.connect_button = self._way(
            "link",
            t("Connect an account"),
            t("Fetch the documents of your companies from the hub, now and every month. You need the hub's token."),
            t("Connect…"),
        )
        self.demo_button = self._way(
            "play",
            t("Open the sandbox"),
            t("Look around with invented documents of invented companies. Nothing is sent anywhere."),
            t("Open the sandbox"),
        )
        self.files_button = self._way(
            "import",
            t("Drop XML, ZIP or folders here"),
            t("Bring in what you have already: drop it anywhere on this window, or choose files."),
            t("Choose files…"),
        )
        self.connect_button.setProperty("look", "primary")
        self.connect_button.clicked.connect(self.account_wanted)
        self.demo_button.clicked.connect(self.demo_wanted)
        self.files_button.clicked.connect(actions[Action.IMPORT_FILES].trigger)
        middle = QWidget()
        middle.setMaximumWidth(_WIDEST)
        column = QVBoxLayout(middle)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        column.addWidget(self._picture)
        column.addSpacing(GAP)
        column.addWidget(title)
        column.addLayout(_centred(words))
        column.addSpacing(WIDE_GAP)
        column.addLayout(self._ways)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP * 2, WIDE_GAP * 2, WIDE_GAP * 2, WIDE_GAP * 2)
        layout.addStretch(2)
        layout.addLayout(_centred(middle))
        layout.addStretch(3)
        self._paint()
        look.changed.connect(self._paint)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        directions = QBoxLayout.Direction
        self._ways.setDirection(directions.TopToBottom if self.width() < _NARROW else directions.LeftToRight)

    def _way(self, drawing: str, title: str, words: str, verb: str) -> QPushButton:
        card = QFrame()
        card.setProperty("card", True)
        mark = Label()
        self._marks.append((mark, drawing))
        does = QPushButton(verb)
        does.setAccessibleDescription(words)
        column = QVBoxLayout(card)
        column.setContentsMargins(WIDE_GAP + 4, WIDE_GAP + 4, WIDE_GAP + 4, WIDE_GAP + 4)
        column.setSpacing(GAP)
        column.addWidget(mark)
        column.addWidget(label(title, "heading", wraps=True))
        column.addWidget(label(words, "muted", wraps=True), 1, Qt.AlignmentFlag.AlignTop)
        column.addSpacing(GAP)
        column.addWidget(does, 0, Qt.AlignmentFlag.AlignLeft)
        self._ways.addWidget(card, 1)
        return does

    def _paint(self) -> None:
        density = self.devicePixelRatioF()
        self._picture.setPixmap(icons.pixmap("confere", self._look.colours.accent, _PICTURE, density))
        for mark, drawing in self._marks:
            mark.setPixmap(icons.pixmap(drawing, self._look.colours.accent, _MARK, density))


def _centred(widget: QWidget) -> QHBoxLayout:
    """As wide as it may be, in the middle."""
    row = QHBoxLayout()
    row.addStretch(1)
    row.addWidget(widget, 1000)
    row.addStretch(1)
    return row
