"""What is kept where: sizes, counts and backups, also where nothing is yet."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.maintenance.doctor import Examination, back_up
from confere.app.maintenance.storage import backups, facts
from confere.app.overview.overview import StepKind, overview
from confere.fiscal.periods import BRASILIA
from tests.app.made import workspace_at
from tests.archive.papers import note, store


def test_facts_of_an_archive(tmp_path: Path) -> None:
    workspace = workspace_at(tmp_path)
    other = note(1, item="Outra caneca")
    with workspace.writing("test") as archive:
        store(archive, other)
    opened = OpenArchive(workspace)
    found = facts(opened)
    assert found.exists
    assert (found.holdings.documents, found.holdings.versions, found.holdings.events, found.holdings.contents) == (
        3,
        1,
        1,
        5,
    )
    assert found.holdings.raw_bytes > len(other) * 3
    assert found.file_bytes >= workspace.home.archive.stat().st_size > 0
    assert (found.holdings.first_day, found.holdings.last_day) == ("2026-09-30", "2026-10-07")
    assert found.holdings.unreadable == 0
    assert found.free_bytes > 0
    assert found.place == workspace.home.archive
    opened.close()


def test_facts_of_a_folder_that_is_not_there(tmp_path: Path) -> None:
    opened = OpenArchive(Workspace.at(tmp_path / "none" / "yet"))
    found = facts(opened)
    assert not found.exists
    assert (found.holdings.documents, found.file_bytes, found.holdings.first_day) == (0, 0, None)
    assert found.free_bytes > 0
    assert not (tmp_path / "none").exists()


def test_backups_stand_newest_first_with_the_date_of_their_name(tmp_path: Path) -> None:
    workspace = workspace_at(tmp_path)
    folder = workspace.home.backups
    folder.mkdir(exist_ok=True)
    (folder / "archive-0001-20260101T120000Z.sqlite3").write_bytes(b"older")
    (folder / "archive-copy-20260201T120000123456Z.sqlite3").write_bytes(b"newer one")
    (folder / "archive-copy-20260301T120000123456Z.sqlite3.partial").write_bytes(b"x")
    (folder / "notes.txt").write_bytes(b"x")
    newer, older = backups(workspace.home)
    assert newer.made_at == datetime(2026, 2, 1, 12, tzinfo=UTC)
    assert newer.made_at.utcoffset() == datetime(2026, 2, 1, tzinfo=BRASILIA).utcoffset()
    assert (newer.size, newer.asked) == (9, True)
    assert (older.size, older.asked) == (5, False)
    back_up(workspace, Examination())
    newest = backups(workspace.home)[0]
    assert newest.made_at > newer.made_at
    assert newest.size > 4096


def test_a_name_without_a_date_takes_the_files_own(tmp_path: Path) -> None:
    workspace = workspace_at(tmp_path)
    workspace.home.backups.mkdir(exist_ok=True)
    kept = workspace.home.backups / "archive-from-grandmother.sqlite3"
    kept.write_bytes(b"x")
    (found,) = backups(workspace.home)
    assert found.made_at == datetime.fromtimestamp(kept.stat().st_mtime, BRASILIA)


def test_the_overview_asks_for_a_backup_that_is_old(tmp_path: Path) -> None:
    workspace = workspace_at(tmp_path)
    back_up(workspace, Examination())
    opened = OpenArchive(workspace)
    for days, counts in ((6, []), (60, [60])):
        later = datetime.now(BRASILIA) + timedelta(days=days)
        found = overview(opened, None, None, now=later)
        assert [step.count for step in found.steps if step.kind is StepKind.BACKUP] == counts
    opened.close()
