"""The archive as a whole: opened to read by anybody, to write by one process at a time."""

from __future__ import annotations

import logging
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from confere.archive import archive_files
from confere.archive.engine import (
    as_known,
    converted,
    empty_log,
    folder_takes_no_files,
    has_log,
    readers_of,
    rewrite,
    still_readers_of,
    writer_engine,
)
from confere.archive.file_uri import beside
from confere.archive.maintenance import shared_memory
from confere.archive.maintenance.file_descriptors import HeldFile
from confere.archive.read_connection import Readers
from confere.archive.schema.migrate import HEAD, refuse_foreign, refuse_newer, upgrade
from confere.archive.transaction import Transaction
from confere.errors import ArchiveCorrupt, ArchiveError, ArchiveMissing, ArchiveOlder, ConfereError, message
from confere.system.files import held_files, presence, system_words

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from confere.archive.lock import WriteLock
    from confere.archive.seals.row_seals import RowSeals
    from confere.archive.vault.reader import VaultReader
    from confere.archive.vault.unfinished_reads import InHand
    from confere.archive.vault.vault import VaultWriter

BACKUPS = "backups"  # the folder beside the archive
_SUMS_MAGIC: Final = b"confere-sum"
_log = logging.getLogger(__name__)


class Archive:
    """An open archive. Close it, or use it as a context manager."""

    def __init__(
        self,
        path: Path,
        readers: Readers,
        mapped: HeldFile,
        writer: Engine | None = None,
        lock: WriteLock | None = None,
        in_hand: InHand | None = None,
        seals: RowSeals | None = None,
    ) -> None:
        self.path = path
        self._in_hand = in_hand
        self._mapped = mapped
        self._vault: VaultReader | None = None
        self._readers = readers
        self._writer = writer
        self._seals = seals
        self._lock = lock
        self._memory: dict[str, dict[Any, Any]] = {}
        self._vault_writer: VaultWriter | None = None

    @classmethod
    def to_read(cls, path: Path) -> Self:
        """Open for reading; `ArchiveMissing` where there is none, `ArchiveNewer` where it is not understood.

        Works where nothing may be written beside the archive, as on a medium or in a folder that is read-only.
        """
        archive_files.refuse_odd(path)
        if presence.is_hidden(path):
            raise ArchiveMissing(
                message("The archive {path} cannot be opened.", path=str(path)),
                message("Check that the folder exists and that you may read it."),
            )
        if not presence.is_file(path):
            raise ArchiveMissing(
                message("There is no archive at {path}.", path=str(path)),
                message(
                    "Run `confere demo`, `confere sync` or `confere import` first, or choose a folder with --home."
                ),
            )
        # A writer of this process holds a descriptor of the mapped file, and closing it would end our locks there.
        mapped = HeldFile(shared_memory.mapped_file(path))
        try:
            return cls(path, _readers(path), mapped)
        except BaseException:
            mapped.release()
            raise

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
                    why=system_words.why(error),
                ),
                message("Choose another one with --home."),
            ) from error
        archive_files.refuse_odd(path)
        # Who only reads, and a window at its start, does without what writes.
        from confere.archive.lock import WriteLock, refuse_without_locks
        from confere.archive.maintenance import set_aside
        from confere.archive.seals.row_seals import RowSeals
        from confere.archive.vault.unfinished_reads import InHand
        from confere.fiscal.reading.reader_version import READER
        from confere.system.files import scratch
        from confere.system.files.stale_drafts import sweep_once

        refuse_without_locks(path)
        lock = WriteLock(path, purpose)
        lock.acquire(wait_seconds)
        mapped = HeldFile(shared_memory.mapped_file(path))
        writer: Engine | None = None
        try:
            for folder in (path.parent, path.parent / BACKUPS):
                sweep_once(folder)
            scratch.sweep(path.parent)
            set_aside.forget_second_name(path)
            archive_files.refuse_second_names(path)
            _refuse_emptied(path)
            shared_memory.ask_for_room(path)
            _remove_old_sums(path)
            writer = writer_engine(path)
            upgrade(writer, path, path.parent / BACKUPS)
            shared_memory.reserve(path, mapped)
            seals = RowSeals.of_engine(writer)
            return cls(path, readers_of(path), mapped, writer, lock, InHand(path, READER), seals)
        except BaseException:
            if writer is not None:
                writer.dispose()
            mapped.release()
            lock.release()
            raise

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
                transaction = Transaction(connection, self._memory)
                yield transaction
                if self._seals is not None:
                    self._seals.write_down(transaction)
        except BaseException:
            self._forget()
            raise

    def rewrite(self) -> bool:
        """Leave no trace in the file of what was deleted or overwritten; False while somebody who reads prevents it.

        Takes as much room again as the archive has, twice for a while.
        """
        if self._writer is None:
            raise ArchiveError(message("The archive {path} was opened for reading only.", path=str(self.path)))
        self._forget()
        with converted(self.path):
            rewrite(self._writer)
            return empty_log(self._writer)

    @property
    def can_write(self) -> bool:
        return self._writer is not None

    @property
    def id(self) -> str:
        """A name of this archive alone, made with it: scopes what is kept outside, such as tokens."""
        with self.reading() as transaction:
            return str(transaction.scalar("SELECT value FROM info WHERE name = 'id'"))

    @property
    def vault(self) -> VaultReader:
        """What reads stored bytes; loaded with its decompressor when it is asked for first."""
        if self._vault is None:
            from confere.archive.vault.reader import VaultReader

            self._vault = VaultReader()
        return self._vault

    @property
    def vault_writer(self) -> VaultWriter:
        if self._vault_writer is None:
            from confere.archive.vault.vault import VaultWriter

            self._vault_writer = VaultWriter()
        return self._vault_writer

    @property
    def in_hand(self) -> InHand:
        """The notes of what is being read; of an archive that is open for reading alone nothing is noted."""
        if self._in_hand is None:
            from confere.archive.vault.unfinished_reads import InHand

            self._in_hand = InHand()
        return self._in_hand

    def content(self, content_id: int) -> bytes:
        """The bytes of one content, as received."""
        with self.reading() as transaction:
            return self.vault.get(transaction, content_id)

    def close(self) -> None:
        """Let go of the file; safe to call twice."""
        self._readers.dispose()
        try:
            if self._in_hand is not None:
                self._in_hand.close()
            if self._writer is not None:
                writer, self._writer = self._writer, None
                self._finish(writer)
                writer.dispose()
        finally:
            self._mapped.release()
            if self._lock is not None:
                self._lock.release()

    def _forget(self) -> None:
        """What was remembered of a transaction that is no more."""
        self._memory.clear()
        if self._seals is not None:
            self._seals.forget()
        if self._vault_writer is not None:
            self._vault_writer.forget()

    def _finish(self, writer: Engine) -> None:
        """Take the log over, which SQLite does by itself only where nobody else has the archive open.

        Where that cannot be done the log stays, and nothing is lost.
        """
        from sqlalchemy.exc import SQLAlchemyError

        try:
            empty_log(writer)
        except (SQLAlchemyError, sqlite3.Error, ConfereError):
            _log.info("the write-ahead log was not taken over", exc_info=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _refuse_emptied(path: Path) -> None:
    """Begin nothing in the place of an archive that held something: its backups say that it did."""
    try:
        is_empty = path.stat().st_size == 0 and not has_log(path)
    except OSError:
        return
    copies = path.parent / BACKUPS
    if is_empty and next(copies.glob("archive-*.sqlite3"), None) is not None:
        raise _emptied(path)


def _remove_old_sums(path: Path) -> None:
    """Remove the file of page sums that earlier versions kept beside the archive; a foreign file of its name stays."""
    sums = beside(path, "-sums")
    with suppress(OSError):
        if stat.S_ISREG(sums.lstat().st_mode):
            with sums.open("rb") as file:
                is_ours = file.read(len(_SUMS_MAGIC)) == _SUMS_MAGIC
            if is_ours:
                held_files.remove(sums)


def _emptied(path: Path) -> ArchiveCorrupt:
    return ArchiveCorrupt(
        message("The archive {path} is empty: it was cut off, or its making was interrupted.", path=str(path)),
        message(
            "`confere doctor --repair` puts the newest backup in its place. To begin anew, choose an empty folder with"
            " --home or `confere home DIR`."
        ),
    )


def _readers(path: Path) -> Readers:
    """Connections to an archive of this program's format, whether or not its folder takes files."""
    if shared_memory.has_room_to_read(path):
        readers = readers_of(path)
    elif has_log(path):  # without it what was written last cannot be read
        raise shared_memory.full(path)
    else:
        readers = still_readers_of(path)
    try:
        revision = _revision(readers, path)
    except ArchiveError as error:
        if not folder_takes_no_files(error.__cause__, path):
            raise
        readers = still_readers_of(path)
        revision = _revision(readers, path)
    if revision is None:
        readers.dispose()
        raise _emptied(path)
    if revision != HEAD:
        readers.dispose()
        raise ArchiveOlder(
            message("The archive {path} was made by an older Confere.", path=str(path)),
            message("Any command that writes brings it up to date: `confere doctor --migrate`, for example."),
        )
    return readers


def _revision(readers: Readers, path: Path) -> str | None:
    """What format the archive has; the readers are disposed of where it cannot tell."""
    try:
        with as_known(path), readers.begin() as connection:
            revision = refuse_newer(connection.driver, path)
            if revision == HEAD:
                refuse_foreign(connection.driver, path, revision)
    except BaseException:
        readers.dispose()
        raise
    return revision
