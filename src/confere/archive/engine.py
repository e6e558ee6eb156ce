"""Connections to the archive's SQLite file: pragmas, explicit transactions, foreign errors converted once."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from confere.archive import database_words
from confere.archive.documents.search import full_text
from confere.archive.driver import READER_PRAGMAS, opened
from confere.archive.read_connection import Readers
from confere.errors import (
    ArchiveCorrupt,
    ArchiveError,
    ArchiveLocked,
    ArchiveMissing,
    ConfereError,
    DiskFull,
    Message,
    message,
)

if TYPE_CHECKING:
    from sqlalchemy import Engine, ExceptionContext

PAGE_SIZE = 8192  # a compressed note is 1 to 3 KB: fewer pages are left half empty than at 4096
WRITER_CACHE_KIB = 65536
CHECKPOINT_PAGES = 2000  # a log of 16 MB; a bulk import is no faster with 4000 and no slower with 1000
# What the readers of rows raise over a value that nobody wrote.
SUSPICIOUS: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError, RuntimeError, TypeError, ValueError
)  # fmt: skip


def writer_engine(path: Path) -> Engine:
    """One connection that may write; every transaction begins with `BEGIN IMMEDIATE`."""
    from sqlalchemy import create_engine, pool

    pragmas = (
        f"page_size = {PAGE_SIZE}",
        "journal_mode = WAL",
        "synchronous = NORMAL",
        "foreign_keys = ON",
        "temp_store = MEMORY",
        f"cache_size = -{WRITER_CACHE_KIB}",
        f"wal_autocheckpoint = {CHECKPOINT_PAGES}",
    )
    engine = create_engine(
        "sqlite://", creator=lambda: opened(path, "rwc", pragmas, (full_text.VOCABULARY,)), poolclass=pool.StaticPool
    )
    _begin_with(engine, "BEGIN IMMEDIATE")
    _convert_errors(engine, path)
    return engine


def rewrite(writer: Engine) -> None:
    """Write the file anew without what was deleted from it. Raises `sqlite3.Error`."""
    with _driver(writer) as driver:
        driver.execute("PRAGMA temp_store = FILE")  # in memory the whole archive would be
        try:
            driver.execute("VACUUM")
        finally:
            driver.execute("PRAGMA temp_store = MEMORY")


def empty_log(writer: Engine) -> bool:
    """Take the write-ahead log over into the archive and empty it; False where somebody who reads stands in the way.

    Waits for nobody. Raises `sqlite3.Error`; what was committed is safe in the log.
    """
    with _driver(writer) as driver:
        driver.execute("PRAGMA busy_timeout = 0")
        try:
            busy, _, _ = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            driver.execute("PRAGMA busy_timeout = 30000")
        return not busy


@contextmanager
def _driver(writer: Engine) -> Iterator[sqlite3.Connection]:
    connection = writer.raw_connection()
    try:
        yield connection.driver_connection  # type: ignore[misc]
    finally:
        connection.close()


def readers_of(path: Path) -> Readers:
    """Read-only connections to the archive at `path`."""
    return Readers(lambda: opened(path, "ro", READER_PRAGMAS, (full_text.VOCABULARY,)), partial(_core_engine, path))


def still_readers_of(path: Path) -> Readers:
    """As `readers_of`, for an archive in a folder that takes no files: read as if nobody ever wrote to it.

    Somebody else may write all the same: every view looks for that anew, so no connection is kept.
    """
    return Readers(
        lambda: opened(path, "ro" if has_log(path) else "ro&immutable=1", READER_PRAGMAS, (full_text.VOCABULARY,)),
        partial(_core_engine, path),
        keeps=False,
    )


def _core_engine(path: Path, connect: Callable[[], Any]) -> Engine:
    """What runs a `select()` on connections that are not its own."""
    from sqlalchemy import create_engine, pool

    engine = create_engine("sqlite://", creator=connect, poolclass=pool.NullPool)
    _convert_errors(engine, path)
    return engine


def folder_takes_no_files(error: BaseException | None, path: Path) -> bool:
    """Whether SQLite failed for want of a place for its files beside the archive, which is whole without them."""
    code = getattr(error, "sqlite_errorcode", None)
    if not isinstance(error, sqlite3.Error) or code is None:
        return False
    return code & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY) and not has_log(path)


def has_log(path: Path) -> bool:
    """Whether the write-ahead log holds what the archive's own file may not have yet."""
    log = path.with_name(path.name + "-wal")
    try:
        return log.is_file() and log.stat().st_size > 0
    except OSError:
        return True


