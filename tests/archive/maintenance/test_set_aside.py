"""Another file in the archive's place: the old log never gets into it, and the old archive keeps all it held."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from confere.archive.maintenance import set_aside
from confere.archive.maintenance.backups import backup
from confere.archive.store import Archive
from confere.errors import ArchiveLocked, EnvironmentFault
from tests.archive.papers import note, store
from tests.held import Held


def keys(path: Path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM document").fetchone()[0])


@pytest.fixture
def new(path: Path, tmp_path: Path) -> Path:
    """A copy of an archive with one note; the archive itself has a second one, in its log alone."""
    with Archive.to_write(path, "test") as archive:
        store(archive, note(1))
    copied = backup.copy(path, tmp_path / "new.sqlite3")
    with Archive.to_write(path, "test") as archive:
        store(archive, note(2))
        for ending in ("", "-wal"):
            shutil.copy(f"{path}{ending}", f"{path}{ending}.kept")
    for ending in ("", "-wal"):  # as a killed writer leaves them
        Path(f"{path}{ending}.kept").replace(f"{path}{ending}")
    assert Path(f"{path}-wal").stat().st_size
    return copied


def test_the_old_log_goes_with_the_old_archive(path: Path, new: Path) -> None:
    aside = set_aside.aside_name(path)
    assert set_aside.put_in_place(new, path, aside)
    assert not Path(f"{path}-wal").exists()
    assert (keys(path), keys(aside)) == (1, 2)
    assert not new.exists()


def test_the_log_of_a_damaged_archive_is_kept_beside_it(path: Path, new: Path) -> None:
    damaged = b"SQLite format 3\0" + b"\xff" * 5000
    path.write_bytes(damaged)
    log = Path(f"{path}-wal").read_bytes()
    aside = set_aside.aside_name(path)
    assert set_aside.put_in_place(new, path, aside)
    assert keys(path) == 1
    assert (aside.read_bytes(), Path(f"{aside}-wal").read_bytes()) == (damaged, log)


def test_whoever_reads_without_end_is_waited_for_and_nothing_changes(
    path: Path, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(set_aside, "_PATIENCE", 0.05)
    aside = set_aside.aside_name(path)
    with closing(sqlite3.connect(path)) as reader, closing(sqlite3.connect(path)) as writer:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM document").fetchone() == (2,)
        with writer:
            writer.execute("DELETE FROM document WHERE id = (SELECT max(id) FROM document)")
        with pytest.raises(ArchiveLocked, match="read by another program"):
            set_aside.put_in_place(new, path, aside)
        assert reader.execute("SELECT count(*) FROM document").fetchone() == (2,)
    assert keys(path) == 1 and new.exists()
    assert not aside.exists()


def test_a_file_that_stays_held_leaves_the_old_archive(path: Path, new: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held = Held(monkeypatch)
    held.hold(new.name, 1000)
    aside = set_aside.aside_name(path)
    with pytest.raises(EnvironmentFault):
        set_aside.put_in_place(new, path, aside)
    assert keys(path) == 2
    assert not aside.exists()


def test_where_a_file_has_one_name_only_the_old_archive_is_copied(
    path: Path, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_names: object) -> None:
        raise OSError(1, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    aside = set_aside.aside_name(path)
    assert set_aside.put_in_place(new, path, aside)
    assert (keys(path), keys(aside)) == (1, 2)


def test_the_second_name_that_a_kill_left_is_taken_away_by_the_next_writer(path: Path, new: Path) -> None:
    other = set_aside.aside_name(path)
    shutil.copy(new, other)
    second = set_aside.aside_name(path)
    os.link(path, second)
    Archive.to_write(path, "test").close()
    assert not second.exists()
    assert other.exists()
    assert keys(path) == 2


@pytest.mark.parametrize("linked", [True, False])
@pytest.mark.parametrize("log_is_there", [True, False])
def test_a_log_that_was_set_aside_with_a_damaged_archive_comes_back(
    path: Path, new: Path, log_is_there: bool, linked: bool
) -> None:
    """Killed before the new file had the name: the log is the archive's again, wherever the kill left it."""
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    log, aside = Path(f"{path}-wal"), set_aside.aside_name(path)
    kept, data = Path(f"{aside}-wal"), log.read_bytes()
    kept.write_bytes(data)
    if linked:
        os.link(path, aside)
    else:
        shutil.copy(path, aside)
    if not log_is_there:
        log.unlink()
    set_aside.forget_second_name(path)
    assert log.read_bytes() == data
    assert not aside.exists() and not kept.exists()


def test_a_log_that_was_set_aside_alone_is_taken_away_and_one_with_its_archive_stays(path: Path, new: Path) -> None:
    alone, aside = Path(f"{path.parent}/{set_aside.ASIDE}1.sqlite3-wal"), set_aside.aside_name(path)
    alone.write_bytes(b"half")
    shutil.copy(new, aside)
    Path(f"{aside}-wal").write_bytes(b"its own")
    set_aside.forget_second_name(path)
    assert not alone.exists()
    assert aside.exists() and Path(f"{aside}-wal").read_bytes() == b"its own"
    assert keys(path) == 2


def test_without_an_archive_there_is_nothing_to_set_aside(tmp_path: Path, new: Path) -> None:
    target = tmp_path / "other" / "archive.sqlite3"
    target.parent.mkdir()
    aside = set_aside.aside_name(target)
    assert not set_aside.put_in_place(new, target, aside)
    assert keys(target) == 1
    assert not aside.exists()
