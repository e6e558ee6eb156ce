"""Rebuilding a damaged archive: every row that can be read goes into a new file, and the old one is kept aside."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Table

from confere.archive import archive_files, database_words
from confere.archive.driver import hardened
from confere.archive.engine import known_fault
from confere.archive.lock import WriteLock
from confere.archive.maintenance.readable_rows import rows_of
from confere.archive.migrations import schema_check
from confere.archive.migrations.revisions import HEAD, is_revision, revision_of
from confere.archive.schema.schema import metadata
from confere.archive.seals import row_seal
from confere.archive.seals.row_seals import RowSeals, seal_unsealed
from confere.archive.seals.sealed_tables import by_name
from confere.archive.store import Archive
from confere.errors import ArchiveCorrupt, ArchiveError, Message, message
from confere.system.files import held_files
from confere.system.files.atomic_file import storage_fault

_Row = tuple[Any, ...]
_HEADER = 100  # bytes
_INDEX_ALONE: Final = ("missing from index", "wrong # of entries in index", "non-unique entry in index")
_FROM_BYTES: Final = frozenset(
    ("document", "event", "item", "item_reference", "party", "belonging", "voiding", "lone_answer", "relation",
     "tax_group", "content", "vault_damage", "vault_check", "verdict", "link", "tie", "finding", "finding_key",
     "finding_order", "suggestion", "explained_difference", "seal")
)  # fmt: skip
"""What a backup must not fill: what is made anew from the bytes; the bytes, which are asked of the hub first; and
seals, which are made with the rows."""


_DAMAGED: Final = "archive-damaged-"
_REBUILT: Final = ".rebuilt"


class Condition(StrEnum):
    """What SQLite says of the file."""

    WHOLE = "whole"
    INDEXES = "indexes"  # the rows are well, an index is not
    FOREIGN = "foreign"  # its schema is not Confere's: a trigger, a view, another table
    SEARCH = "search"  # all is well but the index of words
    EMPTY = "empty"  # not a byte of it is left
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class Salvaged:
    """What a rebuilding saved: rows by table; `kept_aside` is the damaged file, under its new name.

    `dropped`: rows by table that could be read and were left out, since a value in them is of the wrong kind, another
    row has their key, or their table is not as Confere makes it.
    """

    rows: Mapping[str, int]
    dropped: Mapping[str, int]
    kept_aside: Path


def condition(path: Path) -> Condition:
    """Let SQLite walk every page and index of the file."""
    try:
        if path.stat().st_size == 0:
            return Condition.EMPTY
        with closing(hardened(sqlite3.connect(path))) as connection:
            if foreign_part(connection) is not None:
                return Condition.FOREIGN
            complaints = [str(line) for (line,) in connection.execute("PRAGMA integrity_check(1000)")]
            if complaints == ["ok"]:
                return Condition.WHOLE if _can_search(connection) else Condition.SEARCH
    except (sqlite3.Error, OSError):
        return Condition.DAMAGED
    if all(any(words in line for words in _INDEX_ALONE) for line in complaints):
        return Condition.INDEXES
    return Condition.DAMAGED


def foreign_part(connection: sqlite3.Connection) -> Message | None:
    """What of the schema is not Confere's; None too where the file does not say its format. Raises `sqlite3.Error`."""
    revision = revision_of(connection)
    if revision is None:
        return None
    if not is_revision(revision):
        return message("{found} is no format of Confere's", found=revision)
    return schema_check.foreign_part(connection, is_head=revision == HEAD)


def why_foreign(path: Path) -> Message | None:
    """As `foreign_part`, of the file at `path`."""
    try:
        with closing(hardened(sqlite3.connect(path))) as connection:
            return foreign_part(connection)
    except sqlite3.Error:
        return None


def _can_search(connection: sqlite3.Connection) -> bool:
    try:
        connection.execute("INSERT INTO search(search) VALUES ('integrity-check')")
    except sqlite3.Error:
        return False
    finally:
        connection.rollback()
    return True


def renew_indexes(path: Path) -> None:
    """Make every index anew from its table. `ArchiveCorrupt` where that cannot be done."""
    lock = WriteLock(path, "doctor --repair")
    lock.acquire(0)
    try:
        with closing(hardened(sqlite3.connect(path))) as connection:
            connection.execute("REINDEX")
            connection.commit()
    except sqlite3.Error as error:
        raise _fault(error, path) from error
    finally:
        lock.release()


