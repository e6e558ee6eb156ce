"""The bar of the list of documents at work: what is selected, and what becomes of it or of all that is listed."""

from __future__ import annotations

from array import array

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from confere.app.documents.browse import DocumentTotals
from confere.desktop.documents import selection_saver, totals_text
from confere.desktop.documents.clipboard import copy_keys
from confere.desktop.documents.document_list import DocumentTable
from confere.desktop.documents.totals_text import DocumentSums
from confere.desktop.jobs.job_requests import SavedForm
from confere.desktop.services import Services
from confere.desktop.widgets.long_list.selection_bar import FEW, SelectionBar


class SelectionActions(QObject):
    """Belongs to `page`. `ask` says how a person is asked for a place."""

    def __init__(self, services: Services, table: DocumentTable, sums: DocumentSums, page: QWidget) -> None:
        super().__init__(page)
        self._services, self._table, self._page = services, table, page
        self.ask = selection_saver.SYSTEM_DIALOGS
        self.bar = SelectionBar(services.look, selection_saver.commands(), page)
        self.bar.wanted.connect(lambda key: self._do(table.selected_ids(), key))
        self.bar.all_wanted.connect(lambda key: self._do(table.listed_ids(), key))
        sums.selection_changed.connect(self._show)

    def save_xml(self) -> bool:
        """Save the XML of all selected rows where there are several; whether there are."""
        ids = self._table.selected_ids()
        if not self._page.isVisible() or len(ids) < FEW:
            return False
        self._do(ids, SavedForm.ZIP)
        return True

    def _show(self, count: int, totals: DocumentTotals | None) -> None:
        words = "" if totals is None else totals_text.selection_text(totals)
        self.bar.show_counts(len(self._table.listed_ids()), count, words)

    def _do(self, ids: array[int], key: str) -> None:
        if key == selection_saver.KEYS:
            copy_keys(self._services, ids)
        else:
            selection_saver.save(self._services, self._page, ids, SavedForm(key), self.ask)
