"""SQLite's own driver: connections without its transactions, and a bare view for workers that only take contents.

SQLAlchemy and the archive's other modules take a quarter of a second to load, in each worker; this takes none of it.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Self

from confere.archive.file_uri import file_uri

READER_PRAGMAS: Final = ("temp_store = MEMORY",)
_HARDENED: Final = (
    "trusted_schema = OFF",  # what a file's schema calls, such as a view or a default, may call nothing with effects
    "cell_size_check = ON",  # a damaged page is an error before its cells are read
    "mmap_size = 0",  # a disk that fails while a mapped page is read ends the process
)
CHUNK: Final = 500  # old SQLite builds allow 999 variables in a statement


def hardened(connection: sqlite3.Connection) -> sqlite3.Connection:
    """The connection, set so that an archive made by a stranger can do least; for every file that is opened.

    Where Python offers it (3.12), no statement may write to the tables behind the search index or to the schema's own
    table either. In 3.11 nothing of the sort is needed for what a file holds: this program runs no statement that
    comes from one, and the schema is compared with its own before anything is written (`schema_check`).
    """
    for pragma in _HARDENED:
        connection.execute(f"PRAGMA {pragma}")
    if sys.version_info >= (3, 12):
        connection.setconfig(sqlite3.SQLITE_DBCONFIG_DEFENSIVE)
    return connection


def opened(path: Path, mode: str, pragmas: Sequence[str], statements: Sequence[str] = ()) -> sqlite3.Connection:
    """A connection without the driver's own transactions, which hide DDL and SELECT from ours.

    `statements` make what the connection has for itself, such as temporary tables. Only `rwc` may write afterwards.
    """
    connection = sqlite3.connect(
        f"{file_uri(path)}?mode={mode}", uri=True, timeout=30, check_same_thread=False, isolation_level=None
    )
    try:
        hardened(connection)
        for pragma in pragmas:
            connection.execute(f"PRAGMA {pragma}")
        for statement in statements:
            _make(connection, statement)
        if mode != "rwc":
            connection.execute("PRAGMA query_only = ON")  # from here on: temporary tables are written too
    except BaseException:
        connection.close()
        raise
    return connection


def _make(connection: sqlite3.Connection, statement: str) -> None:
    """What is wrong with a file its first question says in its own words; only a lock is not waited for twice."""
    try:
        connection.execute(statement)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            raise


def chunks(values: Collection[Any]) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """`values` in parts that one statement may hold, each with the marks that stand for it in the statement."""
    listed = list(values)
    for start in range(0, len(listed), CHUNK):
        part = tuple(listed[start : start + CHUNK])
        yield "(" + ",".join("?" * len(part)) + ")", part


class BareView:
    """Reads an archive that somebody else has opened and looked at, in short views.

    What fails here fails in the driver's words: who wants ours does the same again with `Archive`.
    """

    def __init__(self, path: Path) -> None:
        self._connection = opened(path, "ro", READER_PRAGMAS)

    @contextmanager
    def reading(self) -> Iterator[Self]:
        """A short consistent view, as `Archive.reading`."""
        self._connection.execute("BEGIN")
        try:
            yield self
        finally:
            self._connection.execute("ROLLBACK")

    def scalar(self, statement: str, parameters: tuple[Any, ...] = ()) -> Any:
        """The first column of the first row; None where there is no row."""
        row = self._connection.execute(statement, parameters).fetchone()
        return None if row is None else row[0]

    def fetch_in(self, sql: str, values: Collection[Any]) -> Iterator[tuple[Any, ...]]:
        """Run `sql`, whose `{}` stands for the list after `IN`, over all `values` in chunks."""
        for marks, part in chunks(values):
            yield from self._connection.execute(sql.format(marks), part).fetchall()
