"""An archive that is not there although there was one: what lies beside its place says so.

To begin an empty one in its place would hide the loss: every list would be empty and every month complete.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from confere.errors import ArchiveGone, EnvironmentFault, message
from confere.system.data_folder import COPIES_BYTES, SCHEDULE_BYTES, WINDOW_BYTES
from confere.system.files.own_files import read_own

_BESIDE: Final = re.compile(r"archive\.sqlite3-(wal|sums|in-hand)|archive-(before-restore|damaged)-.+\.sqlite3")
_BACKUP: Final = re.compile(r"archive-.+\.sqlite3(\.age)?")
_COMPANY: Final = re.compile(rb"^company=.*\d", re.MULTILINE)


def refuse(path: Path) -> None:
    """Raise `ArchiveGone` where no archive is at `path` and something says that there was one."""
    trace = trace_of(path)
    if trace is not None:
        raise ArchiveGone(
            message(
                "The archive {path} is not there, but {trace} says that there was one: it was moved or deleted.",
                path=str(path),
                trace=str(trace),
            ),
            message(
                "Put it back, or have the newest backup put in its place with `confere doctor --repair` (a certain one:"
                " `confere restore`). To begin anew, choose an empty folder with --home or `confere home DIR`."
            ),
        )


def trace_of(path: Path) -> Path | None:
    """What says that there was an archive at `path`, the newest backup first; None where one is, or never was."""
    return None if os.path.lexists(path) else next(_traces(path.parent), None)


def _traces(folder: Path) -> Iterator[Path]:
    backups = folder / "backups"
    yield from (backups / name for name in reversed(_files(backups, _BACKUP)))
    yield from (folder / name for name in _files(folder, _BESIDE))
    copies = folder / "archive-copies.json"
    if _of_json(copies, COPIES_BYTES, "copies"):
        yield copies
    schedule = folder / "schedule.json"
    if _of_json(schedule, SCHEDULE_BYTES, "accounts"):
        yield schedule
    window = folder / "window.ini"
    if _COMPANY.search(_read(window, WINDOW_BYTES)):
        yield window


def _files(folder: Path, pattern: re.Pattern[str]) -> list[str]:
    """The names in a folder that fit, but those of empty files, in their order."""
    names: list[str] = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if pattern.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                with suppress(OSError):
                    if entry.stat(follow_symlinks=False).st_size:
                        names.append(entry.name)
    return sorted(names)


def _of_json(path: Path, most: int, name: str) -> Any:
    """What a JSON file of ours says under `name`; None where it cannot be told."""
    try:
        return json.loads(_read(path, most)).get(name)
    except (ValueError, AttributeError, RecursionError):
        return None


def _read(path: Path, most: int) -> bytes:
    try:
        return read_own(path, most)
    except (OSError, EnvironmentFault):
        return b""
