"""The rows that a paper's bytes give, as they are due in the tables of documents, each by what tells it apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from confere.archive.documents import document_rows, lone_protocols
from confere.archive.named_rows import NamedRow
from confere.archive.schema.schema import document, event, item, item_reference, lone_answer, tax_group, voiding
from confere.archive.transaction import Row
from confere.fiscal.model import DocumentType, Paper

DOCUMENT: Final = tuple(column.name for column in document.columns)
EVENT: Final = tuple(column.name for column in event.columns)
ANSWER: Final = tuple(column.name for column in lone_answer.columns)
PARTS: Final = {
    table.name: tuple(column.name for column in table.columns) for table in (item, item_reference, tax_group, voiding)
}
"""The columns of the tables whose rows are parts of one document; the first one is the document's number."""
TAXPAYER: Final = ("tax_id", "name", "state_registration", "uf", "city")


class DueDocument(NamedTuple):
    """A document as its bytes alone give it.

    `parts` are rows by table and by what tells them apart, `parties` roles and taxpayers by position. `belongings` are
    what stands in that table once the document is current. `search` are the words that find it.
    """

    name: str
    row: NamedRow
    parts: dict[str, dict[Row, Row]]
    parties: dict[int, tuple[str, Row]]
    owners: dict[str, Row]
    belongings: dict[tuple[str, str], str]
    search: str


def part_key(table: str, row: Row) -> Row:
    """What tells a row of this table of parts from the others of its document."""
    return tuple(row[1:3]) if table == "item_reference" else tuple(row[1:2]) if table != "voiding" else ()


def keys_of(paper: Paper) -> tuple[str, ...]:
    """The access keys that a paper's documents and events are about, each once."""
    keys = [entry.access_key for entry in paper.documents] + [happened.access_key for happened in paper.events]
    return tuple(dict.fromkeys(key for key in keys if key))


def keys_in(paper: Paper) -> tuple[str, ...]:
    """As `keys_of`, and its voidings, which are called by their first number."""
    return (*keys_of(paper), *dict.fromkeys(f"{DocumentType.VOIDING} {voided.first}" for voided in paper.voidings))


def documents(content_id: int, paper: Paper, numbers: dict[tuple[int, int], int]) -> Iterator[DueDocument]:
    """The documents of a paper; `numbers` are those of the rows that are there, by content and position."""
    for position, entry in enumerate(paper.documents):
        number = numbers.get((content_id, position), 0)
        row = document_rows.document_row(number, content_id, position, entry)
        parties = {
            place: (party.role, tuple(document_rows.taxpayer_row(party))[1:])
            for place, party in enumerate(entry.parties)
        }
        owners: dict[str, Row] = {}
        for role, taxpayer in parties.values():
            if role in document_rows.OWNERS:
                owners.setdefault(role, taxpayer)
        parts: dict[str, dict[Row, Row]] = {
            "item": _by_key("item", document_rows.item_rows(number, entry)),
            "item_reference": _by_key("item_reference", document_rows.item_reference_rows(number, entry)),
            "tax_group": _by_key("tax_group", document_rows.tax_rows(number, entry)),
        }
        owned = document_rows.belonging_rows(number, entry)
        yield DueDocument(
            entry.access_key or str(content_id),
            row,
            parts,
            parties,
            owners,
            {(owner, day): direction for owner, day, _, direction in owned},
            document_rows.search_words(entry),
        )
    for position, voided in enumerate(paper.voidings, len(paper.documents)):
        number = numbers.get((content_id, position), 0)
        row = document_rows.voiding_document_row(number, content_id, position, voided)
        emitter = voided.emitter
        yield DueDocument(
            f"{DocumentType.VOIDING} {voided.first}",
            row,
            {"voiding": _by_key("voiding", [document_rows.voiding_row(number, voided)])},
            {},
            {"emitter": tuple(document_rows.emitter_row(emitter))[1:]} if emitter else {},
            {(emitter, row.issued_on): "out"} if emitter else {},
            "",
        )
    if not paper.recognised:
        number = numbers.get((content_id, 0), 0)
        row = document_rows.other_document_row(number, content_id, paper)
        yield DueDocument(str(content_id), row, {}, {}, {}, {}, f"{paper.root} {paper.text}")


def events(content_id: int, paper: Paper) -> dict[int, NamedRow]:
    """The events of a paper, by position, without numbers."""
    return {
        position: document_rows.event_row(0, content_id, position, happened)
        for position, happened in enumerate(paper.events)
    }


def answers(content_id: int, paper: Paper) -> dict[int, Row]:
    """The answers of the authority that stand alone in a paper, by position."""
    return {position: tuple(row) for position, row in enumerate(lone_protocols.rows(content_id, paper))}


def _by_key(table: str, rows: list[NamedRow] | list[Row]) -> dict[Row, Row]:
    return {part_key(table, row): tuple(row) for row in rows}
