"""Which copies of the archive there are, and which of them is the newest: by their own number, not by name or clock.

A clock that ran ahead gives names that stay the last for ever, and a copied file has a time of its own. So each copy
carries a number in its header (SQLite's `user_version`), one more than any copy beside it had. Copies of before that
are ordered by how far the archive in them had come.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from confere.archive.driver import hardened
from confere.archive.file_uri import file_uri
from confere.system.files.own_files import OwnFileRefused, is_own_file, open_own

_MAGIC: Final = b"SQLite format 3\0"
_NUMBER: Final = slice(60, 64)


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy that can be read. `archive_id` names the archive that it was made of; None for one without a name."""

    path: Path
    number: int
    reach: tuple[int, int]  # the last run and the last line of the audit trail in it
    archive_id: str | None

    @property
    def order(self) -> tuple[int, tuple[int, int], str]:
        return self.number, self.reach, self.path.name


def number_of(path: Path) -> int:
    """The number of a copy; 0 where it has none, or cannot be read."""
    try:
        with os.fdopen(open_own(path, os.O_RDONLY), "rb") as file:
            head = file.read(_NUMBER.stop)
    except (OSError, OwnFileRefused):
        return 0
    return int.from_bytes(head[_NUMBER], "big") if head.startswith(_MAGIC) and len(head) == _NUMBER.stop else 0


def next_number(folder: Path) -> int:
    """The number for a copy that is made now."""
    return 1 + max(map(number_of, folder.glob("*.sqlite3")), default=0)


def newest_first(folder: Path, pattern: str = "*.sqlite3") -> tuple[Copy, ...]:
    """The copies in a folder that can be read, the newest first."""
    found = (_read(path) for path in folder.glob(pattern))
    return tuple(sorted((copy for copy in found if copy is not None), key=lambda copy: copy.order, reverse=True))


def is_of(path: Path, archive_id: str) -> bool:
    """Whether the file is a copy of the archive with this id, as far as it can be read."""
    copy = _read(path)
    return copy is not None and copy.archive_id == archive_id


def _read(path: Path) -> Copy | None:
    if not is_own_file(path):  # SQLite would follow a link, and wait for a pipe
        return None
    try:
        with closing(hardened(sqlite3.connect(f"{file_uri(path)}?mode=ro&immutable=1", uri=True))) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not tables:
                return None
            archive_id = None
            if "info" in tables:
                for (value,) in connection.execute("SELECT value FROM info WHERE name = 'id'"):
                    archive_id = str(value)
            reach = _last(connection, "run"), _last(connection, "audit")
    except sqlite3.Error:
        return None
    return Copy(path, number_of(path), reach, archive_id)


def _last(connection: sqlite3.Connection, table: str) -> int:
    """The highest number in a table; 0 where that cannot be read, which says nothing of the rest of the copy."""
    try:
        (highest,) = connection.execute(f'SELECT coalesce(max(id), 0) FROM "{table}"').fetchone()
        return int(highest)
    except (sqlite3.Error, ValueError, TypeError):
        return 0
