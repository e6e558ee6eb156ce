"""The list of documents: the long list, of documents."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from confere.app.archive_session import OpenArchive
from confere.app.documents import browse
from confere.app.documents.browse import DocumentQuery, DocumentRow
from confere.desktop.core.background_reader import BackgroundReader
from confere.desktop.core.error_reporting import Faults
from confere.desktop.core.window_memory import Memory
from confere.desktop.documents.columns import PLAN, Glance
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.long_list.list_model import LongListModel, PaintedRow
from confere.desktop.widgets.long_list.list_table import LongListTable
from confere.errors import ConfereError
from confere.system.messages import render, t


class DocumentModel(LongListModel[DocumentRow, DocumentQuery, Glance]):
    """The documents of a query, as a `Glance` sees them."""

    def __init__(
        self, opened: OpenArchive, reader: BackgroundReader, faults: Faults, look: Look, parent: QObject | None = None
    ) -> None:
        super().__init__(
            PLAN, browse, DocumentQuery(), Glance(), "documents.list", opened, reader, faults, look, parent
        )

    def _tip(self, line: PaintedRow[DocumentRow], column: int) -> str:
        """The cell's own tip and, of what a search found by something that no cell shows, why it is here."""
        tip = super()._tip(line, column)
        if self.query.matching is None:
            return tip
        try:
            reasons = browse.reasons(self._opened, line.row, self.query)
        except ConfereError:
            return tip  # a tip is no place to say what is wrong with the archive: the list does
        why = (t("Found by: {reason}", reason=render(reason)) for reason in reasons)
        return "\n".join(filter(None, (tip, *why)))


class DocumentTable(LongListTable[DocumentRow, DocumentQuery, Glance]):
    """Shows a `DocumentModel`."""

    def __init__(self, model: DocumentModel, look: Look, memory: Memory, parent: QWidget | None = None) -> None:
        super().__init__(model, t("Documents"), "documents/columns", look, memory, parent)
