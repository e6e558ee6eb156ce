"""Bits that flip in the archive's file: found at opening, put right, and never mistaken for what was written."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from confere.app.context import Workspace
from confere.app.maintenance import rebuild
from confere.archive.accounts import audit
from confere.archive.engine import PAGE_SIZE
from confere.archive.lock import WriteLock
from confere.archive.maintenance import page_seal, page_sums, salvage, shared_memory
from confere.archive.maintenance.diagnosis import why_damaged
from confere.archive.maintenance.file_descriptors import HeldFile
from confere.archive.maintenance.page_seal import FLIPPED_BIT, looked_through
from confere.archive.store import Archive
from confere.errors import ArchiveCorrupt, Message
from tests.archive.papers import note, store

KILLED = """
import os, sys
from pathlib import Path
from confere.archive.maintenance import page_seal
from confere.archive.store import Archive
from tests.archive.papers import note, store
archive = Archive.to_write(Path(sys.argv[1]), "test")
store(archive, *(note(number) for number in range(50, 90)))
if sys.argv[2] == "while taking over":
    page_seal.Sealer._settle = lambda *_: os._exit(9)
    archive.close()
os._exit(9)
"""


@pytest.fixture
def filled(path: Path) -> Path:
    with Archive.to_write(path, "test") as archive:
        store(archive, *(note(number) for number in range(1, 30)))
    return path


EDITED = """
import os, sys
from pathlib import Path
from confere.archive.store import Archive
archive = Archive.to_write(Path(sys.argv[1]), "test")
with archive.writing() as transaction:
    transaction.execute("UPDATE document SET nature = ? WHERE id = 1", (sys.argv[2],))
os._exit(9)
"""


def flip(path: Path, offset: int, bit: int) -> None:
    """As a disk or a memory does it: the file's time stays."""
    seen = path.stat()
    written_flip(path, offset, bit)
    os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))


def written_flip(path: Path, offset: int, bit: int) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        (value,) = file.read(1)
        file.seek(offset)
        file.write(bytes([value ^ (1 << bit)]))


def damage(path: Path) -> page_sums.PageDamage:
    held = HeldFile(path)
    try:
        return looked_through(path, held)
    finally:
        held.release()


def test_an_archive_that_was_written_agrees_with_its_sums(filled: Path) -> None:
    sums = page_sums.load(filled)
    assert sums is not None
    assert len(sums.pages) == filled.stat().st_size // PAGE_SIZE
    assert not sums.pending
    assert damage(filled) == page_sums.PageDamage()


