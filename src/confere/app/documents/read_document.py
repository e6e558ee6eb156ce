"""The use case "read a paper to its last line": the archive keeps rows for lists, the paper itself has the rest."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from confere.app.archive_session import OpenArchive
from confere.archive.documents.details import EventRow
from confere.archive.documents.documents import DocumentRow
from confere.archive.store import Archive
from confere.errors import PaperError
from confere.fiscal.model import Document, Event

_NONE: Final = -1  # no document's position: events alone


@dataclass(frozen=True, slots=True)
class WholePaper:
    """The document of a row with its `detail`, and events with their `fields` by the id of their row.

    `document` is None where the row's content cannot be read, or is of a kind that is not.
    """

    document: Document | None
    events: dict[int, Event]


def whole(opened: OpenArchive, row: DocumentRow | None, events: Collection[EventRow] = ()) -> WholePaper:
    """Read the contents of `row` and `events` again, to the last line: about a millisecond each."""
    return whole_of(opened.archive(), row, events)


def whole_of(archive: Archive, row: DocumentRow | None, events: Collection[EventRow] = ()) -> WholePaper:
    """As `whole`, for a command with the archive open."""
    from confere.fiscal.reading.document import read  # lxml, which a start of the window does not wait for

    wanted = {entry.content_id for entry in events} | ({row.content_id} if row is not None else set())
    papers = {}
    for content_id in wanted:
        try:
            of_it = [row.position] if row is not None and row.content_id == content_id else [_NONE]
            papers[content_id] = read(archive.content(content_id), whole=of_it)
        except PaperError:
            continue  # kept unreadable: the list of those says why
    document = None
    if row is not None and row.content_id in papers:
        documents = papers[row.content_id].documents
        document = documents[row.position] if row.position < len(documents) else None
    found = {}
    for entry in events:
        happened = papers[entry.content_id].events if entry.content_id in papers else ()
        if entry.position < len(happened):
            found[entry.id] = happened[entry.position]
    return WholePaper(document, found)
