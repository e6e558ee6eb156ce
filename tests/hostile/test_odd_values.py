"""Any value that the schema allows in any column: a command answers or says damage, never a fault of Confere."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Column, Integer, LargeBinary, Table

from confere.archive.maintenance.diagnosis import why_damaged
from confere.archive.schema.schema import metadata
from confere.archive.store import Archive
from confere.errors import ArchiveCorrupt
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.archive.papers import note, store
from tests.bench.bits import quiet
from tests.end_to_end.confere import add_account, spoken

MONTH: Final = "2026-10"
COLUMNS: Final = [(table, column) for table in metadata.sorted_tables for column in table.columns]
DEEP: Final = "[" * 100_000 + "]" * 100_000
NUMBERS: Final = st.sampled_from((2**63 - 1, -(2**63), -1, 0, 7, 2**40)) | st.integers(-(2**63), 2**63 - 1)
TEXTS: Final = st.sampled_from(
    ("", "[1,2]", "{}", '{"a":1}', "null", "5", '"x"', DEEP, "[[1]]", '{"a":[{"b":null}]}', "2026-13-45",
     "9999-12-31T23:59:59+14:00", "0001-01-01", "2026-10", "1e999", "-1", "NaN", "R1", "x\0y", "{x}", "@none")
) | st.text(st.characters(exclude_categories=("Cs",)), max_size=40)  # fmt: skip
BYTES: Final = st.sampled_from((b"", b"\xff" * 3, b"x" * 32)) | st.binary(max_size=40)


class World(NamedTuple):
    """A data folder with rows in most tables, and what its commands are asked about."""

    home: Path
    key: str
    order: str


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    home = tmp_path_factory.mktemp("odd") / "home"
    with running(SandboxOptions(documents=20, seed=17)) as hub, quiet():
        add_account(home, "hub", hub.address, hub.token)
        for arguments in (["sync"], ["verify"], ["reconcile"], ["close", "--period", MONTH, "--incomplete"]):
            code, said, _ = spoken(home, *arguments, "--json")
            assert code in (0, 1), said
        with closing(sqlite3.connect(home / "archive.sqlite3")) as database:
            key = database.execute("SELECT min(access_key) FROM document WHERE is_current = 1").fetchone()[0]
            order = database.execute("SELECT min(hub_id) FROM sales_order").fetchone()[0]
        yield World(home, key, order)


def commands(world: World) -> tuple[tuple[str, ...], ...]:
    return (
        ("list", "--limit", "100"), ("show", world.key), ("findings",), ("links",), ("orders",),
        ("orders", "show", world.order), ("doctor",), ("clients",), ("bridge", "--period", MONTH), ("account", "list"),
    )  # fmt: skip


def odd(column: Column[Any]) -> st.SearchStrategy[Any]:
    if isinstance(column.type, Integer):
        return NUMBERS
    return BYTES if isinstance(column.type, LargeBinary) else TEXTS


PLACES: Final = st.sampled_from(COLUMNS).flatmap(lambda place: st.tuples(st.just(place), odd(place[1])))


def faults(world: World, table: Table, column: Column[Any], value: Any) -> list[str]:
    """The commands that call it a fault of the program that every row of `table` has this value in `column`."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name, "home")
        home.mkdir()
        for path in world.home.iterdir():
            if path.is_file():
                shutil.copy2(path, home)
        with closing(sqlite3.connect(home / "archive.sqlite3")) as database, suppress(sqlite3.Error), database:
            database.execute(f'UPDATE OR IGNORE "{table.name}" SET "{column.name}" = ?', (value,))
        found = []
        for arguments in commands(world):
            code, said, complaints = spoken(home, *arguments, "--json")
            if b"This is a fault of Confere" in said or "Traceback" in complaints or code not in (0, 1, 2, 3):
                found.append(f"{' '.join(arguments)}: {code} {said[:300]!r} {complaints[-300:]}")
        return found


@settings(max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
@given(place=PLACES)
def test_an_odd_value_is_damage_or_nothing(world: World, place: tuple[tuple[Table, Column[Any]], Any]) -> None:
    (table, column), value = place
    with quiet():
        assert faults(world, table, column, value) == []


@pytest.mark.exhaustive
@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck), database=None)
@given(place=PLACES)
def test_any_odd_value_is_damage_or_nothing(world: World, place: tuple[tuple[Table, Column[Any]], Any]) -> None:
    (table, column), value = place
    with quiet():
        assert faults(world, table, column, value) == []


@pytest.mark.parametrize(
    ("sql", "value", "column"),
    [
        ("UPDATE account SET facts = ?", "[1,2]", "facts"),
        ("UPDATE account SET facts = ?", DEEP, "facts"),
        ("UPDATE document SET warnings = ?", '{"a":1}', "warnings"),
        ("UPDATE sales_order SET total = ? WHERE id = (SELECT min(id) FROM sales_order)", 2**63 - 1, "total"),
        ("UPDATE run SET id = ? WHERE id = (SELECT max(id) FROM run)", 2**63 - 1, "id"),
        ("UPDATE event SET warnings = ?", DEEP, "warnings"),
        ("UPDATE run SET started_at = ?", "2026-13-45", "started_at"),
    ],
)
def test_a_row_that_nobody_wrote_is_named(world: World, tmp_path: Path, sql: str, value: Any, column: str) -> None:
    assert why_damaged(world.home / "archive.sqlite3") is None
    path = tmp_path / "archive.sqlite3"
    shutil.copy(world.home / "archive.sqlite3", path)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA foreign_keys = OFF")
        database.execute(sql, (value,))
    why = str(why_damaged(path))
    assert "the row" in why and f"a value in {column} that" in why


def test_an_id_at_the_end_of_the_numbers_is_damage_to_the_next_writer(tmp_path: Path) -> None:
    path = tmp_path / "archive.sqlite3"
    with Archive.to_write(path, "test") as archive:
        store(archive, note(1))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE document SET id = ?", (2**63 - 1,))
    with Archive.to_write(path, "test") as archive, pytest.raises(ArchiveCorrupt, match="the table document"):
        store(archive, note(2))
