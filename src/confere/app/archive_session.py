"""An archive that a window keeps open: many threads ask it, and it notices when the file goes or is replaced."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from confere.app.context import Workspace
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import ArchiveCorrupt, ArchiveError, ArchiveMissing, ConfereError, message
from confere.system.files import presence

Stamp = tuple[int, ...]


class OpenArchive:
    """The archive of one data folder, opened when it is first asked and again when another file stands in its place.

    An open SQLite file can be read long after it was deleted or replaced; what is on the screen would then be of an
    archive that nobody has any more. So every question looks at the file first.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._lock = threading.Lock()
        self._archive: Archive | None = None
        self.is_brief = False
        """Whether the file is let go of after each question: while another is to take its place, which on Windows no
        open file lets happen."""
        self._identity: tuple[int, int] | None = None

    @property
    def exists(self) -> bool:
        """Whether there is an archive to ask: not before a first sync or import has made the file whole.

        An archive that cannot be opened for another reason is there, and so is one that was moved or deleted: asking
        it says what is wrong.
        """
        path = self.workspace.home.archive
        if not presence.is_file(path):
            from confere.archive.maintenance import absence  # no start with an archive needs it

            return absence.trace_of(path) is not None
        try:
            self.archive()
        except ArchiveMissing:
            return False
        except ArchiveCorrupt:
            from confere.archive import lock

            return lock.holder(path) is None
        except ConfereError:
            return True
        return True

    def stamp(self) -> Stamp:
        """Changes whenever any process has written to the archive; empty where there is none. Costs no query."""
        found: list[int] = []
        for suffix in ("", "-wal"):
            try:
                seen = os.stat(f"{self.workspace.home.archive}{suffix}")  # noqa: PTH116 - one call, many times a minute
            except OSError:
                if not suffix:
                    return ()  # a log that was left behind is no archive
                continue
            found += (seen.st_ino, seen.st_mtime_ns, seen.st_size)
        return tuple(found)

    @property
    def file(self) -> tuple[int, int] | None:
        """Which file stands in the archive's place: another one is another pair; None where there is none."""
        try:
            seen = self.workspace.home.archive.stat()
        except OSError:
            return None
        return seen.st_dev, seen.st_ino

    def archive(self) -> Archive:
        """The open archive. Raises `ArchiveMissing`, `ArchiveGone` and what else `Archive.to_read` does."""
        path = self.workspace.home.archive
        with self._lock:
            try:
                seen = path.stat()
            except OSError as error:
                self._drop()
                from confere.archive.maintenance import absence

                absence.refuse(path)
                raise ArchiveMissing(
                    message("There is no archive at {path}.", path=str(path)),
                    message("Sync an account, import files, or put the archive or a backup of it back in its place."),
                ) from error
            identity = (seen.st_dev, seen.st_ino)
            if self._archive is None or identity != self._identity:
                self._drop()
                self._archive = Archive.to_read(path)
                self._identity = identity
            return self._archive

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """A short consistent view."""
        archive = self.archive()
        try:
            with archive.reading() as transaction:
                yield transaction
        except Exception as error:
            # Somebody may have written another file over it in its place: the next question opens it anew.
            if isinstance(error, ArchiveError) or not isinstance(error, ConfereError):
                self._forget(archive)
            raise
        finally:
            if self.is_brief:
                self._forget(archive)

    def close(self) -> None:
        """Let go of the file; the next question opens it again."""
        with self._lock:
            self._drop()

    def _forget(self, archive: Archive) -> None:
        with self._lock:
            if self._archive is archive:
                self._drop()

    def _drop(self) -> None:
        if self._archive is not None:
            self._archive.close()
        self._archive, self._identity = None, None
