"""Backups: written and read back, counted only where they are whole, and told when none is young enough."""

from __future__ import annotations

import os
import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import pyrage
import pytest

from confere.app.archive_session import OpenArchive
from confere.app.backups import backup, backup_copies, backup_passphrase
from confere.app.backups.backup import BackupWish
from confere.app.backups.backup_copies import BackupStatus, CopyState, Depth
from confere.app.context import Workspace
from confere.archive.maintenance.backups import backup as copying
from confere.archive.maintenance.backups import copies, copy_records
from confere.archive.store import Archive
from confere.errors import ArchiveLocked, Cancelled, PassphraseUnavailable, UsageFault, message
from confere.fiscal.periods import BRASILIA
from confere.system.files import age_encryption
from confere.system.messages import render
from confere.system.paths import HomeOrigin
from confere.system.processes.cancellation import Stop
from confere.system.secrets.token_store import Secret, Source
from confere.system.settings import (
    BACKUP_ALARM,
    BACKUP_ENCRYPTED,
    BACKUP_FOLDER,
    BACKUPS_DAILY,
    BACKUPS_MONTHLY,
    BACKUPS_WEEKLY,
    BACKUPS_YEARLY,
)
from tests.app.made import workspace_at
from tests.archive.papers import note, store

WORDS = "três corvos à mesa"


def passphrase(_archive_id: str) -> Secret:
    return Secret(WORDS, Source.PROMPT)


def none(_archive_id: str) -> Secret:
    raise AssertionError("no passphrase is needed")


@pytest.fixture(autouse=True)
def little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(age_encryption, "WORK_FACTOR", 8)


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return workspace_at(tmp_path / "home")


