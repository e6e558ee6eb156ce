"""Seals every row that a connection writes, by temporary triggers: they see whatever SQL the program runs.

Where a row that is changed or deleted does not fit its seal, another program wrote it. That is remembered, and goes
into the audit trail with the same transaction, so that the program's own writing never hides it.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from confere.archive.accounts import audit
from confere.archive.seals import row_seal
from confere.archive.seals.sealed_tables import SealedTable, by_number, sealed_tables

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from confere.archive.transaction import Transaction

EDITED: Final = "rows edited elsewhere"
INSERTED: Final = "rows inserted elsewhere"
DELETED: Final = "rows deleted elsewhere"
"""In the audit trail, when the program writes where another program wrote: the subject is the table, the detail names
keys and columns."""
_ON: Final = ("insert", "delete", "update", "rename")
_NAMED: Final = 200  # rows that one line of the audit trail names


class ForeignChange(NamedTuple):
    """A row that another program wrote. `action` is as in the audit trail, `columns` are those edited, as far as that
    can be told."""

    action: str
    table: str
    key: tuple[Any, ...]
    columns: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Key and columns: `3/77 (status, total)`."""
        name = "/".join(part.hex() if isinstance(part, bytes) else str(part) for part in self.key)
        return f"{name} ({', '.join(self.columns)})" if self.columns else name


class RowSeals:
    """What seals the rows that one connection writes, and remembers what did not fit."""

    def __init__(self, driver: sqlite3.Connection) -> None:
        self._changes: dict[ForeignChange, None] = {}
        driver.create_function("row_seal", -1, row_seal.seal_of, deterministic=True)
        driver.create_function("row_resealed", -1, self._resealed)
        driver.create_function("row_sealed_again", 3, self._sealed_again)
        driver.create_function("row_gone", -1, self._gone)
        driver.execute("PRAGMA recursive_triggers = ON")  # so that INSERT OR REPLACE tells what it takes away
        for table in sealed_tables():
            for statement in triggers(table):
                driver.execute(statement)

    @classmethod
    def of_engine(cls, engine: Engine) -> RowSeals:
        """Seal what the one connection of a writer's engine writes."""
        with engine.connect() as connection:
            driver: Any = connection.connection.driver_connection
            return cls(driver)

    @property
    def changes(self) -> tuple[ForeignChange, ...]:
        """What was found that another program wrote, and is not written down yet."""
        return tuple(self._changes)

    def write_down(self, transaction: Transaction) -> None:
        """Let the audit trail say which rows were found that another program wrote; to be called before a commit."""
        while self._changes:  # the audit trail's own head is a sealed row
            of: dict[tuple[str, str], list[ForeignChange]] = defaultdict(list)
            for change in self._changes:
                of[change.action, change.table].append(change)
            self._changes.clear()
            for (action, table), changes in of.items():
                for start in range(0, len(changes), _NAMED):
                    part = changes[start : start + _NAMED]
                    audit.write(transaction, action, table, "; ".join(change.text for change in part))

    def forget(self) -> None:
        """What was found in a transaction that is rolled back is found again by the next one."""
        self._changes.clear()

    def _note(self, change: ForeignChange) -> None:
        self._changes[change] = None

    def _resealed(self, number: int, seal: bytes, *values: Any) -> bytes:
        """The seal of an updated row; `values` are those before, then those after."""
        half = len(values) // 2
        old, new = values[:half], values[half:]
        if row_seal.fits(seal, old):
            return row_seal.seal_of(*new)
        self._note_edit(by_number()[number], seal, old)
        return row_seal.after_change(seal, old, new)

    def _sealed_again(self, number: int, row_key: object, seal: bytes) -> bytes:
        """The seal of a row in the place of one that went without the program."""
        table = by_number()[number]
        self._note(ForeignChange(DELETED, table.name, table.parts(row_key)))
        return seal

    def _gone(self, number: int, seal: bytes | None, *old: Any) -> None:
        """A row with these values is deleted."""
        table = by_number()[number]
        if seal is None:
            self._note(ForeignChange(INSERTED, table.name, tuple(old[place] for place in table.keys)))
        elif not row_seal.fits(seal, old):
            self._note_edit(table, seal, old)

    def _note_edit(self, table: SealedTable, seal: bytes, old: tuple[Any, ...]) -> None:
        if row_seal.is_noted(seal):
            return
        columns = tuple(table.columns[place] for place in row_seal.edited(seal, old))
        self._note(ForeignChange(EDITED, table.name, tuple(old[place] for place in table.keys), columns))


def triggers(table: SealedTable) -> tuple[str, ...]:
    """The statements that make the temporary triggers of a table.

    Whether the statement that fires them says OR IGNORE or OR REPLACE, they do the same: an upsert is not overruled.
    """
    number, name = table.number, table.name
    keys = [table.columns[place] for place in table.keys]
    is_same = " AND ".join(f'NEW."{key}" IS OLD."{key}"' for key in keys)
    old_seal = f"table_number = {number} AND row_key = {table.key('OLD')}"
    gone = (
        f"SELECT row_gone({number}, (SELECT CAST(seal AS BLOB) FROM seal WHERE {old_seal}), {table.values('OLD')});"
        f" DELETE FROM seal WHERE {old_seal};"
    )
    made = (
        f"INSERT INTO seal (table_number, row_key, seal) VALUES ({number}, {table.key('NEW')},"
        f" row_seal({table.values('NEW')})) ON CONFLICT (table_number, row_key)"
        f" DO UPDATE SET seal = row_sealed_again({number}, row_key, excluded.seal);"
    )
    again = (
        f"UPDATE seal SET seal = row_resealed({number}, CAST(seal AS BLOB), {table.values('OLD')},"
        f" {table.values('NEW')})"
        f" WHERE table_number = {number} AND row_key = {table.key('NEW')};"
    )
    bodies = {
        "insert": f'AFTER INSERT ON main."{name}" BEGIN {made} END',
        "delete": f'AFTER DELETE ON main."{name}" BEGIN {gone} END',
        "update": f'AFTER UPDATE ON main."{name}" WHEN {is_same} BEGIN {again} END',
        "rename": f'AFTER UPDATE ON main."{name}" WHEN NOT ({is_same}) BEGIN {gone} {made} END',
    }
    return tuple(f"CREATE TEMP TRIGGER IF NOT EXISTS seal_{on}_{name} {bodies[on]}" for on in _ON)


def untriggers(table: SealedTable) -> tuple[str, ...]:
    """The statements that take the temporary triggers of a table away."""
    return tuple(f"DROP TRIGGER IF EXISTS temp.seal_{on}_{table.name}" for on in _ON)


def seal_unsealed(driver: sqlite3.Connection, tables: tuple[SealedTable, ...] | None = None) -> int:
    """Seal the rows without a seal: after a migration or a rebuilding, and where a person says so; how many."""
    driver.create_function("row_seal", -1, row_seal.seal_of, deterministic=True)
    made = 0
    for table in sealed_tables() if tables is None else tables:
        made += driver.execute(
            f"INSERT INTO seal (table_number, row_key, seal) SELECT {table.number}, {table.key('t')},"
            f' row_seal({table.values("t")}) FROM "{table.name}" t WHERE NOT EXISTS (SELECT 1 FROM seal'
            f" WHERE table_number = {table.number} AND row_key = {table.key('t')})"
        ).rowcount
    return made
