"""Rows that another program changed: given back from a backup, or accepted as they stand; the audit trail says so."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from sqlalchemy.exc import IntegrityError

from confere.archive.accounts import audit
from confere.archive.file_uri import file_uri
from confere.archive.seals import row_seal
from confere.archive.seals.row_seals import DELETED, INSERTED, ForeignChange
from confere.archive.seals.sealed_tables import SealedTable, sealed_tables
from confere.archive.transaction import Transaction

GIVEN_BACK: Final = "rows given back"
ACCEPTED: Final = "rows accepted"
LOST: Final = "rows lost"
"""In the audit trail: the subject is the table, the detail names the keys."""
_NAMED: Final = 200


def give_back(transaction: Transaction, backup: Path, changes: Collection[ForeignChange]) -> tuple[ForeignChange, ...]:
    """Write back those rows that the backup has as they were sealed; which."""
    done: list[ForeignChange] = []
    tables = {table.name: table for table in sealed_tables()}
    with closing(sqlite3.connect(f"{file_uri(backup)}?mode=ro&immutable=1", uri=True)) as source:
        for change in changes:
            table = tables.get(change.table)
            if table is None or change.action == INSERTED:
                continue
            try:
                before = _row(source.execute, table, change.key)
            except sqlite3.Error:  # of an older format, or damaged
                continue
            if before is not None and _written_back(transaction, table, change, before):
                done.append(change)
    _write_down(transaction, GIVEN_BACK, done, backup.name)
    return tuple(done)


def accept(transaction: Transaction, changes: Collection[ForeignChange], action: str = ACCEPTED) -> None:
    """Let these rows stand as they are, and say so in the audit trail."""
    tables = {table.name: table for table in sealed_tables()}
    for change in changes:
        table = tables.get(change.table)
        if table is None:
            transaction.execute("DELETE FROM seal WHERE table_number = ? AND row_key = ?", change.key)
        elif change.action == DELETED:
            _unseal(transaction, table, change.key)
        else:
            row = _row(lambda sql, key: transaction.connection.exec_driver_sql(sql, key).cursor, table, change.key)
            if row is not None:
                _seal(transaction, table, row)
    _write_down(transaction, action, changes)


def _written_back(transaction: Transaction, table: SealedTable, change: ForeignChange, before: Sequence[Any]) -> bool:
    seal = transaction.scalar(
        "SELECT seal FROM seal WHERE table_number = ? AND row_key = ?", (table.number, table.row_key(change.key))
    )
    if seal is None:
        return False
    names = ", ".join(f'"{name}"' for name in table.columns)
    try:
        if change.action == DELETED:
            if not row_seal.fits(seal, before):
                return False
            marks = ", ".join("?" * len(table.columns))
            transaction.execute(f'INSERT INTO "{table.name}" ({names}) VALUES ({marks})', tuple(before))
            return True
        now = _row(lambda sql, key: transaction.connection.exec_driver_sql(sql, key).cursor, table, change.key)
        if now is None:
            return False
        places = [place for place, name in enumerate(table.columns) if not change.columns or name in change.columns]
        wanted = tuple(before[place] if place in places else value for place, value in enumerate(now))
        if not (row_seal.fits(seal, wanted) or (row_seal.is_noted(seal) and not row_seal.edited(seal, wanted))):
            return False
        values = ", ".join(f'"{table.columns[place]}" = ?' for place in places)
        condition = table.condition()
        transaction.execute(
            f'UPDATE "{table.name}" SET {values} WHERE {condition}',
            (*(wanted[place] for place in places), *change.key),
        )
        _seal(transaction, table, wanted)
    except IntegrityError:  # what it refers to is not there, or another row has its place
        return False
    return True


def _row(execute: Any, table: SealedTable, key: tuple[Any, ...]) -> tuple[Any, ...] | None:
    row: tuple[Any, ...] | None = execute(
        f'SELECT {table.values("t")} FROM "{table.name}" t WHERE {table.condition()}', key
    ).fetchone()
    return row


def _seal(transaction: Transaction, table: SealedTable, row: Sequence[Any]) -> None:
    key = table.row_key(tuple(row[place] for place in table.keys))
    transaction.execute(
        "INSERT OR REPLACE INTO seal (table_number, row_key, seal) VALUES (?, ?, ?)",
        (table.number, key, row_seal.seal_of(*row)),
    )


def _unseal(transaction: Transaction, table: SealedTable, key: tuple[Any, ...]) -> None:
    transaction.execute("DELETE FROM seal WHERE table_number = ? AND row_key = ?", (table.number, table.row_key(key)))


def _write_down(
    transaction: Transaction, action: str, changes: Collection[ForeignChange], source: str | None = None
) -> None:
    of: dict[str, list[str]] = defaultdict(list)
    for change in changes:
        of[change.table].append(change.text)
    for table, texts in of.items():
        for part in _parts(texts):
            audit.write(transaction, action, table, "; ".join((*part, *(() if source is None else (source,)))))


def _parts(texts: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(texts), _NAMED):
        yield texts[start : start + _NAMED]
