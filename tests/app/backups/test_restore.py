"""Putting a backup back: checked first, the archive of now kept whole, and no refusal changes anything."""

from __future__ import annotations

import lzma
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.backups import backup, backup_copies, restore
from confere.app.backups.backup import BackupWish
from confere.app.backups.backup_copies import Depth
from confere.app.context import Workspace
from confere.archive.accounts import audit
from confere.archive.maintenance import shared_memory
from confere.archive.maintenance.backups import copy_records
from confere.errors import (
    ArchiveLocked,
    ArchiveNewer,
    BackupMissing,
    BackupRefused,
    Cancelled,
    ConfereError,
    DiskFull,
    PassphraseUnavailable,
    UsageFault,
)
from confere.system.files import age_encryption
from confere.system.messages import render
from confere.system.processes.cancellation import Stop
from confere.system.secrets.token_store import Secret, Source
from confere.system.settings import BACKUP_FOLDER
from tests.app.made import account, workspace_at
from tests.archive.papers import note, store

WORDS = "três corvos à mesa"
RELEASE = Path(__file__).parents[2] / "releases" / "0011.sqlite3.xz"


class Made(NamedTuple):
    workspace: Workspace
    backup: Path  # with three documents, an account and a line of a person; the archive has a fourth document


@pytest.fixture(autouse=True)
def little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(age_encryption, "WORK_FACTOR", 8)


@pytest.fixture
def made(tmp_path: Path) -> Made:
    workspace = workspace_at(tmp_path / "home")
    with workspace.writing("test") as archive:
        account(archive)
        with archive.writing() as transaction:
            audit.write(transaction, "finding explained", "R3 1", "agreed with the seller")
    (path,) = backup.make(workspace, BackupWish(tmp_path / "copy.sqlite3"), passphrase).written
    with workspace.writing("test") as archive:
        store(archive, note(9))
    return Made(workspace, path)


def passphrase(_archive_id: str) -> Secret:
    return Secret(WORDS, Source.PROMPT)


