"""The write lock: one process writes to an archive at a time, and the lock names its holder."""

from __future__ import annotations

import json
import os
import platform
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from confere.errors import ArchiveError, ArchiveLocked, ArchiveWithoutLocks, DiskFull, EnvironmentFault, message
from confere.system.data_folder import HOLDER_BYTES
from confere.system.files import system_words
from confere.system.files.atomic_file import storage_fault
from confere.system.files.own_files import read_own, write_own
from confere.system.folders import network_share


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
        record = json.loads(read_own(file, HOLDER_BYTES))
        found = Holder(str(record["purpose"]), int(record["pid"]), str(record["host"]), str(record["since"]))
    except (OSError, EnvironmentFault, ValueError, KeyError, TypeError, RecursionError):
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


def refuse_without_locks(archive: Path) -> None:
    """Raise `ArchiveWithoutLocks` where locks on files do nothing in the folder of `archive`."""
    from confere.system.files import lock_trial

    try:
        if not lock_trial.locks_do_nothing(archive.parent):
            return
    except OSError as error:
        raise storage_fault(error, archive.parent) from error
    raise ArchiveWithoutLocks(
        message(
            "Locks on files do nothing in {folder} (file system: {name}): two programs would write to the archive at"
            " the same time and destroy it.",
            folder=str(archive.parent),
            name=network_share.file_system_of(archive.parent) or "?",
        ),
        message(
            "Put the data folder on a local disk of this machine, with `confere home DIR` or --home. Nothing was"
            " written."
        ),
    )


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
            write_own(self._holder, json.dumps(record).encode())
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
        except EnvironmentFault:
            self._lock.release()
            raise

    def release(self) -> None:
        """Give the lock back; safe to call twice."""
        if self._lock.is_locked:
            with suppress(OSError):
                self._holder.unlink(missing_ok=True)
            self._lock.release()

    def _who_holds(self) -> str:
        try:
            record = json.loads(read_own(self._holder, HOLDER_BYTES))
            return f"{record['purpose']} (pid {record['pid']}, {record['host']}, {record['since']})"
        except (OSError, EnvironmentFault, ValueError, KeyError, TypeError, RecursionError):
            return "pid ?"
