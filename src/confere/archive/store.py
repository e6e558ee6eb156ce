"""The archive as a whole: opened to read by anybody, to write by one process at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlalchemy import Engine

from confere.archive.engine import converted, folder_takes_no_files, reader_engine, still_reader_engine, writer_engine
from confere.archive.lock import WriteLock
from confere.archive.migrate import HEAD, refuse_newer, upgrade
from confere.archive.transaction import Transaction
from confere.archive.unpacking import VaultReader
from confere.archive.vault import VaultWriter
from confere.errors import ArchiveCorrupt, ArchiveError, ArchiveMissing, ArchiveOlder, message


class Archive:
    """An open archive. Close it, or use it as a context manager."""

    def __init__(self, path: Path, readers: Engine, writer: Engine | None, lock: WriteLock | None) -> None:
        self.path = path
        self.vault = VaultReader()
        self._readers = readers
        self._writer = writer
        self._lock = lock
        self._memory: dict[str, dict[Any, Any]] = {}
        self._vault_writer = VaultWriter()

    @classmethod
    def to_read(cls, path: Path) -> Self:
        """Open for reading; `ArchiveMissing` where there is none, `ArchiveNewer` where it is not understood.

        Works where nothing may be written beside the archive, as on a medium or in a folder that is read-only.
        """
        if not path.is_file():
            raise ArchiveMissing(
                message("There is no archive at {path}.", path=str(path)),
                message(
                    "Run `confere demo`, `confere sync` or `confere import` first, or choose a folder with --home."
                ),
            )
        readers = reader_engine(path)
        try:
            revision = _revision(readers, path)
        except ArchiveError as error:
            if not folder_takes_no_files(error.__cause__, path):
                raise
            readers = still_reader_engine(path)
            revision = _revision(readers, path)
        if revision is None:
            readers.dispose()
            raise ArchiveCorrupt(
                message("The archive {path} is empty: it was cut off, or its making was interrupted.", path=str(path)),
                message("Put a backup in its place, or run `confere sync` or `confere import` to begin anew."),
            )
        if revision != HEAD:
            readers.dispose()
            raise ArchiveOlder(
                message("The archive {path} was made by an older Confere.", path=str(path)),
                message("Any command that writes brings it up to date: `confere doctor --migrate`, for example."),
            )
        return cls(path, readers, None, None)

    @classmethod
    def to_write(cls, path: Path, purpose: str, *, wait_seconds: float = 0) -> Self:
        """Open for writing, made or migrated where needed; `purpose` is what others read in the lock."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise ArchiveError(
                message(
                    "The folder {path} cannot be made: {why}.",
                    path=str(path.parent),
                    why=error.strerror or "",
                ),
                message("Choose another one with --home."),
            ) from error
        lock = WriteLock(path, purpose)
        lock.acquire(wait_seconds)
        writer = writer_engine(path)
        try:
            upgrade(writer, path, path.parent / "backups")
        except BaseException:
            writer.dispose()
            lock.release()
            raise
        return cls(path, reader_engine(path), writer, lock)

    @contextmanager
    def reading(self) -> Iterator[Transaction]:
        """A short consistent view; long ones hold the write-ahead log back."""
        with converted(self.path), self._readers.begin() as connection:
            yield Transaction(connection)

    @contextmanager
    def writing(self) -> Iterator[Transaction]:
        """One transaction: all of it or nothing."""
        if self._writer is None:
            raise ArchiveError(message("The archive {path} was opened for reading only.", path=str(self.path)))
        try:
            with converted(self.path), self._writer.begin() as connection:
                yield Transaction(connection, self._memory)
        except BaseException:
            self._memory.clear()
            self._vault_writer.forget()
            raise

    @property
    def can_write(self) -> bool:
        return self._writer is not None

    @property
    def id(self) -> str:
        """A name of this archive alone, made with it: scopes what is kept outside, such as tokens."""
        with self.reading() as transaction:
            return str(transaction.scalar("SELECT value FROM info WHERE name = 'id'"))

    @property
    def vault_writer(self) -> VaultWriter:
        return self._vault_writer

    def content(self, content_id: int) -> bytes:
        """The bytes of one content, as received."""
        with self.reading() as transaction:
            return self.vault.get(transaction, content_id)

    def close(self) -> None:
        self._readers.dispose()
        if self._writer is not None:
            self._writer.dispose()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _revision(readers: Engine, path: Path) -> str | None:
    """What format the archive has; the engine is disposed of where it cannot tell."""
    try:
        with readers.connect() as connection:
            revision = refuse_newer(connection, path)
            connection.rollback()
    except BaseException:
        readers.dispose()
        raise
    return revision
