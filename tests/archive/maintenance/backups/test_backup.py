"""Copies of the archive where another program holds files: whole or not at all, in their own order."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import datetime, tzinfo
from pathlib import Path
from typing import Self

import pytest

from confere.app.maintenance import storage
from confere.archive.accounts import audit
from confere.archive.maintenance.backups import backup, copies
from confere.archive.store import Archive
from confere.errors import EnvironmentFault
from confere.system.paths import Home
from tests.held import Held


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    return Held(monkeypatch)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    path = tmp_path / "archive.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE paper (name TEXT)")
        connection.execute("INSERT INTO paper VALUES ('one')")
    connection.close()
    return path


def copied(path: Path, backups: Path) -> Path:
    return backup.copy(path, backups / backup.new_name())


def test_a_copy_that_a_scanner_reads_first_gets_its_name(archive: Path, tmp_path: Path, held: Held) -> None:
    held.hold("*.partial", 6)
    made = copied(archive, tmp_path / "backups")
    assert [path.name for path in (tmp_path / "backups").iterdir()] == [made.name]
    connection = sqlite3.connect(made)
    assert connection.execute("SELECT name FROM paper").fetchall() == [("one",)]
    connection.close()


def test_a_copy_that_stays_held_is_told_as_that_and_leaves_nothing(archive: Path, tmp_path: Path, held: Held) -> None:
    target = tmp_path / "backups" / "copy.sqlite3"
    target.parent.mkdir()
    target.write_bytes(b"open elsewhere")
    held.hold("copy.sqlite3", 1000)  # the name is held, not the new file
    with pytest.raises(EnvironmentFault, match="open in another program"):
        backup.copy(archive, target)
    assert [path.name for path in target.parent.iterdir()] == ["copy.sqlite3"]
    assert target.read_bytes() == b"open elsewhere"


def set_clock(monkeypatch: pytest.MonkeyPatch, year: int) -> None:
    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Self:
            return cls(year, 6, 1, tzinfo=tz)

    monkeypatch.setattr(backup, "datetime", Clock)


def test_a_clock_that_ran_ahead_does_not_change_the_order(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    backups = tmp_path / "backups"
    made = []
    for year in (2026, 2099, 2098, 2025, 2024):
        set_clock(monkeypatch, year)
        made.append(copied(archive, backups))
    assert [copy.path for copy in copies.newest_first(backups)] == made[::-1]
    assert [entry.path for entry in storage.backups(Home(tmp_path))] == made[::-1]


def test_copies_of_before_are_ordered_by_how_far_their_archive_had_come(tmp_path: Path) -> None:
    """Names and dates of files say the opposite."""
    path = tmp_path / "archive.sqlite3"
    backups = tmp_path / "backups"
    old = []
    with Archive.to_write(path, "test") as opened:
        for name in ("9", "5", "1"):
            with opened.writing() as transaction:
                audit.write(transaction, "test", name)
            old.append(backup.copy(path, backups / f"archive-copy-{name}.sqlite3"))
    for age, copy in enumerate(old):
        with closing(sqlite3.connect(copy)) as connection:
            connection.execute("PRAGMA user_version = 0")
        os.utime(copy, (2_000_000_000 - age, 2_000_000_000 - age))
    assert [copy.path for copy in copies.newest_first(backups)] == old[::-1]
    newest = copied(path, backups)
    assert copies.newest_first(backups)[0].path == newest
