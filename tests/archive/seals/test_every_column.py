"""Every column of every sealed table: edited by another program, it is named by table, key and column."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import BigInteger, Column, Integer, LargeBinary

from confere.archive.schema.schema import metadata
from confere.archive.seals import seal_check
from confere.archive.seals.row_seals import DELETED, EDITED, INSERTED, ForeignChange
from confere.archive.seals.sealed_tables import sealed_tables
from confere.archive.store import Archive
from confere.archive.transaction import Transaction


def value(column: Column[Any], edited: bool) -> object:
    """A value of the column's kind, and another one; what refers to a row refers to the first."""
    if column.foreign_keys or isinstance(column.type, Integer | BigInteger):
        return 2 if edited else 1
    if isinstance(column.type, LargeBinary):
        return b"other" if edited else b"some"
    return "other" if edited else "some"


def filled(transaction: Transaction) -> None:
    """One row in every sealed table."""
    for table in sealed_tables():
        columns = metadata.tables[table.name].columns
        transaction.insert(metadata.tables[table.name], [tuple(value(column, False) for column in columns)])


def changes(path: Path) -> set[ForeignChange]:
    with Archive.to_read(path) as archive, archive.reading() as transaction:
        return set(seal_check.verify(transaction).changes)


def test_an_edit_of_any_column_is_named(path: Path) -> None:
    with Archive.to_write(path, "test") as archive, archive.writing() as transaction:
        filled(transaction)
    assert changes(path) == set()
    widest = max(len(table.columns) for table in sealed_tables())
    edited = 0
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        for place in range(widest):
            expected: set[ForeignChange] = set()
            back: list[tuple[str, tuple[object, ...]]] = []
            connection.execute("BEGIN")
            for table in sealed_tables():
                if place >= len(table.columns):
                    continue
                columns = list(metadata.tables[table.name].columns)
                old, new = value(columns[place], False), value(columns[place], True)
                key = tuple(value(columns[at], False) for at in table.keys)
                sql = f'UPDATE "{table.name}" SET "{table.columns[place]}" = ? WHERE {table.condition()}'
                connection.execute(sql, (new, *key))
                edited += 1
                if place in table.keys:
                    moved = tuple(new if at == place else part for at, part in zip(table.keys, key, strict=True))
                    expected |= {ForeignChange(DELETED, table.name, key), ForeignChange(INSERTED, table.name, moved)}
                    back.append((sql, (old, *moved)))
                else:
                    expected.add(ForeignChange(EDITED, table.name, key, (table.columns[place],)))
                    back.append((sql, (old, *key)))
            connection.execute("COMMIT")
            assert changes(path) == expected
            for sql, values in back:
                connection.execute(sql, values)
    assert changes(path) == set()
    assert edited == sum(len(table.columns) for table in sealed_tables()) > 350
