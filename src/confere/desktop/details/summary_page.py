"""The summary of a document: its facts as one page."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from confere.app.documents.view import sections
from confere.app.documents.view.loaded import Loaded
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.fact_page import FactPage
from confere.system.messages import t


class SummaryPage(FactPage):
    """Shows `sections.of`."""

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(look, t("Summary"), parent)

    def show_document(self, loaded: Loaded) -> None:
        """Show this one from its beginning; the same one again where it was."""
        self.show_sections(sections.of(loaded), loaded.place)
