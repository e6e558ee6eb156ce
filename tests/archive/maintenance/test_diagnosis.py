"""What nobody wrote is damage, and the unexpected over an archive is ours only where the archive is whole."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from confere.archive.maintenance.diagnosis import why_damaged
from confere.archive.store import Archive
from confere.errors import ArchiveCorrupt
from tests.archive.papers import note, store


@pytest.fixture
def filled(path: Path) -> Path:
    with Archive.to_write(path, "test") as archive:
        store(archive, *(note(number) for number in range(1, 30)))
    return path


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("UPDATE document SET total = 'x' WHERE id = 1", "total"),
        ("UPDATE document SET state = 'buthorized' WHERE id = 1", "state"),
        ("UPDATE document SET nature = CAST(x'C3C3' AS TEXT) WHERE id = 1", "nature"),
        ("UPDATE document SET warnings = '[[' WHERE id = 1", "warnings"),
        ("ALTER TABLE item DROP COLUMN unit", "the table item"),
        ("DROP TABLE relation", "relation"),
    ],
)
def test_what_nobody_wrote_is_damage(filled: Path, sql: str, words: str) -> None:
    assert why_damaged(filled) is None
    with closing(sqlite3.connect(filled)) as database, database:
        database.execute(sql)
    assert words in str(why_damaged(filled))


def test_the_unexpected_over_a_damaged_archive_is_the_damage(filled: Path) -> None:
    with closing(sqlite3.connect(filled)) as database, database:
        database.execute("UPDATE document SET warnings = '[['")
    with Archive.to_read(filled) as archive, pytest.raises(ArchiveCorrupt, match="warnings"), archive.reading():
        raise ValueError("who could have known")


def test_the_unexpected_over_a_whole_archive_is_ours(filled: Path) -> None:
    with Archive.to_read(filled) as archive, pytest.raises(KeyError), archive.reading():
        raise KeyError("a fault of ours")
