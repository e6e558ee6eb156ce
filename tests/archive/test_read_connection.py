"""One transaction asks in text and by `select()`: of one state of the archive, whatever is asked first."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import func, select

from confere.archive.schema.schema import dictionary
from confere.archive.store import Archive

_COUNT = select(func.count()).select_from(dictionary)
_TEXT = "SELECT count(*) FROM dictionary"


def _add(archive: Archive, number: int) -> None:
    with archive.writing() as transaction:
        transaction.insert(dictionary, [(number, 1, b"", "2026-10-01T00:00:00.000+00:00", 1.0)])


def test_both_ways_of_asking_see_one_state_of_the_archive(archive: Archive, path: Path) -> None:
    with Archive.to_read(path) as reader:
        for number, (first, then) in enumerate(((_TEXT, _COUNT), (_COUNT, _TEXT)), 1):
            with reader.reading() as transaction:
                before = transaction.scalar(first)
                _add(archive, number)
                assert transaction.scalar(then) == before, "what was written since is not seen"
            with reader.reading() as transaction:
                assert transaction.scalar(first) == transaction.scalar(then) == before + 1


def test_a_select_can_be_asked_while_rows_of_a_text_are_taken(archive: Archive, path: Path) -> None:
    """SQLAlchemy makes functions on what it takes for a new connection, which SQLite refuses beside open rows."""
    _add(archive, 1)
    with Archive.to_read(path) as reader:
        for _ in range(2):  # the second time on a connection that SQLAlchemy knows already
            with reader.reading() as transaction:
                rows = transaction.rows("SELECT id FROM dictionary UNION ALL SELECT 2")
                assert [(*row, transaction.scalar(_COUNT)) for row in rows] == [(1, 1), (2, 1)]


def test_a_transaction_that_failed_leaves_no_state_behind(archive: Archive, path: Path) -> None:
    with Archive.to_read(path) as reader:
        with pytest.raises(sqlite3.OperationalError, match="nothing"), reader.reading() as transaction:
            assert transaction.scalar(_COUNT) == transaction.scalar(_TEXT) == 0
            transaction.scalar("SELECT 1 FROM nothing")
        _add(archive, 1)
        with reader.reading() as transaction:
            assert transaction.scalar(_COUNT) == transaction.scalar(_TEXT) == 1


def test_a_connection_in_use_while_the_archive_is_closed_is_closed_after_it(archive: Archive, path: Path) -> None:
    """What is kept open longer keeps the file from being replaced on Windows."""
    reader = Archive.to_read(path)
    with reader.reading() as transaction:
        driver = transaction.connection.driver
        reader.close()
        assert transaction.scalar(_TEXT) == 0
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        driver.execute("SELECT 1")


def test_an_answer_is_kept_until_anybody_writes(archive: Archive, path: Path) -> None:
    with Archive.to_read(path) as reader:
        with reader.reading() as transaction:
            assert transaction.kept("question") is None
            transaction.keep("question", 1)
        with reader.reading() as transaction:
            assert transaction.kept("question") == 1
            _add(archive, 1)
            assert transaction.kept("question") == 1, "it is still of what this transaction sees"
            transaction.keep("another", 2)
        with reader.reading() as transaction:
            assert transaction.kept("question") is transaction.kept("another") is None


def test_an_answer_of_an_older_state_is_not_given_to_who_sees_a_newer_one(archive: Archive, path: Path) -> None:
    with Archive.to_read(path) as reader, reader.reading() as older:
        older.scalar(_TEXT)
        _add(archive, 1)
        with reader.reading() as newer:
            newer.keep("question", newer.scalar(_TEXT))
            older.keep("question", older.scalar(_TEXT))
            assert (newer.kept("question"), older.kept("question")) == (1, 0)


def test_what_writes_keeps_no_answer(archive: Archive) -> None:
    with archive.writing() as transaction:
        transaction.keep("question", 1)
        assert transaction.kept("question") is None
