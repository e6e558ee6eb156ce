"""Relations of many documents at once: what a walk along them asks, a level at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from confere.archive.documents import documents
from confere.archive.documents.documents import DocumentRow
from confere.archive.message_encoding import storable
from confere.archive.named_rows import NamedRow
from confere.archive.transaction import CHUNK, Transaction
from confere.fiscal.model import Event
from confere.fiscal.references import INVERSE


@dataclass(frozen=True, slots=True)
class RelationEdge:
    """`source_key` names `target_key`. `claims`: 1 the XML says so, 2 the hub, 3 both."""

    source_key: str
    target_key: str
    kind: str
    claims: int


@dataclass(frozen=True, slots=True)
class EventMark:
    """An event in short; `registered`: the authority accepted it."""

    code: str | None
    registered: bool
    occurred_at: str | None


@dataclass(frozen=True, slots=True)
class HubName:
    """What a hub's record calls a document, whether or not its paper is here."""

    type: str | None
    subtype: str | None
    marketplace: str | None
    order_id: str | None


def links_from(
    transaction: Transaction, keys: Collection[str], kinds: Collection[str], limit: int
) -> list[RelationEdge]:
    """What these documents refer to in these ways, in the order of keys; at most `limit` of them."""
    return _links(transaction, "source_key", "source_key, target_key, kind", keys, kinds, limit)


def links_to(transaction: Transaction, keys: Collection[str], kinds: Collection[str], limit: int) -> list[RelationEdge]:
    """What refers to these documents in these ways, in the order of keys; at most `limit` of them."""
    return _links(transaction, "target_key", "target_key, source_key, kind", keys, kinds, limit)


def count_from(transaction: Transaction, keys: Collection[str]) -> dict[str, int]:
    """How many other documents each of these refers to; one that refers to none is left out."""
    return _counts(transaction, "source_key", "target_key", keys)


def count_to(transaction: Transaction, keys: Collection[str]) -> dict[str, int]:
    """How many other documents refer to each of these; one that nothing refers to is left out."""
    return _counts(transaction, "target_key", "source_key", keys)


def rows_of(transaction: Transaction, keys: Collection[str]) -> dict[str, DocumentRow]:
    """The current documents of these keys."""
    found = transaction.column_in("SELECT id FROM document WHERE is_current = 1 AND access_key IN {}", keys)
    rows = documents.by_ids(transaction, list(found))
    return {row.access_key: row for row in rows if row.access_key is not None}


def marks_of(transaction: Transaction, keys: Collection[str]) -> dict[str, tuple[EventMark, ...]]:
    """The events of these documents, each once, in the order in which they happened."""
    found: dict[str, list[NamedRow]] = defaultdict(list)
    for event in transaction.named_in(
        "SELECT access_key, code, registered, occurred_at, id FROM event WHERE is_current = 1 AND access_key IN {}",
        keys,
    ):
        found[event.access_key].append(event)
    return {
        key: tuple(
            EventMark(event.code, bool(event.registered), event.occurred_at)
            for event in sorted(events, key=lambda event: (event.occurred_at or "", event.id))
        )
        for key, events in found.items()
    }


def hub_names(transaction: Transaction, keys: Collection[str]) -> dict[str, HubName]:
    """What the hub's first record of each of these keys says."""
    found: dict[str, HubName] = {}
    for record in sorted(
        transaction.named_in(
            "SELECT access_key, id, type, subtype, marketplace, order_id FROM hub_document WHERE access_key IN {}",
            keys,
        ),
        key=lambda record: int(record.id),
    ):
        found.setdefault(record.access_key, HubName(record.type, record.subtype, record.marketplace, record.order_id))
    return found


def orders_of(transaction: Transaction, access_key: str) -> list[tuple[int, str, str | None]]:
    """The orders for which hubs list this document: by which account's, its id, and its marketplace."""
    rows = transaction.fetch(
        "SELECT DISTINCT account_id, order_id, marketplace FROM hub_document WHERE access_key = ?"
        " AND order_id IS NOT NULL ORDER BY order_id, marketplace",
        (storable(access_key),),
    )
    return [(account_id, order_id, marketplace) for account_id, order_id, marketplace in rows]


def is_named(transaction: Transaction, access_key: str) -> bool:
    """Whether any document names this key, be it here or not."""
    return bool(
        transaction.scalar("SELECT EXISTS (SELECT 1 FROM relation WHERE target_key = ?)", (storable(access_key),))
    )


def sale_of_order(transaction: Transaction, order_id: str) -> str | None:
    """The access key of a sale that a hub lists for this order."""
    access_key: str | None = transaction.scalar(
        # One account after the other: the index of orders is by account.
        "SELECT h.access_key FROM account a CROSS JOIN hub_document h ON h.account_id = a.id AND h.order_id = ?"
        " WHERE h.subtype = 'sale' AND h.access_key IS NOT NULL ORDER BY h.id LIMIT 1",
        (storable(order_id),),
    )
    return access_key


def claims_of(happened: Event) -> Iterator[tuple[str, str, str]]:
    """What an event says of other documents, as relations `(source key, target key, kind)`.

    Where the event says what was done to its document, the other one is the source: a CT-e carries, a substitute
    replaces. An event that was not registered says nothing.
    """
    key = happened.access_key
    if key is None or not happened.registered:
        return
    for reference in happened.references:
        other = next((said for kind, said in INVERSE.items() if kind.value == reference.kind), None)
        if other is None:
            yield key, reference.access_key, str(reference.kind)
        else:
            yield reference.access_key, key, other.value


def _links(
    transaction: Transaction, near: str, order: str, keys: Collection[str], kinds: Collection[str], limit: int
) -> list[RelationEdge]:
    found: list[RelationEdge] = []
    listed = sorted(set(keys))
    wanted = tuple(sorted(kinds))
    for start in range(0, len(listed), CHUNK):
        part = listed[start : start + CHUNK]
        found += transaction.fetch_as(
            RelationEdge,
            f"SELECT source_key, target_key, kind, claims FROM relation WHERE {near} IN {_marks(part)}"
            f" AND kind IN {_marks(wanted)} ORDER BY {order} LIMIT ?",
            (*part, *wanted, limit - len(found)),
        )
        if len(found) >= limit:
            break
    return found


def _counts(transaction: Transaction, near: str, far: str, keys: Collection[str]) -> dict[str, int]:
    sql = f"SELECT {near}, count(DISTINCT {far}) FROM relation WHERE {near} IN {{}} GROUP BY {near}"
    return {key: count for key, count in transaction.fetch_in(sql, set(keys))}  # noqa: C416 - rows are tuples of any


def _marks(values: Collection[str]) -> str:
    return f"({','.join('?' * len(values))})"
