"""Backups in the settings: a copy put back from the dialog, checked first, and the window on what came of it."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from confere.app.backups import backup, backup_copies, backup_passphrase
from confere.app.backups.backup import BackupWish
from confere.desktop.core import actions
from confere.desktop.jobs.job_requests import restore_order, tidy
from confere.desktop.services import Services
from confere.desktop.settings import backups_card
from confere.desktop.settings.backup_passphrase_dialog import PassphraseDialog
from confere.desktop.settings.page import SettingsPage
from confere.desktop.settings.restore_dialog import RestoreDialog
from confere.system.secrets import system_keyring
from confere.system.secrets.token_store import Secret, Source
from confere.system.settings import BACKUP_ALARM, BACKUP_ENCRYPTED, BACKUP_FOLDER, Settings
from tests.archive.papers import note, store
from tests.desktop.settings.test_page import settle


def nobody(_archive_id: str) -> Secret:
    return Secret("nobody is asked", Source.PROMPT)


@pytest.fixture
def page(qtbot: QtBot, services: Services) -> Iterator[SettingsPage]:
    host = QWidget()
    qtbot.addWidget(host)
    page = SettingsPage(services, actions.make(host, services.look))
    qtbot.addWidget(page)
    page.resize(1100, 740)
    page.show_section("archive")
    page.show()
    settle(qtbot, services)
    yield page
    host.close()


def test_a_backup_is_checked_first_and_then_restored(qtbot: QtBot, page: SettingsPage, services: Services) -> None:
    card, workspace = page.archive.backups, services.workspace
    (copy,) = backup.make(workspace, BackupWish(), nobody).written
    with workspace.writing("test") as archive:
        store(archive, note(7777))
    card.ask()
    settle(qtbot, services)
    assert card.table.rows_model.rows[0].path == copy
    before = services.opened.file
    card.restore.click()
    dialog = card.dialog
    assert isinstance(dialog, RestoreDialog) and dialog.chosen == copy
    assert not dialog.restore.isEnabled() and not dialog.secret.isVisible()
    with qtbot.waitSignal(services.jobs.ended, timeout=30_000):
        dialog.check.click()
    assert dialog.checked.text().startswith("The backup is whole:")
    assert dialog.present.text().startswith("It takes the place of:")
    sentence, line, *rest = dialog.lost.text().split("\n")
    assert sentence == "The backup lacks this of the archive that it replaces:"
    assert line.startswith("• 1 document, of ") and "archive-before-restore-" in rest[-1]
    assert dialog.lost.property("rank") == "warn" and dialog.lost.isVisible()
    assert services.opened.file == before
    with qtbot.waitSignal(services.jobs.ended, timeout=30_000):
        dialog.restore.click()
        assert services.opened.is_brief
    assert "The backup is restored." in card.backed_up.text()
    assert "lacks this of the archive that it replaced: 1 document, of " in card.backed_up.text()
    assert services.opened.file != before and not services.opened.is_brief
    (aside,) = workspace.home.root.glob("archive-before-restore-*.sqlite3")
    assert str(aside) in card.backed_up.text()
    settle(qtbot, services)


def test_an_archive_that_cannot_be_read_is_said_in_the_dialog(
    qtbot: QtBot, page: SettingsPage, services: Services
) -> None:
    card, workspace = page.archive.backups, services.workspace
    backup.make(workspace, BackupWish(), nobody)
    card.ask()
    settle(qtbot, services)
    card.restore.click()
    dialog = card.dialog
    assert isinstance(dialog, RestoreDialog)
    whole = workspace.home.archive.read_bytes()
    workspace.home.archive.write_bytes(b"SQLite format 3\0" + b"\xff" * len(whole))
    with qtbot.waitSignal(services.jobs.ended, timeout=30_000):
        dialog.check.click()
    workspace.home.archive.write_bytes(whole)
    assert dialog.present.text() == "It takes the place of an archive that cannot be read."
    assert "nobody can say what the backup lacks" in dialog.lost.text()
    assert "`confere doctor --repair`" in dialog.lost.text()
    assert dialog.restore.isEnabled()
    dialog.reject()


def test_what_is_no_backup_is_said_and_cannot_be_restored(
    qtbot: QtBot, page: SettingsPage, services: Services, tmp_path: Path
) -> None:
    other = tmp_path / "other.sqlite3.age"
    other.write_bytes(b"something else")
    page.archive.backups.restore.click()
    dialog = page.archive.backups.dialog
    assert isinstance(dialog, RestoreDialog)
    dialog.choose(other)
    assert dialog.secret.isVisible()
    dialog.passphrase.setText("some words for it")
    with qtbot.waitSignal(services.jobs.ended, timeout=30_000):
        dialog.check.click()
    assert "is no backup of Confere's" in dialog.checked.text()
    assert dialog.checked.property("rank") == "bad"
    assert not dialog.restore.isEnabled()
    dialog.reject()
    assert dialog.passphrase.text() == ""


def test_a_passphrase_travels_in_a_file_that_is_taken_away() -> None:
    order = restore_order(Path("x.age"), "três corvos", preview=True)
    assert "três corvos" not in " ".join(order.arguments)
    file = Path(order.arguments[order.arguments.index("--passphrase-file") + 1])
    assert file.read_text(encoding="utf-8") == "três corvos"
    tidy(order)
    assert not file.exists()
    assert "--passphrase-file" not in restore_order(Path("x"), preview=False).arguments


def test_what_is_set_holds_at_once(page: SettingsPage, services: Services, tmp_path: Path, qtbot: QtBot) -> None:
    card = page.archive.backups
    card.folder.setText(str(tmp_path))
    card.folder.editingFinished.emit()
    card.encrypted.click()
    card.alarm_days.edit.setText("")
    qtbot.keyClicks(card.alarm_days.edit, "3")
    settle(qtbot, services)
    kept = Settings(services.workspace.home.settings)
    assert (kept.get(BACKUP_FOLDER), kept.get(BACKUP_ENCRYPTED), kept.get(BACKUP_ALARM)) == (str(tmp_path), True, 3)
    card.folder.setText("not/whole")
    card.folder.textEdited.emit("not/whole")
    assert "cannot be used" in card.second.problem
    settle(qtbot, services)
    assert backup_copies.second_folder(services.workspace) == tmp_path


def test_a_second_folder_that_cannot_be_used_is_refused_where_it_is_typed(
    qtbot: QtBot, page: SettingsPage, services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = page.archive.backups
    file = tmp_path / "notes.txt"
    file.write_text("", encoding="utf-8")
    read_only = tmp_path / "read only"
    read_only.mkdir()
    monkeypatch.setattr(os, "access", lambda path, _mode: Path(path) != read_only)  # whoever runs this may be root
    for folder, why in (
        (tmp_path / "no drive" / "backups", f"There is no folder {tmp_path / 'no drive' / 'backups'}, and no"),
        (file, f"{file} is a file, not a folder."),
        (read_only, f"Nothing can be written to {read_only}."),
    ):
        card.folder.setText(str(folder))
        card.folder.editingFinished.emit()
        settle(qtbot, services)
        assert card.second.problem.startswith(why)
        assert services.workspace.settings.get(BACKUP_FOLDER) == ""
    fresh = tmp_path / "stick"
    card.folder.setText(str(fresh))
    card.folder.editingFinished.emit()
    settle(qtbot, services)
    assert card.second.problem == ""
    assert fresh.is_dir()
    assert "was made" in card.backed_up.text()
    assert Settings(services.workspace.home.settings).get(BACKUP_FOLDER) == str(fresh)
    card.folder.setText("")
    card.folder.editingFinished.emit()
    assert services.workspace.settings.get(BACKUP_FOLDER) == ""


def test_a_folder_that_answers_late_does_not_take_the_place_of_one_typed_after_it(
    qtbot: QtBot, page: SettingsPage, services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    card, answers = page.archive.backups, threading.Event()
    prepared = backups_card._prepared

    def slow(folder: Path) -> object:
        assert answers.wait(30)
        return prepared(folder)

    monkeypatch.setattr(backups_card, "_prepared", slow)
    card.folder.setText(str(tmp_path))
    card.folder.editingFinished.emit()
    card.folder.setText("")
    card.folder.editingFinished.emit()
    answers.set()
    settle(qtbot, services)
    assert services.workspace.settings.get(BACKUP_FOLDER) == ""


def test_a_passphrase_is_typed_twice_and_kept(
    qtbot: QtBot, page: SettingsPage, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: dict[str, str] = {}
    monkeypatch.setattr(system_keyring, "read", lambda service, _user: kept.get(service))
    monkeypatch.setattr(system_keyring, "write", lambda service, _user, word: kept.update({service: word}))
    page.archive.backups.passphrase.click()
    dialog = page.archive.backups.dialog
    assert isinstance(dialog, PassphraseDialog)
    for first, again, ready in (
        ("short", "short", False),
        ("long enough", "longer", False),
        ("três mil", "três mil", True),
    ):
        dialog.first.setText(first)
        dialog.again.setText(again)
        assert dialog.save.isEnabled() is ready
    dialog.save.click()
    qtbot.waitUntil(lambda: bool(kept))
    settle(qtbot, services)
    assert backup_passphrase.is_kept(services.opened.archive().id)
    assert page.archive.backups.dialog is None


def test_what_is_kept_until_when_stands_beside_it(page: SettingsPage) -> None:
    lines = page.archive.keeping.table.rows_model.rows
    assert {line.held_for.year for line in lines} == {"2025", "2026"}
    assert all(line.tax_code and line.tax_code.year == int(line.held_for.year) + 5 for line in lines)
    assert not any(line.over for line in lines)


def test_without_a_backup_it_says_what_to_do(qtbot: QtBot, services: Services) -> None:
    dialog = RestoreDialog(services, ())
    qtbot.addWidget(dialog)
    assert dialog.checked.text() == "There is no backup here yet: choose a file."
    dialog.choose(services.workspace.home.backups / "archive-1.sqlite3")
    assert dialog.checked.text() == "Check the backup to see what it holds."
    dialog.done(0)


def test_a_loss_is_said_and_accepted_and_a_restore_is_tried(
    qtbot: QtBot, page: SettingsPage, services: Services
) -> None:
    card, workspace = page.archive.backups, services.workspace
    (older,) = backup.make(workspace, BackupWish(), nobody).written
    card.ask()
    settle(qtbot, services)
    assert card.tried.text() == "No backup was restored for a trial yet: `confere backup --drill`."
    assert card.accept_loss.isHidden()
    with closing(sqlite3.connect(workspace.home.archive)) as connection:
        connection.execute("UPDATE document SET is_current = 0 WHERE id = 1")
        connection.commit()
    backup.make(workspace, BackupWish(), nobody)
    card.ask()
    settle(qtbot, services)
    assert card.counted.text().startswith("The newest backup holds less than that of ")
    assert card.counted.property("rank") == "warn"
    assert card.accept_loss.isVisible()
    card.accept_loss.click()
    assert isinstance(card.dialog, QMessageBox)
    accept = next(button for button in card.dialog.buttons() if button.text() == "Accept")
    with qtbot.waitSignal(services.jobs.ended, timeout=30_000):
        accept.click()
    settle(qtbot, services)
    assert card.accept_loss.isHidden() and "whole cop" in card.counted.text()
    assert older.exists()
    with closing(sqlite3.connect(workspace.home.archive)) as connection:  # else the trial finds the loss, rightly
        connection.execute("UPDATE document SET is_current = 1 WHERE id = 1")
        connection.commit()
    (newer,) = backup.make(workspace, BackupWish(), nobody).written
    with qtbot.waitSignal(services.jobs.ended, timeout=30_000):
        card.drill.click()
    settle(qtbot, services)
    assert card.backed_up.text().startswith(f"The backup {newer} was restored for a trial and passed.")
    assert card.tried.text().startswith("The newest trial restore of a backup passed, on ")
