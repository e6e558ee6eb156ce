"""The archive's own check-up: whole, complete, how large, what is waiting."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import ArchiveCorrupt


@dataclass(frozen=True, slots=True)
class Health:
    """Counts and sizes in bytes; `damage` is SQLite's own words, empty where it found none."""

    revision: str
    damage: tuple[str, ...]
    contents: int
    raw_bytes: int
    vault_bytes: int
    file_bytes: int
    documents: int
    events: int
    unreadable: int
    waiting: int
    failed: int
    dictionaries: int
    interrupted_windows: int


def examine(transaction: Transaction, archive: Archive, *, thorough: bool = False) -> Health:
    """Look at everything cheap; `thorough` lets SQLite walk every page and index."""
    check = "integrity_check" if thorough else "quick_check"
    said = [row[0] for row in transaction.fetch(f"PRAGMA {check}(20)")]
    contents, raw, stored = transaction.fetch(
        "SELECT count(*), coalesce(sum(size), 0), coalesce(sum(length(payload)), 0) FROM content"
    )[0]
    certificates = transaction.scalar("SELECT coalesce(sum(length(data)), 0) FROM certificate")
    dictionaries = transaction.scalar("SELECT coalesce(sum(length(data)), 0) FROM dictionary")

    def count(question: str) -> int:
        return int(transaction.scalar(f"SELECT count(*) FROM {question}"))

    return Health(
        revision=str(transaction.scalar("SELECT version_num FROM alembic_version")),
        damage=() if said == ["ok"] else tuple(said),
        contents=contents,
        raw_bytes=raw,
        vault_bytes=stored + certificates + dictionaries,
        file_bytes=archive.path.stat().st_size,
        documents=count("document WHERE is_current = 1"),
        events=count("event WHERE is_current = 1"),
        unreadable=count("content WHERE problem IS NOT NULL"),
        waiting=count("download WHERE state = 'waiting'"),
        failed=count("download WHERE state = 'failed'"),
        dictionaries=count("dictionary"),
        interrupted_windows=count("coverage WHERE finished_at IS NULL"),
    )


def verify_vault(archive: Archive, progress: Callable[[int, int], None] | None = None) -> tuple[int, tuple[str, ...]]:
    """Read every content back against its SHA-256: how many were read, and the sentences of those that fail."""
    with archive.reading() as transaction:
        highest = int(transaction.scalar("SELECT coalesce(max(id), 0) FROM content"))
    broken: list[str] = []
    read = 0
    for start in range(1, highest + 1, 500):
        with archive.reading() as transaction:
            wanted = transaction.fetch("SELECT id FROM content WHERE id BETWEEN ? AND ?", (start, start + 499))
            for (content_id,) in wanted:
                try:
                    archive.vault.get(transaction, content_id)
                except ArchiveCorrupt as error:
                    broken.append(str(error.what))
                read += 1
        if progress is not None:
            progress(read, highest)
    return read, tuple(broken)