def rebuild(path: Path) -> Salvaged:
    """Put a new archive with all rows that can be read in the place of the one at `path`.

    Its search index is empty and rows may lack: what is made of the bytes has to be read again. Raises
    `ArchiveCorrupt` where not even the table of tables can be read; then nothing is changed.
    """
    lock = WriteLock(path, "doctor --repair")
    lock.acquire(0)
    copy, fresh = path.with_name(path.name + ".salvage"), path.with_name(path.name + _REBUILT)
    try:
        archive_files.refuse_zeros(path)
        _remove(copy, fresh)
        _padded_copy(path, copy)
        Archive.to_write(fresh, "doctor --repair").close()
        rows, dropped = _carry_over(copy, fresh)
        aside = keep_aside(path)
        held_files.replace(fresh, path, pauses=held_files.LONG_PAUSES)
    finally:
        _remove(copy, fresh)
        lock.release()
    return Salvaged(rows, dropped, aside)


def put_back_half_done(path: Path) -> None:
    """Give a damaged archive its name back where a killed `rebuild` had set it aside, in whole or its log alone."""
    if not path.with_name(path.name + _REBUILT).exists():
        return
    asides = {file.name[: file.name.index(".sqlite3") + len(".sqlite3")] for file in path.parent.glob(f"{_DAMAGED}*")}
    if not asides:
        return
    aside = path.with_name(max(asides))
    if path.exists() and aside.exists():  # of an earlier repair
        return
    for ending in ("", "-shm", "-wal"):
        source, target = aside.with_name(aside.name + ending), path.with_name(path.name + ending)
        if source.exists() and not target.exists():
            held_files.replace(source, target)


def keep_aside(path: Path) -> Path:
    """Give a damaged archive a name that says so, its log with it; the new path."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
    aside = path.with_name(f"{_DAMAGED}{stamp}.sqlite3")
    for ending in ("-wal", "-shm", ""):
        beside = path.with_name(path.name + ending)
        if beside.exists():
            try:
                held_files.replace(beside, aside.with_name(aside.name + ending))
            except OSError as error:  # on Windows a window that shows the archive holds it, its log first of all
                raise storage_fault(error, beside) from error
    return aside


def fill_from(path: Path, backup: Path, tables: Collection[str] | None = None) -> int:
    """Put in rows that are gone here and stand in a backup of this same archive; how many.

    Only of `tables`, or of all that are not made of the bytes. What is there is not changed. Of sealed rows those alone
    whose seal is still there: the others were deleted by Confere, unless all seals of their table are lost.
    """
    filled = 0
    lock = WriteLock(path, "doctor --repair")
    lock.acquire(0)
    try:
        with closing(hardened(sqlite3.connect(path))) as into, closing(_reader(backup)) as source:
            into.execute("PRAGMA foreign_keys = OFF")
            RowSeals(into)
            if _identity(into) not in (None, _identity(source)):
                return 0
            for table in metadata.sorted_tables:
                wanted = table.name in tables if tables is not None else table.name not in _FROM_BYTES
                if wanted and _has(source, table):
                    filled += _insert(into, table, _still_sealed(into, table, rows_of(source, table.name)))[0]
            into.commit()
    except sqlite3.Error as error:
        raise _fault(error, path) from error
    finally:
        lock.release()
    return filled


def _still_sealed(into: sqlite3.Connection, table: Table, rows: Iterator[_Row]) -> Iterator[_Row]:
    """The rows that are as a seal says which `into` has; all of a table that is not sealed, or has lost its seals."""
    sealed = by_name().get(table.name)
    if sealed is None or not into.execute("SELECT 1 FROM seal WHERE table_number = ?", (sealed.number,)).fetchone():
        yield from rows
        return
    for row in rows:
        seal = into.execute(
            "SELECT CAST(seal AS BLOB) FROM seal WHERE table_number = ? AND row_key = ?",
            (sealed.number, sealed.row_key(tuple(row[place] for place in sealed.keys))),
        ).fetchone()
        if seal is not None and row_seal.fits(seal[0], row):
            yield row


def _carry_over(copy: Path, fresh: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Rows by table that the fresh archive has now, and those that were read or counted and left out."""
    saved: dict[str, int] = {}
    dropped: dict[str, int] = {}
    with closing(_reader(copy)) as source, closing(hardened(sqlite3.connect(fresh))) as into:
        into.execute("PRAGMA foreign_keys = OFF")
        try:
            source.execute("SELECT name FROM sqlite_master").fetchall()
        except sqlite3.Error as error:
            raise _fault(error, copy) from error
        into.execute("DELETE FROM info")
        into.execute("DELETE FROM seal")
        for table in metadata.sorted_tables:
            if _has(source, table):
                saved[table.name], dropped[table.name] = _insert(into, table, rows_of(source, table.name))
            else:
                dropped[table.name] = _count(source, table)
        if not _has(source, metadata.tables["seal"]):  # an older format, or the table itself is lost
            seal_unsealed(into)
        if not into.execute("SELECT 1 FROM info WHERE name = 'id'").fetchone():
            into.execute("INSERT INTO info (name, value) VALUES ('id', lower(hex(randomblob(16))))")
        into.commit()
        into.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return saved, {name: count for name, count in dropped.items() if count}