def _begin_with(engine: Engine, statement: str) -> None:
    from sqlalchemy import event

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        connection.exec_driver_sql(statement)


def _convert_errors(engine: Engine, path: Path) -> None:
    from sqlalchemy import event

    @event.listens_for(engine, "handle_error")
    def convert(context: ExceptionContext) -> None:
        if isinstance(context.original_exception, sqlite3.Error):
            known = known_fault(context.original_exception, path)
            if known is not None:
                raise known from context.original_exception


@contextmanager
def as_known(path: Path) -> Iterator[None]:
    """The driver's errors in the words of `known_fault`, where it knows them; the archive is not looked at."""
    try:
        yield
    except sqlite3.Error as error:
        known = known_fault(error, path)
        if known is None:
            raise
        raise known from error


@contextmanager
def converted(path: Path) -> Iterator[None]:
    """What the driver itself meets while rows are taken from it, in the words of `known_fault` too.

    Anything unexpected over an archive that turns out to be damaged is the damage's doing: `ArchiveCorrupt`.
    """
    try:
        yield
    except sqlite3.Error as error:
        known = known_fault(error, path) or damage_behind(error, path)
        if known is None:
            raise
        raise known from error
    except Exception as error:
        known = damage_behind(error, path) if isinstance(error, SUSPICIOUS) or _is_of_sqlalchemy(error) else None
        if known is None:
            raise
        raise known from error


def _is_of_sqlalchemy(error: Exception) -> bool:
    """Whether SQLAlchemy raised it; where that was never loaded it did not."""
    errors = sys.modules.get("sqlalchemy.exc")
    return errors is not None and isinstance(error, errors.SQLAlchemyError)


def damage_behind(error: BaseException, path: Path) -> ArchiveCorrupt | None:
    """The damage of the archive that explains an unexpected `error`; None where the archive is whole."""
    if getattr(error, "archive_is_whole", False) or not path.is_file():  # looked at already, further in
        return None
    from confere.archive.maintenance.diagnosis import why_damaged  # with every table, which only this needs

    why = why_damaged(path)
    if why is None:
        with suppress(AttributeError):
            error.archive_is_whole = True  # type: ignore[attr-defined]
        return None
    return _corrupt(path, why)


def _corrupt(path: Path, why: Message) -> ArchiveCorrupt:
    return ArchiveCorrupt(
        message("The archive {path} is damaged: {why}.", path=str(path), why=why),
        message("Do not delete it. Run `confere doctor --repair`, or restore the newest copy of the backups folder."),
    )


def known_fault(error: sqlite3.Error, path: Path) -> ConfereError | None:
    """The sentence for an SQLite error that is the world's fault; None where it is ours."""
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if code is not None else None
    place = str(path)
    if primary == sqlite3.SQLITE_FULL:
        return DiskFull(
            message("The disk that holds {path} is full.", path=place),
            message("Free some space and run the same command again: it goes on where it stopped."),
        )
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return ArchiveLocked(
            message("The archive {path} is held by another program.", path=place),
            message("Close that program and try again."),
        )
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return _corrupt(path, database_words.why(error))
    if primary == sqlite3.SQLITE_CANTOPEN:
        return ArchiveMissing(
            message("The archive {path} cannot be opened.", path=place),
            message("Check that the folder exists and that you may read it."),
        )
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return ArchiveError(
            message("The archive {path} cannot be written.", path=place),
            message("Check the permissions of the folder, or choose another one with --home."),
        )
    if primary == sqlite3.SQLITE_IOERR:
        return ArchiveError(
            message(
                "The disk failed while the archive {path} was in use: {why}.", path=place, why=database_words.why(error)
            ),
            message("Check the disk; what was committed before is safe."),
        )
    return None
