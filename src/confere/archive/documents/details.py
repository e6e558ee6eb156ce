"""Everything the archive knows about one document: parties, items, events, relations, the hub's word, sources."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from confere.archive import message_encoding
from confere.archive.clock import from_text
from confere.archive.named_rows import NamedRow
from confere.archive.transaction import Transaction
from confere.errors import Message
from confere.fiscal.document_parts import Item, Party, Warning
from confere.fiscal.model import Event, Voiding
from confere.sales.hub_document import HubHistory, HubStatement


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow(Event):
    """An event as the archive keeps it; `is_current` is False for a further copy of the same event.

    Of what its file says, `sent_to`, `model`, `references` and `fields` are not in the archive's rows: None or empty.
    """

    id: int
    content_id: int
    sha256: str
    is_current: bool
    position: int = 0  # among the events of its content


@dataclass(frozen=True, slots=True)
class RelationRow:
    """`claims`: 1 the XML says so, 2 the hub, 3 both. `archived`: the other end is here."""

    source_key: str
    target_key: str
    kind: str
    claims: int
    archived: bool


@dataclass(frozen=True, slots=True)
class HubWord(HubStatement):
    """What the hub of an account says of a document, beside the paper."""

    account: str
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


def parties(transaction: Transaction, document_id: int) -> tuple[Party, ...]:
    rows = transaction.fetch_as(
        Party,
        "SELECT p.role, t.tax_id, t.name, t.state_registration, t.uf, t.city FROM party p"
        " JOIN taxpayer t ON t.id = p.taxpayer_id WHERE p.document_id = ? ORDER BY p.position",
        (document_id,),
    )
    return tuple(rows)


def items(transaction: Transaction, document_id: int) -> tuple[Item, ...]:
    rows = transaction.named(
        "SELECT number, code, ean, description, ncm, cfop, unit, quantity, unit_price, total, origin FROM item"
        " WHERE document_id = ? ORDER BY position",
        (document_id,),
    )
    return tuple(
        Item(
            number=row.number or 0,
            code=row.code,
            ean=row.ean,
            description=row.description,
            ncm=row.ncm,
            cfop=row.cfop,
            unit=row.unit,
            quantity=None if row.quantity is None else Decimal(row.quantity),
            unit_price=None if row.unit_price is None else Decimal(row.unit_price),
            total_cents=row.total,
            origin=row.origin,
        )
        for row in rows
    )


_EVENT = (
    "SELECT e.id, e.content_id, c.digest, e.access_key, e.code, e.sequence, e.description, e.occurred_at, e.author,"
    " e.registered, e.cstat, e.reason, e.protocol, e.registered_at, e.words, e.embedded, e.is_current, e.warnings,"
    " e.position, e.environment FROM event e LEFT JOIN content c ON c.id = e.content_id"
)


def events(transaction: Transaction, access_keys: Collection[str]) -> tuple[EventRow, ...]:
    """Events of these documents, all copies, by key and then by time."""
    rows = transaction.named_in(f"{_EVENT} WHERE e.access_key IN {{}}", access_keys)
    return tuple(
        sorted(map(_event, rows), key=lambda event: (event.access_key or "", event.occurred_at or "", event.id))
    )


def events_between(transaction: Transaction, first_day: str, last_day: str) -> tuple[EventRow, ...]:
    """Current events that happened between two days (`YYYY-MM-DD`, as written in the event), both included."""
    rows = transaction.named(
        f"{_EVENT} WHERE e.is_current = 1 AND substr(e.occurred_at, 1, 10) BETWEEN ? AND ? ORDER BY e.id",
        (first_day, last_day),
    )
    return tuple(map(_event, rows))


def events_of_content(transaction: Transaction, content_id: int) -> tuple[EventRow, ...]:
    """The events that one file holds."""
    rows = transaction.named(f"{_EVENT} WHERE e.content_id = ? ORDER BY e.position", (content_id,))
    return tuple(map(_event, rows))


def relations_from(transaction: Transaction, access_key: str) -> tuple[RelationRow, ...]:
    """What this document refers to."""
    return _relations(transaction, "source_key", "target_key", access_key)


def relations_to(transaction: Transaction, access_key: str) -> tuple[RelationRow, ...]:
    """What refers to this document."""
    return _relations(transaction, "target_key", "source_key", access_key)


def _relations(transaction: Transaction, near: str, far: str, access_key: str) -> tuple[RelationRow, ...]:
    rows = transaction.fetch_as(
        RelationRow,
        "SELECT r.source_key, r.target_key, r.kind, r.claims,"
        f" EXISTS (SELECT 1 FROM document d WHERE d.access_key = r.{far}) AS archived"
        f" FROM relation r WHERE r.{near} = ? ORDER BY r.kind, r.{far}",
        (access_key,),
    )
    return tuple(replace(row, archived=bool(row.archived)) for row in rows)


def voiding(transaction: Transaction, document_id: int) -> Voiding | None:
    """The numbers that this paper voids; its environment and its warnings are the document's."""
    row = transaction.first_named(
        "SELECT uf_code, year, emitter, model, series, first, last, reason, cstat, protocol, registered_at"
        " FROM voiding WHERE document_id = ?",
        (document_id,),
    )
    return None if row is None else Voiding(**row._asdict(), environment=None)


