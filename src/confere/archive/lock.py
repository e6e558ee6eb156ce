"""The write lock: one process writes to an archive at a time, and the lock names its holder."""

from __future__ import annotations

import json
import os
import platform
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from confere.errors import ArchiveError, ArchiveLocked, DiskFull, message
from confere.system.files import system_words


@dataclass(frozen=True, slots=True)
class Holder:
    """The process that writes to an archive; `since` is UTC text in seconds."""

    purpose: str
    pid: int
    host: str
    since: str


def holder(archive: Path) -> Holder | None:
    """Who writes to `archive` just now; None for nobody.

    Where a process died with the lock, its name is taken away here: it is looked for once, not at every question.
    """
    file = _holder_file(archive)
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        found = Holder(str(record["purpose"]), int(record["pid"]), str(record["host"]), str(record["since"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    from filelock import FileLock, Timeout  # with asyncio: not for who finds no name

    lock = FileLock(_lock_file(archive))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return found
    except OSError:  # nothing can be written here, so nobody writes
        return None
    try:
        with suppress(OSError):
            file.unlink(missing_ok=True)
    finally:
        lock.release()
    return None


def _lock_file(archive: Path) -> str:
    return f"{archive}.lock"


def _holder_file(archive: Path) -> Path:
    return Path(f"{archive}.holder")


class WriteLock:
    """An operating-system lock beside the archive: it ends with its process, however that dies.

    The holder's name stands in a file of its own, since a locked file cannot be read on Windows.
    """

    def __init__(self, archive: Path, purpose: str) -> None:
        from filelock import FileLock

        self._lock = FileLock(_lock_file(archive))
        self._holder = _holder_file(archive)
        self._archive = archive
        self._purpose = purpose

    def acquire(self, wait_seconds: float = 0) -> None:
        """Take the lock or raise `ArchiveLocked` with the holder's name after `wait_seconds`."""
        from filelock import Timeout

        try:
            self._lock.acquire(timeout=wait_seconds, poll_interval=0.05)
        except Timeout:
            raise ArchiveLocked(
                message(
                    "The archive {path} is being written by {holder}.",
                    path=str(self._archive),
                    holder=self._who_holds(),
                ),
                message("Wait until it ends, or stop it, and try again."),
            ) from None
        except OSError as error:
            raise ArchiveError(
                message(
                    "The lock beside {path} cannot be taken: {why}.",
                    path=str(self._archive),
                    why=system_words.why(error),
                ),
                message("Check that you may write to that folder."),
            ) from error
        record = {
            "pid": os.getpid(),
            "host": platform.node(),
            "purpose": self._purpose,
            "since": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        try:
            self._holder.write_text(json.dumps(record), encoding="utf-8")
        except OSError as error:
            self._lock.release()
            raise DiskFull(
                message(
                    "Nothing can be written beside {path}: {why}.",
                    path=str(self._archive),
                    why=system_words.why(error),
                ),
                message("Free some space on that disk and try again; nothing was lost."),
            ) from error

    def release(self) -> None:
        """Give the lock back; safe to call twice."""
        if self._lock.is_locked:
            with suppress(OSError):
                self._holder.unlink(missing_ok=True)
            self._lock.release()

    def _who_holds(self) -> str:
        try:
            record = json.loads(self._holder.read_text(encoding="utf-8"))
            return f"{record['purpose']} (pid {record['pid']}, {record['host']}, {record['since']})"
        except (OSError, ValueError, KeyError, TypeError):
            return "pid ?"
