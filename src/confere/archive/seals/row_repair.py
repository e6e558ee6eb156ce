"""Rows that another program changed: given back from a backup, or accepted as they stand; the audit trail says so."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from confere.archive.accounts import audit
from confere.archive.file_uri import file_uri
from confere.archive.seals import row_seal
from confere.archive.seals.row_seals import DELETED, INSERTED, ForeignChange, triggers, untriggers
from confere.archive.seals.sealed_tables import SealedTable, by_name
from confere.archive.transaction import Transaction

GIVEN_BACK: Final = "rows given back"
ACCEPTED: Final = "rows accepted"
LOST: Final = "rows lost"
"""In the audit trail: the subject is the table, the detail names the keys."""
_NAMED: Final = 200  # rows that one line of the audit trail names
_Row = tuple[Any, ...]


def give_back(transaction: Transaction, backup: Path, changes: Collection[ForeignChange]) -> tuple[ForeignChange, ...]:
    """Write back those rows that the backup has as they were sealed; which."""
    done: list[ForeignChange] = []
    with closing(sqlite3.connect(f"{file_uri(backup)}?mode=ro&immutable=1", uri=True)) as source:
        for change in changes:
            table = by_name().get(change.table)
            if table is None or change.action == INSERTED:
                continue
            before = _row(source.execute, table, change.key)
            if before is not None and _written_back(transaction, table, change, before):
                done.append(change)
    _write_down(transaction, GIVEN_BACK, done, backup.name)
    return tuple(done)


def accept(
    transaction: Transaction, changes: Collection[ForeignChange], action: str = ACCEPTED
) -> tuple[ForeignChange, ...]:
    """Let these rows stand as they are, and say so in the audit trail; which. Those that cannot be read stay named."""
    done: list[ForeignChange] = []
    for change in changes:
        table = by_name().get(change.table)
        if table is None:
            _unseal(transaction, *change.key)
        elif change.action == DELETED:
            _unseal(transaction, table.number, table.row_key(change.key))
        else:
            row = _row(_driver(transaction).execute, table, change.key)
            if row is None:
                continue
            _seal(transaction, table, row)
        done.append(change)
    _write_down(transaction, action, done)
    return tuple(done)


def _unseal(transaction: Transaction, number: int, row_key: Any) -> None:
    """Remove a seal, also one whose key is a text that is not UTF-8."""
    if isinstance(row_key, str):
        transaction.execute(
            "DELETE FROM seal WHERE table_number = ? AND row_key = CAST(? AS TEXT)",
            (number, row_key.encode("utf-8", "surrogateescape")),
        )
    else:
        transaction.execute("DELETE FROM seal WHERE table_number = ? AND row_key = ?", (number, row_key))


def _written_back(transaction: Transaction, table: SealedTable, change: ForeignChange, before: _Row) -> bool:
    """Write the row as it was sealed, if the backup's values give that; the triggers of its table rest meanwhile."""
    seal = transaction.scalar(
        "SELECT CAST(seal AS BLOB) FROM seal WHERE table_number = ? AND row_key = ?",
        (table.number, table.row_key(change.key)),
    )
    row = None if seal is None else _as_sealed(transaction, table, change, before, seal)
    if row is None:
        return False
    driver = _driver(transaction)
    for statement in untriggers(table):
        driver.execute(statement)
    try:
        if change.action == DELETED:
            names = ", ".join(f'"{name}"' for name in table.columns)
            marks = ", ".join("?" * len(row))
            driver.execute(f'INSERT INTO "{table.name}" ({names}) VALUES ({marks})', row)
        else:
            values = ", ".join(f'"{name}" = ?' for name in table.columns)
            driver.execute(f'UPDATE "{table.name}" SET {values} WHERE {table.condition()}', (*row, *change.key))
        _seal(transaction, table, row)
    except sqlite3.IntegrityError:  # what it refers to is not there, or another row has its place
        return False
    finally:
        for statement in triggers(table):
            driver.execute(statement)
    return True


def _as_sealed(
    transaction: Transaction, table: SealedTable, change: ForeignChange, before: _Row, seal: bytes
) -> _Row | None:
    """The row as it was sealed: the backup's, or the present one with the backup's values in the edited columns.

    None where neither fits the seal.
    """
    if row_seal.fits(seal, before):
        return before
    now = None if change.action == DELETED else _row(_driver(transaction).execute, table, change.key)
    if now is None or not change.columns:
        return None
    mixed = tuple(
        old if name in change.columns else value for name, old, value in zip(table.columns, before, now, strict=True)
    )
    fits = row_seal.fits(seal, mixed) or (row_seal.is_noted(seal) and not row_seal.edited(seal, mixed))
    return mixed if fits else None


def _row(execute: Callable[[str, _Row], sqlite3.Cursor], table: SealedTable, key: _Row) -> _Row | None:
    """The row with this key; None where it is not there, or cannot be read."""
    try:
        row: _Row | None = execute(
            f'SELECT {table.values("t")} FROM "{table.name}" t WHERE {table.condition()}', key
        ).fetchone()
    except (sqlite3.Error, UnicodeEncodeError):  # of an older format, damaged, or not UTF-8
        return None
    return row


def _driver(transaction: Transaction) -> sqlite3.Connection:
    held: Any = transaction.connection
    driver: sqlite3.Connection = held.connection.driver_connection
    return driver


def _seal(transaction: Transaction, table: SealedTable, row: Sequence[Any]) -> None:
    key = table.row_key(tuple(row[place] for place in table.keys))
    transaction.execute(
        "INSERT OR REPLACE INTO seal (table_number, row_key, seal) VALUES (?, ?, ?)",
        (table.number, key, row_seal.seal_of(*row)),
    )


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
