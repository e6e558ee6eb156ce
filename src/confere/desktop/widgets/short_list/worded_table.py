"""A table below a sentence: what its rows are, or why there are none."""

from __future__ import annotations

from typing import Generic, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QVBoxLayout, QWidget

from confere.desktop.theme.measures import GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.table import Table

T = TypeVar("T")


class WordedTable(QWidget, Generic[T]):
    """A page of tabs. Without words the table has all the room."""

    def __init__(self, table: Table[T], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = table
        self.words = label("", "muted", wraps=True)
        self.words.setContentsMargins(GAP, GAP, GAP, 0)
        self.words.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(GAP)
        column.addWidget(self.words)
        column.addWidget(table, 1)
        self.setFocusProxy(table)

    def say(self, words: str) -> None:
        """Say this above the table; nothing where it is empty. Words about no rows stand alone, without a head."""
        self.words.setText(words)
        self.words.setVisible(bool(words))
        alone = bool(words) and not self.table.rows_model.rows
        self.table.horizontalHeader().setVisible(not alone)
        self.setBackgroundRole(QPalette.ColorRole.Base if alone else QPalette.ColorRole.Window)
        self.setAutoFillBackground(alone)  # one ground behind the words and the table that has nothing
        bars = Qt.ScrollBarPolicy
        self.table.setHorizontalScrollBarPolicy(bars.ScrollBarAlwaysOff if alone else bars.ScrollBarAsNeeded)
