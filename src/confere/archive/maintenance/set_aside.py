"""Puts another file in the archive's place; the one that was there keeps all it held under another name.

At any moment the old archive or the new one has the name of the archive: the old one gets its second name first, then
the new one takes the first. The write-ahead log and the mapped file go by the archive's name, so they are taken over
into the old file, or set aside with it, before a new file has that name: SQLite would write an old log into it.
"""

from __future__ import annotations

import filecmp
import os
import shutil
import sqlite3
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from confere.archive.driver import hardened
from confere.archive.engine import has_log
from confere.archive.file_uri import beside, file_uri
from confere.errors import ArchiveLocked, message
from confere.system.files import held_files
from confere.system.files.atomic_file import settle_folder, storage_fault
from confere.system.files.own_files import is_own_file

ASIDE: Final = "archive-before-restore-"
_PATIENCE: Final = 15.0  # seconds that readers may take to come to the end of what they read


def aside_name(path: Path) -> Path:
    """A free name for the archive at `path` beside it."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    return path.with_name(f"{ASIDE}{stamp}.sqlite3")


def put_in_place(new: Path, path: Path, aside: Path) -> bool:
    """Give the whole archive `new`, which has no log, the name `path`; what was there is `aside` afterwards.

    Whoever calls holds the write lock. Returns whether there was an archive to set aside. Raises `ArchiveLocked`
    where somebody reads without end, and what `storage_fault` makes of an `OSError`; the old archive is in its place
    then, whole.
    """
    path = Path(os.path.realpath(path))  # a link that leads to the archive stays
    there = path.exists()
    with closing(hardened(sqlite3.connect(f"{file_uri(new)}?mode=rw", uri=True))) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # what is written to it is in the file that gets the name
    try:
        log_kept = _take_log_over(path, aside) if there else None
        if there:
            _second_name(path, aside)
        try:
            for ending in ("-wal", "-shm"):
                held_files.remove(beside(path, ending), pauses=held_files.LONG_PAUSES)
            held_files.replace(new, path, pauses=held_files.LONG_PAUSES)
        except OSError:
            _undo(path, aside, log_kept)
            raise
        settle_folder(path.parent)
    except OSError as error:
        raise storage_fault(error, path) from error
    return there


def forget_second_name(path: Path) -> None:
    """Take back what a killed `put_in_place` did to an archive that is still in its place.

    Its second name goes: two names of one file would give it two write-ahead logs. A log that was set aside with a
    damaged archive is its log again where it has none any more. A log alone, without the file it is of, is a copy that
    was still being made.
    """
    real = Path(os.path.realpath(path))
    with suppress(OSError):
        for aside in path.parent.glob(f"{ASIDE}*.sqlite3"):
            if _is_second(aside, real):
                _give_log_back(aside, real)
                held_files.remove(aside)
        for log in path.parent.glob(f"{ASIDE}*.sqlite3-wal"):
            if not log.with_name(log.name.removesuffix("-wal")).exists() and has_log(real):
                held_files.remove(log)


def _is_second(aside: Path, path: Path) -> bool:
    """Whether it is the archive under a second name; a copy of it on a file system where a file has one name only.

    A copy without a log says nothing: what was in the archive's log may be in its file since.
    """
    if not path.exists():
        return False
    return aside.samefile(path) or (is_own_file(aside) and has_log(aside) and filecmp.cmp(aside, path, shallow=False))


def _give_log_back(aside: Path, path: Path) -> None:
    kept = beside(aside, "-wal")
    if not kept.exists():
        return
    if has_log(path):
        held_files.remove(kept)
        return
    held_files.remove(beside(path, "-shm"))  # it tells of the log that there was
    held_files.replace(kept, beside(path, "-wal"))
    settle_folder(path.parent)


def _take_log_over(path: Path, aside: Path) -> Path | None:
    """Write the log into the archive's file; where that file is damaged, keep the log beside `aside`, and say where."""
    if not has_log(path):
        return None
    try:
        with closing(hardened(sqlite3.connect(f"{file_uri(path)}?mode=rw", uri=True, timeout=_PATIENCE))) as connection:
            busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error:
        kept = beside(aside, "-wal")
        shutil.copyfile(beside(path, "-wal"), kept)
        _settle(kept)
        return kept
    if busy:
        raise ArchiveLocked(
            message("The archive {path} is being read by another program.", path=str(path)),
            message("Close what shows it, wait until what runs has ended, and try again; nothing was changed."),
        )
    return None


def _second_name(path: Path, aside: Path) -> None:
    """Let the file be called `aside` too; a copy of it on a file system where a file has one name only."""
    try:
        os.link(path, aside)
    except OSError:
        draft = aside.with_name(f"{aside.name}.partial")
        try:
            shutil.copyfile(path, draft)
            _settle(draft)
            held_files.replace(draft, aside)
        finally:
            with suppress(OSError):
                held_files.remove(draft)


def _undo(path: Path, aside: Path, log_kept: Path | None) -> None:
    """The new file could not take the place: the old one has its log again, and one name."""
    with suppress(OSError):
        if log_kept is not None and not has_log(path):
            shutil.copyfile(log_kept, beside(path, "-wal"))
        if log_kept is not None:
            held_files.remove(log_kept)
        held_files.remove(aside)


def _settle(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())
