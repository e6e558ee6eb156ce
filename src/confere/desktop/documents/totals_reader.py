"""Keeps the line about what is listed and selected up to date; sums are taken beside the window."""

from __future__ import annotations

from array import array

from PySide6.QtCore import QObject, Signal

from confere.app.archive_session import OpenArchive
from confere.app.documents import browse
from confere.app.documents.browse import DocumentQuery, DocumentTotals
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.documents import totals_text

_NOTHING = DocumentTotals(0, 0, 0, 0)


class Summing(QObject):
    """`changed` brings the line whenever a part of it is known anew."""

    changed = Signal(str)

    def __init__(self, opened: OpenArchive, reader: TopicReader, parent: QObject) -> None:
        super().__init__(parent)
        self._opened = opened
        self._reader = reader
        self._listed: DocumentTotals | None = None
        self._selected = ""

    @property
    def hint(self) -> str:
        """What the sum leaves out; empty where it leaves out nothing."""
        return "" if self._listed is None else totals_text.explained(self._listed)

    def sum_listed(self, query: DocumentQuery) -> None:
        """Sum up everything that `query` lists."""
        opened = self._opened
        self._reader.ask("totals", lambda: browse.totals(opened, query), self._take_listed)

    def sum_nothing(self) -> None:
        """Nothing is listed."""
        self._reader.forget("totals")
        self._selected = ""
        self._take_listed(_NOTHING)

    def sum_selected(self, ids: array[int]) -> None:
        """Sum up these rows, where there are several."""
        count = len(ids)
        if count < 2:
            self._reader.forget("selected")
            self._selected = ""
            self._say()
            return
        self._selected = totals_text.selected_text(count)
        opened = self._opened
        self._reader.ask("selected", lambda: browse.totals_of(opened, ids), self._take_selected)

    def _take_listed(self, totals: DocumentTotals) -> None:
        self._listed = totals
        self._say()

    def _take_selected(self, totals: DocumentTotals) -> None:
        self._selected = totals_text.selected_text(totals.count, totals.worth)
        self._say()

    def _say(self) -> None:
        listed = "" if self._listed is None else totals_text.listed_text(self._listed)
        self.changed.emit(" · ".join(filter(None, (listed, self._selected))))
