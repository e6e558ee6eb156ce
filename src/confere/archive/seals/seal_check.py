"""Holds every sealed row against its seal: what another program edited, put in or took away since it was written."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from confere.archive.seals import row_seal
from confere.archive.seals.row_seals import DELETED, EDITED, INSERTED, ForeignChange
from confere.archive.seals.sealed_tables import SealedTable, by_number, sealed_tables
from confere.archive.transaction import Transaction

_STEP: Final = 10_000  # rows between two calls of `progress`


class SealCheck(NamedTuple):
    """What the look at all sealed rows came to: how many there are, and what does not fit, in the tables' order."""

    rows: int
    changes: tuple[ForeignChange, ...]


def verify(transaction: Transaction, progress: Callable[[], None] | None = None) -> SealCheck:
    """Look at every sealed row. `progress` is called now and then, and may raise."""
    rows = 0
    changes: list[ForeignChange] = []
    for table in sealed_tables():
        count, wrong = _look(transaction, table, progress or (lambda: None))
        rows += count
        changes += wrong
    return SealCheck(rows, tuple(changes) + tuple(_of_no_table(transaction)))


def _look(
    transaction: Transaction, table: SealedTable, progress: Callable[[], None]
) -> tuple[int, list[ForeignChange]]:
    try:
        return _of_table(transaction, table, table.values("t"), None, progress)
    except sqlite3.OperationalError as error:  # the driver met a text that is not UTF-8
        if getattr(error, "sqlite_errorcode", None) is not None:
            raise
    return _of_table(transaction, table, _marked(table), _unmarked, progress)


def _of_table(
    transaction: Transaction,
    table: SealedTable,
    values: str,
    decode: Callable[[Any], Any] | None,
    progress: Callable[[], None],
) -> tuple[int, list[ForeignChange]]:
    """How many rows the table has, and what is wrong with them and with its seals."""
    count = sealed = 0
    wrong: list[ForeignChange] = []
    for *row, seal in transaction.rows(
        f'SELECT {values}, CAST(s.seal AS BLOB) FROM "{table.name}" t'
        f" LEFT JOIN seal s ON s.table_number = {table.number} AND s.row_key = {table.key('t')}"
    ):
        count += 1
        if count % _STEP == 0:
            progress()
        if decode is not None:
            row = list(map(decode, row))
        if seal is None:
            wrong.append(ForeignChange(INSERTED, table.name, _key(table, row)))
            continue
        sealed += 1
        if not row_seal.fits(seal, row):
            columns = tuple(table.columns[place] for place in row_seal.edited(seal, row))
            wrong.append(ForeignChange(EDITED, table.name, _key(table, row), columns))
    if transaction.scalar("SELECT count(*) FROM seal WHERE table_number = ?", (table.number,)) != sealed:
        wrong += [ForeignChange(DELETED, table.name, key) for key in _without_row(transaction, table)]
    return count, wrong


def _key(table: SealedTable, row: list[Any]) -> tuple[Any, ...]:
    return tuple(row[place] for place in table.keys)


def _without_row(transaction: Transaction, table: SealedTable) -> Iterator[tuple[Any, ...]]:
    """The keys of rows that were sealed and are not there."""
    for row_key in _row_keys(transaction, table.number):
        key = table.parts(row_key)
        is_whole = len(key) == len(table.keys) and all(map(_is_text_or_number, key))
        if not is_whole or not transaction.scalar(f'SELECT 1 FROM "{table.name}" WHERE {table.condition()}', key):
            yield key


def _is_text_or_number(part: Any) -> bool:
    """Whether a row can have this in its key: no text that is not UTF-8."""
    return not isinstance(part, str) or part == part.encode("utf-8", "replace").decode()


def _of_no_table(transaction: Transaction) -> Iterator[ForeignChange]:
    """Seals that no table made."""
    for number in transaction.column("SELECT DISTINCT table_number FROM seal"):
        if number not in by_number():
            for row_key in _row_keys(transaction, number):
                yield ForeignChange(INSERTED, "seal", (number, row_key))


def _row_keys(transaction: Transaction, number: int) -> Iterator[Any]:
    """The keys of a table's seals; a text that is not UTF-8 with `surrogateescape`."""
    sql = (
        "SELECT CASE typeof(row_key) WHEN 'text' THEN CAST('t' || row_key AS BLOB)"
        " WHEN 'blob' THEN CAST('b' || row_key AS BLOB) ELSE row_key END FROM seal WHERE table_number = ?"
    )
    return (_unmarked(row_key) for (row_key,) in transaction.rows(sql, (number,)))


def _marked(table: SealedTable) -> str:
    """SQL for the values of a row, of which texts and blobs come as bytes that begin with a letter: the driver decodes
    no text itself."""
    return ", ".join(
        f"CASE typeof({name}) WHEN 'text' THEN CAST('t' || {name} AS BLOB)"
        f" WHEN 'blob' THEN CAST('b' || {name} AS BLOB) ELSE {name} END"
        for name in (f't."{column}"' for column in table.columns)
    )


def _unmarked(value: Any) -> Any:
    if not isinstance(value, bytes):
        return value
    return value[1:].decode("utf-8", "surrogateescape") if value.startswith(b"t") else value[1:]
