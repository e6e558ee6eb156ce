"""Tells damage from a fault of ours: when something unexpected went wrong over an archive, is the archive whole?

Asked only then, for it reads everything. Damage shows as a schema that is not ours, as what SQLite's own check finds,
or as a stored value that nobody wrote (`stored_values`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Column, LargeBinary, Table

from confere.archive import database_words
from confere.archive.driver import hardened
from confere.archive.file_uri import file_uri
from confere.archive.maintenance import stored_values
from confere.archive.migrations import schema_check
from confere.archive.migrations.revisions import HEAD, revision_of
from confere.archive.schema.schema import metadata
from confere.errors import Message, message

_LONGEST: Final = 60  # characters of a key in a sentence
_AT_ONCE = 1000


def why_damaged(path: Path) -> Message | None:
    """Why the archive at `path` is damaged, as the end of a sentence; None where it is whole."""
    try:
        with closing(_opened(path)) as connection:
            for look in (_schema, _structure, _values):
                why = look(connection)
                if why is not None:
                    return why
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", None)
        is_damage = code is None or code & 0xFF in (
            sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR
        )  # fmt: skip
        return database_words.why(error) if is_damage else None
    return None


def _opened(path: Path) -> sqlite3.Connection:
    return hardened(sqlite3.connect(f"{file_uri(path)}?mode=ro", uri=True))


def _schema(connection: sqlite3.Connection) -> Message | None:
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    revision = revision_of(connection)
    return schema_check.foreign_part(connection, is_head=revision == HEAD)


def _structure(connection: sqlite3.Connection) -> Message | None:
    (said,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    return None if said == "ok" else database_words.broken_structure(said)


def _values(connection: sqlite3.Connection) -> Message | None:
    connection.text_factory = bytes  # whether it is UTF-8 is looked at
    for table in metadata.sorted_tables:
        checks = stored_values.checks_of(table.name)
        for row in _rows(connection, table):
            for column, is_sound, value in zip(table.columns, checks, row, strict=True):
                if value is None:
                    if column.nullable:
                        continue
                elif is_sound(value):
                    continue
                return message(
                    "the row {row} of the table {table} has a value in {column} that nobody wrote",
                    row=_name(table, row), table=table.name, column=column.name,
                )  # fmt: skip
    return None


def _name(table: Table, row: tuple[Any, ...]) -> str:
    """The key of a row, as much of it as a sentence takes."""
    keys = [value for column, value in zip(table.columns, row, strict=True) if column.primary_key]
    texts = (value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value) for value in keys)
    return ", ".join(text[:_LONGEST] for text in texts)


def _selected(column: Column[Any]) -> str:
    """SQL for a value with text as its bytes; of a column of bytes text is 0, which is none."""
    name = f'"{column.name}"'
    return f"CASE typeof({name}) WHEN 'text' THEN 0 ELSE {name} END" if isinstance(column.type, LargeBinary) else name


def _rows(connection: sqlite3.Connection, table: Table) -> Iterator[tuple[Any, ...]]:
    names = ", ".join(map(_selected, table.columns))
    cursor = connection.execute(f'SELECT {names} FROM "{table.name}" NOT INDEXED')
    while rows := cursor.fetchmany(_AT_ONCE):
        yield from rows
