"""Everything the archive knows about one document: parties, items, events, relations, the hub's word, sources."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from confere.archive import message_encoding
from confere.archive.transaction import Row, Transaction
from confere.errors import Message


@dataclass(frozen=True, slots=True)
class PartyRow:
    role: str
    tax_id: str | None
    name: str | None
    state_registration: str | None
    uf: str | None
    city: str | None


@dataclass(frozen=True, slots=True)
class ItemRow:
    """Quantities and prices are decimal text as written; `total` is centavos."""

    number: int | None
    code: str | None
    ean: str | None
    description: str | None
    ncm: str | None
    cfop: str | None
    unit: str | None
    quantity: str | None
    unit_price: str | None
    total: int | None


@dataclass(frozen=True, slots=True)
class EventRow:
    """An event of a document; `is_current` is False for a further copy of the same event."""

    id: int
    content_id: int
    sha256: str
    access_key: str | None
    code: str | None
    sequence: int | None
    description: str | None
    occurred_at: str | None
    author: str | None
    registered: bool
    cstat: str | None
    reason: str | None
    protocol: str | None
    registered_at: str | None
    words: str | None
    embedded: bool
    is_current: bool
    warnings: tuple[tuple[str, str], ...]
    position: int = 0  # among the events of its content
    environment: str | None = None  # tpAmb


@dataclass(frozen=True, slots=True)
class RelationRow:
    """`claims`: 1 the XML says so, 2 the hub, 3 both. `archived`: the other end is here."""

    source_key: str
    target_key: str
    kind: str
    claims: int
    archived: bool


@dataclass(frozen=True, slots=True)
class VoidingRow:
    uf_code: str | None
    year: str | None
    emitter: str | None
    model: str | None
    series: int | None
    first: int | None
    last: int | None
    reason: str | None
    cstat: str | None
    protocol: str | None
    registered_at: str | None


@dataclass(frozen=True, slots=True)
class HubWord:
    """What the hub says of a document, beside the paper."""

    account: str
    hub_id: str | None
    type: str | None
    subtype: str | None
    cfop: str | None
    document_type_value: str | None
    marketplace: str | None
    order_id: str | None
    created_at: str | None
    updated_at: str | None
    metadata: tuple[tuple[str, str | None], ...]
    history: tuple[tuple[str | None, str | None, str | None, str | None, str | None], ...]
    records: int  # versions of the record that were kept
    gone_since: str | None = None  # UTC: its list no longer shows the document


@dataclass(frozen=True, slots=True)
class UnreadableContent:
    """Bytes kept as received that could not be read."""

    content_id: int
    sha256: str
    size: int
    problem: Message
    sources: tuple[str, ...]


def parties(transaction: Transaction, document_id: int) -> tuple[PartyRow, ...]:
    rows = transaction.fetch(
        "SELECT p.role, t.tax_id, t.name, t.state_registration, t.uf, t.city FROM party p"
        " JOIN taxpayer t ON t.id = p.taxpayer_id WHERE p.document_id = ? ORDER BY p.position",
        (document_id,),
    )
    return tuple(PartyRow(*row) for row in rows)


def items(transaction: Transaction, document_id: int) -> tuple[ItemRow, ...]:
    rows = transaction.fetch(
        "SELECT number, code, ean, description, ncm, cfop, unit, quantity, unit_price, total FROM item"
        " WHERE document_id = ? ORDER BY position",
        (document_id,),
    )
    return tuple(ItemRow(*row) for row in rows)


_EVENT = (
    "SELECT e.id, e.content_id, c.digest, e.access_key, e.code, e.sequence, e.description, e.occurred_at, e.author,"
    " e.registered, e.cstat, e.reason, e.protocol, e.registered_at, e.words, e.embedded, e.is_current, e.warnings,"
    " e.position, e.environment FROM event e LEFT JOIN content c ON c.id = e.content_id"
)


def events(transaction: Transaction, access_keys: Collection[str]) -> tuple[EventRow, ...]:
    """Events of these documents, all copies, by key and then by time."""
    found = [_event(row) for row in transaction.fetch_in(f"{_EVENT} WHERE e.access_key IN {{}}", access_keys)]
    return tuple(sorted(found, key=lambda entry: (entry.access_key or "", entry.occurred_at or "", entry.id)))


def events_between(transaction: Transaction, first_day: str, last_day: str) -> tuple[EventRow, ...]:
    """Current events that happened between two days (`YYYY-MM-DD`, as written in the event), both included."""
    rows = transaction.fetch(
        f"{_EVENT} WHERE e.is_current = 1 AND substr(e.occurred_at, 1, 10) BETWEEN ? AND ? ORDER BY e.id",
        (first_day, last_day),
    )
    return tuple(_event(row) for row in rows)


def events_of_content(transaction: Transaction, content_id: int) -> tuple[EventRow, ...]:
    """The events that one file holds."""
    rows = transaction.fetch(f"{_EVENT} WHERE e.content_id = ? ORDER BY e.position", (content_id,))
    return tuple(_event(row) for row in rows)


def relations_from(transaction: Transaction, access_key: str) -> tuple[RelationRow, ...]:
    """What this document refers to."""
    return _relations(transaction, "source_key", "target_key", access_key)


def relations_to(transaction: Transaction, access_key: str) -> tuple[RelationRow, ...]:
    """What refers to this document."""
    return _relations(transaction, "target_key", "source_key", access_key)


def _relations(transaction: Transaction, near: str, far: str, access_key: str) -> tuple[RelationRow, ...]:
    rows = transaction.fetch(
        "SELECT r.source_key, r.target_key, r.kind, r.claims,"
        f" EXISTS (SELECT 1 FROM document d WHERE d.access_key = r.{far})"
        f" FROM relation r WHERE r.{near} = ? ORDER BY r.kind, r.{far}",
        (access_key,),
    )
    return tuple(RelationRow(source, target, kind, claims, bool(here)) for source, target, kind, claims, here in rows)


def voiding(transaction: Transaction, document_id: int) -> VoidingRow | None:
    row = transaction.first(
        "SELECT uf_code, year, emitter, model, series, first, last, reason, cstat, protocol, registered_at"
        " FROM voiding WHERE document_id = ?",
        (document_id,),
    )
    return None if row is None else VoidingRow(*row)


def hub_words(transaction: Transaction, access_key: str | None, content_id: int) -> tuple[HubWord, ...]:
    """What each account's hub says of the document with this key, or of the download with this content."""
    columns = (
        "SELECT h.id, a.name, h.hub_id, h.type, h.subtype, h.cfop, h.document_type_value, h.marketplace, h.order_id,"
        " h.created_at, h.updated_at, h.gone_since FROM hub_document h JOIN account a ON a.id = h.account_id"
    )
    if access_key is not None:
        rows = transaction.fetch(f"{columns} WHERE h.access_key = ? ORDER BY h.id", (access_key,))
    else:
        rows = transaction.fetch(
            f"{columns} WHERE h.id IN (SELECT hub_document_id FROM download WHERE content_id = ?)", (content_id,)
        )
    return tuple(_hub_word(transaction, row) for row in rows)


