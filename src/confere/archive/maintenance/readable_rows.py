"""The rows of a damaged table that can still be read.

Pages that cannot be read are stepped around: tables that are kept by number are read by ranges that are halved until
only what stands on such a page is left out, others from both ends.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import Integer

from confere.archive.schema.schema import metadata

_Row = tuple[Any, ...]
_AT_ONCE: Final = 5000  # rows
_MOST_FAILURES: Final = 2_000_000  # of a table; a row that cannot be read costs about two
_LAST: Final = 1 << 40  # numbers that were given end far below it; a damaged page at the end of a table hides no more


def rows_of(source: sqlite3.Connection, name: str) -> Iterator[_Row]:
    """Every row of the table `name` that can be read, its columns in their order."""
    table = metadata.tables[name]
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    keys = list(table.primary_key.columns)
    if keys and isinstance(keys[0].type, Integer):
        highest = _highest(source, table.name, keys[0].name)
        if highest is not None:
            select = f'SELECT {names} FROM "{table.name}" WHERE "{keys[0].name}"'
            yield from _outside(source, select)
            yield from _by_ranges(source, select, 0, min(highest, _LAST))
            return
    seen: set[_Row] = set()
    places = [list(table.columns).index(key) for key in keys]
    order = ", ".join(f'"{key.name}"' for key in keys) or "rowid"
    for way in ("ASC", "DESC"):
        ordered = ", ".join(f"{part} {way}" for part in order.split(", "))
        try:
            for row in source.execute(f'SELECT {names} FROM "{table.name}" ORDER BY {ordered}'):
                known = tuple(row[place] for place in places) or row
                if known not in seen:
                    seen.add(known)
                    yield row
            return
        except sqlite3.Error:
            continue


def _highest(source: sqlite3.Connection, table: str, key: str) -> int | None:
    """The highest number of the table; where its end cannot be read, as far as it and its indexes can be."""
    try:
        (last,) = source.execute(f'SELECT coalesce(max("{key}"), 0) FROM "{table}"').fetchone()
        return int(last)
    except sqlite3.Error:
        pass
    highest = 0
    indexes = []
    try:
        whole_indexes = "SELECT name FROM pragma_index_list(?) WHERE partial = 0"
        indexes = [name for (name,) in source.execute(whole_indexes, (table,))]
    except sqlite3.Error:
        return None
    for hint in (*(f'INDEXED BY "{name}"' for name in indexes), "NOT INDEXED"):
        try:
            for (number,) in source.execute(f'SELECT "{key}" FROM "{table}" {hint}'):
                highest = max(highest, number if isinstance(number, int) else 0)
        except sqlite3.Error:
            continue
    return highest or None


def _outside(source: sqlite3.Connection, select: str) -> Iterator[_Row]:
    """Rows whose number nobody gave, where they can be read at once: the ranges there are too wide to be halved."""
    for condition in ("< 0", f"> {_LAST}"):
        try:
            rows = source.execute(f"{select} {condition}").fetchall()
        except sqlite3.Error:
            continue
        yield from rows


def _by_ranges(source: sqlite3.Connection, select: str, first: int, last: int) -> Iterator[_Row]:
    waiting = [(first, last)]  # the lowest numbers come first: rows stand there, and an endless gap behind them
    failures = 0
    while waiting and failures < _MOST_FAILURES:
        low, high = waiting.pop()
        try:
            found = source.execute(f"{select} BETWEEN ? AND ?", (low, high)).fetchmany(_AT_ONCE + 1)
        except sqlite3.Error:
            found = None
            failures += 1
        if found is not None and len(found) <= _AT_ONCE:
            yield from found
        elif low < high:
            middle = (low + high) // 2
            waiting += [(middle + 1, high), (low, middle)]
        elif found is not None:
            yield from source.execute(f"{select} = ?", (low,))
