"""What a search asks of the list, and the row that it was meant to find, once its rows are there."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from confere.app.archive_session import OpenArchive
from confere.app.documents import browse
from confere.app.documents.browse import DocumentQuery
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.documents.document_list import DocumentModel, DocumentTable

if TYPE_CHECKING:
    from confere.app.documents.search.search_language import SearchProblem


class SearchResult(QObject):
    """The first row of `model` that shows what was typed; where all were found by something else, the first."""

    def __init__(self, model: DocumentModel, table: DocumentTable, opened: OpenArchive, reader: TopicReader) -> None:
        super().__init__(table)
        self._model, self._table = model, table
        self._opened = opened
        self._reader = reader
        self._is_wanted = False
        model.settled.connect(self._settled)

    def look_for(self, *, is_listed: bool = True) -> None:
        """Stand on it now or, while the list is being asked for, as soon as that is there. `is_listed` False: the list
        shows something else still, because what it needs to be asked for is being read."""
        self._is_wanted = True
        if is_listed and self._model.is_settled:
            self._settled()

    def _settled(self) -> None:
        if self._is_wanted:
            self._is_wanted = False
            opened, query = self._opened, self._model.query
            self._reader.ask("result", lambda: browse.best(opened, query), partial(self._stand, query))

    def _stand(self, query: DocumentQuery, row_id: int | None) -> None:
        if query != self._model.query:
            self.look_for()  # it was asked while the list was not yet asked for
        elif row_id is not None:
            self._table.stand_on(row_id)


def narrowed(base: DocumentQuery, text: str, understood: str) -> tuple[DocumentQuery, SearchProblem | None, str]:
    """`base` narrowed to what `text` asks for, what is wrong with that, and what of it was understood last.

    A search that makes no sense changes nothing: what was `understood` before is asked for again.
    """
    if not text:
        return base, None, ""
    from confere.app.documents.search import search_language  # for whoever searches

    parsed = search_language.parse(text, base)
    if parsed.problems:
        return search_language.parse(understood, base).query, parsed.problems[0], understood
    return parsed.query, None, text
