"""An archive that is gone is said, and never begun anew in silence; a new folder begins without a question."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from confere.app.accounts import accounts
from confere.app.archive_session import OpenArchive
from confere.app.backups import backup
from confere.app.backups.backup import BackupWish
from confere.app.context import Workspace
from confere.app.maintenance import doctor, repair
from confere.errors import ArchiveGone, ArchiveMissing
from confere.system.messages import render
from confere.system.secrets.token_store import Secret
from tests.app.made import workspace_at


def none(_archive_id: str) -> Secret:
    raise AssertionError("no passphrase is needed")


@pytest.fixture
def gone(tmp_path: Path) -> Workspace:
    """A data folder with a backup and without its archive."""
    workspace = workspace_at(tmp_path / "home")
    backup.make(workspace, BackupWish(), none)
    workspace.home.archive.unlink()
    return workspace


def test_reading_and_writing_say_that_it_is_gone(gone: Workspace) -> None:
    opened = OpenArchive(gone)
    acts: tuple[Callable[[], object], ...] = (
        gone.reading, lambda: gone.writing("import"), lambda: accounts.every(gone), lambda: doctor.examine(gone),
        opened.archive,
    )  # fmt: skip
    for act in acts:
        with pytest.raises(ArchiveGone, match="archive-copy-") as error:
            act()
        assert error.value.exit_code == 3
        assert "doctor --repair" in str(error.value.remedy)
    assert opened.exists  # a window shows the fault, not how one begins
    assert not gone.home.archive.exists()


def test_a_repair_puts_the_newest_backup_in_its_place(gone: Workspace) -> None:
    assert repair.can_repair(gone)
    done = repair.repair(gone)
    assert "was not there" in render(done.notes[0])
    with gone.reading() as archive, archive.reading() as transaction:
        assert transaction.scalar("SELECT count(*) FROM document") == 3


def test_a_repair_without_a_backup_says_so_and_begins_nothing(gone: Workspace) -> None:
    for path in gone.home.backups.iterdir():
        path.write_bytes(b"no archive")
    with pytest.raises(ArchiveGone):
        repair.repair(gone)
    assert not gone.home.archive.exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("archive.sqlite3-wal", "log"),
        ("archive.sqlite3-in-hand", "reader 1"),
        ("archive-before-restore-20260101T000000Z.sqlite3", "archive"),
        ("archive-damaged-20260101T000000Z.sqlite3", "archive"),
        ("backups/archive-copy-20260101T000000Z.sqlite3.age", "age"),
        ("archive-copies.json", json.dumps({"copies": [{"path": "/stick/a.sqlite3"}]})),
        ("schedule.json", json.dumps({"at": "02:30", "every": "day", "accounts": ["shop"]})),
        ("window.ini", "[scope]\ncompany=11222333000181\n"),
    ],
)
def test_what_says_that_there_was_one(tmp_path: Path, name: str, content: str) -> None:
    workspace = Workspace.at(tmp_path / "home")
    workspace.home.ensure()
    (workspace.home.root / name).write_text(content)
    with pytest.raises(ArchiveGone, match=name.replace(".", r"\.")):
        workspace.writing("sync")


def test_a_new_folder_begins_without_a_question(tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path / "home")
    home = workspace.home.ensure()
    home.settings.write_text("{}")
    (home.root / "window.ini").write_text("[scope]\ncompany=none\n")
    (home.root / "schedule.json").write_text(json.dumps({"at": "02:30", "every": "day", "accounts": []}))
    (home.root / "archive-copies.json").write_text(json.dumps({"copies": []}))
    (home.logs / "confere-20260101T000000-1.log").write_text("a log")
    (home.root / "archive.sqlite3.lock").touch()
    (home.root / "archive.sqlite3-wal").touch()
    assert not OpenArchive(workspace).exists
    assert not workspace.has_archive
    with pytest.raises(ArchiveMissing):
        workspace.reading()
    workspace.writing("import").close()
    assert workspace.has_archive