def documents(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM document").fetchone()[0])


def left(workspace: Workspace) -> list[str]:
    """What a restore must not leave in the data folder."""
    names = [path.name for path in workspace.home.root.glob("archive-*")]
    return [name for name in names if "before-restore" not in name and name != copy_records.FILE]


def test_the_archive_is_replaced_and_the_one_of_before_kept(made: Made) -> None:
    workspace, copy = made
    opened = OpenArchive(workspace)
    with opened.reading() as transaction:
        assert transaction.scalar("SELECT count(*) FROM document") == 4
    archive_id = opened.archive().id
    plan = restore.look(workspace, copy, passphrase)
    assert (plan.contents.documents, plan.is_same, plan.encrypted) == (3, True, False)
    assert plan.present is not None and plan.present.documents == 4
    done = restore.restore(workspace, copy, passphrase)
    assert done.aside is not None and documents(done.aside) == 4
    with opened.reading() as transaction:  # the window's own: it sees the new file
        assert transaction.scalar("SELECT count(*) FROM document") == 3
        newest, kept, *_ = audit.lines(transaction)
    assert opened.archive().id == archive_id  # so that its tokens are found
    opened.close()
    assert (newest.action, newest.subject) == (restore.RESTORED, copy.name)
    assert newest.detail is not None and done.aside.name in newest.detail
    assert kept.detail == "agreed with the seller"
    assert left(workspace) == []
    again = restore.restore(workspace, done.aside, passphrase)  # and back
    assert documents(workspace.home.archive) == 4
    assert again.aside is not None and again.aside != done.aside
    with workspace.writing("test") as archive:
        store(archive, note(10))


def test_an_encrypted_backup_is_restored_by_its_passphrase_alone(made: Made, tmp_path: Path) -> None:
    workspace, _ = made
    (hidden,) = backup.make(workspace, BackupWish(tmp_path, encrypt=True), passphrase).written
    with workspace.writing("test") as archive:
        store(archive, note(10))
    assert restore.look(workspace, hidden, passphrase).contents.documents == 4
    with pytest.raises(PassphraseUnavailable, match="does not open"):
        restore.restore(workspace, hidden, lambda _id: Secret("another one", Source.PROMPT))
    assert documents(workspace.home.archive) == 5
    hidden.write_bytes(hidden.read_bytes()[:-100])
    with pytest.raises(BackupRefused, match="cut off"):
        restore.restore(workspace, hidden, passphrase)
    assert documents(workspace.home.archive) == 5
    assert left(workspace) == []


def test_an_older_backup_is_brought_up_to_date(tmp_path: Path) -> None:
    workspace = workspace_at(tmp_path / "home")
    old = tmp_path / "old.sqlite3"
    with lzma.open(RELEASE) as packed, old.open("wb") as target:
        shutil.copyfileobj(packed, target)
    plan = restore.look(workspace, old, passphrase)
    assert plan.contents.is_older and not plan.is_same
    restore.restore(workspace, old, passphrase)
    with workspace.reading() as archive, archive.reading() as transaction:
        assert transaction.scalar("SELECT count(*) FROM document WHERE is_current = 1") == plan.contents.documents
    assert left(workspace) == []


def test_a_lost_archive_comes_back(made: Made) -> None:
    workspace, copy = made
    workspace.home.archive.write_bytes(b"SQLite format 3\0" + b"\xff" * 9000)
    assert restore.look(workspace, copy, passphrase).present is None
    done = restore.restore(workspace, copy, passphrase)
    assert documents(workspace.home.archive) == 3
    assert done.aside is not None and done.aside.stat().st_size == 9016
    workspace.home.archive.unlink()
    assert restore.restore(workspace, copy, passphrase).aside is None
    assert documents(workspace.home.archive) == 3


def garbage(path: Path) -> None:
    path.write_bytes(b"PK\x03\x04 no database" * 100)


def torn(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def holed(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[8192 * 3 : 8192 * 9] = b"\x55" * (8192 * 6)
    path.write_bytes(data)


def foreign(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE photo (name TEXT)")


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


@pytest.mark.parametrize(
    ("spoil", "error", "words"),
    [
        (garbage, BackupRefused, "no backup of Confere"),
        (torn, BackupRefused, "damaged"),
        (holed, BackupRefused, "damaged"),
        (foreign, BackupRefused, "no backup of Confere"),
        (newer, ArchiveNewer, "format 9999"),
    ],
)
def test_what_is_no_whole_backup_is_refused_in_a_sentence(
    made: Made, spoil: Callable[[Path], None], error: type[ConfereError], words: str
) -> None:
    workspace, copy = made
    spoil(copy)
    before = workspace.home.archive.read_bytes()
    for act in (restore.look, restore.restore):
        with pytest.raises(error) as refused:
            act(workspace, copy, passphrase)
        assert words in render(refused.value.what)
        assert refused.value.remedy is not None and str(copy) in render(refused.value.what)
    assert workspace.home.archive.read_bytes() == before
    assert list(workspace.home.root.glob("archive-*.sqlite3")) == [] == left(workspace)


def test_while_somebody_writes_it_is_refused_with_their_name(made: Made) -> None:
    workspace, copy = made
    with workspace.writing("sync"), pytest.raises(ArchiveLocked, match="sync"):
        restore.restore(workspace, copy, passphrase)
    assert documents(workspace.home.archive) == 4


def test_a_full_disk_and_a_stop_leave_the_archive(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace, copy = made
    stop = Stop()
    stop.set()
    with pytest.raises(Cancelled):
        restore.restore(workspace, copy, passphrase, stop=stop)
    monkeypatch.setattr(restore, "free_bytes", lambda _folder: shared_memory.FREE_TO_WRITE)
    with pytest.raises(DiskFull, match="no room for the backup"):
        restore.restore(workspace, copy, passphrase)
    assert documents(workspace.home.archive) == 4
    assert left(workspace) == []


def test_a_file_is_found_by_its_name_in_the_folders_for_backups(made: Made) -> None:
    workspace, copy = made
    (ours,) = backup.make(workspace, BackupWish(), passphrase).written
    assert restore.find_file(workspace, Path(ours.name)) == ours
    assert restore.find_file(workspace, copy) == copy
    with pytest.raises(BackupMissing, match=r"no file archive-copy-nowhere\.sqlite3 here, nor in ") as missing:
        restore.find_file(workspace, Path("archive-copy-nowhere.sqlite3"))
    assert str(workspace.home.backups) in render(missing.value.what)
    with pytest.raises(BackupMissing, match=r"There is no file .*elsewhere\.sqlite3"):
        restore.find_file(workspace, copy.with_name("elsewhere.sqlite3"))
    with pytest.raises(BackupMissing, match="does not let Confere look at"):
        restore.find_file(workspace, copy.with_name("x" * 300))
    with pytest.raises(BackupMissing, match="is a folder; name a file in it"):
        restore.find_file(workspace, copy.parent)
    with pytest.raises(UsageFault, match="in use"):
        restore.find_file(workspace, workspace.home.archive)


def test_what_was_looked_through_counts(made: Made, tmp_path: Path) -> None:
    workspace = made.workspace
    workspace.settings.set(BACKUP_FOLDER, str(tmp_path))
    (hidden,) = backup.make(workspace, BackupWish(encrypt=True, second_only=True), passphrase).written
    (workspace.home.root / copy_records.FILE).unlink()
    assert hidden.name not in {copy.path.name for copy in backup_copies.status(workspace).whole}
    restore.look(workspace, hidden, passphrase)
    assert hidden.name in {copy.path.name for copy in backup_copies.status(workspace, Depth.ALL).whole}


def test_what_a_killed_restore_left_is_taken_away(made: Made) -> None:
    workspace, copy = made
    stage = workspace.home.root / "archive-restore-0011aabb"
    stage.mkdir()
    (stage / "archive.sqlite3").write_bytes(b"half")
    restore.restore(workspace, copy, passphrase)
    assert not stage.exists()
