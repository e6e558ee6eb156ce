"""Which contents the archive speaks of and no longer has, or has with other bytes: by their numbers, at little cost.

Numbers of contents are given out one after another, so a vault without a hole in them lacks nothing. Only where
there are holes are the rows asked that speak of what stood there.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from confere.archive.transaction import Transaction

_INDEXED: Final = (
    ("document", "content_id"),
    ("event", "content_id"),
    ("download", "content_id"),
    ("arrival", "content_id"),
    ("wrapping", "content_id"),
)
_UNINDEXED: Final = (
    ("wrapping", "received_id"),
    ("hub_record", "content_id"),
    ("order_version", "content_id"),
    ("sales_order", "content_id"),
    ("hub_return", "content_id"),
    ("feed_record", "content_id"),
    ("feed_record_version", "content_id"),
    ("catalog_product", "content_id"),
    ("catalog_version", "content_id"),
)


def missing(transaction: Transaction) -> tuple[int, ...]:
    """The numbers of contents that some row speaks of and that are not there, lowest first."""
    there, highest = transaction.fetch("SELECT count(*), coalesce(max(id), 0) FROM content")[0]
    above = highest_spoken_of(transaction)
    if there == highest >= above:
        return ()
    holes = _holes(transaction, highest) + list(range(highest + 1, above + 1))
    return tuple(sorted(spoken_of(transaction, holes)))


def broken(transaction: Transaction) -> tuple[int, ...]:
    """What is missing, and what was read and did not match its SHA-256, lowest number first."""
    return tuple(sorted({*missing(transaction), *transaction.column("SELECT content_id FROM vault_damage")}))


def without_rows(transaction: Transaction) -> tuple[int, ...]:
    """The numbers of XML contents that were read and of which no document and no event is there."""
    with_rows = bytearray(int(transaction.scalar("SELECT coalesce(max(id), 0) FROM content")) + 1)
    for sql in (
        "SELECT id FROM content WHERE problem IS NOT NULL",
        "SELECT content_id FROM document",
        "SELECT content_id FROM event",
    ):
        for number in transaction.integers(sql):
            if number < len(with_rows):
                with_rows[number] = 1
    read = transaction.integers("SELECT id FROM content INDEXED BY ix_content_reader WHERE family = 0 AND reader >= 0")
    return tuple(sorted(number for number in read if not with_rows[number]))


def lost_records(transaction: Transaction) -> tuple[int, ...]:
    """The numbers of hub records that their downloads or versions speak of, and that are not there."""
    highest = int(transaction.scalar("SELECT coalesce(max(id), 0) FROM hub_document"))
    there = bytearray(highest + 1)
    for number in transaction.integers("SELECT id FROM hub_document"):
        there[number] = 1
    spoken: set[int] = set()
    for table in ("download", "hub_record", "hub_history", "hub_metadata"):
        for number in transaction.integers(f"SELECT hub_document_id FROM {table}"):
            if number > highest or not there[number]:
                spoken.add(number)
    return tuple(sorted(spoken))


def downloads_lost(transaction: Transaction) -> tuple[int, ...]:
    """The numbers of contents that came by a download of which the queue no longer knows."""
    content_ids = transaction.column(
        "SELECT r.content_id FROM arrival r"
        " JOIN account a ON substr(r.source, 1, length(a.name) + 5) = 'hub:' || a.name || '/'"
        " WHERE NOT EXISTS (SELECT 1 FROM download w"
        " WHERE w.account_id = a.id AND w.item_id = substr(r.source, length(a.name) + 6)) ORDER BY 1"
    )
    return tuple(content_ids)


def versions_lost(transaction: Transaction) -> tuple[int, ...]:
    """The numbers of hub records whose newest version, of the list or of the detail, is not kept."""
    record_ids = transaction.column(
        "SELECT h.id FROM hub_document h WHERE (h.list_digest IS NOT NULL AND NOT EXISTS (SELECT 1 FROM hub_record r"
        " WHERE r.hub_document_id = h.id AND r.source = 'list')) OR (h.detail_digest IS NOT NULL AND NOT EXISTS"
        " (SELECT 1 FROM hub_record r WHERE r.hub_document_id = h.id AND r.source = 'detail'))"
    )
    return tuple(record_ids)


def arrivals_lost(transaction: Transaction) -> tuple[int, ...]:
    """The numbers of contents that a download brought and of which it is no longer written where they came from."""
    return tuple(transaction.column(f"SELECT w.content_id {_WITHOUT_ARRIVAL} ORDER BY 1"))


def write_arrivals(transaction: Transaction) -> None:
    """Write down again where contents came from, as the downloads that brought them say."""
    transaction.execute(
        "INSERT OR IGNORE INTO arrival (content_id, source, run_id)"
        f" SELECT w.content_id, 'hub:' || a.name || '/' || w.item_id, 0 {_WITHOUT_ARRIVAL}"
    )


# Of contents without any: an account that was renamed later left its former name in what arrived before.
_WITHOUT_ARRIVAL: Final = (
    "FROM download w JOIN account a ON a.id = w.account_id WHERE w.state = 'done' AND w.content_id IS NOT NULL"
    " AND NOT EXISTS (SELECT 1 FROM arrival r WHERE r.content_id = w.content_id)"
)


def highest_spoken_of(transaction: Transaction) -> int:
    """The highest number of a content that a row speaks of; higher than any content's where the last one is lost."""
    return transaction.highest((*_INDEXED, *_UNINDEXED))


def _holes(transaction: Transaction, highest: int) -> list[int]:
    there = bytearray(highest + 1)
    # The index is small and has every number; the contents themselves are the whole vault.
    for number in transaction.integers("SELECT id FROM content INDEXED BY ix_content_digest_head"):
        there[number] = 1
    holes: list[int] = []
    at = there.find(0, 1)
    while at >= 0:
        holes.append(at)
        at = there.find(0, at + 1)
    return holes


def spoken_of(transaction: Transaction, numbers: Collection[int]) -> set[int]:
    """The contents among these that some row speaks of."""
    wanted = set(numbers)
    spoken: set[int] = set()
    for table, column in _UNINDEXED:
        spoken |= wanted.intersection(transaction.integers(f"SELECT {column} FROM {table} WHERE {column} IS NOT NULL"))
    for table, column in _INDEXED:
        left = [number for number in numbers if number not in spoken]
        spoken.update(transaction.column_in(f"SELECT {column} FROM {table} WHERE {column} IN {{}}", left))
    return spoken
