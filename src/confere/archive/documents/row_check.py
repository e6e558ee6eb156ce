"""Holding rows against the bytes that they were made of: each row that is gone or says something else is found.

What a paper says alone decides its rows, so they can be made again and compared. What other papers, hubs and verdicts
decide (which version is current, the state, the hub's word) is settled elsewhere and not compared here.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from operator import attrgetter
from typing import Final

from confere.archive.documents import document_rows, lone_protocols
from confere.archive.documents.recorder import claims_in
from confere.archive.documents.search import full_text
from confere.archive.schema.schema import document, event
from confere.archive.transaction import Row, Transaction
from confere.fiscal.document_parts import Party
from confere.fiscal.model import DocumentType, Paper

_SETTLED: Final = frozenset(
    ("id", "is_current", "operation", "state", "emitter_id", "recipient_id", "taker_id", "hub_account_id",
     "hub_subtype", "hub_marketplace", "hub_order_id", "hub_disagrees", "verdict", "state_ground")
)  # fmt: skip
_DOCUMENT: Final = tuple(column.name for column in document.columns)
_EVENT: Final = tuple(column.name for column in event.columns)
_compared_of_document: Final = attrgetter(*(name for name in _DOCUMENT if name not in _SETTLED))
_compared_of_event: Final = attrgetter(*(name for name in _EVENT if name not in ("id", "is_current")))

_FIRST_WORDS: Final = 60  # characters

_Tables = dict[str, set[Row]]
"""Of one content: the rows of each table, by its name."""


def disagreeing(transaction: Transaction, papers: Mapping[int, Paper]) -> dict[int, tuple[str, ...]]:
    """Which of these contents (by number) have rows that are not those of their paper, and in which tables."""
    there, numbers, current = _rows_of(transaction, papers)
    due = {content_id: _due(content_id, paper, numbers, current) for content_id, paper in papers.items()}
    known = _relations(transaction, due.values())
    found: dict[int, tuple[str, ...]] = {}
    for content_id, wanted in due.items():
        claims = wanted.pop("relation", set())
        held = there.get(content_id, {})
        wrong = [table for table in {*wanted, *held} if wanted.get(table, set()) != held.get(table, set())]
        if not claims <= known:
            wrong.append("relation")
        if not wrong and _unsearchable(transaction, numbers, content_id, papers[content_id]):
            wrong.append(full_text.TABLES)
        if wrong:
            found[content_id] = tuple(sorted(wrong))
    return found


def keys_in(paper: Paper) -> tuple[str, ...]:
    """The access keys that a paper's documents and events are about, each once; a voiding is called by its number."""
    keys = [entry.access_key for entry in paper.documents] + [entry.access_key for entry in paper.events]
    keys += [f"{DocumentType.VOIDING} {voided.first}" for voided in paper.voidings]
    return tuple(dict.fromkeys(key for key in keys if key))


def _due(content_id: int, paper: Paper, numbers: Mapping[tuple[int, int], int], current: Collection[int]) -> _Tables:
    due: _Tables = defaultdict(set)

    for position, entry in enumerate(paper.documents):
        number = numbers.get((content_id, position), 0)
        due["document"].add(_compared_of_document(document_rows.document_row(number, content_id, position, entry)))
        due["item"] |= set(document_rows.item_rows(number, entry))
        due["item_reference"] |= set(document_rows.item_reference_rows(number, entry))
        due["tax_group"] |= set(document_rows.tax_rows(number, entry))
        due["party"] |= {
            (number, place, party.role, party.tax_id, party.name, party.state_registration, party.uf, party.city)
            for place, party in enumerate(entry.parties)
        }
        due["owner"] |= _owners(number, entry.parties)
        if number in current:
            due["belonging"] |= set(document_rows.belonging_rows(number, entry))
    for position, voided in enumerate(paper.voidings, len(paper.documents)):
        number = numbers.get((content_id, position), 0)
        row = document_rows.voiding_document_row(number, content_id, position, voided)
        due["document"].add(_compared_of_document(row))
        due["voiding"].add(document_rows.voiding_row(number, voided))
        if voided.emitter:
            due["owner"].add((number, "emitter", voided.emitter))
            if number in current:
                due["belonging"].add((voided.emitter, row.issued_on, number, "out"))
    if not paper.recognised:
        number = numbers.get((content_id, 0), 0)
        due["document"].add(_compared_of_document(document_rows.other_document_row(number, content_id, paper)))
    for position, happened in enumerate(paper.events):
        row = document_rows.event_row(0, content_id, position, happened)
        due["event"].add(_compared_of_event(row))
    due["lone_answer"] = set(lone_protocols.rows(content_id, paper))
    due["relation"] = {claim for claim in claims_in(paper) if claim[0] != claim[1]}
    return {table: wanted for table, wanted in due.items() if wanted}


