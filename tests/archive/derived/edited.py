"""Rows edited as another program would: by the sqlite3 driver, one value at a time, and put back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def edited(path: Path, sql: str, *values: object) -> Iterator[int]:
    """The archive with this statement done; how many rows it changed. Afterwards the whole archive is as before."""
    with closing(sqlite3.connect(":memory:")) as copy:
        with closing(sqlite3.connect(path)) as connection:
            connection.backup(copy)
            with connection:
                count = connection.execute(sql, values).rowcount
        try:
            yield count
        finally:
            with closing(sqlite3.connect(path)) as connection:
                copy.backup(connection)


def change(path: Path, sql: str, *values: object) -> int:
    """Do this, and leave it so."""
    with closing(sqlite3.connect(path)) as connection, connection:
        return connection.execute(sql, values).rowcount


def rows(path: Path, sql: str, *values: object) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(sql, values).fetchall()


def other(value: object, column_type: str) -> object:
    """A value of the same type in place of this one."""
    if isinstance(value, bytes):
        return value[:-1] + bytes([value[-1] ^ 1])
    if isinstance(value, int):
        return 1 - value if value in (0, 1) else value + 1
    if isinstance(value, str):
        return value + "1"
    return 1 if "INT" in column_type.upper() else "1"
