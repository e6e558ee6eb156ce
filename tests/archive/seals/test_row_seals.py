"""Seals by value: what the program writes fits, what another program writes is named by table, key and column."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from sqlalchemy import create_engine
from sqlalchemy.pool import StaticPool

from confere.archive.accounts import audit
from confere.archive.schema.schema import metadata
from confere.archive.seals import row_seal, seal_check
from confere.archive.seals.row_seals import DELETED, EDITED, INSERTED, ForeignChange, RowSeals
from confere.archive.seals.sealed_tables import UNSEALED, SealedTable, by_number, sealed_tables
from confere.archive.store import Archive

_TAG = "INSERT INTO tag (id, name, folded, colour, created_at) VALUES (?, ?, ?, ?, '2026-09-01T00:00:00+00:00')"
_ASKED = "INSERT INTO order_asked (account_id, hub_id, asked_at, outcome) VALUES (?, ?, '2026', 'absent')"


@contextmanager
def elsewhere(path: Path) -> Iterator[sqlite3.Connection]:
    """Another program, which knows of no seals."""
    with closing(sqlite3.connect(path)) as connection:
        yield connection
        connection.commit()


def changes(path: Path) -> tuple[ForeignChange, ...]:
    with Archive.to_read(path) as archive, archive.reading() as transaction:
        return seal_check.verify(transaction).changes


def trail(path: Path) -> list[tuple[str, str, str | None]]:
    """What the audit trail says of rows, oldest first."""
    with Archive.to_read(path) as archive, archive.reading() as transaction:
        lines = audit.lines(transaction)
    return [(line.action, line.subject, line.detail) for line in reversed(lines) if line.action.startswith("rows ")]


def write(path: Path, *statements: str) -> None:
    with Archive.to_write(path, "test") as archive, archive.writing() as transaction:
        for statement in statements:
            transaction.execute(statement)


@pytest.fixture
def tags(path: Path) -> Path:
    """An archive with three tags and two orders that were asked for."""
    with Archive.to_write(path, "test") as archive, archive.writing() as transaction:
        for number, name in enumerate(("red", "green", "blue"), 1):
            transaction.execute(_TAG, (number, name, name, number))
        for name in ("77", "7|8:9"):
            transaction.execute(_ASKED, (1, name))
    return path


def test_every_table_is_sealed_unless_it_says_what_proves_it_instead() -> None:
    sealed = {table.name for table in sealed_tables()}
    assert sealed | set(UNSEALED) == set(metadata.tables)
    assert not sealed & set(UNSEALED)
    assert all(UNSEALED.values())
    assert len(by_number()) == len(sealed)  # no two have the same number
    assert all(table.keys for table in sealed_tables())
    # A function takes a hundred values in any SQLite: an update gives the row before and after, and two more.
    assert max(len(table.columns) for table in sealed_tables()) * 2 + 2 <= 100


def test_the_seal_of_a_row_is_the_same_everywhere() -> None:
    seal = row_seal.seal_of(7, 2**40, -1, "ação", "", None, b"\x00\xff", 1.5)
    assert seal.hex() == SEAL
    assert row_seal.seal_of(7, "a") != row_seal.seal_of("7", "a") != row_seal.seal_of(b"7", "a")


SEAL = "cbe53ffb607f984c9809c2a8a21a4e4b"


@pytest.mark.parametrize("table", sealed_tables(), ids=lambda table: table.name)
def test_a_key_is_found_by_sql_and_taken_apart_again(table: SealedTable) -> None:
    values = zip(table.are_numbers, (3, 12, 123), ("1|2:x", "ação", ""), strict=False)
    key = tuple(number if is_number else text for is_number, number, text in values)
    with closing(sqlite3.connect(":memory:")) as connection:
        columns = ", ".join(f'"{table.columns[place]}"' for place in table.keys)
        connection.execute(f"CREATE TABLE t ({columns})")
        connection.execute(f"INSERT INTO t VALUES ({', '.join('?' * len(key))})", key)
        (made,) = connection.execute(f"SELECT {table.key('t')} FROM t").fetchone()
    assert made == table.row_key(key)
    assert table.parts(made) == key


def test_what_another_program_edits_is_named_by_table_key_and_column(tags: Path) -> None:
    assert changes(tags) == ()
    with elsewhere(tags) as connection:
        connection.execute("UPDATE tag SET name = 'evil', colour = 9 WHERE id = 2")
        connection.execute("UPDATE order_asked SET outcome = 'found' WHERE hub_id = '7|8:9'")
        connection.execute("DELETE FROM tag WHERE id = 3")
        connection.execute("DELETE FROM order_asked WHERE hub_id = '77'")
        connection.execute(_TAG, (8, "black", "black", 1))
        connection.execute(_ASKED, (2, "1"))
    assert set(changes(tags)) == {
        ForeignChange(EDITED, "tag", (2,), ("name", "colour")),
        ForeignChange(EDITED, "order_asked", (1, "7|8:9"), ("outcome",)),
        ForeignChange(DELETED, "tag", (3,)),
        ForeignChange(DELETED, "order_asked", (1, "77")),
        ForeignChange(INSERTED, "tag", (8,)),
        ForeignChange(INSERTED, "order_asked", (2, "1")),
    }


def test_another_key_is_a_row_deleted_and_one_put_in(tags: Path) -> None:
    with elsewhere(tags) as connection:
        connection.execute("UPDATE tag SET id = 9 WHERE id = 1")
    assert changes(tags) == (ForeignChange(INSERTED, "tag", (9,)), ForeignChange(DELETED, "tag", (1,)))


def test_a_text_that_is_not_utf_8_is_named(tags: Path) -> None:
    with elsewhere(tags) as connection:
        connection.execute("UPDATE tag SET name = CAST(x'ff80' AS TEXT) WHERE id = 2")
    assert changes(tags) == (ForeignChange(EDITED, "tag", (2,), ("name",)),)


def test_the_programs_next_write_hides_nothing(tags: Path) -> None:
    with elsewhere(tags) as connection:
        connection.execute("UPDATE tag SET name = 'evil' WHERE id = 1")
        connection.execute("UPDATE tag SET name = 'gone' WHERE id = 2")
        connection.execute("DELETE FROM tag WHERE id = 3")
        connection.execute(_TAG, (4, "black", "black", 1))
    write(
        tags,
        "UPDATE tag SET colour = 5 WHERE id = 1",
        "DELETE FROM tag WHERE id IN (2, 4)",
        "INSERT INTO tag (id, name, folded, colour, created_at) VALUES (3, 'n', 'n', 1, '2026')",
    )
    expected = [
        ("rows edited elsewhere", "tag", "1 (name); 2 (name)"),
        ("rows deleted elsewhere", "tag", "3"),
        ("rows inserted elsewhere", "tag", "4"),
    ]
    assert sorted(trail(tags)) == sorted(expected)
    assert changes(tags) == (ForeignChange(EDITED, "tag", (1,), ("name",)),)
    write(tags, "UPDATE tag SET colour = 6 WHERE id = 1")
    assert sorted(trail(tags)) == sorted(expected)  # said once
    assert changes(tags) == (ForeignChange(EDITED, "tag", (1,), ("name",)),)
    write(tags, "UPDATE tag SET name = 'red' WHERE id = 1")  # nothing is left of what the other program wrote
    assert changes(tags) == ()


def test_what_is_rolled_back_is_not_written_down_and_found_again(tags: Path) -> None:
    with elsewhere(tags) as connection:
        connection.execute("UPDATE tag SET name = 'evil' WHERE id = 1")
    with Archive.to_write(tags, "test") as archive:
        with pytest.raises(ZeroDivisionError), archive.writing() as transaction:
            transaction.execute("UPDATE tag SET colour = 5 WHERE id = 1")
            raise ZeroDivisionError
        with archive.writing() as transaction:
            transaction.execute("UPDATE tag SET colour = 6 WHERE id = 2")
    assert trail(tags) == []
    assert changes(tags) == (ForeignChange(EDITED, "tag", (1,), ("name",)),)


def test_seals_are_made_where_the_schema_is_not_trusted(tags: Path) -> None:
    write(tags, "PRAGMA trusted_schema = OFF", "UPDATE tag SET colour = 5 WHERE id = 1", "DELETE FROM tag WHERE id = 2")
    assert changes(tags) == ()


def test_a_kill_in_the_middle_of_a_transaction_leaves_seals_and_rows_that_fit(tags: Path) -> None:
    code = textwrap.dedent(
        """
        import os, sys
        from pathlib import Path
        from confere.archive.store import Archive
        archive = Archive.to_write(Path(sys.argv[1]), "test")
        with archive.writing() as transaction:
            transaction.execute("UPDATE tag SET colour = 5 WHERE id = 1")
        with archive.writing() as transaction:
            transaction.execute("PRAGMA cache_spill = 1")
            transaction.execute("UPDATE tag SET colour = 7")
            transaction.execute("DELETE FROM order_asked")
            os._exit(9)
        """
    )
    assert subprocess.run([sys.executable, "-c", code, str(tags)], check=False).returncode == 9
    assert changes(tags) == ()
    with closing(sqlite3.connect(tags)) as connection:
        assert connection.execute("SELECT id, colour FROM tag ORDER BY id").fetchall() == [(1, 5), (2, 2), (3, 3)]


_KEYS = st.integers(1, 6)
_NAMES = st.sampled_from(("a", "b", "c", "d", "e", "ação"))
_COLOURS = st.one_of(st.integers(-2, 2), st.just(2**62))
_CONFLICTS = st.sampled_from(("", "OR IGNORE ", "OR REPLACE ", "OR ABORT "))


@cache
def template() -> sqlite3.Connection:
    """Every table, empty."""
    made = sqlite3.connect(":memory:", check_same_thread=False)
    metadata.create_all(create_engine("sqlite://", creator=lambda: made, poolclass=StaticPool))
    return made


class Seals(RuleBasedStateMachine):
    """Statements of all kinds on two tables, some rolled back: seals and rows fit, and nothing else is sealed."""

    def __init__(self) -> None:
        super().__init__()
        self.driver = sqlite3.connect(":memory:", isolation_level=None)
        template().backup(self.driver)
        self.seals = RowSeals(self.driver)
        self.driver.execute("BEGIN")

    def run(self, sql: str, *values: object) -> None:
        with suppress(sqlite3.IntegrityError):
            self.driver.execute(sql, values)

    @rule(conflict=_CONFLICTS, key=_KEYS, name=_NAMES, colour=_COLOURS)
    def insert(self, conflict: str, key: int, name: str, colour: int) -> None:
        self.run(_TAG.replace("INSERT ", f"INSERT {conflict}"), key, name, name, colour)

    @rule(conflict=_CONFLICTS, key=_KEYS, other=_KEYS, name=_NAMES)
    def update(self, conflict: str, key: int, other: int, name: str) -> None:
        self.run(f"UPDATE {conflict}tag SET id = ?, folded = ? WHERE id = ?", other, name, key)

    @rule(key=_KEYS, colour=_COLOURS)
    def recolour(self, key: int, colour: int) -> None:
        self.run("UPDATE tag SET colour = ? WHERE id >= ?", colour, key)

    @rule(key=_KEYS, name=_NAMES)
    def upsert(self, key: int, name: str) -> None:
        self.run(f"{_TAG} ON CONFLICT (id) DO UPDATE SET name = excluded.name", key, name, name, 1)

    @rule(conflict=_CONFLICTS, key=_KEYS, name=_NAMES)
    def ask(self, conflict: str, key: int, name: str) -> None:
        self.run(_ASKED.replace("INSERT ", f"INSERT {conflict}"), key, name)

    @rule(key=_KEYS, name=_NAMES)
    def ask_another(self, key: int, name: str) -> None:
        self.run(
            "UPDATE OR REPLACE order_asked SET hub_id = ?, account_id = account_id + 1 WHERE account_id = ?", name, key
        )

    @rule(key=_KEYS)
    def delete(self, key: int) -> None:
        self.run("DELETE FROM tag WHERE id = ?", key)
        self.run("DELETE FROM order_asked WHERE account_id = ?", key)

    @rule(word=st.sampled_from(("COMMIT", "ROLLBACK")))
    def end(self, word: str) -> None:
        self.driver.execute(word)
        self.driver.execute("BEGIN")

    @rule()
    def savepoint(self) -> None:
        self.driver.execute("SAVEPOINT here")
        self.run("UPDATE tag SET colour = colour + 1")
        self.run("DELETE FROM order_asked")
        self.driver.execute("ROLLBACK TO here")

    @invariant()
    def fits(self) -> None:
        made = set()
        for table in sealed_tables():
            if table.name in ("tag", "order_asked"):
                for row in self.driver.execute(f'SELECT {table.values("t")} FROM "{table.name}" t').fetchall():
                    key = tuple(row[place] for place in table.keys)
                    made.add((table.number, table.row_key(key), row_seal.seal_of(*row)))
        assert set(self.driver.execute("SELECT * FROM seal")) == made
        assert self.seals.changes == ()

    def teardown(self) -> None:
        self.driver.close()


TestSeals = Seals.TestCase
TestSeals.settings = settings(max_examples=40, stateful_step_count=20, deadline=None)
