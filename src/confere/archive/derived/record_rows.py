"""Rows that are made of JSON that the archive keeps, of orders and the like: read in blocks, compared, made anew."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from confere.archive.derived.difference import ValueDifference, compared
from confere.archive.named_rows import NamedRow
from confere.archive.schema.metadata import metadata
from confere.archive.transaction import Row, Transaction


@dataclass(frozen=True, slots=True)
class RecordTable:
    """A table of records. `parts` are those whose rows a record owns, each with the columns of the owner and the key.

    `versions` is the table of all its JSON, with the column of the owner; empty where the record names its content.
    """

    name: str
    title: str
    parts: tuple[tuple[str, str, str], ...] = ()
    versions: tuple[str, str] = ("", "")


ORDERS: Final = RecordTable("sales_order", "hub_id", (("order_item", "order_id", "position"),))
RETURNS: Final = RecordTable("hub_return", "hub_id", (("return_item", "return_id", "position"),))
PRODUCTS: Final = RecordTable("catalog_product", "hub_id", (("catalog_sku", "product_id", "position"),))
FEEDS: Final = RecordTable("feed_record", "hub_id")
HUB_DOCUMENTS: Final = RecordTable(
    "hub_document",
    "identity",
    (("hub_history", "hub_document_id", "position"), ("hub_metadata", "hub_document_id", "name")),
    ("hub_record", "hub_document_id"),
)


class Version(NamedTuple):
    """One JSON of a record, by the number of its content; `source` is `list` or `detail` where there are both."""

    content_id: int
    source: str


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record as it stands, with the rows of its parts by table, and what it was read from, oldest first."""

    row: NamedRow
    parts: Mapping[str, tuple[Row, ...]]
    versions: tuple[Version, ...]


@dataclass(frozen=True, slots=True)
class DueRecord:
    """What its JSON gives: values by column, those that nothing gives left out, and the rows of its parts by table."""

    columns: Mapping[str, Any]
    parts: Mapping[str, tuple[Row, ...]]


@dataclass(frozen=True, slots=True)
class BrokenRecord:
    """A record whose rows are not what its JSON gives."""

    table: RecordTable
    number: int
    due: DueRecord
    differences: tuple[ValueDifference, ...]


def highest(transaction: Transaction, table: RecordTable) -> int:
    """The highest number of a record."""
    return int(transaction.scalar(f"SELECT coalesce(max(id), 0) FROM {table.name}"))


def stored(transaction: Transaction, table: RecordTable, first: int, last: int) -> Iterator[StoredRecord]:
    """The records numbered from `first` to `last`."""
    parts: dict[str, dict[int, list[Row]]] = {}
    for part, owner, key in table.parts:
        of_part = parts[part] = defaultdict(list)
        sql = f"SELECT * FROM {part} WHERE {owner} BETWEEN ? AND ? ORDER BY {owner}, {key}"
        for row in transaction.named(sql, (first, last)):
            of_part[getattr(row, owner)].append(tuple(row))
    versions: dict[int, list[Version]] = defaultdict(list)
    name, owner = table.versions
    if name:
        sql = f"SELECT {owner} AS owner, content_id, source FROM {name} WHERE {owner} BETWEEN ? AND ? ORDER BY id"
        for row in transaction.named(sql, (first, last)):
            versions[row.owner].append(Version(row.content_id, row.source))
    for row in transaction.named(f"SELECT * FROM {table.name} WHERE id BETWEEN ? AND ?", (first, last)):
        own = versions[row.id] if name else [] if row.content_id is None else [Version(row.content_id, "")]
        yield StoredRecord(row, {part: tuple(rows[row.id]) for part, rows in parts.items()}, tuple(own))


def differences(table: RecordTable, record: StoredRecord, due: DueRecord) -> tuple[ValueDifference, ...]:
    """Where the rows are not what is due."""
    key = str(getattr(record.row, table.title))
    there = {column: getattr(record.row, column) for column in due.columns}
    differing: list[ValueDifference] = []
    if there != due.columns:
        differing += (
            ValueDifference(table.name, key, column) for column, value in due.columns.items() if there[column] != value
        )
    for part, _, place in table.parts:
        if record.parts[part] != due.parts.get(part, ()):
            columns = _columns(part)
            at = columns.index(place)
            differing += compared(
                part,
                key,
                columns,
                {row[at]: row for row in due.parts.get(part, ())},
                {row[at]: row for row in record.parts[part]},
            )
    return tuple(dict.fromkeys(differing))


def write(transaction: Transaction, record: BrokenRecord) -> None:
    """Let the rows be what is due."""
    columns = record.due.columns
    assignments = ", ".join(f'"{column}" = ?' for column in columns)
    transaction.execute(
        f"UPDATE {record.table.name} SET {assignments} WHERE id = ?", (*columns.values(), record.number)
    )
    for part, owner, _ in record.table.parts:
        transaction.execute(f"DELETE FROM {part} WHERE {owner} = ?", (record.number,))
        transaction.insert(metadata.tables[part], list(record.due.parts.get(part, ())))


def _columns(table: str) -> tuple[str, ...]:
    return tuple(column.name for column in metadata.tables[table].columns)
