"""What is known of copies of the archive without reading them again: of each the check that it passed, or did not.

A record holds as long as the file has the size and the time that it had when it was checked. Without records
everything is checked anew, so the file may be lost; it is not the copies' own, since an encrypted one tells nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from confere.errors import ConfereError, EnvironmentFault
from confere.system import data_folder
from confere.system.files.atomic_file import write_text
from confere.system.files.own_files import read_own

FILE: Final = "archive-copies.json"


@dataclass(frozen=True, slots=True)
class CopyRecord:
    """The newest check of one copy. `digest` is the SHA-256 of an encrypted file, `made_at` and `checked_at` UTC text.

    `problem` is why it does not count: `damaged`, or `other` for what is no archive of a format known here; None for a
    whole one. `number` orders copies, as in `copies`.
    """

    path: str
    size: int
    changed_ns: int
    made_at: str
    checked_at: str
    archive_id: str | None = None
    number: int = 0
    documents: int = 0
    newest_run: str | None = None
    digest: str | None = None
    problem: str | None = None

    def holds(self, path: Path) -> bool:
        """Whether the file is as it was when it was checked."""
        try:
            seen = path.stat()
        except OSError:
            return False
        return (seen.st_size, seen.st_mtime_ns) == (self.size, self.changed_ns)


def load(folder: Path) -> dict[str, CopyRecord]:
    """The records that stand in the data folder, by path; none where they cannot be read."""
    try:
        rows = json.loads(read_own(folder / FILE, data_folder.COPIES_BYTES))["copies"]
        records = (_record(row) for row in rows)
        return {record.path: record for record in records if record is not None}
    except (OSError, EnvironmentFault, ValueError, KeyError, TypeError, RecursionError):
        return {}


def keep(folder: Path, new: Iterable[CopyRecord]) -> bool:
    """Add records, and forget those of files that are gone; whether that could be written."""
    records = load(folder) | {record.path: record for record in new}
    rows = [asdict(record) for record in records.values() if _may_be_there(record)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_text(folder / FILE, json.dumps({"copies": rows}, indent=1) + "\n", own=True)
    except (OSError, ConfereError):  # then the copies are checked again
        return False
    return True


def _may_be_there(record: CopyRecord) -> bool:
    """Not where its folder is there without it; a disk that is not plugged in tells nothing."""
    path = Path(record.path)
    try:
        return path.is_file() or not path.parent.is_dir()
    except OSError:
        return True


def _record(row: object) -> CopyRecord | None:
    """A record of the file, None for what is none."""
    if not isinstance(row, dict):
        return None
    texts = ("path", "made_at", "checked_at")
    numbers = ("size", "changed_ns", "number", "documents")
    if not all(isinstance(row.get(name), str) for name in texts):
        return None
    if not all(type(row.get(name)) is int for name in numbers):
        return None
    optional: dict[str, Any] = {name: row.get(name) for name in ("archive_id", "newest_run", "digest", "problem")}
    if not all(value is None or isinstance(value, str) for value in optional.values()):
        return None
    fields: dict[str, Any] = {name: row[name] for name in (*texts, *numbers)}
    return CopyRecord(**fields, **optional)
