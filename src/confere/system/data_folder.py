"""What lies in the data folder under Confere's own names: what each is, and how large a file of ours can be.

Every command looks at it before it reads or writes anything there; the files themselves are opened by
`confere.system.files.own_files`, which looks again.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from confere.system.files import own_files

_SMALL: Final = 64 * 1024
SETTINGS_BYTES: Final = 1024 * 1024
SCHEDULE_BYTES: Final = 1024 * 1024
WINDOW_BYTES: Final = 16 * 1024 * 1024
"""What a window remembers of its tables and splitters: some kilobytes."""
COPIES_BYTES: Final = 16 * 1024 * 1024
NOTES_BYTES: Final = 16 * 1024 * 1024
"""The notes of what is being read: they are written anew at a quarter of a megabyte."""
AUTHORITIES_BYTES: Final = 20_000_000
HOLDER_BYTES: Final = _SMALL
MARK_BYTES: Final = _SMALL
_SANDBOX_BYTES: Final = 1024 * 1024 * 1024

ARCHIVE: Final = "archive.sqlite3"
OF_SQLITE: Final = ("", "-wal", "-shm", "-journal")
"""Endings of the files that SQLite opens itself, by their names."""


class OwnEntry(NamedTuple):
    """One name of ours. `most` is the largest size in bytes; None for what grows with the archive.

    `is_told` says that its reader tells of a folder in its place, and goes on without it.
    """

    is_folder: bool = False
    most: int | None = None
    is_told: bool = False


_FILE, _FOLDER = OwnEntry(), OwnEntry(is_folder=True)

ENTRIES: Final = {
    **{f"{ARCHIVE}{ending}": _FILE for ending in OF_SQLITE},
    f"{ARCHIVE}.lock": OwnEntry(most=_SMALL, is_told=True),
    f"{ARCHIVE}.holder": OwnEntry(most=HOLDER_BYTES, is_told=True),
    f"{ARCHIVE}-in-hand": OwnEntry(most=NOTES_BYTES),
    f"{ARCHIVE}-sums": OwnEntry(most=1024 * 1024 * 1024),
    "archive-copies.json": OwnEntry(most=COPIES_BYTES),
    "authorities.pem": OwnEntry(most=AUTHORITIES_BYTES),
    "settings.json": OwnEntry(most=SETTINGS_BYTES, is_told=True),
    "schedule.json": OwnEntry(most=SCHEDULE_BYTES),
    "sandbox-state.json": OwnEntry(most=_SANDBOX_BYTES),
    "window.ini": OwnEntry(most=WINDOW_BYTES, is_told=True),
    "window.lock": OwnEntry(most=_SMALL),
    ".confere-home": OwnEntry(most=MARK_BYTES),
    "backups": _FOLDER,
    "contracts": _FOLDER,
    "exports": _FOLDER,
    "logs": _FOLDER,
    "schemas": _FOLDER,
    "stamp-roots": _FOLDER,
    "trust": _FOLDER,
}
"""By name. What has another name, such as the archives that a restore set aside, is only read, as any backup is."""


def refuse_odd(root: Path) -> None:
    """Raise `OwnFileRefused` for the first name of ours in the data folder that another thing has.

    `root` itself may be a link: a person named it. Nothing is opened.
    """
    with suppress(OSError), os.scandir(root) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            expected = ENTRIES.get(entry.name)
            if expected is None:
                continue
            if expected.is_told and entry.is_dir(follow_symlinks=False):
                continue
            path, seen = Path(entry.path), entry.stat(follow_symlinks=False)
            own_files.refuse(path, seen, is_folder=expected.is_folder)
            if expected.most is not None:
                own_files.refuse_size(path, seen.st_size, expected.most)