def _owners(number: int, parties: Collection[Party]) -> set[Row]:
    owners: dict[str, Row] = {}
    for party in parties:
        if party.role in document_rows.OWNERS:
            owners.setdefault(party.role, (number, party.role, party.tax_id))
    return set(owners.values())


def _rows_of(
    transaction: Transaction, content_ids: Collection[int]
) -> tuple[dict[int, _Tables], dict[tuple[int, int], int], set[int]]:
    there: dict[int, _Tables] = defaultdict(lambda: defaultdict(set))
    numbers: dict[tuple[int, int], int] = {}
    current: set[int] = set()
    owner: dict[int, int] = {}
    for row in transaction.named_in(
        f"SELECT {', '.join(_DOCUMENT)} FROM document WHERE content_id IN {{}}", content_ids
    ):
        there[row.content_id]["document"].add(_compared_of_document(row))
        numbers[row.content_id, row.position] = row.id
        owner[row.id] = row.content_id
        if row.is_current:
            current.add(row.id)
    for row in transaction.named_in(f"SELECT {', '.join(_EVENT)} FROM event WHERE content_id IN {{}}", content_ids):
        there[row.content_id]["event"].add(_compared_of_event(row))
    for row in transaction.named_in("SELECT * FROM lone_answer WHERE content_id IN {}", content_ids):
        there[row.content_id]["lone_answer"].add(row)
    for table, sql in _OF_DOCUMENTS.items():
        for row in transaction.named_in(sql, owner):
            there[owner[row.document_id]][table].add(row)
    for number, *owners in transaction.fetch_in(_OWNERS, owner):
        for role, taxpayer_id, tax_id in zip(document_rows.OWNERS, owners[::2], owners[1::2], strict=True):
            if taxpayer_id is not None:
                there[owner[number]]["owner"].add((number, role, tax_id))
    for tax_id, day, number, direction in _belongings(transaction, current):
        there[owner[number]]["belonging"].add((tax_id, day, number, direction))
    return there, numbers, current


_OF_DOCUMENTS: Final = {
    "item": "SELECT * FROM item WHERE document_id IN {}",
    "item_reference": "SELECT * FROM item_reference WHERE document_id IN {}",
    "tax_group": "SELECT * FROM tax_group WHERE document_id IN {}",
    "voiding": "SELECT * FROM voiding WHERE document_id IN {}",
    "party": "SELECT p.document_id, p.position, p.role, t.tax_id, t.name, t.state_registration, t.uf, t.city"
    " FROM party p LEFT JOIN taxpayer t ON t.id = p.taxpayer_id WHERE p.document_id IN {}",
}


_OWNERS: Final = (
    "SELECT d.id, d.emitter_id, e.tax_id, d.recipient_id, r.tax_id, d.taker_id, k.tax_id FROM document d"
    " LEFT JOIN taxpayer e ON e.id = d.emitter_id LEFT JOIN taxpayer r ON r.id = d.recipient_id"
    " LEFT JOIN taxpayer k ON k.id = d.taker_id WHERE d.id IN {}"
)


def _belongings(transaction: Transaction, current: Collection[int]) -> list[Row]:
    """The `belonging` rows of current documents, looked up by whom and which day they must be of."""
    return list(
        transaction.fetch_in(
            "SELECT b.tax_id, b.issued_on, b.document_id, b.direction FROM document d"
            " CROSS JOIN (SELECT DISTINCT x.document_id, t.tax_id FROM party x JOIN taxpayer t ON t.id = x.taxpayer_id"
            " UNION SELECT document_id, emitter FROM voiding) o ON o.document_id = d.id"
            " CROSS JOIN belonging b ON b.tax_id = o.tax_id AND b.issued_on = d.issued_on AND b.document_id = d.id"
            " WHERE d.id IN {}",
            current,
        )
    )


def _relations(transaction: Transaction, due: Collection[_Tables]) -> set[Row]:
    sources = {claim[0] for wanted in due for claim in wanted.get("relation", ())}
    return set(
        transaction.fetch_in(
            "SELECT source_key, target_key, kind FROM relation WHERE claims & 1 AND source_key IN {}", sources
        )
    )


def _unsearchable(
    transaction: Transaction, numbers: Mapping[tuple[int, int], int], content_id: int, paper: Paper
) -> bool:
    """Whether a document of this paper is not found by the first of its words, or not by whose it is."""
    asked_for = {
        position: [
            full_text.expression(document_rows.search_words(entry)[:_FIRST_WORDS]),
            *(f'"{full_text.owner_word(owner)}"' for owner, *_ in document_rows.belonging_rows(0, entry)),
        ]
        for position, entry in enumerate(paper.documents)
    }
    if not paper.recognised:
        asked_for[0] = [full_text.expression(paper.root)]
    for position, terms in asked_for.items():
        asked = " AND ".join(f"({term})" for term in terms if term)
        if asked and not transaction.first(
            "SELECT 1 FROM search WHERE search MATCH ? AND rowid = ?", (asked, numbers.get((content_id, position), 0))
        ):
            return True
    return False
