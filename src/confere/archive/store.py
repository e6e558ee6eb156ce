"""The archive as a whole: opened to read by anybody, to write by one process at a time."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from confere.archive.engine import (
    PAGE_SIZE,
    as_known,
    converted,
    folder_takes_no_files,
    has_log,
    readers_of,
    still_readers_of,
    writer_engine,
)
from confere.archive.maintenance import shared_memory
from confere.archive.maintenance.file_descriptors import HeldFile
from confere.archive.read_connection import Readers
from confere.archive.schema.migrate import HEAD, refuse_newer, upgrade
from confere.archive.transaction import Transaction
from confere.errors import ArchiveCorrupt, ArchiveError, ArchiveMissing, ArchiveOlder, ConfereError, message
from confere.system.files import presence, system_words

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from confere.archive.lock import WriteLock
    from confere.archive.maintenance.page_seal import Sealer
    from confere.archive.maintenance.page_sums import OnBytes, PageDamage
    from confere.archive.seals.row_seals import RowSeals
    from confere.archive.vault.reader import VaultReader
    from confere.archive.vault.unfinished_reads import InHand
    from confere.archive.vault.vault import VaultWriter

BACKUPS = "backups"  # the folder beside the archive
_log = logging.getLogger(__name__)


class Archive:
    """An open archive. Close it, or use it as a context manager."""

    def __init__(
        self,
        path: Path,
        readers: Readers,
        held: HeldFile,
        writer: Engine | None = None,
        lock: WriteLock | None = None,
        sealer: Sealer | None = None,
        mapped: HeldFile | None = None,
        in_hand: InHand | None = None,
        seals: RowSeals | None = None,
    ) -> None:
        self.path = path
        self._in_hand = in_hand
        self._held = held
        self._mapped = mapped
        self._sealer = sealer
        self._vault: VaultReader | None = None
        self._readers = readers
        self._writer = writer
        self._seals = seals
        self._lock = lock
        self._memory: dict[str, dict[Any, Any]] = {}
        self._vault_writer: VaultWriter | None = None

    @classmethod
    def to_read(cls, path: Path, *, check_pages: bool = True, whole: bool = False) -> Self:
        """Open for reading; `ArchiveMissing` where there is none, `ArchiveNewer` where it is not understood.

        Works where nothing may be written beside the archive, as on a medium or in a folder that is read-only.
        Bits of it that flipped are put right, and it is `ArchiveCorrupt` where that cannot be done now. Not so with
        `check_pages` False: for who looks at the damage itself, or has checked the pages.
        Of a large archive a share is checked, or all of it with `whole`: for what is handed over.
        """
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
        held, mapped = HeldFile(path), HeldFile(shared_memory.mapped_file(path))
        try:
            if check_pages:
                cls._without_flips(path, held, whole)
            return cls(path, _readers(path), held, mapped=mapped)
        except BaseException:
            held.release()
            mapped.release()
            raise

    @classmethod
    def _without_flips(cls, path: Path, held: HeldFile, whole: bool) -> None:
        from confere.archive.maintenance import page_seal

        try:
            page_seal.refuse_flipped(path, held, whole=whole)
        except ArchiveCorrupt as flipped:
            try:
                cls.to_write(path, "flipped bits").close()
            except ConfereError:
                raise flipped from None
            page_seal.refuse_flipped(path, held)

    @classmethod
    def to_write(cls, path: Path, purpose: str, *, wait_seconds: float = 0, put_back: bool = False) -> Self:
        """Open for writing, made or migrated where needed; `purpose` is what others read in the lock.

        Single bits that flipped since it was written are put right; `ArchiveCorrupt` where another program may have
        changed them, unless `put_back` asks for what Confere wrote.
        """
        from confere.archive.maintenance.page_seal import FLIPPED_BIT, Sealer

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
        # Who only reads, and a window at its start, does without what writes.
        from confere.archive.accounts import audit
        from confere.archive.lock import WriteLock
        from confere.archive.maintenance import set_aside
        from confere.archive.seals.row_seals import RowSeals
        from confere.archive.vault.unfinished_reads import InHand
        from confere.fiscal.reading.reader_version import READER
        from confere.system.files.stale_drafts import sweep_once

        lock = WriteLock(path, purpose)
        lock.acquire(wait_seconds)
        held, mapped = HeldFile(path), HeldFile(shared_memory.mapped_file(path))
        sealer = Sealer(path, PAGE_SIZE, held)
        writer: Engine | None = None
        try:
            for folder in (path.parent, path.parent / BACKUPS):
                sweep_once(folder)
            set_aside.forget_second_name(path)
            _refuse_emptied(path)
            shared_memory.ask_for_room(path)
            flipped = sealer.begin(put_back=put_back)
            writer = writer_engine(path)
            upgrade(writer, path, path.parent / BACKUPS)
            shared_memory.reserve(path, mapped)
            seals = RowSeals.of_engine(writer)
            archive = cls(path, readers_of(path), held, writer, lock, sealer, mapped, InHand(path, READER), seals)
            if flipped:
                with archive.writing() as transaction:
                    for flip in flipped:
                        audit.write(transaction, FLIPPED_BIT, str(flip.offset), str(flip.bit))
            return archive
        except BaseException:
            if writer is not None:
                writer.dispose()
            held.release()
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
        if self._sealer is not None:
            with converted(self.path):
                self._sealer.after_commit(self._writer)

    def rewrite(self) -> bool:
        """Leave no trace in the file of what was deleted or overwritten; False while somebody who reads prevents it."""
        if self._writer is None or self._sealer is None:
            raise ArchiveError(message("The archive {path} was opened for reading only.", path=str(self.path)))
        self._forget()
        with converted(self.path):
            return self._sealer.rewrite(self._writer)

    def refuse_flipped(self) -> None:
        """Raise `ArchiveCorrupt` where bits flipped: the check of `to_read`, for who opened without it."""
        from confere.archive.maintenance import page_seal

        held = HeldFile(self.path)  # its own: another thread may close this archive meanwhile
        try:
            page_seal.refuse_flipped(self.path, held)
        finally:
            held.release()

    def page_damage(self, progress: OnBytes | None = None) -> PageDamage:
        """What of the file is not as it was written; changes nothing. Nothing where that cannot be known."""
        from confere.archive.maintenance.page_seal import looked_through
        from confere.archive.maintenance.page_sums import PageDamage

        try:
            return looked_through(self.path, self._held, progress=progress)
        except OSError:
            return PageDamage()

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
                sealer = self._sealer
                self._finish(self._writer)
                self._writer.dispose()
                if sealer is not None:
                    sealer.closed()
        finally:
            self._held.release()
            if self._mapped is not None:
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
        """Take the log over, as SQLite would; where that cannot be done the log stays, and nothing is lost."""
        from sqlalchemy.exc import SQLAlchemyError

        sealer, self._sealer = self._sealer, None
        if sealer is not None:
            try:
                sealer.finish(writer)
            except (SQLAlchemyError, sqlite3.Error, OSError, ConfereError):
                _log.info("the write-ahead log was not taken over", exc_info=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _refuse_emptied(path: Path) -> None:
    """Begin nothing in the place of an archive that held something: its sums or its backups say that it did."""
    from confere.archive.maintenance import page_sums

    try:
        is_empty = path.stat().st_size == 0 and not has_log(path)
    except OSError:
        return
    copies = path.parent / BACKUPS
    if is_empty and (page_sums.sums_file(path).exists() or next(copies.glob("archive-*.sqlite3"), None) is not None):
        raise _emptied(path)


def _emptied(path: Path) -> ArchiveCorrupt:
    return ArchiveCorrupt(
        message("The archive {path} is empty: it was cut off, or its making was interrupted.", path=str(path)),
        message(
            "`confere doctor --repair` puts the newest backup in its place. To begin anew, remove the file, then run "
            "`confere sync` or `confere import`."
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
    except BaseException:
        readers.dispose()
        raise
    return revision