def test_every_flipped_bit_is_found_at_its_place_and_put_right(filled: Path) -> None:
    whole = filled.read_bytes()
    chance = random.Random(5)
    for _ in range(12):
        offset, bit = chance.randrange(len(whole)), chance.randrange(8)
        flip(filled, offset, bit)
        (seen,) = damage(filled).flipped
        assert (seen.offset, seen.bit, seen.page) == (offset, bit, offset // PAGE_SIZE + 1)
        Archive.to_read(filled).close()
        with Archive.to_read(filled) as archive, archive.reading() as transaction:
            newest = audit.lines(transaction, 1)[0]
            assert (newest.action, newest.subject, newest.detail) == (FLIPPED_BIT, str(offset), str(bit))
        assert damage(filled) == page_sums.PageDamage()


def test_where_nobody_may_write_flipped_bits_are_refused(filled: Path) -> None:
    before = filled.read_bytes()
    flip(filled, len(before) - 100, 3)
    lock = WriteLock(filled, "another")
    lock.acquire()
    try:
        with pytest.raises(ArchiveCorrupt, match=f"bit 3 of its byte {len(before) - 100} flipped"):
            Archive.to_read(filled)
        Archive.to_read(filled, check_pages=False).close()
    finally:
        lock.release()
    Archive.to_read(filled).close()


def test_what_another_program_wrote_is_left_as_it_is(filled: Path) -> None:
    with closing(sqlite3.connect(filled)) as database, database:
        database.execute("UPDATE document SET nature = 'another'")
    found = damage(filled)
    assert found.changed
    assert not found.is_flipped
    Archive.to_write(filled, "test").close()
    assert damage(filled) == page_sums.PageDamage()
    with closing(sqlite3.connect(filled)) as database:
        assert database.execute("SELECT DISTINCT nature FROM document").fetchall() == [("another",)]


def nature(path: Path) -> str:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as database:
        return str(database.execute("SELECT nature FROM document WHERE id = 1").fetchone()[0])


def one_bit_from(text: str) -> str:
    return text[:-1] + chr(ord(text[-1]) ^ 1)


def by_the_program(path: Path) -> None:
    """What any SQLite program does on its way: the log goes into the file when it ends."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("SELECT count(*) FROM document").fetchone()


@pytest.mark.parametrize("look", [by_the_program, salvage.condition])
def test_a_commit_that_another_connection_took_over_is_no_flipped_bit(
    filled: Path, look: Callable[[Path], object]
) -> None:
    wanted = one_bit_from(nature(filled))
    killed = subprocess.run([sys.executable, "-c", EDITED, str(filled), wanted], check=False)
    assert killed.returncode == 9
    look(filled)
    assert not page_sums.log_file(filled).exists()
    Archive.to_read(filled).close()
    Archive.to_write(filled, "test").close()
    assert nature(filled) == wanted
    assert damage(filled) == page_sums.PageDamage()


def test_one_bit_that_a_program_wrote_is_not_put_back_unasked(filled: Path) -> None:
    before = nature(filled)
    wanted = one_bit_from(before)
    with closing(sqlite3.connect(filled)) as database, database:
        database.execute("UPDATE document SET nature = ? WHERE id = 1", (wanted,))
    for opened in (lambda: Archive.to_read(filled), lambda: Archive.to_write(filled, "test")):
        with pytest.raises(ArchiveCorrupt, match="flipped") as raised:
            opened()
        assert "doctor --repair" in str(raised.value.remedy)
        assert nature(filled) == wanted
    page_sums.sums_file(filled).unlink()
    Archive.to_write(filled, "test").close()
    assert nature(filled) == wanted
    assert damage(filled) == page_sums.PageDamage()


def test_a_repair_puts_back_a_bit_of_a_copy(tmp_path: Path, filled: Path) -> None:
    workspace = Workspace.at(tmp_path / "home")
    workspace.home.ensure()
    copy = workspace.home.archive
    for ending in ("", "-sums"):
        shutil.copyfile(f"{filled}{ending}", f"{copy}{ending}")
    before = copy.read_bytes()
    written_flip(copy, len(before) - 100, 3)
    notes: list[Message] = []
    rebuild.make_readable(workspace, notes)
    assert copy.read_bytes()[-100] == before[-100]
    with Archive.to_read(copy) as archive, archive.reading() as transaction:
        assert audit.count(transaction, FLIPPED_BIT) == 1


def test_a_copy_is_written_on_and_checked_from_then_on(filled: Path, tmp_path: Path) -> None:
    folder = tmp_path / "copied"
    folder.mkdir()
    for file in (filled, page_sums.sums_file(filled)):
        (folder / file.name).write_bytes(file.read_bytes())
    copy = folder / filled.name
    assert damage(copy) == page_sums.PageDamage()
    Archive.to_write(copy, "test").close()
    flip(copy, copy.stat().st_size - 100, 3)
    assert damage(copy).is_certain
    Archive.to_read(copy).close()
    assert damage(copy) == page_sums.PageDamage()


@pytest.mark.skipif(not Path("/proc/locks").exists(), reason="this system does not list its locks")
def test_a_writer_that_closes_leaves_a_reader_of_its_process_its_locks(filled: Path) -> None:
    def locks() -> list[str]:
        number = str(shared_memory.mapped_file(filled).stat().st_ino)
        listed = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
        return [f"{entry[3]} {entry[-2]}" for entry in listed if entry[-3].endswith(f":{number}")]

    with Archive.to_read(filled) as reader, reader.reading() as view:
        view.scalar("SELECT count(*) FROM document")
        before = locks()
        assert before
        with Archive.to_write(filled, "test") as writer:
            store(writer, note(300))
        assert locks() == before


def test_damaged_sums_accuse_nobody(filled: Path) -> None:
    flip(page_sums.sums_file(filled), 40, 1)
    assert page_sums.load(filled) is None
    Archive.to_read(filled).close()
    Archive.to_write(filled, "test").close()
    assert page_sums.load(filled) is not None


def test_sums_of_an_archive_that_is_gone_are_not_those_of_the_next(filled: Path) -> None:
    filled.unlink()
    with Archive.to_write(filled, "test") as archive:
        store(archive, note(1))
    assert damage(filled) == page_sums.PageDamage()


@pytest.mark.parametrize("moment", ["before the end", "while taking over"])
def test_a_killed_writer_leaves_sums_that_hold(filled: Path, moment: str) -> None:
    killed = subprocess.run([sys.executable, "-c", KILLED, str(filled), moment], check=False)
    assert killed.returncode == 9
    assert damage(filled) == page_sums.PageDamage()
    with Archive.to_read(filled) as archive, archive.reading() as transaction:
        assert transaction.scalar("SELECT count(*) FROM document") == 69
    with Archive.to_write(filled, "test") as archive:
        store(archive, note(100))
    sums = page_sums.load(filled)
    assert sums is not None and not sums.pending
    assert damage(filled) == page_sums.PageDamage()
    flip(filled, filled.stat().st_size - 50, 0)
    assert damage(filled).is_flipped


def test_pages_that_a_killed_writer_added_have_sums_when_nothing_is_written_after_it(filled: Path) -> None:
    subprocess.run([sys.executable, "-c", KILLED, str(filled), "while taking over"], check=False)
    Archive.to_write(filled, "test").close()
    sums = page_sums.load(filled)
    assert sums is not None and len(sums.pages) == filled.stat().st_size // PAGE_SIZE
    assert damage(filled) == page_sums.PageDamage()


def test_the_last_share_of_a_large_archive_is_checked_too(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    share = filled.stat().st_size // PAGE_SIZE // 2 * PAGE_SIZE - PAGE_SIZE
    monkeypatch.setattr(page_seal, "CHECKED_WHOLE", share)
    monkeypatch.setattr(page_seal, "_SHARE", share)
    monkeypatch.setattr("random.randrange", lambda shares: shares - 1)
    flip(filled, filled.stat().st_size - 100, 3)
    lock = WriteLock(filled, "another")
    lock.acquire()
    try:
        with pytest.raises(ArchiveCorrupt, match="flipped"):
            Archive.to_read(filled)
    finally:
        lock.release()


def test_the_log_is_taken_over_while_somebody_reads(filled: Path) -> None:
    with Archive.to_read(filled) as reader, reader.reading() as view:
        assert view.scalar("SELECT count(*) FROM document") == 29
        with Archive.to_write(filled, "test") as writer:
            store(writer, note(200))
        assert view.scalar("SELECT count(*) FROM document") == 29
        assert damage(filled) == page_sums.PageDamage()
    Archive.to_write(filled, "test").close()
    sums = page_sums.load(filled)
    assert sums is not None and not sums.pending
    assert damage(filled) == page_sums.PageDamage()


def test_a_long_log_is_taken_over_on_the_way(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("confere.archive.maintenance.page_seal.CHECKPOINT_PAGES", 10)
    with Archive.to_write(path, "test") as archive:
        for number in range(1, 40):
            store(archive, note(number))
        assert page_sums.log_file(path).stat().st_size < 100 * PAGE_SIZE
        assert path.stat().st_size > 20 * PAGE_SIZE
    assert damage(path) == page_sums.PageDamage()


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("UPDATE document SET total = 'x' WHERE id = 1", "total"),
        ("UPDATE document SET state = 'buthorized' WHERE id = 1", "state"),
        ("UPDATE document SET nature = CAST(x'C3C3' AS TEXT) WHERE id = 1", "nature"),
        ("UPDATE document SET warnings = '[[' WHERE id = 1", "warnings"),
        ("ALTER TABLE item DROP COLUMN unit", "unit"),
        ("DROP TABLE relation", "relation"),
    ],
)
def test_what_nobody_wrote_is_damage(filled: Path, sql: str, words: str) -> None:
    assert why_damaged(filled) is None
    with closing(sqlite3.connect(filled)) as database, database:
        database.execute(sql)
    assert words in str(why_damaged(filled))


def test_the_unexpected_over_a_damaged_archive_is_the_damage(filled: Path) -> None:
    with closing(sqlite3.connect(filled)) as database, database:
        database.execute("UPDATE document SET warnings = '[['")
    with Archive.to_read(filled) as archive, pytest.raises(ArchiveCorrupt, match="warnings"), archive.reading():
        raise ValueError("who could have known")


def test_the_unexpected_over_a_whole_archive_is_ours(filled: Path) -> None:
    with Archive.to_read(filled) as archive, pytest.raises(KeyError), archive.reading():
        raise KeyError("a fault of ours")


def test_of_a_large_archive_a_share_is_checked_and_all_of_it_where_it_counts(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("confere.archive.maintenance.page_seal.CHECKED_WHOLE", 10 * PAGE_SIZE)
    monkeypatch.setattr("confere.archive.maintenance.page_seal._SHARE", 2 * PAGE_SIZE)
    monkeypatch.setattr("random.randrange", lambda _: 0)
    flip(filled, filled.stat().st_size - 100, 3)
    Archive.to_read(filled).close()
    assert damage(filled).is_flipped
    Archive.to_read(filled, whole=True).close()
    assert damage(filled) == page_sums.PageDamage()
