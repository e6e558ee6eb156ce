"""The use case "what is kept where": the archive's size and reach, room on its disk, and its backups."""

from __future__ import annotations

import re
import shutil
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from confere.app.archive_session import OpenArchive
from confere.archive.accounts import overview
from confere.archive.accounts.overview import Holdings
from confere.archive.clock import from_text
from confere.archive.maintenance.backups.copies import number_of
from confere.archive.vault import check_times
from confere.fiscal.periods import BRASILIA
from confere.system.files import presence
from confere.system.files.own_files import is_own_file
from confere.system.paths import Home

_BACKUP = re.compile(r"archive-.+-(\d{8}T\d{6})\d*Z\.sqlite3(?:\.age)?")


@dataclass(frozen=True, slots=True)
class Backup:
    """A checked copy of the archive; `size` in bytes, `made_at` in the zone of Brasília.

    `asked` is False for the copy that was made before an update of the archive, which only a person removes.
    """

    path: Path
    made_at: datetime
    size: int
    asked: bool


@dataclass(frozen=True, slots=True)
class ArchiveFacts:
    """What the archive is, and what it holds: nothing where there is none.

    Sizes in bytes, `file_bytes` with the write-ahead log.
    """

    place: Path
    exists: bool
    file_bytes: int
    holdings: Holdings
    free_bytes: int
    checked_at: datetime | None = None  # when every content was last read back, in the zone of Brasília


def facts(opened: OpenArchive) -> ArchiveFacts:
    """Look at the archive and its folder. Raises what opening the archive raises, but not that there is none."""
    home = opened.workspace.home
    held = overview.NOTHING
    checked: str | None = None
    if opened.exists:
        with opened.reading() as transaction:
            held = overview.holdings(transaction)
            checked = check_times.last_whole(transaction)
    return ArchiveFacts(
        place=home.archive,
        exists=opened.exists,
        file_bytes=sum(_size(Path(f"{home.archive}{suffix}")) for suffix in ("", "-wal")),
        holdings=held,
        free_bytes=free_bytes(home.root),
        checked_at=from_text(checked).astimezone(BRASILIA) if checked else None,
    )


def backups(home: Home) -> tuple[Backup, ...]:
    """The copies in the backups folder, the newest first."""
    found = []
    for path in home.backups.glob("archive-*.sqlite3"):
        with suppress(OSError):  # another process may just be clearing away
            if not is_own_file(path):
                continue
            seen = path.stat()
            found.append(
                Backup(path, made_at(path, seen.st_mtime), seen.st_size, path.name.startswith("archive-copy-"))
            )
    return tuple(
        sorted(found, key=lambda backup: (number_of(backup.path), backup.made_at, backup.path.name), reverse=True)
    )


def free_bytes(folder: Path) -> int:
    """Room on the disk of `folder`, which need not exist yet."""
    while not presence.is_there(folder) and folder != folder.parent:
        folder = folder.parent
    return shutil.disk_usage(folder).free


def made_at(path: Path, changed: float) -> datetime:
    """As its name says: a copy that was moved about has a date of its own."""
    return named_moment(path) or datetime.fromtimestamp(changed, BRASILIA)


def named_moment(path: Path) -> datetime | None:
    """When a copy was made by the name that Confere gave it; None for a name that says no time."""
    named = _BACKUP.fullmatch(path.name)
    if named is not None:
        with suppress(ValueError):
            return datetime.strptime(named[1], "%Y%m%dT%H%M%S").replace(tzinfo=UTC).astimezone(BRASILIA)
    return None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
