"""A full disk and an archive that goes, changes or is damaged: a sentence on the screen, and nothing lost."""

from __future__ import annotations

import errno
import os
import random
import shutil
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from confere.app.context import Workspace
from confere.app.packages.export import ExportChoice, PackageOptions
from confere.desktop.core.actions import Action
from confere.desktop.core.window_memory import Draft
from confere.desktop.jobs.job import JobKind, JobRequest
from confere.desktop.jobs.job_requests import backup_order, export_order, import_order
from confere.desktop.settings.setting_field import keep
from confere.system.settings import BACKUPS_DAILY
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.archive.test_migration_0002 import made_old
from tests.desktop.rooms import (
    LONG,
    WORLD,
    Open,
    add_account,
    ended,
    is_whole,
    sync_all,
    visit_every_place,
)
from tests.end_to_end.confere import contents

# -- the disk ------------------------------------------------------------------------------------------------


def test_a_full_disk_ends_a_sync_in_a_sentence_and_room_lets_it_go_on(
    qtbot: QtBot, open_window: Open, shop: Path, calm: dict[str, object], full_disk: Path
) -> None:
    with running(SandboxOptions(**WORLD)) as hub:
        add_account(shop, "hub", hub.address, hub.token)
        room = open_window(shop)
        full_disk.touch()
        room.window.actions_by_act[Action.SYNC].trigger()
        assert ended(qtbot, room).error is not None
        assert f"The disk that holds {shop / 'archive.sqlite3'} is full." in room.told
        assert "Free some space" in room.told
        assert is_whole(shop)
        full_disk.unlink()
        room.window.actions_by_act[Action.SYNC].trigger()
        assert ended(qtbot, room, 2).done
        assert "is full" not in room.told
    assert contents(shop) == calm


@pytest.mark.exhaustive
def test_a_full_disk_ends_import_export_and_backup_in_a_sentence(
    qtbot: QtBot, open_window: Open, home: Path, tmp_path: Path, full_disk: Path
) -> None:
    drop = tmp_path / "drop"
    drop.mkdir()
    (drop / "large.xml").write_bytes(b"<a>" + random.Random(4).randbytes(400_000).hex().encode() + b"</a>")
    shutil.rmtree(home / "exports")
    room = open_window(home)
    before = contents(home)
    month = room.session.services.scope.month or "2026-10"
    orders: tuple[tuple[Callable[[], JobRequest], Path], ...] = (
        (lambda: import_order([drop]), home / "archive.sqlite3"),
        (lambda: export_order(ExportChoice(PackageOptions(month))), home / "exports"),
        (backup_order, home / "backups"),
    )
    full_disk.touch()
    for number, (order, named) in enumerate(orders, 1):
        room.jobs.start(order())
        outcome = ended(qtbot, room, number)
        assert outcome.error is not None, outcome
        assert str(named) in room.window.notices.texts[0]
        assert "room" in room.window.notices.texts[0] or "is full" in room.window.notices.texts[0]
        assert contents(home) == before
    left = [path for folder in ("exports", "backups") for path in (home / folder).rglob("*") if path.is_file()]
    assert left == []
    full_disk.unlink()
    for number, (order, _) in enumerate(orders, 4):
        room.jobs.start(order())
        assert ended(qtbot, room, number).error is None
    assert is_whole(home)