def hub_words(transaction: Transaction, access_key: str | None, content_id: int) -> tuple[HubWord, ...]:
    """What each account's hub says of the document with this key, or of the download with this content."""
    columns = (
        "SELECT h.id, a.name AS account, h.hub_id, h.access_key, h.type, h.subtype, h.cfop, h.document_type_value,"
        " h.marketplace, h.order_id, h.created_at, h.updated_at, h.gone_since FROM hub_document h"
        " JOIN account a ON a.id = h.account_id"
    )
    if access_key is not None:
        rows = transaction.named(f"{columns} WHERE h.access_key = ? ORDER BY h.id", (access_key,))
    else:
        rows = transaction.named(
            f"{columns} WHERE h.id IN (SELECT hub_document_id FROM download WHERE content_id = ?)",
            (content_id,),
        )
    return tuple(_hub_word(transaction, row) for row in rows)


def _hub_word(transaction: Transaction, record: NamedRow) -> HubWord:
    metadata = transaction.fetch(
        "SELECT name, value FROM hub_metadata WHERE hub_document_id = ? ORDER BY name", (record.id,)
    )
    history = transaction.fetch_as(
        HubHistory,
        "SELECT status, at, protocol, item_id, description FROM hub_history WHERE hub_document_id = ?"
        " ORDER BY position",
        (record.id,),
    )
    records = transaction.scalar("SELECT count(*) FROM hub_record WHERE hub_document_id = ?", (record.id,))
    return HubWord(
        account=record.account,
        hub_id=record.hub_id,
        access_key=record.access_key,
        type=record.type,
        subtype=record.subtype,
        cfop=record.cfop,
        document_type_value=record.document_type_value,
        marketplace=record.marketplace,
        order_id=record.order_id,
        created_at=from_text(record.created_at) if record.created_at else None,
        updated_at=from_text(record.updated_at) if record.updated_at else None,
        metadata=tuple((name, value) for name, value in metadata),
        history=tuple(history),
        records=records,
        gone_since=record.gone_since,
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
    names = sources(transaction, [content_id for content_id, _, _, _ in rows])
    return tuple(
        UnreadableContent(content_id, digest.hex(), size, message_encoding.read(why), names.get(content_id, ()))
        for content_id, digest, size, why in rows
    )


def _event(row: NamedRow) -> EventRow:
    return EventRow(
        id=row.id,
        content_id=row.content_id,
        sha256=(row.digest or b"").hex(),  # empty where the archive lost the bytes
        access_key=row.access_key,
        code=row.code,
        sequence=row.sequence,
        description=row.description,
        occurred_at=row.occurred_at,
        author=row.author,
        sent_to=None,
        registered=bool(row.registered),
        cstat=row.cstat,
        reason=row.reason,
        protocol=row.protocol,
        registered_at=row.registered_at,
        text=row.words,
        embedded=bool(row.embedded),
        is_current=bool(row.is_current),
        warnings=tuple(Warning(code, detail) for code, detail in json.loads(row.warnings or "[]")),
        position=row.position,
        environment=row.environment,
    )
