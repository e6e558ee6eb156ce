"""The archive's door: locked, missing, newer, foreign, damaged, full; each a sentence, nothing lost."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from confere.archive.documents import documents
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.engine import PAGE_SIZE, folder_takes_no_files
from confere.archive.maintenance import shared_memory
from confere.archive.maintenance.backups.backup import copy
from confere.archive.schema.migrate import HEAD
from confere.archive.store import Archive
from confere.errors import (
    ArchiveCorrupt,
    ArchiveError,
    ArchiveLocked,
    ArchiveMissing,
    ArchiveNewer,
    DiskFull,
)
from tests.archive.papers import note, store

HOLD = (
    "import sys; from pathlib import Path; from confere.archive.store import Archive;"
    "archive = Archive.to_write(Path(sys.argv[1]), 'a long sync'); print('held', flush=True); sys.stdin.read()"
)


def count(path: Path) -> int:
    with Archive.to_read(path) as archive, archive.reading() as transaction:
        return documents.summary(transaction, DocumentQuery()).count


def tear(path: Path) -> None:
    """Overwrite the last quarter of the file: whatever lies where, the schema or some table is hit."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size * 3 // 4)
        file.write(b"\xde\xad\xbe\xef" * (size // 16))


def test_the_lock_names_its_holder_and_ends_with_it(path: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout and holder.stdout.readline() == "held\n"
    with pytest.raises(ArchiveLocked) as caught:
        Archive.to_write(path, "test")
    assert "a long sync" in str(caught.value)
    assert str(holder.pid) in str(caught.value)
    assert count(path) == 0  # readers are let in
    holder.kill()
    holder.wait()
    holder.stdout.close()
    assert holder.stdin
    holder.stdin.close()
    with Archive.to_write(path, "test") as archive:
        store(archive, note(1))
    assert count(path) == 1


def test_readers_see_whole_transactions_only(archive: Archive) -> None:
    store(archive, note(1))
    with archive.writing() as writing:
        writing.execute("UPDATE document SET state = 'denied'")
        with archive.reading() as reading:
            assert reading.scalar("SELECT state FROM document") == "authorized"


def test_a_missing_archive_is_not_made_by_a_reader(path: Path) -> None:
    with pytest.raises(ArchiveMissing) as caught:
        Archive.to_read(path)
    assert str(path) in str(caught.value)
    assert not path.exists()


def test_a_newer_archive_is_refused_untouched(path: Path) -> None:
    Archive.to_write(path, "test").close()
    with sqlite3.connect(path) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    before = path.read_bytes()
    for attempt in (lambda: Archive.to_read(path), lambda: Archive.to_write(path, "test")):
        with pytest.raises(ArchiveNewer) as caught:
            attempt()
        assert "9999" in str(caught.value)
        assert HEAD in str(caught.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"not a database at all, only text" * 200, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_no_archive_is_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    for attempt in (lambda: Archive.to_read(path), lambda: Archive.to_write(path, "test")):
        with pytest.raises(ArchiveCorrupt) as caught:
            attempt()
        assert str(path) in str(caught.value)
    assert path.read_bytes() == content


def test_an_empty_file_is_said_to_be_empty_and_can_be_begun_anew(path: Path) -> None:
    path.touch()  # what a kill leaves in the first moment of an archive
    with pytest.raises(ArchiveCorrupt, match="empty"):
        Archive.to_read(path)
    with Archive.to_write(path, "test") as archive:
        store(archive, note(1))
    assert count(path) == 1


def test_somebody_elses_database_is_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE theirs (x)")
    database.close()
    with pytest.raises(ArchiveCorrupt, match="not an archive"):
        Archive.to_write(path, "test")


def test_pages_torn_out_are_reported_as_damage(path: Path) -> None:
    with Archive.to_write(path, "test") as archive:
        store(archive, *[note(i) for i in range(1, 200)])
    tear(path)
    with pytest.raises(ArchiveCorrupt), Archive.to_read(path) as archive, archive.reading() as transaction:
        for table in ("document", "content", "party", "item", "taxpayer"):
            transaction.fetch(f"SELECT * FROM {table}")


def test_a_full_disk_is_said_and_loses_nothing(archive: Archive) -> None:
    store(archive, note(1))
    with archive.writing() as transaction:
        used = transaction.scalar("PRAGMA page_count")
        transaction.scalar(f"PRAGMA max_page_count = {used + 4}")  # SQLite's own way to run out of room
    with pytest.raises(DiskFull) as caught:
        store(archive, *[note(i, item="x" * 20000 + str(i)) for i in range(2, 40)])
    assert str(archive.path) in str(caught.value)
    with archive.writing() as transaction:
        transaction.scalar("PRAGMA max_page_count = 1000000")
    assert count(archive.path) == 1
    store(archive, *[note(i) for i in range(2, 40)])
    assert count(archive.path) == 39


def test_a_reader_cannot_write(path: Path) -> None:
    Archive.to_write(path, "test").close()
    with Archive.to_read(path) as archive:
        with pytest.raises(ArchiveError, match="reading only"), archive.writing():
            pass
        with pytest.raises(ArchiveError), archive.reading() as transaction:
            transaction.execute("DELETE FROM info")


def test_a_copy_is_whole_while_the_archive_is_written(archive: Archive, tmp_path: Path) -> None:
    store(archive, note(1), note(2))
    target = copy(archive.path, tmp_path / "backups" / "copy.sqlite3")
    assert count(target) == 2
    assert not list(target.parent.glob("*.partial"))


def test_a_damaged_archive_is_not_copied_over_good_copies(path: Path, tmp_path: Path) -> None:
    with Archive.to_write(path, "test") as archive:
        store(archive, *[note(i) for i in range(1, 200)])
    tear(path)
    with pytest.raises(ArchiveCorrupt):
        copy(path, tmp_path / "copy.sqlite3")
    assert not (tmp_path / "copy.sqlite3").exists()


def test_a_copied_folder_is_the_same_archive(archive: Archive, path: Path, tmp_path: Path) -> None:
    store(archive, note(1))
    name = archive.id
    archive.close()
    moved = tmp_path / "élsewhere com espaço" / "archive.sqlite3"
    moved.parent.mkdir()
    shutil.copy(path, moved)
    with Archive.to_read(moved) as there:
        assert there.id == name
    assert count(moved) == 1


def test_an_archive_beside_which_nothing_can_be_written_is_read(path: Path) -> None:
    with Archive.to_write(path, "test") as archive:
        store(archive, note(1))
    data = path.read_bytes()
    log = path.with_name(path.name + "-wal")
    log.mkdir()  # whoever runs this, SQLite cannot make its file there
    with (
        closing(sqlite3.connect(path.as_uri() + "?mode=ro", uri=True)) as plain,
        pytest.raises(sqlite3.OperationalError, match="unable to open"),
    ):
        plain.execute("SELECT * FROM info")
    assert count(path) == 1
    with Archive.to_read(path) as reader:
        name = reader.id
        with pytest.raises(ArchiveError), reader.reading() as transaction:
            transaction.execute("DELETE FROM info")
    assert path.read_bytes() == data
    log.rmdir()
    with Archive.to_write(path, "test") as archive:
        assert archive.id == name
        store(archive, note(2))
    assert count(path) == 2


def test_what_came_meanwhile_is_seen_where_nothing_can_be_written_beside(path: Path) -> None:
    Archive.to_write(path, "test").close()
    log = path.with_name(path.name + "-wal")
    log.mkdir()
    with Archive.to_read(path) as reader:
        with reader.reading() as transaction:
            assert documents.summary(transaction, DocumentQuery()).count == 0
        log.rmdir()
        with Archive.to_write(path, "test") as archive:
            store(archive, note(1))
            assert log.stat().st_size > 0
            with reader.reading() as transaction:
                assert documents.summary(transaction, DocumentQuery()).count == 1


@pytest.mark.parametrize(
    ("code", "log", "closed"),
    [
        (sqlite3.SQLITE_CANTOPEN, None, True),
        (sqlite3.SQLITE_READONLY_DIRECTORY, None, True),
        (sqlite3.SQLITE_READONLY_CANTINIT, b"", True),
        (sqlite3.SQLITE_CANTOPEN, b"what was committed last", False),
        (sqlite3.SQLITE_READONLY_DIRECTORY, b"what was committed last", False),
        (sqlite3.SQLITE_CORRUPT, None, False),
        (sqlite3.SQLITE_BUSY, None, False),
        (None, None, False),
    ],
)
def test_only_a_whole_archive_is_read_without_its_log(
    path: Path, code: int | None, log: bytes | None, closed: bool
) -> None:
    if log is not None:
        path.with_name(path.name + "-wal").write_bytes(log)
    error = sqlite3.OperationalError("some failure")
    if code is not None:
        error.sqlite_errorcode = code
    assert folder_takes_no_files(error, path) is closed
    assert not folder_takes_no_files(OSError(code or 0, "another failure"), path)


def test_the_log_is_taken_over_on_the_way_and_at_the_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a window holds the archive open too: SQLite alone would take the log over only when that lets go."""
    monkeypatch.setattr("confere.archive.engine.CHECKPOINT_PAGES", 10)
    log = Path(f"{path}-wal")
    Archive.to_write(path, "test").close()
    with Archive.to_read(path) as window:
        with window.reading() as view:
            assert view.scalar("SELECT count(*) FROM document") == 0
        with Archive.to_write(path, "test") as archive:
            for number in range(1, 40):
                store(archive, note(number))
            assert log.stat().st_size < 100 * PAGE_SIZE
        assert log.stat().st_size == 0
    assert count(path) == 39


def test_the_log_stays_while_somebody_reads_and_nothing_is_lost(path: Path) -> None:
    with Archive.to_write(path, "test") as archive:
        store(archive, note(1))
    with Archive.to_read(path) as reader, reader.reading() as view:
        assert view.scalar("SELECT count(*) FROM document") == 1
        with Archive.to_write(path, "test") as writer:
            store(writer, note(2))
        assert view.scalar("SELECT count(*) FROM document") == 1
    assert count(path) == 2


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="this system does not list its locks")
def test_a_writer_that_closes_leaves_a_reader_of_its_process_its_locks(path: Path) -> None:
    def locks() -> list[str]:
        number = str(shared_memory.mapped_file(path).stat().st_ino)
        listed = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
        return [f"{entry[3]} {entry[-2]}" for entry in listed if entry[-3].endswith(f":{number}")]

    Archive.to_write(path, "test").close()
    with Archive.to_read(path) as reader, reader.reading() as view:
        view.scalar("SELECT count(*) FROM document")
        before = locks()
        assert before
        with Archive.to_write(path, "test") as writer:
            store(writer, note(300))
        assert locks() == before


def test_the_next_writer_removes_the_page_sums_of_earlier_versions(path: Path, tmp_path: Path) -> None:
    sums, foreign = Path(f"{path}-sums"), tmp_path / "foreign"
    sums.parent.mkdir(exist_ok=True)
    sums.write_bytes(b"confere-sum2" + bytes(40))
    Archive.to_write(path, "test").close()
    assert not sums.exists()
    foreign.write_bytes(b"confere-sum2 of somebody else")
    sums.symlink_to(foreign)
    Archive.to_write(path, "test").close()
    assert sums.is_symlink() and foreign.read_bytes().endswith(b"else")
    sums.unlink()
    sums.write_bytes(b"another program's")
    Archive.to_write(path, "test").close()
    assert sums.exists()