def _count(source: sqlite3.Connection, table: Table) -> int:
    """How many rows a table has that is not as Confere makes it; 0 where there is none, or it cannot be counted."""
    try:
        (count,) = source.execute(f'SELECT count(*) FROM "{table.name}"').fetchone()
        return int(count)
    except sqlite3.Error:
        return 0


def _reader(path: Path) -> sqlite3.Connection:
    connection = hardened(sqlite3.connect(path))
    # Text on a damaged page may be any bytes; what is made of papers is compared with them later.
    connection.text_factory = lambda text: text.decode("utf-8", "replace")
    return connection


def _has(source: sqlite3.Connection, table: Table) -> bool:
    """Whether it is a table there, no view, and each of our columns is stored in it, not computed."""
    try:
        kind = source.execute("SELECT type FROM pragma_table_list(?) WHERE schema = 'main'", (table.name,)).fetchone()
        if kind is None or kind[0] != "table":
            return False
        names = {name for (name,) in source.execute("SELECT name FROM pragma_table_info(?)", (table.name,))}
    except sqlite3.Error:
        return False
    return {column.name for column in table.columns} <= names


def _identity(connection: sqlite3.Connection) -> str | None:
    try:
        for (value,) in connection.execute("SELECT value FROM info WHERE name = 'id'"):
            return str(value)
    except sqlite3.Error:
        pass
    return None


def _insert(into: sqlite3.Connection, table: Table, rows: Iterator[_Row]) -> tuple[int, int]:
    """How many of the rows went in, and how many did not."""
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    sql = f'INSERT OR IGNORE INTO "{table.name}" ({names}) VALUES ({", ".join("?" * len(table.columns))})'
    before, count = into.total_changes, 0
    for row in rows:
        count += 1
        if _is_sound(table, row):
            into.execute(sql, row)
    inserted = into.total_changes - before
    return inserted, count - inserted


def _is_sound(table: Table, row: _Row) -> bool:
    """Whether each value is of its column's kind: what stood on a page that holds something else now is not."""
    for column, value in zip(table.columns, row, strict=True):
        if value is None:
            if not column.nullable:
                return False
        elif not isinstance(value, column.type.python_type):
            return False
    return True


def _padded_copy(path: Path, copy: Path) -> None:
    """A copy as long as its header says: SQLite reads nothing at all of a file that was cut short."""
    shutil.copyfile(path, copy)
    log = path.with_name(path.name + "-wal")
    if log.exists():
        shutil.copyfile(log, copy.with_name(copy.name + "-wal"))
    with copy.open("r+b") as file:
        header = file.read(_HEADER)
        size = int.from_bytes(header[16:18], "big")
        size = 65536 if size == 1 else size
        length = size * int.from_bytes(header[28:32], "big")
        if length > copy.stat().st_size and length < 2 * copy.stat().st_size + (1 << 30):
            file.truncate(length)


def _remove(*paths: Path) -> None:
    for path in paths:
        for ending in ("", "-wal", "-shm", "-journal", ".lock"):
            held_files.remove(path.with_name(path.name + ending))


def _fault(error: sqlite3.Error, path: Path) -> ArchiveError:
    known = known_fault(error, path)
    if isinstance(known, ArchiveError):
        return known
    return ArchiveCorrupt(
        message("The archive {path} is damaged: {why}.", path=str(path), why=database_words.why(error)),
        message("Do not delete it. Run `confere doctor --repair`, or restore the newest copy of the backups folder."),
    )
