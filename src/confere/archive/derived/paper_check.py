"""Holding the rows of documents against what their bytes, hub records and verdicts give, column by column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from confere.archive.derived import due_rows, relation_check, search_check, settled_columns, stored_rows
from confere.archive.derived.difference import WHOLE_ROW, ValueDifference, compared
from confere.archive.derived.due_rows import ANSWER, DOCUMENT, EVENT, PARTS, TAXPAYER, DueDocument
from confere.archive.derived.settled_columns import SettledColumns
from confere.archive.derived.stored_rows import StoredRows
from confere.archive.documents import document_rows
from confere.archive.documents.reindex import Read
from confere.archive.transaction import Row, Transaction
from confere.fiscal.model import DocumentType, Paper

_PARTY: Final = ("position", "role")
_BELONGING: Final = ("tax_id", "issued_on", "direction")


def differences(
    transaction: Transaction, papers: Mapping[int, Paper], read: Read
) -> dict[int, tuple[ValueDifference, ...]]:
    """Where rows of these contents (by number) are not what they are to be; those without a difference are left out.

    `read` gives the papers of further contents, where a relation must be looked up in them.
    """
    stored = stored_rows.of_papers(transaction, papers)
    numbers = stored.numbers
    due = {content_id: list(due_rows.documents(content_id, paper, numbers)) for content_id, paper in papers.items()}
    keys = stored.keys | {name for paper in papers.values() for name in due_rows.keys_of(paper)}
    check = _Check(transaction, stored, settled_columns.of(transaction, keys, papers))
    check.look_up_belongings(due)
    relations = relation_check.differences(transaction, papers, read)
    words = search_check.differences(
        transaction,
        {
            document.row.id: (document.name, document.search, {owner for owner, _ in document.belongings})
            for of_content in due.values()
            for document in of_content
            if document.row.id
        },
    )
    differing: dict[int, tuple[ValueDifference, ...]] = {}
    for content_id, paper in papers.items():
        of_content = list(check.paper(content_id, paper, due[content_id]))
        of_content += relations.get(content_id, ())
        for document in due[content_id]:
            of_content += words.get(document.row.id, ())
        if of_content:
            differing[content_id] = tuple(dict.fromkeys(of_content))
    return differing


class _Check:
    def __init__(self, transaction: Transaction, stored: StoredRows, settled: SettledColumns) -> None:
        self._transaction = transaction
        self._stored = stored
        self._settled = settled
        self._belongings: dict[int, dict[tuple[str, str], str]] = {}
        self._written: dict[Row, bool] = {}  # taxpayers as due: whether a row says so

    def look_up_belongings(self, due: Mapping[int, Collection[DueDocument]]) -> None:
        """Those of all documents that are to be current, at once."""
        ids = [document.row.id for of_content in due.values() for document in of_content if self._is_current(document)]
        self._belongings = stored_rows.belongings(self._transaction, ids)

    def paper(self, content_id: int, paper: Paper, due: Collection[DueDocument]) -> Iterator[ValueDifference]:
        """What differs of one content."""
        stored = self._stored.documents.get(content_id, {})
        rows: dict[int, Row] = {}
        places: Counter[bool] = Counter()
        named = {document.row.position: document.name for document in due}
        for document in due:
            is_voiding = document.row.type == DocumentType.VOIDING
            there = stored.get(document.row.position)
            row = document.row
            rows[row.position] = row if there is None else self._settled.document(row, there, places[is_voiding])
            places[is_voiding] += 1
        for position in {*rows, *stored}:
            name = named.get(position) or str(content_id)
            yield from compared("document", name, DOCUMENT, _only(rows, position), _only(stored, position))
        for document in due:
            if document.row.id:
                yield from self._parts(document)
        for position in stored.keys() - rows.keys():
            yield from self._parts(DueDocument(str(content_id), stored[position], {}, {}, {}, {}, ""))
        yield from self._events(content_id, paper)
        answers, there_answers = due_rows.answers(content_id, paper), self._stored.answers.get(content_id, {})
        for position in {*answers, *there_answers}:
            answer = answers.get(position)
            name = (answer and answer[ANSWER.index("access_key")]) or str(content_id)
            yield from compared("lone_answer", name, ANSWER, _only(answers, position), _only(there_answers, position))

    def _events(self, content_id: int, paper: Paper) -> Iterator[ValueDifference]:
        stored = self._stored.events.get(content_id, {})
        due = due_rows.events(content_id, paper)
        rows = {
            position: self._settled.event(row, stored[position]) if position in stored else row
            for position, row in due.items()
        }
        for position in {*rows, *stored}:
            row = rows.get(position) or stored[position]
            name = row.access_key or str(content_id)
            yield from compared("event", name, EVENT, _only(rows, position), _only(stored, position))

    def _parts(self, document: DueDocument) -> Iterator[ValueDifference]:
        number = document.row.id
        parts = self._stored.parts.get(number, {})
        for table, columns in PARTS.items():
            yield from compared(table, document.name, columns, document.parts.get(table, {}), parts.get(table, {}))
        yield from self._parties(document)
        yield from self._owners(document)
        if self._is_current(document):
            stored = self._belongings.get(number, {})
            if stored != document.belongings:
                yield from compared(
                    "belonging", document.name, _BELONGING, _spread(document.belongings), _spread(stored)
                )

    def _parties(self, document: DueDocument) -> Iterator[ValueDifference]:
        stored = self._stored.parties.get(document.row.id, {})
        yield from compared(
            "party",
            document.name,
            _PARTY,
            {place: (place, role) for place, (role, _) in document.parties.items()},
            {place: (place, role) for place, (role, _) in stored.items()},
        )
        for place, (_, taxpayer) in document.parties.items():
            if place in stored:
                yield from self._taxpayer(document, "party", "taxpayer_id", stored[place][1], taxpayer)

    def _owners(self, document: DueDocument) -> Iterator[ValueDifference]:
        number = document.row.id
        of_content = self._stored.documents[document.row.content_id]
        row = of_content.get(document.row.position)
        if row is None or row.id != number:  # at a place that the paper does not have
            row = next((other for other in of_content.values() if other.id == number), None)
        if row is None:
            return
        parties = {taxpayer_id for _, taxpayer_id in self._stored.parties.get(number, {}).values()}
        for role in document_rows.OWNERS:
            column = f"{role}_id"
            taxpayer_id, taxpayer = getattr(row, column), document.owners.get(role)
            if taxpayer_id is None or taxpayer is None:
                if taxpayer_id is not None or taxpayer is not None:
                    yield ValueDifference("document", document.name, column)
            elif self._stored.taxpayers.get(taxpayer_id) != taxpayer:
                is_told = taxpayer_id in parties and not self._is_written(taxpayer)
                if not is_told:  # with its party
                    yield from self._taxpayer(document, "document", column, taxpayer_id, taxpayer)

    def _taxpayer(
        self, document: DueDocument, table: str, column: str, taxpayer_id: int, due: Row
    ) -> Iterator[ValueDifference]:
        """What is wrong where a row names a taxpayer that is not the one due: the name, or the taxpayer's own row."""
        stored = self._stored.taxpayers.get(taxpayer_id)
        if stored == due:
            return
        if self._is_written(due):
            yield ValueDifference(table, document.name, column)
        elif stored is None:
            yield ValueDifference("taxpayer", due[0] or document.name, WHOLE_ROW)
        else:
            yield from compared("taxpayer", due[0] or document.name, TAXPAYER, {0: due}, {0: stored})

    def _is_written(self, taxpayer: Row) -> bool:
        known = self._written.get(taxpayer)
        if known is None:
            condition = " AND ".join(f"{column} IS ?" for column in TAXPAYER)
            row = self._transaction.first(f"SELECT 1 FROM taxpayer WHERE {condition} LIMIT 1", taxpayer)
            known = self._written[taxpayer] = row is not None
        return known

    def _is_current(self, document: DueDocument) -> bool:
        return bool(document.row.id) and (document.row.access_key is None or document.row.id in self._settled.current)


def _only(rows: Mapping[int, Row], position: int) -> dict[int, Row]:
    return {position: rows[position]} if position in rows else {}


def _spread(belongings: Mapping[tuple[str, str], str]) -> dict[tuple[str, str], Row]:
    return {(owner, day): (owner, day, direction) for (owner, day), direction in belongings.items()}
