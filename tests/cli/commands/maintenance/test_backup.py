"""`confere backup`, `restore` and `keeping`: what they say, how they end, and that no passphrase is ever told."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from confere.app.backups import backup_copies
from confere.app.context import Workspace
from confere.system.files import age_encryption
from tests.app.made import account, workspace_at
from tests.archive.papers import note, store
from tests.cli.running import Call

WORDS = "três corvos à mesa"


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setattr(age_encryption, "WORK_FACTOR", 8)
    workspace = workspace_at(tmp_path / "home")
    with workspace.writing("test") as archive:
        account(archive)
    return workspace


@pytest.fixture
def words(tmp_path: Path) -> Path:
    file = tmp_path / "words"
    file.write_text(WORDS, encoding="utf-8")
    file.chmod(0o600)
    return file


def test_copies_are_made_counted_and_put_back(call: Call, made: Workspace, words: Path, tmp_path: Path) -> None:
    home = made.home.root
    target = tmp_path / "mine.sqlite3.age"
    done = call("backup", target, "--encrypt", "--passphrase-file", words, "--home", home)
    assert (done.code, done.err) == (0, "")
    assert f"A checked copy of the archive is in {target}." in done.out
    assert "1 whole copy, made today." in done.out
    with made.writing("test") as archive:
        store(archive, note(9))
    shown = call("restore", target, "--preview", "--passphrase-file", words, "--home", home, "--json").json
    assert (shown["backup"]["documents"], shown["present"]["documents"], shown["restored"]) == (3, 4, False)
    assert [loss for loss in shown["losses"] if loss["number"]] == [
        {"kind": "documents", "number": 1, "newest": None}  # no run is told of that brought it
    ]
    told = call("restore", target, "--preview", "--passphrase-file", words, "--home", home).out
    assert "The backup lacks this of the archive that it replaces:\n  1 document" in told
    assert "is kept as archive-before-restore-….sqlite3 in" in told
    refused = call("restore", target, "--passphrase-file", words, "--home", home)
    assert refused.code == 2 and "give --yes" in refused.err
    done = call("restore", target, "--yes", "--passphrase-file", words, "--home", home)
    assert (done.code, "Restored: 3 documents" in done.out, "archive-before-restore-" in done.out) == (0, True, True)
    assert "\n  1 document" in done.out and "Restoring that file brings all of it back." in done.out
    said = "".join(file.read_text(encoding="utf-8") for file in made.home.logs.iterdir())
    assert WORDS not in said + done.out + done.err


def test_a_backup_that_is_not_there_is_said_in_words_of_files(call: Call, made: Workspace, tmp_path: Path) -> None:
    for name, words in (("nowhere.sqlite3", "here, nor in"), (tmp_path / "x.age", "x.age"), (tmp_path, "is a folder")):
        missing = call("restore", name, "--preview", "--home", made.home.root)
        assert (missing.code, missing.out) == (2, "")
        assert "This backup was not found: " in missing.err and words in missing.err
        assert "The archive does not hold this" not in missing.err


def test_a_wrong_passphrase_and_an_open_file_are_told(call: Call, made: Workspace, words: Path, tmp_path: Path) -> None:
    home, target = made.home.root, tmp_path / "mine.age"
    assert call("backup", target, "--encrypt", "--home", home).code == 3  # nobody is there to type one
    assert not target.exists()
    assert call("backup", target, "--encrypt", "--passphrase-file", words, "--home", home).code == 0
    words.write_text("another one", encoding="utf-8")
    wrong = call("restore", target, "--yes", "--passphrase-file", words, "--home", home)
    assert (wrong.code, "The passphrase does not open the backup" in wrong.err) == (3, True)
    words.chmod(0o644)
    opened = call("restore", target, "--yes", "--passphrase-file", words, "--home", home)
    assert (opened.code, "chmod 600" in opened.err) == (3, True)


def test_the_state_ends_with_1_where_no_copy_is_young_enough(
    call: Call, made: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = made.home.root
    assert call("backup", "--status", "--home", home).code == 0  # the archive is young itself
    assert call("backup", "--home", home).code == 0
    later = datetime.now(UTC) + timedelta(days=9)

    class Later(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return later.astimezone(tz)  # type: ignore[arg-type]

    monkeypatch.setattr(backup_copies, "datetime", Later)
    done = call("backup", "--status", "--home", home)
    assert (done.code, "9 days old" in done.err) == (1, True)
    assert call("doctor", "--home", home).code == 1
    assert call("backup", "--status", "--alarm-days", "30", "--home", home).code == 0
    state = call("backup", "--status", "--check", "--home", home, "--json").json["status"]
    assert (state["whole"], state["days"], state["alarm"], state["alarm_days"]) == (1, 9, None, 30)


def test_a_second_folder_is_remembered_and_due_copies_go_there(call: Call, made: Workspace, tmp_path: Path) -> None:
    home, folder = made.home.root, tmp_path / "stick"
    assert call("backup", "--to-second-folder", "--home", home).code == 2
    lost = call("backup", "--status", "--second-folder", folder / "copies", "--home", home)
    assert (lost.code, f"make {folder} first" in lost.err) == (2, True)
    named = call("backup", "--status", "--second-folder", folder, "--home", home)
    assert (named.code, "was not there and was made" in named.err) == (0, True)
    assert "was made" not in call("backup", "--status", "--second-folder", folder, "--home", home).err
    folder.rmdir()
    done = call("backup", "--if-due", "--home", home)
    assert (done.code, "is not there" in done.err) == (1, True)
    folder.mkdir()
    assert len(call("backup", "--if-due", "--home", home, "--json").json["written"]) == 2
    assert "No backup is due yet." in call("backup", "--if-due", "--home", home).out
    for wrong in (("--status", "--encrypt"), ("--check",), ("--if-due", tmp_path)):
        assert call("backup", *wrong, "--home", home).code == 2


def test_what_is_kept_until_when(call: Call, made: Workspace) -> None:
    shown = call("keeping", "--home", made.home.root, "--json").json
    (line,) = shown["lines"]
    assert (line["year"], line["documents"], line["events"]) == ("2026", 3, 1)
    assert (line["ctn_173_174"], line["ajuste_sinief_2_2025"]) == ("2031-12-31", "2037-10-07")
    assert (line["held"], line["over"]) == (False, False)
    assert [term["months"] for term in shown["terms"]] == [60, 132]
    assert "2031-12-31" in call("keeping", "--home", made.home.root).out


def test_a_loss_is_an_exit_code_until_a_person_accepts_it(call: Call, made: Workspace) -> None:
    home = made.home.root
    first = call("backup", "--home", home, "--json").json["written"][0]
    with closing(sqlite3.connect(made.home.archive)) as connection:
        connection.execute("UPDATE document SET is_current = 0 WHERE issued_on = '2026-10-07'")
        connection.commit()
    done = call("backup", "--home", home)
    assert (done.code, f"`confere restore --preview {first}` shows what is missing" in done.err) == (1, True)
    assert "documents 2, then 3" in done.err
    assert call("backup", "--if-due", "--home", home).code == 1
    status = call("backup", "--status", "--home", home, "--json")
    assert (status.code, status.json["status"]["holding_more"][0]["file"]) == (1, first)
    assert status.json["status"]["holding_more"][0]["kinds"] == [
        {"kind": "documents", "month": "2026-10", "had": 2, "has": 1}
    ]
    accepted = call("backup", "--acknowledge", "--home", home)
    assert (accepted.code, "written into the audit trail" in accepted.out) == (0, True)
    assert call("backup", "--status", "--home", home).code == 0
    assert "nothing to accept" in call("backup", "--acknowledge", "--home", home).out
    assert call("backup", "--home", home).code == 0
    assert not Path(first).exists()


def test_a_trial_restore_says_what_it_read_and_ends_with_1_where_it_fails(call: Call, made: Workspace) -> None:
    home = made.home.root
    missing = call("backup", "--drill", "--home", home)
    assert (missing.code, "There is no whole backup to try." in missing.err) == (2, True)
    path = Path(call("backup", "--home", home, "--json").json["written"][0])
    done = call("backup", "--drill", "--home", home)
    assert (done.code, f"The backup {path} was restored to a scratch place and verified; it passed." in done.out) == (
        0,
        True,
    )
    assert "No trial is due yet." in call("backup", "--drill", "--if-due", "--home", home).out
    assert call("backup", "--status", "--home", home, "--json").json["status"]["last_drill"]["passed"] is True
    seen, data = path.stat(), bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    failed = call("backup", "--drill", "--home", home)
    assert (failed.code, f"The trial restore of the backup {path} failed:" in failed.err) == (1, True)
    assert call("doctor", "--home", home).code == 1
    for wrong in (("--drill", "--status"), ("--drill", "--acknowledge"), ("--acknowledge", "--if-due")):
        assert call("backup", *wrong, "--home", home).code == 2


def test_a_printed_hash_is_looked_for(call: Call, made: Workspace) -> None:
    home = made.home.root
    head = call("doctor", "--verify", "--home", home, "--json").json["facts"]["audit_chain"]["head"]
    found = call("doctor", "--audit-head", head, "--home", home).out
    assert f"{head} is the hash of line 1 of the audit trail" in found
    missing = call("doctor", "--audit-head", "0123456789abcdef", "--home", home)
    assert (missing.code, "Neither the audit trail nor the chain of closings holds" in missing.out) == (1, True)
    assert call("doctor", "--audit-head", "no hash", "--home", home).code == 2
