"""Reading documents back: rows for lists, everything about one, and where its bytes are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields

from confere.archive import search
from confere.archive.query import DocumentQuery, sql_of, storable_number
from confere.archive.sentences import storable
from confere.archive.transaction import Row, Transaction


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """One line of a list. Money in centavos; `hub_*` is the hub's word, beside the paper's."""

    id: int
    content_id: int
    sha256: str
    type: str
    access_key: str | None
    model: str | None
    series: int | None
    number: int | None
    issued_at: str | None
    issued_on: str
    emitter_tax_id: str | None
    emitter_name: str | None
    recipient_tax_id: str | None
    recipient_name: str | None
    nature: str | None
    operation: str | None
    direction: str | None
    purpose: str | None
    environment: str | None
    cfops: str | None
    total: int | None
    state: str
    cstat: str | None
    protocol: str | None
    authorized_at: str | None
    layout: str | None
    external_id: str | None
    order_hint: str | None
    warnings: tuple[tuple[str, str], ...]
    hub_subtype: str | None = None
    hub_marketplace: str | None = None
    hub_order_id: str | None = None
    hub_account: str | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """How many documents a query has and what they are worth, in centavos."""

    count: int
    total: int


_PLAIN = [f.name for f in fields(DocumentRow) if not f.name.startswith("hub_")]
_SELECT = ", ".join("c.digest" if name == "sha256" else f"d.{name}" for name in _PLAIN)


def summary(transaction: Transaction, query: DocumentQuery) -> Summary:
    """Count and worth of a query, in one pass."""
    sql = sql_of(query)
    # In two halves: SQLite's sum ends in an error beyond 63 bits, and one absurd paper must not hide all others.
    row = transaction.first(
        f"SELECT count(*), sum(d.total >> 32), sum(d.total & 4294967295) {sql.source}", sql.parameters
    )
    assert row is not None
    count, high, low = row
    return Summary(count, ((high or 0) << 32) + (low or 0))


def ids(transaction: Transaction, query: DocumentQuery) -> tuple[int, ...]:
    """The ids of a query in its order: a snapshot to page over by `by_ids`."""
    sql = sql_of(query)
    rows = transaction.fetch(f"SELECT d.id {sql.source} {sql.order}", sql.parameters)
    return tuple(row[0] for row in rows)


def page(transaction: Transaction, query: DocumentQuery, limit: int, offset: int = 0) -> tuple[DocumentRow, ...]:
    """A stretch of a query's rows; for long walks take `ids` first. `limit` -1 for all."""
    sql = sql_of(query)
    storable_number(limit)
    storable_number(offset)
    rows = transaction.fetch(
        f"SELECT d.id {sql.source} {sql.order} LIMIT ? OFFSET ?",
        (*sql.parameters, limit, offset),
    )
    return by_ids(transaction, [row[0] for row in rows])


def by_ids(transaction: Transaction, wanted: Sequence[int]) -> tuple[DocumentRow, ...]:
    """These documents, in the order asked for."""
    rows = list(
        transaction.fetch_in(
            f"SELECT {_SELECT} FROM document d JOIN content c ON c.id = d.content_id WHERE d.id IN {{}}",
            wanted,
        )
    )
    words = _hub_words(transaction, rows)
    found = {row[0]: _document(row, words) for row in rows}
    return tuple(found[number] for number in wanted if number in found)


def versions(transaction: Transaction, access_key: str) -> tuple[int, ...]:
    """All documents of a key, the current one first."""
    rows = transaction.fetch(
        "SELECT id FROM document WHERE access_key = ? ORDER BY is_current DESC, id", (storable(access_key),)
    )
    return tuple(row[0] for row in rows)


def mentioning(transaction: Transaction, word: str) -> tuple[int, ...]:
    """Papers of a kind that is not read in whose text `word` stands, oldest first."""
    expression = search.expression(word)
    if expression is None:
        return ()
    rows = transaction.fetch(
        "SELECT id FROM document WHERE type = 'other' AND id IN (SELECT rowid FROM search WHERE search MATCH ?)"
        " ORDER BY id",
        (expression,),
    )
    return tuple(row[0] for row in rows)


def of_digest(transaction: Transaction, digest: bytes) -> tuple[int | None, tuple[int, ...]]:
    """The content with this SHA-256 (None if there is none) and the documents in it."""
    row = transaction.first(
        "SELECT id FROM content WHERE digest_head = ? AND digest = ?",
        (int.from_bytes(digest[:8], "big", signed=True), digest),
    )
    if row is None:
        return None, ()
    found = transaction.fetch("SELECT id FROM document WHERE content_id = ? ORDER BY position", (row[0],))
    return row[0], tuple(entry[0] for entry in found)


def walk(transaction: Transaction, query: DocumentQuery, step: int = 500) -> Iterator[DocumentRow]:
    """All rows of a query, in its order, a step at a time."""
    wanted = ids(transaction, query)
    for start in range(0, len(wanted), step):
        yield from by_ids(transaction, wanted[start : start + step])


def _document(row: Row, words: dict[str | int, Row]) -> DocumentRow:
    values = dict(zip(_PLAIN, row, strict=True))
    values["sha256"] = values["sha256"].hex()
    values["warnings"] = tuple((code, detail) for code, detail in json.loads(values["warnings"] or "[]"))
    word = words.get(values["access_key"]) or words.get(values["content_id"])
    if word is not None:
        values |= zip(("hub_subtype", "hub_marketplace", "hub_order_id", "hub_account"), word, strict=True)
    return DocumentRow(**values)


def _hub_words(transaction: Transaction, rows: Sequence[Row]) -> dict[str | int, Row]:
    key, content = _PLAIN.index("access_key"), _PLAIN.index("content_id")
    select = (
        "SELECT {}, h.subtype, h.marketplace, h.order_id, a.name"
        " FROM hub_document h JOIN account a ON a.id = h.account_id"
    )
    found: dict[str | int, Row] = {}
    with_key = {row[key] for row in rows if row[key]}
    for entry in transaction.fetch_in(select.format("h.access_key") + " WHERE h.access_key IN {}", with_key):
        found.setdefault(entry[0], entry[1:])
    without = {row[content] for row in rows if not row[key]}
    for entry in transaction.fetch_in(
        select.format("w.content_id") + " JOIN download w ON w.hub_document_id = h.id WHERE w.content_id IN {}", without
    ):
        found.setdefault(entry[0], entry[1:])
    return found