@pytest.fixture
def second(workspace: Workspace, tmp_path: Path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    workspace.settings.set(BACKUP_FOLDER, str(folder))
    return folder


def set_clock(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    """The moment of which copies get their name, and to which their age is told."""

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return moment.astimezone(tz)

    monkeypatch.setattr(copying, "datetime", Clock)
    monkeypatch.setattr(backup_copies, "datetime", Clock)


def states(workspace: Workspace, depth: Depth = Depth.NEW) -> list[str]:
    return sorted(f"{copy.place} {copy.state}" for copy in backup_copies.status(workspace, depth).copies)


def documents(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM document").fetchone()[0])


def test_a_backup_is_a_whole_archive_and_is_counted(workspace: Workspace) -> None:
    made = backup.make(workspace, BackupWish(), none)
    (path,) = made.written
    assert path.parent == workspace.home.backups
    assert documents(path) == 3
    state = backup_copies.status(workspace, Depth.KNOWN)
    assert [copy.state for copy in state.copies] == [CopyState.WHOLE]
    assert (state.copies[0].documents, state.days) == (3, 0)
    again = backup.make(workspace, BackupWish(), none)
    assert [[copy.path for copy in backup_copies.status(workspace).whole], state.is_from_today] == [
        list(again.written),
        True,
    ]


@pytest.mark.parametrize(
    ("whole", "days", "text"),
    [
        (1, 1, "1 whole copy, 1 day old."),
        (1, 2, "1 whole copy, 2 days old."),
        (2, 1, "2 whole copies, newest 1 day old."),
        (1000, 12, "1,000 whole copies, newest 12 days old."),
    ],
)
def test_copies_and_days_are_counted_apart(whole: int, days: int, text: str) -> None:
    assert render(backup_copies.counted(whole, days)) == text


def test_who_writes_meanwhile_does_not_begin_it_anew(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copying, "PAGES_AT_ONCE", 1)
    told: list[int] = []
    with workspace.writing("test") as archive:
        numbers = iter(range(50, 1000))

        def write(done: int, _total: int) -> None:
            told.append(done)
            store(archive, note(next(numbers)))

        copied = copying.copy(archive.path, workspace.home.backups / "archive-copy-x.sqlite3", write)
    assert told == sorted(set(told))
    assert documents(copied) == 3


def test_the_second_folder_gets_its_own_encrypted_copy(workspace: Workspace, second: Path) -> None:
    workspace.settings.set(BACKUP_ENCRYPTED, True)
    made = backup.make(workspace, BackupWish(), passphrase)
    plain, hidden = made.written
    assert (plain.parent, hidden.parent) == (workspace.home.backups, second)
    assert hidden.name == plain.name + ".age"
    assert pyrage.passphrase.decrypt(hidden.read_bytes(), WORDS) == plain.read_bytes()
    assert states(workspace) == ["backups whole", "second whole"]
    assert not list(second.glob("*.partial")) and not list(second.glob(".confere*"))


def test_only_the_second_folder_leaves_no_plain_copy(workspace: Workspace, second: Path) -> None:
    made = backup.make(workspace, BackupWish(encrypt=True, second_only=True), passphrase)
    assert [path.parent for path in made.written] == [second]
    assert list(workspace.home.backups.iterdir()) == []


@pytest.mark.parametrize("is_hidden", [False, True])
def test_a_second_folder_that_is_not_there_is_a_problem_and_the_first_copy_stands(
    workspace: Workspace, second: Path, is_hidden: bool
) -> None:
    second.rmdir()
    if (
        is_hidden
    ):  # a share that does not answer, a disk that is locked: as a name that is too long, an error to ask for
        workspace.settings.set(BACKUP_FOLDER, str(second / ("a" * 300)))
    made = backup.make(workspace, BackupWish(), none)
    assert [path.parent for path in made.written] == [workspace.home.backups]
    assert "is not there" in render(made.problems[0].what)
    assert not backup_copies.status(workspace).second_reachable


def test_a_named_place_is_taken_and_no_file_is_replaced(workspace: Workspace, tmp_path: Path) -> None:
    target = tmp_path / "mine.sqlite3"
    assert backup.make(workspace, BackupWish(target), none).written == (target,)
    with pytest.raises(UsageFault, match="is there already"):
        backup.make(workspace, BackupWish(target), none)
    (inside,) = backup.make(workspace, BackupWish(tmp_path, encrypt=True), passphrase).written
    assert inside.parent == tmp_path and inside.name.endswith(".sqlite3.age")
    assert states(workspace) == ["elsewhere whole", "elsewhere whole"]


def test_the_oldest_go_in_every_usual_place(
    workspace: Workspace, second: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.settings.set(BACKUP_ENCRYPTED, True)
    for setting, count in ((BACKUPS_DAILY, 2), (BACKUPS_WEEKLY, 0), (BACKUPS_MONTHLY, 0), (BACKUPS_YEARLY, 0)):
        workspace.settings.set(setting, count)
    made = []
    for day in (5, 6, 7):
        set_clock(monkeypatch, datetime(2026, 11, day, 12, tzinfo=UTC))
        made.append(backup.make(workspace, BackupWish(), passphrase).written)
    assert sorted(second.iterdir()) == sorted(paths[1] for paths in made[1:])
    assert sorted(workspace.home.backups.glob("*.sqlite3")) == sorted(paths[0] for paths in made[1:])


def test_only_what_confere_named_of_this_archive_goes(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand, of another archive, of a clock that ran ahead, before an update, damaged: none is removed."""
    backups = workspace.home.backups
    workspace.home.ensure()
    other = workspace_at(tmp_path / "other")
    set_clock(monkeypatch, datetime(2026, 11, 5, 12, tzinfo=UTC))
    (theirs,) = backup.make(other, BackupWish(), none).written
    theirs = theirs.rename(backups / theirs.name)
    (mine,) = backup.make(workspace, BackupWish(backups / "archive-copy-by-hand.sqlite3"), none).written
    before = copying.copy_before_migration(workspace.home.archive, backups, "0024")
    broken = backups / "archive-copy-20261105T120001000000Z.sqlite3"
    broken.write_bytes(b"")
    set_clock(monkeypatch, datetime(2099, 1, 1, tzinfo=UTC))
    (ahead,) = backup.make(workspace, BackupWish(), none).written
    set_clock(monkeypatch, datetime(2026, 11, 6, 12, tzinfo=UTC))
    (first,) = backup.make(workspace, BackupWish(), none).written
    set_clock(monkeypatch, datetime(2026, 11, 6, 13, tzinfo=UTC))
    (last,) = backup.make(workspace, BackupWish(), none).written
    assert not first.exists()
    assert set(backups.iterdir()) == {theirs, mine, before, broken, ahead, last}


@pytest.mark.parametrize("unread", [{2}, {3}, {2, 3}])
def test_no_copy_goes_while_the_archive_cannot_be_read(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unread: set[int]
) -> None:
    """What was read of the archive before is not asked for again: without its id, another's copies would be its own."""
    for setting, count in ((BACKUPS_DAILY, 1), (BACKUPS_WEEKLY, 0), (BACKUPS_MONTHLY, 0), (BACKUPS_YEARLY, 0)):
        workspace.settings.set(setting, count)
    other = workspace_at(tmp_path / "other")
    backups = workspace.home.ensure().backups
    theirs = []
    for day in (4, 5):
        set_clock(monkeypatch, datetime(2026, 11, day, 12, tzinfo=UTC))
        (path,) = backup.make(other, BackupWish(), none).written
        theirs.append(path.rename(backups / path.name))
    reading, readings = Workspace.reading, []

    def locked(self: Workspace) -> Archive:
        readings.append(self)
        if len(readings) in unread:
            raise ArchiveLocked(message("held"))
        return reading(self)

    set_clock(monkeypatch, datetime(2026, 11, 6, 12, tzinfo=UTC))
    monkeypatch.setattr(Workspace, "reading", locked)
    (mine,) = backup.make(workspace, BackupWish(), none).written
    assert len(readings) == 3 or 2 in unread
    assert set(backups.iterdir()) == {*theirs, mine}


@pytest.mark.parametrize("share", [r"\\server\share", "//server/share", r"\??\UNC\server\share"])
def test_looks_ask_no_other_machine_that_a_data_folder_of_a_stranger_names(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, share: str
) -> None:
    (made,) = backup.make(workspace, BackupWish(workspace.home.root / "mine.sqlite3"), none).written
    record = copy_records.load(workspace.home.root)[str(made)]
    copy_records.keep(workspace.home.root, [replace(record, path=f"{share}/archive-copy-1.sqlite3")])
    asked: list[str] = []

    def ask(path: Path) -> bool:
        asked.append(str(path))
        return False

    monkeypatch.setattr(backup_copies, "second_folder", lambda _: Path(share))
    monkeypatch.setattr(backup_copies, "is_own_file", ask)
    monkeypatch.setattr(backup_copies.presence, "is_folder", ask)
    monkeypatch.setattr(backup_copies, "_IS_WINDOWS", True)
    assert backup_copies.status(workspace).second_folder is None
    with closing(OpenArchive(workspace)) as opened:
        assert backup_copies.of_open(opened).second_folder is None
    assert asked and not [path for path in asked if "server" in path]
    own = replace(workspace, home=replace(workspace.home, origin=HomeOrigin.CHOSEN))
    assert backup_copies.status(own).second_folder == Path(share)
    assert backup_copies.status(workspace, everywhere=True).second_folder == Path(share)
    assert len([path for path in asked if "server" in path]) == 4


def test_a_damaged_copy_does_not_count(workspace: Workspace, second: Path) -> None:
    workspace.settings.set(BACKUP_ENCRYPTED, True)
    for path in backup.make(workspace, BackupWish(), passphrase).written:
        seen = path.stat()
        data = bytearray(path.read_bytes())
        data[len(data) // 2 : len(data) // 2 + 9000] = bytes(9000)
        path.write_bytes(data)
        os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    assert states(workspace) == ["backups whole", "second whole"]  # as large and as old as they were
    assert states(workspace, Depth.ALL) == ["backups damaged", "second damaged"]
    assert render(backup_copies.status(workspace).sentence) == "No whole copy of the archive."


def test_a_copy_of_another_archive_or_of_nothing_does_not_count(workspace: Workspace, tmp_path: Path) -> None:
    other = workspace_at(tmp_path / "other")
    (path,) = backup.make(other, BackupWish(), none).written
    workspace.home.ensure()
    path.rename(workspace.home.backups / path.name)
    (workspace.home.backups / "archive-x.sqlite3").write_bytes(b"no database")
    (workspace.home.backups / "archive-y.sqlite3.age").write_bytes(age_encryption.INTRODUCTION)
    assert states(workspace) == ["backups other", "backups other", "backups unchecked"]
    assert backup_copies.status(workspace).whole == ()


def test_lost_records_are_made_anew_and_hostile_ones_believed_in_nothing(workspace: Workspace) -> None:
    backup.make(workspace, BackupWish(), none)
    records = workspace.home.root / copy_records.FILE
    for text in ("", "[]", '{"copies": [1, {"path": "x"}, {"path": 1}]}', "[" * 100_000):
        records.write_text(text, encoding="utf-8")
        assert states(workspace, Depth.KNOWN) == ["backups unchecked"]
        assert states(workspace) == ["backups whole"]


def made_at(workspace: Workspace, ago: timedelta) -> BackupStatus:
    """The state where the newest whole copy, if any, was made so long ago."""
    state = backup_copies.status(workspace)
    copies = tuple(replace(copy, made_at=state.now - ago) for copy in state.copies)
    return replace(state, copies=copies, since=datetime(2020, 1, 1, tzinfo=BRASILIA))


@pytest.mark.parametrize(
    ("hours", "one", "two"),
    [
        (0, "1 whole copy, made today.", "2 whole copies, the newest made today."),
        (7, "1 whole copy, made today.", "2 whole copies, the newest made today."),
        (9, "1 whole copy, 1 day old.", "2 whole copies, newest 1 day old."),  # it is 8 o'clock
        (47, "1 whole copy, 1 day old.", "2 whole copies, newest 1 day old."),
        (48, "1 whole copy, 2 days old.", "2 whole copies, newest 2 days old."),
        (-20, "1 whole copy, made today.", "2 whole copies, the newest made today."),
    ],
)
def test_the_age_of_the_newest_copy_is_said_by_the_calendar(
    workspace: Workspace, hours: int, one: str, two: str
) -> None:
    backup.make(workspace, BackupWish(), none)
    state = made_at(workspace, timedelta())
    now = datetime(2026, 11, 26, 8, tzinfo=BRASILIA)
    copies = tuple(replace(copy, made_at=now - timedelta(hours=hours)) for copy in state.copies)
    assert render(replace(state, now=now, copies=copies).sentence) == one
    assert render(replace(state, now=now, copies=copies * 2).sentence) == two


def test_an_alarm_goes_off_where_no_whole_copy_is_young_enough(workspace: Workspace) -> None:
    assert made_at(workspace, timedelta()).alarm is not None
    backup.make(workspace, BackupWish(), none)
    assert made_at(workspace, timedelta(days=6, hours=23)).alarm is None
    old = made_at(workspace, timedelta(days=7))
    assert old.alarm is not None and "7 days old" in render(old.alarm)
    yesterday = replace(made_at(workspace, timedelta(days=1)), alarm_days=1)
    assert yesterday.alarm is not None and "1 day old" in render(yesterday.alarm)
    assert replace(old, alarm_days=0).alarm is None
    assert replace(old, since=None).alarm is None
    young = replace(old, copies=(), since=old.now - timedelta(days=6))
    assert young.alarm is None
    ahead = made_at(workspace, -timedelta(days=400))
    assert ahead.newest is None and ahead.alarm is not None
    workspace.settings.set(BACKUP_ALARM, 30)
    assert made_at(workspace, timedelta(days=29)).alarm is None


def test_a_copy_is_due_once_a_day_in_every_usual_place(
    workspace: Workspace, second: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert len(backup.back_up_if_due(workspace, none).written) == 2  # type: ignore[union-attr]
    assert backup.back_up_if_due(workspace, none) is None
    (theirs,) = second.glob("*.sqlite3")
    theirs.unlink()
    assert backup.back_up_if_due(workspace, none) is not None
    look = backup_copies.status
    later = datetime.now(BRASILIA) + timedelta(hours=21)
    monkeypatch.setattr(backup_copies, "status", lambda *a, **k: replace(look(*a, **k), now=later))
    assert backup.back_up_if_due(workspace, none) is not None


def test_nothing_is_due_without_an_archive(tmp_path: Path) -> None:
    assert backup.back_up_if_due(Workspace.at(tmp_path), none) is None


def test_a_stopped_backup_leaves_nothing(workspace: Workspace) -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(Cancelled):
        backup.make(workspace, BackupWish(), none, stop=stop)
    assert list(workspace.home.backups.glob("archive*")) == []


def test_a_passphrase_comes_of_a_private_file_the_keyring_or_a_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from confere.system.secrets import system_keyring

    kept: dict[tuple[str, str], str] = {}
    monkeypatch.setattr(system_keyring, "read", lambda service, user: kept.get((service, user)))
    monkeypatch.setattr(system_keyring, "write", lambda service, user, word: kept.update({(service, user): word}))
    file = tmp_path / "words"
    file.write_text(f"{WORDS}\n", encoding="utf-8")
    file.chmod(0o600)
    found = backup_passphrase.find("a", environ={backup_passphrase.FILE_VARIABLE: str(file)})
    assert (found.reveal(), WORDS in repr(found)) == (WORDS, False)
    with pytest.raises(PassphraseUnavailable, match="no passphrase"):
        backup_passphrase.find("a", environ={})
    backup_passphrase.keep("a", WORDS)
    assert backup_passphrase.find("a", environ={}).source is Source.KEYRING
    assert not backup_passphrase.is_kept("b")
    asked = iter([WORDS, WORDS, WORDS, "another one"])
    assert backup_passphrase.find("b", ask=lambda _what: next(asked), new=True, environ={}).reveal() == WORDS
    with pytest.raises(UsageFault, match="not the same"):
        backup_passphrase.find("b", ask=lambda _what: next(asked), new=True, environ={})
    with pytest.raises(UsageFault, match="at least 8"):
        backup_passphrase.find("b", ask=lambda _what: "short", new=True, environ={})


def test_a_second_process_may_ask_while_one_backs_up(workspace: Workspace) -> None:
    errors: list[Exception] = []

    def look() -> None:
        try:
            for _ in range(5):
                backup_copies.status(Workspace.at(workspace.home.root))
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=look)
    thread.start()
    for _ in range(2):
        backup.make(workspace, BackupWish(), none)
    thread.join()
    assert errors == []
    assert len(backup_copies.status(workspace).whole) == 1


def test_a_copy_s_number_is_above_those_of_every_folder_and_of_the_record(tmp_path: Path) -> None:
    workspace = workspace_at(tmp_path / "home")
    with workspace.writing("test") as archive:
        store(archive, note(1))
    second = tmp_path / "second"
    second.mkdir()
    old = copying.copy(workspace.home.archive, second / "archive-old.sqlite3", least=41)
    workspace.settings.set(BACKUP_FOLDER, str(second))
    first = backup.make(workspace, BackupWish(), none).written[0]
    assert (copies.number_of(old), copies.number_of(first)) == (41, 42)
    record = next(iter(copy_records.load(workspace.home.root).values()))
    copy_records.keep(workspace.home.root, [replace(record, number=77)])
    assert copies.number_of(backup.make(workspace, BackupWish(), none).written[0]) == 78
