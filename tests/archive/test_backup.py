"""Copies of the archive where another program holds files: whole or not at all, and the old ones go when they can."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from confere.archive import backup
from confere.errors import EnvironmentFault
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


def test_a_copy_that_a_scanner_reads_first_gets_its_name(archive: Path, tmp_path: Path, held: Held) -> None:
    held.hold("*.partial", 6)
    copied = backup.copy_on_request(archive, tmp_path / "backups")
    assert [path.name for path in (tmp_path / "backups").iterdir()] == [copied.name]
    connection = sqlite3.connect(copied)
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


def test_an_old_copy_that_is_held_stays_until_a_later_backup(archive: Path, tmp_path: Path, held: Held) -> None:
    backups = tmp_path / "backups"
    copies = [backup.copy_on_request(archive, backups) for _ in range(3)]
    held.hold(copies[0].name, 1000)
    assert backup.remove_old_copies(backups, 1) == (copies[0],)
    assert sorted(backups.iterdir()) == [copies[0], copies[2]]
    held.times = 0
    assert backup.remove_old_copies(backups, 1) == ()
    assert list(backups.iterdir()) == [copies[2]]
