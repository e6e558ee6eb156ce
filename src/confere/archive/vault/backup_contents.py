"""Bytes that this archive lost, taken from a backup of it: by their digest, or by their number and what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from confere.archive.engine import converted, readers_of
from confere.archive.transaction import Transaction
from confere.archive.vault.reader import VaultReader
from confere.archive.vault.vault import digest_head
from confere.errors import ArchiveError


def contents_of(backup: Path, wanted: Mapping[int, bytes | None]) -> Iterator[tuple[int, bytes]]:
    """The bytes that the backup has of these contents: by digest where that is known, else by number.

    Numbers mean the same in a copy of the same archive (`is_of`). What the copy has damaged is left out.
    """
    readers = readers_of(backup)
    reader = VaultReader()
    try:
        for content_id, digest in wanted.items():
            try:
                with converted(backup), readers.begin() as connection:
                    transaction = Transaction(connection)
                    number = _number(transaction, content_id, digest)
                    if number is not None:
                        yield content_id, reader.get(transaction, number)
            except ArchiveError:
                continue
    finally:
        readers.dispose()


def _number(transaction: Transaction, content_id: int, digest: bytes | None) -> int | None:
    if digest is None:
        found = transaction.scalar("SELECT id FROM content WHERE id = ?", (content_id,))
    else:
        found = transaction.scalar(
            "SELECT id FROM content WHERE digest_head = ? AND digest = ?", (digest_head(digest), digest)
        ) or transaction.scalar("SELECT id FROM content WHERE id = ?", (content_id,))
    return None if found is None else int(found)
