"""Copies of the archive: before a migration, and on request; a copy is checked before it counts."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from confere.archive import database_words
from confere.archive.driver import hardened
from confere.archive.engine import known_fault
from confere.archive.file_uri import file_uri
from confere.archive.maintenance.backups import copies
from confere.errors import ArchiveCorrupt, ArchiveError, message
from confere.system.files import held_files, system_words
from confere.system.files.atomic_file import settle_folder
from confere.system.files.stale_drafts import sweep

PAGES_AT_ONCE = 4096
ASKED = "archive-copy-"  # begins the name of a copy that a person asked for

OnPages = Callable[[int, int], None]
"""Told how many pages of how many are copied; what it raises ends the copying."""


def copy_before_migration(path: Path, backups: Path, revision: str) -> Path:
    """A whole copy of the archive at `revision`, kept until the user removes it."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    return copy(path, backups / f"archive-{revision}-{stamp}.sqlite3")


def new_name() -> str:
    """A name for a copy that is made now, which no other copy has."""
    return f"{ASKED}{datetime.now(UTC).strftime('%Y%m%dT%H%M%S%fZ')}.sqlite3"


def copy(path: Path, target: Path, progress: OnPages | None = None, least: int = 0) -> Path:
    """Copy with SQLite's own backup (a consistent view, WAL included), check it, then give it its name.

    The copy's number is above those in its folder, and not below `least`.
    """
    partial = target.with_name(target.name + ".partial")

    def copied_pages(_status: int, remaining: int, total: int) -> None:
        if progress is not None:
            progress(total - remaining, total)

    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        sweep(target.parent)
        held_files.remove(partial)
        with (
            closing(hardened(sqlite3.connect(f"{file_uri(path)}?mode=ro", uri=True))) as source,
            closing(hardened(sqlite3.connect(partial))) as copied,
        ):
            # In a view of its own: else each write of another process would begin the copying anew.
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            source.backup(copied, pages=PAGES_AT_ONCE, progress=copied_pages)
            copied.execute("PRAGMA journal_mode = DELETE")  # one file, complete in itself
            copied.execute(f"PRAGMA user_version = {max(least, copies.next_number(target.parent))}")
            verdict = copied.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            raise ArchiveCorrupt(
                message(
                    "The archive {path} is damaged: {why}.",
                    path=str(path),
                    why=database_words.broken_structure(verdict),
                ),
                message("Restore the newest copy of the backups folder; nothing was changed."),
            )
        held_files.replace(partial, target, pauses=held_files.LONG_PAUSES)
        settle_folder(target.parent)
    except sqlite3.Error as error:
        _discard(partial)
        known = known_fault(error, target)
        if known is None:
            raise
        raise known from error
    except OSError as error:
        _discard(partial)
        if held_files.is_held(error, target):
            raise held_files.held_fault(target) from error
        raise ArchiveError(
            message(
                "The copy {path} cannot be written: {why}.",
                path=str(target),
                why=system_words.why(error),
            ),
            message("Make room for it; the archive was not touched."),
        ) from error
    except BaseException:
        _discard(partial)
        raise
    return target


def _discard(partial: Path) -> None:
    """Leave nothing of a copy that did not come to its end, as far as the system lets go of it."""
    for name in (partial.name, f"{partial.name}-journal"):
        with suppress(OSError):
            held_files.remove(partial.with_name(name))
