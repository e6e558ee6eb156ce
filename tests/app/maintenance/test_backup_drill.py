"""The trial of a backup: restored to a scratch place, verified there, told in the audit trail, and swept."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from confere.app.backups import backup, backup_copies
from confere.app.backups.backup import BackupWish
from confere.app.backups.backup_copies import CopyState
from confere.app.context import Workspace
from confere.app.maintenance import backup_drill, doctor
from confere.archive.accounts import audit
from confere.archive.maintenance.backups import copy_records
from confere.errors import BackupMissing, Cancelled
from confere.system.files import age_encryption, scratch
from confere.system.messages import render
from confere.system.processes.cancellation import Stop
from confere.system.secrets.token_store import Secret, Source
from confere.system.settings import BACKUP_ENCRYPTED, BACKUP_FOLDER

WORDS = "três corvos à mesa"


def passphrase(_archive_id: str) -> Secret:
    return Secret(WORDS, Source.PROMPT)


def nobody(_archive_id: str) -> Secret:
    raise AssertionError("no passphrase is needed")


def wrong(_archive_id: str) -> Secret:
    return Secret("another one", Source.PROMPT)


@pytest.fixture(autouse=True)
def little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(age_encryption, "WORK_FACTOR", 8)


def scratches(workspace: Workspace) -> list[Path]:
    return list(workspace.home.root.glob(f"{scratch.BEGINNING}*"))


def newest_line(workspace: Workspace) -> audit.AuditLine:
    with workspace.reading() as archive, archive.reading() as transaction:
        return audit.lines(transaction, 1)[0]


def test_the_newest_copy_is_restored_verified_and_removed_again(workspace: Workspace) -> None:
    (copy,) = backup.make(workspace, BackupWish(), nobody).written
    before = copy.read_bytes()
    result = backup_drill.drill(workspace, nobody)
    assert (result.file, result.encrypted, result.passed, result.problems) == (copy, False, True, ())
    assert (result.documents, result.events) == (5, 1)
    assert result.read >= result.documents + result.events
    assert copy.read_bytes() == before
    assert scratches(workspace) == []
    line = newest_line(workspace)
    assert (line.action, line.subject, line.detail) == ("backup drill", copy.name, "passed: documents 5")
    state = backup_copies.status(workspace)
    assert (state.drill is not None and state.drill.passed, state.alarm) == (True, None)
    found = doctor.examine(workspace)
    assert found.facts["backups"]["drill"]["passed"] is True
    assert any("passed, on" in render(entry.what) for entry in found.findings if entry.topic == "backup")


def test_of_copies_made_together_the_encrypted_one_of_the_second_folder_is_tried(
    workspace: Workspace, tmp_path: Path
) -> None:
    second = tmp_path / "stick"
    second.mkdir()
    workspace.settings.set(BACKUP_FOLDER, str(second))
    workspace.settings.set(BACKUP_ENCRYPTED, True)
    _, hidden = backup.make(workspace, BackupWish(), passphrase).written
    result = backup_drill.drill(workspace, passphrase)
    assert (result.file, result.encrypted, result.passed) == (hidden, True, True)
    failed = backup_drill.drill(workspace, wrong)
    assert not failed.passed and "does not open the backup" in render(failed.problems[0])
    state = backup_copies.status(workspace)
    assert state.alarm is not None and "failed on" in render(state.alarm)
    assert scratches(workspace) == []


def test_a_copy_of_which_a_content_is_damaged_fails_and_the_archive_is_not_touched(workspace: Workspace) -> None:
    (copy,) = backup.make(workspace, BackupWish(), nobody).written
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("UPDATE content SET payload = zeroblob(length(payload)) WHERE id = 1")
        connection.commit()
    records = copy_records.load(workspace.home.root)
    copy_records.forget(workspace.home.root, [copy])  # as if it had been written so
    assert records[str(copy)].sha256 != backup_copies.status(workspace).whole[0].record.sha256  # type: ignore[union-attr]
    result = backup_drill.drill(workspace, nobody)
    assert not result.passed
    assert "missing or damaged" in render(result.problems[0])
    assert doctor.examine(workspace, verify=True).facts["damaged"] == []
    assert newest_line(workspace).detail == "failed: documents 5"


def test_a_copy_that_is_another_than_its_record_says_fails(workspace: Workspace) -> None:
    (copy,) = backup.make(workspace, BackupWish(), nobody).written
    seen = copy.stat()
    data = bytearray(copy.read_bytes())
    data[-1] ^= 1
    copy.write_bytes(data)
    os.utime(copy, ns=(seen.st_atime_ns, seen.st_mtime_ns))  # as large and as old as it was
    assert [each.state for each in backup_copies.status(workspace).copies] == [CopyState.WHOLE]
    assert not backup_drill.drill(workspace, nobody).passed


def test_what_was_counted_has_to_be_there(workspace: Workspace) -> None:
    (copy,) = backup.make(workspace, BackupWish(), nobody).written
    (record,) = copy_records.load(workspace.home.root).values()
    copy_records.keep(workspace.home.root, [replace(record, counts={"documents": {"2026-10": 9}})])
    result = backup_drill.drill(workspace, nobody)
    assert [render(problem) for problem in result.problems] == [f"{copy} does not hold what was counted in it."]


def test_without_a_copy_there_is_nothing_to_try_and_a_stop_leaves_nothing(workspace: Workspace) -> None:
    with pytest.raises(BackupMissing):
        backup_drill.drill(workspace, nobody)
    backup.make(workspace, BackupWish(), nobody)
    stop = Stop()
    stop.set()
    with pytest.raises(Cancelled):
        backup_drill.drill(workspace, nobody, stop=stop)
    assert scratches(workspace) == []


def test_it_is_due_once_a_month(workspace: Workspace) -> None:
    assert not backup_drill.is_due(backup_copies.status(workspace))
    backup.make(workspace, BackupWish(), nobody)
    assert backup_drill.is_due(backup_copies.status(workspace))
    backup_drill.drill(workspace, nobody)
    state = backup_copies.status(workspace)
    assert not backup_drill.is_due(state)
    assert not backup_drill.is_due(replace(state, now=state.now + timedelta(days=29)))
    assert backup_drill.is_due(replace(state, now=state.now + timedelta(days=30)))