def _hub_word(transaction: Transaction, row: Row) -> HubWord:
    number = row[0]
    metadata = transaction.fetch(
        "SELECT name, value FROM hub_metadata WHERE hub_document_id = ? ORDER BY name", (number,)
    )
    history = transaction.fetch(
        "SELECT status, at, protocol, item_id, description FROM hub_history WHERE hub_document_id = ?"
        " ORDER BY position",
        (number,),
    )
    records = transaction.scalar("SELECT count(*) FROM hub_record WHERE hub_document_id = ?", (number,))
    name, hub_id, kind, subtype, cfop, value, marketplace, order_id, created_at, updated_at, gone = row[1:]
    return HubWord(
        account=name,
        hub_id=hub_id,
        type=kind,
        subtype=subtype,
        cfop=cfop,
        document_type_value=value,
        marketplace=marketplace,
        order_id=order_id,
        created_at=created_at,
        updated_at=updated_at,
        metadata=tuple((entry[0], entry[1]) for entry in metadata),
        history=tuple((entry[0], entry[1], entry[2], entry[3], entry[4]) for entry in history),
        records=records,
        gone_since=gone,
    )


def sources(transaction: Transaction, content_ids: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """Where each of these contents came from."""
    found: dict[int, list[str]] = {}
    for content_id, source in transaction.fetch_in(
        "SELECT content_id, source FROM arrival WHERE content_id IN {}", content_ids
    ):
        found.setdefault(content_id, []).append(source)
    return {content_id: tuple(sorted(names)) for content_id, names in found.items()}


def unreadable(transaction: Transaction, limit: int = 1000) -> tuple[UnreadableContent, ...]:
    """What was kept and could not be read, oldest first."""
    rows = transaction.fetch(
        "SELECT id, digest, size, problem FROM content WHERE problem IS NOT NULL ORDER BY id LIMIT ?", (limit,)
    )
    names = sources(transaction, [row[0] for row in rows])
    return tuple(
        UnreadableContent(i, digest.hex(), size, message_encoding.read(why), names.get(i, ()))
        for i, digest, size, why in rows
    )


def _event(row: Row) -> EventRow:
    (number, content_id, digest, key, code, sequence, description, occurred_at, author, registered, cstat) = row[:11]
    (reason, protocol, registered_at, words, embedded, current, warnings, position, environment) = row[11:]
    return EventRow(
        id=number,
        content_id=content_id,
        sha256=(digest or b"").hex(),  # empty where the archive lost the bytes
        access_key=key,
        code=code,
        sequence=sequence,
        description=description,
        occurred_at=occurred_at,
        author=author,
        registered=bool(registered),
        cstat=cstat,
        reason=reason,
        protocol=protocol,
        registered_at=registered_at,
        words=words,
        embedded=bool(embedded),
        is_current=bool(current),
        warnings=tuple((entry[0], entry[1]) for entry in json.loads(warnings or "[]")),
        position=position,
        environment=environment,
    )
