"""Small dialogs of the page: the reason for a decision, and which orders and documents it is about."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.dialog_buttons import buttons_of
from confere.system.messages import t

_WIDTH = 460
_LINES = 5


class ReasonDialog(QDialog):
    """Asks for a text. `text` is what was written; one that is `needed` keeps the button off while it is empty."""

    def __init__(
        self,
        title: str,
        words: str,
        verb: str,
        *,
        needed: bool = False,
        before: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumWidth(_WIDTH)
        self._needed = needed
        self.edit = QPlainTextEdit(before)
        self.edit.setAccessibleName(title)
        self.edit.setTabChangesFocus(True)
        self.edit.setPlaceholderText(t("Reason") if needed else t("Reason, if there is one to tell"))
        self.edit.setFixedHeight(self.fontMetrics().lineSpacing() * _LINES)
        self.does = QPushButton(verb)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(WIDE_GAP - 4)
        layout.addWidget(label(words, wraps=True))
        layout.addWidget(self.edit)
        layout.addWidget(buttons_of(self, self.does))
        self.edit.textChanged.connect(self._changed)
        self._changed()
        self.edit.setFocus()

    @property
    def text(self) -> str:
        return self.edit.toPlainText().strip()

    def _changed(self) -> None:
        self.does.setEnabled(bool(self.text) or not self._needed)


class TogetherDialog(QDialog):
    """Which orders and documents; `orders` and `keys` are those that are ticked, one of each at least."""

    def __init__(
        self,
        title: str,
        words: str,
        verb: str,
        orders: Sequence[tuple[str, str]],
        papers: Sequence[tuple[str, str]],
        parent: QWidget | None = None,
    ) -> None:
        """`orders` and `papers` are names with what people call them."""
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setMinimumWidth(_WIDTH)
        self._orders = [(name, _box(text)) for name, text in orders]
        self._papers = [(key, _box(text)) for key, text in papers]
        self.does = QPushButton(verb)
        sides = QHBoxLayout()
        sides.setSpacing(WIDE_GAP)
        for heading, boxes in ((t("Orders"), self._orders), (t("Documents"), self._papers)):
            sides.addLayout(_column(heading, [box for _, box in boxes]))
        inside = QWidget()
        inside.setProperty("plain", True)
        inside.setLayout(sides)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        area.setWidget(inside)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(WIDE_GAP - 4)
        layout.addWidget(label(words, wraps=True))
        layout.addWidget(area, 1)
        layout.addWidget(buttons_of(self, self.does))
        for _, box in (*self._orders, *self._papers):
            box.toggled.connect(self._changed)
        self._changed()

    @property
    def orders(self) -> tuple[str, ...]:
        return tuple(name for name, box in self._orders if box.isChecked())

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(name for name, box in self._papers if box.isChecked())

    def _changed(self) -> None:
        self.does.setEnabled(bool(self.orders and self.keys))


def _box(text: str) -> QCheckBox:
    made = QCheckBox(text.replace("&", "&&"))
    made.setChecked(True)
    return made


def _column(heading: str, boxes: Sequence[QCheckBox]) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(GAP)
    column.addWidget(label(heading, "heading"))
    for box in boxes:
        column.addWidget(box)
    column.addStretch(1)
    return column
