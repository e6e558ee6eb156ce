"""Compares the tables of an archive with those that this program's migrations make: nothing else may stand in the file.

A file may come from a stranger, and SQLite runs what its schema says: a trigger changes what is written, a view or a
generated column says what nobody stored. An archive of this program's format has its very tables and indexes; of an
older format, which is brought up to date and compared then, only what runs by itself is looked for.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from confere.archive.migrations import revisions
from confere.errors import Message, message

if TYPE_CHECKING:
    from sqlalchemy import Connection

HEAD_DIGEST: Final = "c561b0623cba16d5bad0c972c15df628ee2bea020d716175a5ee5250e46b7f7b"
"""Of the schema at the newest format (`digest`); a test says the new one where a migration changed it."""
_BLANKS: Final = re.compile(r'[\s"]+')
_BY_SQLITE: Final = frozenset(  # what ANALYZE makes: only plans of queries come from it
    ("createtablesqlite_stat1(tbl,idx,stat)", "createtablesqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)")
)
_HIDDEN: Final = (2, 3)  # of a generated column, in `table_xinfo`


class _Part(NamedTuple):
    """A line of SQLite's table of tables; `sql` without blanks and quotes, which differ by what wrote it."""

    type: str
    name: str
    table: str
    sql: str


def foreign_part(connection: Connection | sqlite3.Connection, *, is_head: bool) -> Message | None:
    """What of the archive's schema is not Confere's, as the end of a sentence; None where nothing is.

    `is_head`: it is of the newest format; of an older one only what runs by itself is looked for.
    Raises `sqlite3.Error`.
    """
    parts = _parts(connection)
    if not is_head:
        return _runs_by_itself(connection, parts)
    if digest(parts) == HEAD_DIGEST:
        return None
    return _runs_by_itself(connection, parts) or _difference(parts, _expected())


def digest(parts: Iterable[tuple[str, str, str, str]]) -> str:
    """The SHA-256 of a schema, whatever the order of its parts."""
    return sha256("\n".join(sorted("|".join(part) for part in parts)).encode("utf-8", "replace")).hexdigest()


def _parts(connection: Connection | sqlite3.Connection) -> list[_Part]:
    run: Any = connection.execute if isinstance(connection, sqlite3.Connection) else connection.exec_driver_sql
    rows = run("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master").fetchall()
    parts = (_Part(_text(kind), _text(name), _text(table), _plain(_text(sql))) for kind, name, table, sql in rows)
    return [part for part in parts if part.type != "table" or part.sql not in _BY_SQLITE]


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _plain(sql: str) -> str:
    return _BLANKS.sub("", sql).lower()


def _runs_by_itself(connection: Connection | sqlite3.Connection, parts: Iterable[_Part]) -> Message | None:
    """A trigger, a view, a generated column or a table that a module of SQLite makes up."""
    run: Any = connection.execute if isinstance(connection, sqlite3.Connection) else connection.exec_driver_sql
    for part in parts:
        if part.type == "trigger":
            return message("the trigger {name} on {table} is not Confere's", name=part.name, table=part.table)
        if part.type == "view":
            return message("the view {name} is not Confere's", name=part.name)
        if part.type == "table" and part.sql.startswith("createvirtual"):
            if not part.sql.startswith("createvirtualtablesearchusingfts5("):
                return message("the table {table} is not Confere's", table=part.name)
        elif part.type == "table":
            for row in run("SELECT name, hidden FROM pragma_table_xinfo(?)", (part.name,)).fetchall():
                if row[1] in _HIDDEN:
                    return message(
                        "the column {column} of the table {table} is computed", column=_text(row[0]), table=part.name
                    )
    return None


def _difference(parts: Iterable[_Part], expected: Iterable[_Part]) -> Message | None:
    """The first part that is not as expected, or lacks."""
    wanted = {(part.type, part.name): part for part in expected}
    present = {(part.type, part.name): part for part in parts}
    for key, part in present.items():
        if key not in wanted and part.type == "table":
            return message("the table {table} is not Confere's", table=part.name)
        if key not in wanted:
            return message("the index {name} on {table} is not Confere's", name=part.name, table=part.table)
    for key, part in wanted.items():
        if key not in present and part.type == "table":
            return message("the table {table} is not there", table=part.name)
        if key not in present:
            return message("the index {name} on {table} is not there", name=part.name, table=part.table)
        if present[key] != part and part.type == "table":
            return message("the columns of the table {table} are not as Confere makes them", table=part.name)
        if present[key] != part:
            return message("the index {name} on {table} is not as Confere makes it", name=part.name, table=part.table)
    return None


@cache
def _expected() -> tuple[_Part, ...]:
    """What the migrations make. With Alembic, which only an archive that does not fit waits for."""
    from sqlalchemy import create_engine, pool

    engine = create_engine("sqlite://", poolclass=pool.StaticPool)
    try:
        with engine.begin() as connection:
            revisions.run_scripts(connection)
            return tuple(_parts(connection))
    finally:
        engine.dispose()
