"""Versions at the left, what changed with the chosen one at the right: two tables, a line of words, a button."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSplitter, QVBoxLayout, QWidget

from confere.desktop.theme.measures import GAP
from confere.desktop.widgets.card import button, label
from confere.desktop.widgets.table import Table
from confere.system.messages import t

_SHARES = (3, 5)


class VersionPanes(QWidget):
    """`words` stands above `changes`, beside the button that does `copy_json`."""

    def __init__(
        self,
        versions: Table[Any],
        changes: Table[Any],
        copy_json: Callable[[], None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.words: QLabel = label("", "muted", wraps=True)
        self.json = button(t("Copy the JSON"), copy_json, "link")
        self.json.setToolTip(t("Copy the chosen version exactly as it was received"))
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(GAP, 4, GAP, 4)
        head.addWidget(self.words, 1)
        head.addWidget(self.json)
        column.addLayout(head)
        column.addWidget(changes, 1)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        for number, widget in enumerate((versions, right)):
            splitter.addWidget(widget)
            splitter.setStretchFactor(number, _SHARES[number])
        splitter.setSizes([share * 1_000 for share in _SHARES])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(splitter)
        self.setFocusProxy(versions)
