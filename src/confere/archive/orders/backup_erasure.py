"""Taking a person out of a copy of the archive: done on a copy of the copy, which then takes its place."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from sqlalchemy.exc import SQLAlchemyError

from confere.archive import database_words
from confere.archive.engine import converted, known_fault, readers_of, writer_engine
from confere.archive.maintenance.backups import copies
from confere.archive.schema.migrate import HEAD, refuse_foreign, refuse_newer
from confere.archive.seals.row_seals import RowSeals
from confere.archive.transaction import Transaction
from confere.archive.vault.reader import VaultReader
from confere.archive.vault.vault import VaultWriter
from confere.errors import ArchiveError, ConfereError, Message, message
from confere.system.files import held_files, system_words

Look = Callable[[Transaction, VaultReader], int]
"""Told how many orders and returns of a copy name the person."""
Change = Callable[[Transaction, VaultReader, VaultWriter], object]


def why_not(copy: Path, archive_id: str) -> Message | None:
    """Why nothing can be taken out of this copy; None where it can."""
    readers = readers_of(copy)
    try:
        with converted(copy), readers.begin() as connection:
            revision = refuse_newer(connection.driver, copy)
            if revision == HEAD:
                refuse_foreign(connection.driver, copy, revision)
    except ConfereError as error:
        return error.what
    finally:
        readers.dispose()
    if revision != HEAD:
        return message("It is of an older format; remove it once you do not need it.")
    if not copies.is_of(copy, archive_id):
        return message("It is of another archive.")
    return None


def look(copy: Path, looking: Look) -> int:
    """What `looking` says of the copy. Raises `ArchiveError`."""
    readers = readers_of(copy)
    try:
        with converted(copy), readers.begin() as connection:
            return looking(Transaction(connection), VaultReader())
    finally:
        readers.dispose()


def change(copy: Path, changing: Change) -> None:
    """Change the copy, leaving no trace of what was there before. Raises `ArchiveError`; the copy is whole then."""
    partial = copy.with_name(copy.name + ".partial")
    try:
        held_files.remove(partial)
        shutil.copyfile(copy, partial)
        engine = writer_engine(partial)
        try:
            seals = RowSeals.of_engine(engine)
            with converted(partial), engine.begin() as connection:
                transaction = Transaction(connection)
                changing(transaction, VaultReader(), VaultWriter())
                seals.write_down(transaction)
            raw = engine.raw_connection()
            driver: sqlite3.Connection = raw.driver_connection  # type: ignore[assignment]
            driver.execute("PRAGMA temp_store = FILE")
            driver.execute("VACUUM")
            driver.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            driver.execute("PRAGMA journal_mode = DELETE")  # one file, complete in itself
            raw.close()
        finally:
            engine.dispose()
        held_files.replace(partial, copy, pauses=held_files.LONG_PAUSES)
    except sqlite3.Error as error:
        raise known_fault(error, copy) or _unchanged(copy, database_words.why(error)) from error
    except SQLAlchemyError as error:
        raise _unchanged(copy, database_words.why(error)) from error
    except OSError as error:
        raise _unchanged(copy, system_words.why(error)) from error
    finally:
        for ending in ("", "-wal", "-shm", "-journal"):
            with suppress(OSError):
                held_files.remove(partial.with_name(partial.name + ending))


def _unchanged(copy: Path, why: Message) -> ArchiveError:
    return ArchiveError(
        message("The copy {path} cannot be written: {why}.", path=str(copy), why=why),
        message("It is as it was. Make room for it, or remove it."),
    )
