"""Looks whether a file is a whole copy of an archive, of which one, and what it holds; nothing is changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from confere.archive import database_words
from confere.archive.driver import hardened
from confere.archive.engine import has_log
from confere.archive.file_uri import file_uri
from confere.archive.maintenance.backups import copy_counts
from confere.archive.maintenance.backups.copy_counts import CopyCounts
from confere.archive.migrations import schema_check
from confere.archive.migrations.revisions import HEAD, is_revision
from confere.errors import ArchiveNewer, BackupRefused, ConfereError, Message, message

MAGIC: Final = b"SQLite format 3\0"
_STEP: Final = 200_000  # instructions of SQLite between two looks whether to go on

OnStep = Callable[[], object]
"""Called now and then during a long check; what it raises ends it."""


@dataclass(frozen=True, slots=True)
class BackupContents:
    """What a copy of an archive holds. `format` is the revision of its tables, times are UTC text.

    `newest_run` is when the last sync, import or other run in it began; None where there never was one. `held` is what
    it was counted to hold, where it was read whole.
    """

    archive_id: str
    format: str
    made_at: str | None
    documents: int
    events: int
    newest_run: str | None
    held: CopyCounts | None = None

    @property
    def is_older(self) -> bool:
        """Whether this program has to bring it up to date before it is used."""
        return self.format != HEAD


def copy_uri(path: Path) -> str:
    """How SQLite opens a copy: nobody writes to it, so no file is made beside it; a log that is there belongs to it."""
    return f"{file_uri(path)}?mode={'ro' if has_log(path) else 'ro&immutable=1'}"


@contextmanager
def stoppable(connection: sqlite3.Connection, on_step: OnStep | None) -> Iterator[None]:
    """Call `on_step` now and then while SQLite works; what that raises comes in place of SQLite's own error."""
    interrupted: list[BaseException] = []

    def look() -> int:
        try:
            if on_step is not None:
                on_step()
        except BaseException as error:
            interrupted.append(error)
            return 1
        return 0

    connection.set_progress_handler(look, _STEP)
    try:
        yield
    except sqlite3.Error:
        if interrupted:
            raise interrupted[0] from None
        raise


def check(path: Path, *, named: Path | None = None, on_step: OnStep | None = None) -> BackupContents:
    """Read the whole file by SQLite's own check, and what it is. `named`: the file that a person knows it by.

    Raises `BackupRefused` for what is no archive or not whole, `ArchiveNewer` for a format that is not known here.
    """
    name = str(named or path)
    try:
        with closing(hardened(sqlite3.connect(copy_uri(path), uri=True))) as connection, stoppable(connection, on_step):
            held = _contents(connection, name)
            verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            counted = copy_counts.count(connection)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise refused(path, name, database_words.why(error)) from error
    if verdict != "ok":
        raise damaged(name, database_words.broken_structure(verdict))
    return replace(held, held=counted)


def contents(path: Path) -> BackupContents:
    """What the archive at `path` holds, without looking whether it is whole. Raises `BackupRefused`, `ArchiveNewer`."""
    try:
        with closing(hardened(sqlite3.connect(f"{file_uri(path)}?mode=ro", uri=True))) as connection:
            return _contents(connection, str(path))
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise refused(path, str(path), database_words.why(error)) from error


def damaged(name: str, why: Message) -> BackupRefused:
    """The error for a copy that is not whole."""
    return BackupRefused(
        message("The backup {path} is damaged: {why}.", path=name, why=why),
        message("Take an older backup; `confere backup --status --check` reads all of them. Nothing was changed."),
    )


def refused(path: Path, name: str, why: Message) -> ConfereError:
    """The error for a file that SQLite cannot read: no database at all, or a damaged one."""
    head = b""
    with suppress(OSError), path.open("rb") as file:
        head = file.read(len(MAGIC))
    if head == MAGIC:
        return damaged(name, why)
    return no_backup(name)


def no_backup(name: str) -> BackupRefused:
    """The error for a file that is something else."""
    return BackupRefused(
        message("{path} is no backup of Confere's.", path=name),
        message("Choose a file that `confere backup` wrote: archive-….sqlite3 or archive-….sqlite3.age."),
    )


def _contents(connection: sqlite3.Connection, name: str) -> BackupContents:
    tables = {table for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"alembic_version", "info", "document"} <= tables:
        raise no_backup(name)
    row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    info = dict(connection.execute("SELECT name, value FROM info"))
    if row is None or "id" not in info:
        raise no_backup(name)
    revision = str(row[0])
    if not is_revision(revision):
        raise damaged(name, message("{found} is no format of Confere's", found=revision))
    if revision > HEAD:
        raise ArchiveNewer(
            message(
                "The backup {path} has format {found}; this program knows formats up to {known}.",
                path=name,
                found=revision,
                known=HEAD,
            ),
            message("Install the newest Confere and restore it with that; nothing was changed."),
        )
    why = schema_check.foreign_part(connection, is_head=revision == HEAD)
    if why is not None:
        raise BackupRefused(
            message("The backup {path} is not as Confere makes it: {why}.", path=name, why=why),
            message(
                "Somebody changed the file; take another backup. To have its rows all the same, put it as"
                " archive.sqlite3 into an empty folder and run `confere doctor --repair --home FOLDER`."
                " Nothing was changed."
            ),
        )
    return BackupContents(
        archive_id=str(info["id"]),
        format=revision,
        made_at=info.get("created_at"),
        documents=_number(connection, "document"),
        events=_number(connection, "event") if "event" in tables else 0,
        newest_run=_newest_run(connection) if "run" in tables else None,
    )


def _number(connection: sqlite3.Connection, table: str) -> int:
    current = any(column[1] == "is_current" for column in connection.execute(f"PRAGMA table_info({table})"))
    only = " WHERE is_current = 1" if current else ""
    return int(connection.execute(f"SELECT count(*) FROM {table}{only}").fetchone()[0])


def _newest_run(connection: sqlite3.Connection) -> str | None:
    row = connection.execute("SELECT max(started_at) FROM run").fetchone()
    return None if row[0] is None else str(row[0])
