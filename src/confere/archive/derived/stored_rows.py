"""The rows of documents that the archive holds of some contents, each by what tells it apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from confere.archive.derived.due_rows import ANSWER, DOCUMENT, EVENT, PARTS, TAXPAYER, part_key
from confere.archive.documents import document_rows
from confere.archive.named_rows import NamedRow
from confere.archive.transaction import Row, Transaction
from confere.fiscal.model import Paper

_BEYOND: Final = 1_000_000_000  # positions; no paper has as many documents
_OWNERS: Final = tuple((role, f"{role}_id") for role in document_rows.OWNERS)


@dataclass(frozen=True, slots=True)
class StoredRows:
    """`documents`, `events` and `answers` by content and position; `parts` and `parties` by the document's number.

    `taxpayers` are those that the documents and their parties speak of, by number.
    """

    documents: dict[int, dict[int, NamedRow]] = field(default_factory=lambda: defaultdict(dict))
    events: dict[int, dict[int, NamedRow]] = field(default_factory=lambda: defaultdict(dict))
    answers: dict[int, dict[int, Row]] = field(default_factory=lambda: defaultdict(dict))
    parts: dict[int, dict[str, dict[Row, Row]]] = field(default_factory=dict)
    parties: dict[int, dict[int, tuple[str, int]]] = field(default_factory=lambda: defaultdict(dict))
    taxpayers: dict[int, Row] = field(default_factory=dict)

    @property
    def numbers(self) -> dict[tuple[int, int], int]:
        """The numbers of the documents by content and position."""
        return {
            (content_id, position): row.id
            for content_id, rows in self.documents.items()
            for position, row in rows.items()
        }

    @property
    def keys(self) -> set[str]:
        """What the documents and events are about."""
        rows = [row for of_content in (*self.documents.values(), *self.events.values()) for row in of_content.values()]
        return {row.access_key for row in rows if row.access_key}


def of_papers(transaction: Transaction, papers: Mapping[int, Paper]) -> StoredRows:
    """The rows of these contents; those at a place that the paper does not have take a place of it that has no row."""
    stored = StoredRows()
    taxpayers: set[int] = set()
    ids: list[int] = []
    for row in transaction.named_in(f"SELECT {', '.join(DOCUMENT)} FROM document WHERE content_id IN {{}}", papers):
        _put(stored.documents[row.content_id], row)
        ids.append(row.id)
        taxpayers.update(number for _, column in _OWNERS if (number := getattr(row, column)) is not None)
    for row in transaction.named_in(f"SELECT {', '.join(EVENT)} FROM event WHERE content_id IN {{}}", papers):
        _put(stored.events[row.content_id], row)
    for row in transaction.named_in(f"SELECT {', '.join(ANSWER)} FROM lone_answer WHERE content_id IN {{}}", papers):
        stored.answers[row.content_id][row.position] = row
    for content_id, paper in papers.items():
        documents = len(paper.documents) + len(paper.voidings) + (not paper.recognised)
        _align(stored.documents, content_id, documents)
        _align(stored.events, content_id, len(paper.events))
        _align(stored.answers, content_id, len(paper.answers))
    stored.parts.update((number, {table: {} for table in PARTS}) for number in ids)
    for table, columns in PARTS.items():
        for row in transaction.named_in(f"SELECT {', '.join(columns)} FROM {table} WHERE document_id IN {{}}", ids):
            stored.parts[row.document_id][table][part_key(table, row)] = row
    for row in transaction.named_in(
        "SELECT document_id, position, role, taxpayer_id FROM party WHERE document_id IN {}", ids
    ):
        stored.parties[row.document_id][row.position] = (row.role, row.taxpayer_id)
        taxpayers.add(row.taxpayer_id)
    for number, *values in transaction.fetch_in(
        f"SELECT id, {', '.join(TAXPAYER)} FROM taxpayer WHERE id IN {{}}", taxpayers
    ):
        stored.taxpayers[number] = tuple(values)
    return stored


def belongings(transaction: Transaction, document_ids: Collection[int]) -> dict[int, dict[tuple[str, str], str]]:
    """The directions in `belonging` of these documents, by owner and day; looked up by whose and of when they are."""
    stored: dict[int, dict[tuple[str, str], str]] = defaultdict(dict)
    for row in transaction.named_in(
        "SELECT b.tax_id, b.issued_on, b.document_id, b.direction FROM document d"
        " CROSS JOIN (SELECT DISTINCT x.document_id, t.tax_id FROM party x JOIN taxpayer t ON t.id = x.taxpayer_id"
        " UNION SELECT document_id, emitter FROM voiding) o ON o.document_id = d.id"
        " CROSS JOIN belonging b ON b.tax_id = o.tax_id AND b.issued_on = d.issued_on AND b.document_id = d.id"
        " WHERE d.id IN {}",
        document_ids,
    ):
        stored[row.document_id][row.tax_id, row.issued_on] = row.direction
    return stored


def _put(rows: dict[int, NamedRow], row: NamedRow) -> None:
    position = row.position
    while position in rows:  # nothing forbids two rows at one place
        position += _BEYOND
    rows[position] = row


def _align(rows: dict[int, dict[int, Any]], content_id: int, count: int) -> None:
    of_content = rows.get(content_id)
    if of_content is None or of_content.keys() == set(range(count)):
        return
    free = [position for position in range(count) if position not in of_content]
    beyond = sorted(position for position in of_content if not 0 <= position < count)
    for position, other in zip(beyond, free, strict=False):
        of_content[other] = of_content.pop(position)
