"""Verdicts as they are kept, read back for whoever lists them: each document with its events."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from confere.app.context import Workspace
from confere.archive.authenticity import verdicts
from confere.archive.documents import details, documents
from confere.archive.documents.documents import DocumentRow
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.transaction import Transaction
from confere.fiscal.authenticity.verdict import Result, SignedKind, Verdict
from confere.fiscal.model import DocumentType

if TYPE_CHECKING:
    from confere.fiscal.authenticity.judge import JudgedDocument

_STEP: Final = 500


@dataclass(frozen=True, slots=True)
class PaperVerdict:
    """The verdict on one paper of a content, with the SHA-256 of the content."""

    judged: JudgedDocument
    sha256: str

    @property
    def verdict(self) -> Verdict:
        """What was found on it."""
        return self.judged.verdict


@dataclass(frozen=True, slots=True)
class DocumentVerdicts:
    """A document with what was found on it and on its events."""

    row: DocumentRow
    document: PaperVerdict
    events: tuple[PaperVerdict, ...]


def stored(workspace: Workspace, query: DocumentQuery | None = None) -> Iterator[DocumentVerdicts]:
    """What is kept of the documents of a query, in its order; those that were not judged are left out."""
    asked = query or DocumentQuery()
    with workspace.reading() as archive:
        with archive.reading() as transaction:
            ids = documents.ids(transaction, asked)
        for start in range(0, len(ids), _STEP):
            with archive.reading() as transaction:
                found = tuple(_stored(transaction, documents.by_ids(transaction, ids[start : start + _STEP])))
            yield from found


def failed(workspace: Workspace, query: DocumentQuery | None = None, limit: int = 50) -> tuple[DocumentVerdicts, ...]:
    """The newest documents of a query that are not authentic, then those with such an event."""
    asked = replace(query or DocumentQuery(), verdict=(Result.FAILED.value,))
    with workspace.reading() as archive, archive.reading() as transaction:
        rows = list(documents.page(transaction, asked, limit))
        told = {row.id for row in rows}
        further = dict.fromkeys(entry for entry in failed_events(transaction, query) if entry not in (None, *told))
        ids = [entry for entry in further if entry is not None][: limit - len(rows)]
        return tuple(_stored(transaction, (*rows, *documents.by_ids(transaction, ids))))


def failed_events(
    transaction: Transaction, query: DocumentQuery | None, *, altered: bool = False
) -> tuple[int | None, ...]:
    """The events of a query's documents that are not authentic, newest first, each by the number of its document.

    Without a query of the whole archive: None for those whose document is not here. `altered`: those alone that were
    changed after signing.
    """
    found = tuple(number for _, number in verdicts.failed_events(transaction, altered=altered))
    if query is None or not found:
        return found
    wanted = set(documents.ids(transaction, query))
    return tuple(number for number in found if number in wanted)


def _stored(transaction: Transaction, rows: Sequence[DocumentRow]) -> Iterator[DocumentVerdicts]:
    from confere.fiscal.authenticity.judge import JudgedDocument  # with all that judges: a window starts without it

    keys = {row.access_key for row in rows if row.access_key}
    events: dict[str, list[details.EventRow]] = {}
    for event in details.events(transaction, keys):
        if event.is_current and event.access_key:
            events.setdefault(event.access_key, []).append(event)
    contents = {row.content_id for row in rows} | {one.content_id for found in events.values() for one in found}
    kept = verdicts.of(transaction, contents)
    known = {(one.content_id, one.kind, one.position): one.verdict for found in kept.values() for one in found}
    first = {
        content: sum(one.kind == verdicts.DOCUMENT for one in found) for content, found in kept.items()
    }  # voidings follow the documents of their content

    def of_event(event: details.EventRow) -> PaperVerdict | None:
        found = known.get((event.content_id, verdicts.EVENT, event.position))
        if found is None:
            return None
        judged = JudgedDocument(SignedKind.EVENT, event.position, event.access_key, event.code, event.sequence, found)
        return PaperVerdict(judged, event.sha256)

    for row in rows:
        voiding = row.type == DocumentType.VOIDING
        position = row.position - first.get(row.content_id, 0) if voiding else row.position
        found = known.get((row.content_id, verdicts.VOIDING if voiding else verdicts.DOCUMENT, position))
        if found is not None:
            kind = SignedKind.VOIDING if voiding else SignedKind.DOCUMENT
            yield DocumentVerdicts(
                row,
                PaperVerdict(JudgedDocument(kind, position, row.access_key, None, None, found), row.sha256),
                tuple(filter(None, map(of_event, events.get(row.access_key or "", ())))),
            )
