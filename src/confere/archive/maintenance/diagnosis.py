"""Tells damage from a fault of ours: when something unexpected went wrong over an archive, is the archive whole?

Asked only then, for it reads everything. Damage that no sum of a page tells of shows as a schema that is not ours, as
what SQLite's own check finds, or as a stored value that nobody wrote: of another type, not UTF-8, not JSON, not a word
of its column.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import closing
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Column, Integer, LargeBinary, Table, Text

from confere.archive import database_words
from confere.archive.driver import hardened
from confere.archive.file_uri import file_uri
from confere.archive.schema.metadata import metadata
from confere.archive.vault.vault import Family
from confere.errors import Message, message
from confere.fiscal.model import DocumentType, State
from confere.fiscal.operations import Operation
from confere.sales.findings import FindingState, Severity
from confere.sales.links import LinkKind

_JSON: Final = {
    ("account", "facts"), ("account", "preferences"), ("run", "parameters"), ("run", "counts"),
    ("document", "warnings"), ("event", "warnings"), ("phrase", "text"), ("finding", "evidence"), ("act", "detail"),
    ("link", "evidence"), ("tie", "orders"), ("tie", "keys"), ("suggestion", "agrees"), ("suggestion", "differs"),
    ("explained_difference", "orders"), ("explained_difference", "keys"), ("explained_difference", "evidence"),
}  # fmt: skip
_WORDS: Final[dict[tuple[str, str], type[Enum]]] = {
    ("document", "type"): DocumentType,
    ("document", "state"): State,
    ("content", "family"): Family,
    ("finding", "state"): FindingState,
    ("finding", "severity"): Severity,
    ("link", "kind"): LinkKind,
}
_FURTHER: Final = {("document", "operation"): {word.value for word in Operation} | {"voiding", "other"}}
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
    connection = hardened(sqlite3.connect(f"{file_uri(path)}?mode=ro", uri=True))
    connection.text_factory = bytes
    return connection


def _schema(connection: sqlite3.Connection) -> Message | None:
    for table in metadata.sorted_tables:
        columns = connection.execute("SELECT name FROM pragma_table_info(?)", (table.name,))
        names = [name.decode("utf-8", "replace") for (name,) in columns]
        if not names:
            return message("the table {table} is not there", table=table.name)
        for column in table.columns:
            if column.name not in names:
                return message("the table {table} has no column {column}", table=table.name, column=column.name)
    return None


def _structure(connection: sqlite3.Connection) -> Message | None:
    (said,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
    return None if said == b"ok" else database_words.broken_structure(said.decode("utf-8", "replace"))


def _values(connection: sqlite3.Connection) -> Message | None:
    for table in metadata.sorted_tables:
        checks = [_check(table, column) for column in table.columns]
        for row in _rows(connection, table):
            for column, check, value in zip(table.columns, checks, row, strict=True):
                if value is None:
                    if column.nullable or column.primary_key:
                        continue
                elif check(value):
                    continue
                return message(
                    "a row of the table {table} has a value in {column} that nobody wrote",
                    table=table.name, column=column.name,
                )  # fmt: skip
    return None


def _rows(connection: sqlite3.Connection, table: Table) -> Iterator[tuple[Any, ...]]:
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    cursor = connection.execute(f'SELECT {names} FROM "{table.name}" NOT INDEXED')
    while rows := cursor.fetchmany(_AT_ONCE):
        yield from rows


def _check(table: Table, column: Column[Any]) -> Callable[[Any], bool]:
    place = (table.name, column.name)
    if place in _JSON:
        return _is_json
    if place in _WORDS:
        return _one_of({member.value for member in _WORDS[place]})
    if place in _FURTHER:
        return _one_of(_FURTHER[place])
    if isinstance(column.type, Integer):
        return lambda value: isinstance(value, int)
    if isinstance(column.type, LargeBinary):
        return lambda value: isinstance(value, bytes)
    if isinstance(column.type, Text):
        return _is_moment if column.name.endswith("_at") and table.name in _OURS else _is_text
    return lambda _: True


_OURS: Final = {"account", "run", "coverage", "finding", "finding_act", "audit"}  # times that nobody else wrote


def _one_of(words: Collection[str | int]) -> Callable[[Any], bool]:
    known = {word.encode() if isinstance(word, str) else word for word in words}
    return known.__contains__


def _is_text(value: Any) -> bool:
    if not isinstance(value, bytes):
        return False
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True


def _is_json(value: Any) -> bool:
    try:
        json.loads(value)
    except (ValueError, TypeError):
        return bool(value == b"")
    return True


def _is_moment(value: Any) -> bool:
    try:
        datetime.fromisoformat(value.decode())
    except (ValueError, AttributeError):
        return bool(value == b"")
    return True
