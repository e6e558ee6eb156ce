"""Bytes that this archive lost, taken from a backup of it: by their digest, or by their number and what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from confere.archive.engine import converted, reader_engine
from confere.archive.transaction import Transaction
from confere.archive.unpacking import VaultReader
from confere.archive.vault import digest_head
from confere.errors import ArchiveError


def backups_in(folder: Path) -> tuple[Path, ...]:
    """The copies of the archive in a folder, newest first."""
    return tuple(sorted(folder.glob("*.sqlite3"), key=lambda path: path.stat().st_mtime, reverse=True))


def is_of(backup: Path, archive_id: str) -> bool:
    """Whether the file is a copy of the archive with this id, as far as it can be read."""
    try:
        return _ask(backup, "SELECT value FROM info WHERE name = 'id'") == archive_id
    except ArchiveError:
        return False


def contents_of(backup: Path, wanted: Mapping[int, bytes | None]) -> Iterator[tuple[int, bytes]]:
    """The bytes that the backup has of these contents: by digest where that is known, else by number.

    Numbers mean the same in a copy of the same archive (`is_of`). What the copy has damaged is left out.
    """
    engine = reader_engine(backup)
    reader = VaultReader()
    try:
        for content_id, digest in wanted.items():
            try:
                with converted(backup), engine.begin() as connection:
                    transaction = Transaction(connection)
                    number = _number(transaction, content_id, digest)
                    if number is not None:
                        yield content_id, reader.get(transaction, number)
            except ArchiveError:
                continue
    finally:
        engine.dispose()


def _number(transaction: Transaction, content_id: int, digest: bytes | None) -> int | None:
    if digest is None:
        found = transaction.scalar("SELECT id FROM content WHERE id = ?", (content_id,))
    else:
        found = transaction.scalar(
            "SELECT id FROM content WHERE digest_head = ? AND digest = ?", (digest_head(digest), digest)
        ) or transaction.scalar("SELECT id FROM content WHERE id = ?", (content_id,))
    return None if found is None else int(found)


def _ask(backup: Path, sql: str) -> object:
    engine = reader_engine(backup)
    try:
        with converted(backup), engine.begin() as connection:
            return Transaction(connection).scalar(sql)
    finally:
        engine.dispose()
