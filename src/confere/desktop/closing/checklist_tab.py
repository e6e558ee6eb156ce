"""The tab Checklist of the page Closing: what was looked at of a company and a month, line by line with its proof."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from confere.desktop.services import Services


class ChecklistTab(QWidget):
    """`state_changed` has the word for the state of the month and the kind of its pill."""

    state_changed = Signal(str, str)

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        QVBoxLayout(self)

    def show_scope(self, company: str | None, month: str | None) -> None:
        """Ask what is known of this company (None for all) and month (`YYYY-MM`)."""
