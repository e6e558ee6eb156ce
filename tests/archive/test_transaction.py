"""Rows by name: what a statement gives is what the fields are called."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import pytest

from confere.archive.schema.schema import dictionary
from confere.archive.schema.table_rows import row_of
from confere.archive.store import Archive
from confere.archive.transaction import CHUNK


class Pair(NamedTuple):
    name: str
    size: int
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Line:
    name: str
    size: int


@pytest.mark.parametrize("kind", [Pair, Line])
def test_rows_become_values_of_the_same_names(archive: Archive, kind: type[Pair | Line]) -> None:
    with archive.reading() as transaction:
        made = transaction.fetch_as(kind, "SELECT 'a' AS name, 1 AS size UNION SELECT 'b', 2 ORDER BY 1")
    assert [(one.name, one.size) for one in made] == [("a", 1), ("b", 2)]


def test_columns_of_other_names_or_in_another_order_are_refused(archive: Archive) -> None:
    with archive.reading() as transaction:
        for columns in ("1 AS size, 'a' AS name", "'a' AS name, 1 AS length", "'a', 1"):
            with pytest.raises(TypeError, match="columns"):
                transaction.fetch_as(Pair, f"SELECT {columns}")


def test_the_first_of_no_rows_is_none(archive: Archive) -> None:
    with archive.reading() as transaction:
        assert transaction.first_as(Pair, "SELECT 'a' AS name, 1 AS size WHERE 0") is None
        assert transaction.first_as(Pair, "SELECT 'a' AS name, 1 AS size") == Pair("a", 1)


def test_lists_longer_than_a_statement_may_name_are_asked_in_parts(archive: Archive) -> None:
    wanted = range(1, CHUNK * 2)
    with archive.writing() as transaction:
        transaction.execute_many("INSERT INTO info (name, value) VALUES (?, ?)", [(str(i), i) for i in wanted])
        sql = "SELECT name, value AS size FROM info WHERE name IN {}"
        names = [str(i) for i in wanted]
        assert sorted(transaction.column_in(sql, names)) == sorted(names)
        assert {one.name for one in transaction.fetch_in_as(Pair, sql, names)} == set(names)
        assert len(transaction.column("SELECT name FROM info WHERE value > ?", (0,))) >= len(names)


def test_rows_have_the_names_of_their_columns(archive: Archive) -> None:
    with archive.writing() as transaction:
        made = row_of(dictionary)(id=1, data=b"x", family=0, trained_at="now", ratio=3)
        transaction.insert(dictionary, [made])
        (row,) = transaction.named("SELECT ratio, data AS body FROM dictionary WHERE id = ?", (1,))
        (same,) = transaction.named_in("SELECT ratio, data AS body FROM dictionary WHERE id IN {}", [1])
    assert (row.body, row.ratio) == (same.body, same.ratio) == (b"x", 3)