def test_a_full_disk_ends_saving_an_xml_and_a_setting_in_a_sentence(
    qtbot: QtBot, open_window: Open, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = open_window(home)
    window, services = room.window, room.session.services
    window.go_to(Action.DOCUMENTS)
    qtbot.waitUntil(lambda: window.documents.model.is_settled and bool(window.documents.model.ids), timeout=LONG)
    window.details.show_document(window.documents.model.ids[0])
    qtbot.waitUntil(lambda: window.details.current is not None, timeout=LONG)
    target = tmp_path / "saved.xml"
    target.write_text("what was there")
    window.details.ask_where = lambda _parent, _proposed: target
    real = os.fsync

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    window.details.save_xml()
    qtbot.waitUntil(lambda: str(target) in room.told, timeout=LONG)
    assert "no room left" in room.told
    assert target.read_text() == "what was there"
    keep(services, BACKUPS_DAILY, 9)
    assert str(home / "settings.json") in room.told
    monkeypatch.setattr(os, "fsync", real)
    window.details.save_xml()
    qtbot.waitUntil(lambda: "Saved to" in room.told, timeout=LONG)
    assert target.read_bytes().startswith(b"<")
    keep(services, BACKUPS_DAILY, 9)
    assert Workspace.at(home).settings.get(BACKUPS_DAILY) == 9


# -- the archive's file --------------------------------------------------------------------------------------


def remove(archive: Path, *, with_log: bool = True) -> None:
    for suffix in ("", "-shm", "-wal") if with_log else ("",):
        Path(f"{archive}{suffix}").unlink(missing_ok=True)


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be taken away there")
@pytest.mark.parametrize("with_log", [True, False])
def test_an_archive_taken_away_and_put_back(
    qtbot: QtBot, open_window: Open, home: Path, tmp_path: Path, with_log: bool
) -> None:
    archive = home / "archive.sqlite3"
    aside = tmp_path / "aside.sqlite3"
    room = open_window(home)
    window, services = room.window, room.session.services
    window.go_to(Action.DOCUMENTS)
    qtbot.waitUntil(lambda: bool(window.documents.model.ids), timeout=LONG)
    listed = tuple(window.documents.model.ids)
    shutil.copy(archive, aside)
    remove(archive, with_log=with_log)
    qtbot.waitUntil(lambda: f"There is no archive at {archive}." in room.told, timeout=LONG)
    qtbot.waitUntil(lambda: window.documents.empty.isVisible(), timeout=LONG)
    assert window.documents.empty.title == "There are no documents yet"
    assert window.details.current is None
    assert window.status.fresh.text() == "never synced"
    visit_every_place(qtbot, room)
    window.go_to(Action.OVERVIEW)
    qtbot.waitUntil(lambda: window.overview.empty.isVisible(), timeout=LONG)
    window.go_to(Action.DOCUMENTS)
    aside.replace(archive)
    qtbot.waitUntil(lambda: tuple(window.documents.model.ids) == listed, timeout=LONG)
    qtbot.waitUntil(lambda: room.told == "", timeout=LONG)
    assert not services.jobs.busy


@pytest.mark.exhaustive
@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be taken away there")
def test_another_archive_in_its_place_is_shown(qtbot: QtBot, open_window: Open, home: Path, tmp_path: Path) -> None:
    sync_all(tmp_path / "other", SandboxOptions(documents=40, seed=77))
    room = open_window(home)
    window = room.window
    window.go_to(Action.DOCUMENTS)
    qtbot.waitUntil(lambda: bool(window.documents.model.ids), timeout=LONG)
    room.session.services.scope.choose(None, None)
    qtbot.waitUntil(lambda: len(window.documents.model.ids) > 40, timeout=LONG)
    (tmp_path / "other" / "archive.sqlite3").replace(home / "archive.sqlite3")
    qtbot.waitUntil(lambda: 0 < len(window.documents.model.ids) <= 41, timeout=LONG)
    visit_every_place(qtbot, room)
    assert room.told == ""


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be taken away there")
def test_what_was_typed_about_one_archive_is_not_put_into_dialogs_about_another(
    qtbot: QtBot, open_window: Open, home: Path, tmp_path: Path
) -> None:
    services = open_window(home).session.services
    services.memory.drafts["Explain", (1, 2)] = Draft(("",), ("as Maria Souza said",))
    services.watch.changed.emit()
    assert services.memory.drafts, "the archive is the same"
    other = Path(shutil.copy(home / "archive.sqlite3", tmp_path / "other.sqlite3"))
    other.replace(home / "archive.sqlite3")
    qtbot.waitUntil(lambda: not services.memory.drafts, timeout=LONG)


@pytest.mark.parametrize("in_place", [True, False])
def test_a_damaged_archive_is_said_and_a_whole_one_is_shown_again(
    qtbot: QtBot, open_window: Open, home: Path, tmp_path: Path, in_place: bool
) -> None:
    archive = home / "archive.sqlite3"
    whole = archive.read_bytes()
    if in_place:  # under the open window, in the very file
        room = open_window(home)
        room.window.go_to(Action.DOCUMENTS)
        qtbot.waitUntil(lambda: bool(room.window.documents.model.ids), timeout=LONG)
        archive.write_bytes(random.Random(1).randbytes(len(whole)))
    else:
        archive.write_bytes(random.Random(1).randbytes(40_000))
        room = open_window(home)
    qtbot.waitUntil(lambda: f"The archive {archive} is damaged" in room.told, timeout=LONG)
    assert "backups folder" in room.told
    visit_every_place(qtbot, room)
    archive.write_bytes(whole)
    room.window.go_to(Action.DOCUMENTS)
    qtbot.waitUntil(lambda: bool(room.window.documents.model.ids), timeout=LONG)
    qtbot.waitUntil(lambda: "damaged" not in room.told, timeout=LONG)
    visit_every_place(qtbot, room)
    assert is_whole(home)


def test_an_archive_of_a_newer_release_is_said(qtbot: QtBot, open_window: Open, home: Path) -> None:
    with closing(sqlite3.connect(home / "archive.sqlite3")) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '9000'")
    room = open_window(home)
    qtbot.waitUntil(lambda: "format 9000" in room.told, timeout=LONG)
    assert "Install the newest Confere" in room.told
    visit_every_place(qtbot, room)
    room.window.actions_by_act[Action.SYNC].trigger()
    assert ended(qtbot, room).error is not None
    assert "format 9000" in room.told


def test_an_older_archive_is_brought_up_to_date_by_itself(
    qtbot: QtBot, open_window: Open, tmp_path: Path, calm_folder: Path, calm: dict[str, object]
) -> None:
    home = shutil.copytree(calm_folder, tmp_path / "home")
    made_old(home / "archive.sqlite3")
    room = open_window(home)
    assert [order.kind for order in room.jobs.running] == [JobKind.UPGRADE]
    assert ended(qtbot, room).done
    assert "The archive is up to date" in room.told
    assert "older Confere" not in room.told
    notice = next(line.notice for line in room.window.notices._lines if "up to date" in line.notice.text)
    assert notice.action is not None
    assert notice.action[0] == "Read again"
    notice.action[1]()
    assert ended(qtbot, room, 2).order.kind is JobKind.REINDEX
    assert len(list((home / "backups").glob("archive-0001-*.sqlite3"))) == 1
    room.window.go_to(Action.DOCUMENTS)
    qtbot.waitUntil(lambda: bool(room.window.documents.model.ids), timeout=LONG)
    visit_every_place(qtbot, room)
    assert contents(home) == calm


@pytest.mark.exhaustive
def test_an_older_archive_that_cannot_be_brought_up_to_date_is_said_once(
    qtbot: QtBot, open_window: Open, home: Path, full_disk: Path
) -> None:
    made_old(home / "archive.sqlite3")
    full_disk.touch()
    room = open_window(home)
    ended(qtbot, room)
    qtbot.waitUntil(lambda: "is full" in room.told, timeout=LONG)
    assert "is up to date" not in room.told
    visit_every_place(qtbot, room)
    assert len(room.outcomes) == 1
    assert not room.jobs.busy


def test_an_archive_that_cannot_be_written_is_shown_and_said(qtbot: QtBot, open_window: Open, home: Path) -> None:
    for name in ("archive.sqlite3.lock", "archive.sqlite3.holder"):
        (home / name).unlink(missing_ok=True)
    (home / "archive.sqlite3.lock").mkdir()  # refuses also an administrator, whom no permission stops
    room = open_window(home)
    room.window.go_to(Action.DOCUMENTS)
    qtbot.waitUntil(lambda: bool(room.window.documents.model.ids), timeout=LONG)
    room.window.actions_by_act[Action.SYNC].trigger()
    assert ended(qtbot, room).error is not None
    assert str(home / "archive.sqlite3") in room.told
    assert "write to that folder" in room.told
