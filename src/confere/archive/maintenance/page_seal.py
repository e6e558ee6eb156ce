"""Keeps the sums of pages true while an archive is written, and puts single flipped bits right.

SQLite itself never takes the write-ahead log over here (`wal_autocheckpoint = 0`): `Sealer` does, when the log is long
and at the end. First it writes the new sums beside the old ones, then the log is taken over, then the old ones go. So
whoever reads the archive at any moment, or after a kill at any moment, knows what each page may be.

After a kill another SQLite program, or a plain connection of ours, may take the log over: then commits are in the file
that no sum tells of, and a commit may differ in one bit from what was there. That is known by the mark of a writer at
work and the file's time, and such pages are taken as they are.
"""

from __future__ import annotations

import logging
import sqlite3
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from confere.archive.maintenance import page_sums
from confere.archive.maintenance.file_descriptors import HeldFile, read_at, write_at
from confere.archive.maintenance.page_sums import FlippedBit, OnBytes, PageDamage, Sums
from confere.errors import ArchiveCorrupt, ConfereError, message

if TYPE_CHECKING:
    from sqlalchemy import Engine

CHECKPOINT_PAGES = 4000
FLIPPED_BIT = "flipped bit"  # in the audit trail: one that was put right; its byte of the file, and which bit of it
CHECKED_WHOLE = 256 * 1024 * 1024  # bytes; of a larger archive each opening checks a share, the doctor all
_SHARE = 64 * 1024 * 1024
_TRIES = 3
_log = logging.getLogger(__name__)


class Sealer:
    """The sums of one archive while it is written; made when the write lock is held, before SQLite opens the file."""

    def __init__(self, path: Path, page_size: int, held: HeldFile) -> None:
        self._path = path
        self._page_size = page_size
        self._held = held
        self._next_at = CHECKPOINT_PAGES

    def begin(self, *, put_back: bool = False) -> tuple[FlippedBit, ...]:
        """Put back single bits that flipped since the archive was written, and mark a writer at work; which they were.

        Pages that another program changed are taken as they are now. Raises `ArchiveCorrupt` where single bits differ
        in a file that somebody wrote to: damage or not, that is not certain. With `put_back` they are put back too.
        """
        if not self._path.is_file():
            self._forget()  # of an archive that is gone
        sums = page_sums.load(self._path)
        if sums is None:
            return ()
        try:
            found = _looked(self._path, self._held, sums)
            if found.is_flipped and not (found.is_certain or put_back):
                raise _fault(self._path, found)
            if found.is_flipped:
                descriptor = self._held.descriptor(writable=True)
                for flip in found.flipped:
                    (value,) = read_at(descriptor, 1, flip.offset)
                    write_at(descriptor, bytes([value ^ (1 << flip.bit)]), flip.offset)
                    _log.info("bit %d of byte %d (page %d) was put right", flip.bit, flip.offset, flip.page)
            elif found.flipped or found.changed:
                _log.info("%d pages were changed by another program, or damaged", len(found.changed))
                self._forget()
                return ()
            file_time = page_sums.file_time(self._path)
        except OSError:
            _log.info("the pages could not be checked", exc_info=True)
            file_time = sums.file_time
            found = PageDamage()
        self._kept(replace(sums, file_time=file_time, being_written=True))
        return found.flipped if found.is_flipped else ()

    def after_commit(self, engine: Engine) -> None:
        """Take the log over where it has become long."""
        pages = _log_pages(self._path, self._page_size)
        if pages < self._next_at:
            return
        self._next_at = pages + CHECKPOINT_PAGES
        try:
            self.take_over(engine)
        except (sqlite3.Error, OSError):  # what was committed is safe in the log
            _log.info("the write-ahead log was not taken over", exc_info=True)

    def take_over(self, engine: Engine, *, at_end: bool = False) -> None:
        """Take the log over into the archive as far as readers let, and make the sums say so.

        `at_end`: nothing is written after it. Raises `sqlite3.Error` and `OSError`; the log is whole then.
        """
        sums = page_sums.load(self._path)
        try:
            pages, coming = page_sums.in_log(self._path)
        except OSError:
            self._forget()
            pages, coming, sums = 0, {}, None
        if sums is not None and coming:
            sums.pending.update(coming)
            if not self._kept(sums):
                sums = None
        busy = _checkpoint(engine)
        self._next_at = CHECKPOINT_PAGES + (_log_pages(self._path, self._page_size) if busy else 0)
        if sums is None:
            return
        try:
            if sums.pending and not busy:
                self._settle(sums, pages, coming)
            sums = replace(sums, file_time=page_sums.file_time(self._path), being_written=not at_end)
        except OSError:
            self._forget()
            return
        self._kept(sums)

    def rewrite(self, engine: Engine) -> bool:
        """Write the file anew without what was deleted from it; False where a reader keeps the log from being emptied.

        Takes as much room again as the archive has, twice for a while. Raises `sqlite3.Error` and `OSError`.
        """
        connection = engine.raw_connection()
        try:
            driver: sqlite3.Connection = connection.driver_connection  # type: ignore[assignment]
            driver.execute("PRAGMA temp_store = FILE")  # in memory the whole archive would be
            try:
                driver.execute("VACUUM")
            finally:
                driver.execute("PRAGMA temp_store = MEMORY")
        finally:
            connection.close()
        self.take_over(engine)
        return _log_pages(self._path, self._page_size) == 0

    def finish(self, engine: Engine) -> None:
        """As `take_over`, at the end; an archive without sums gets them."""
        self.take_over(engine, at_end=True)
        if page_sums.load(self._path) is None and _log_pages(self._path, self._page_size) == 0:
            with suppress(OSError):
                self._kept(page_sums.made(self._held.descriptor(), self._page_size))

    def closed(self) -> None:
        """Keep the file's time once more when SQLite let go of it: Windows writes it only then."""
        sums = page_sums.load(self._path)
        with suppress(OSError):
            if sums is not None and not sums.being_written and sums.file_time != page_sums.file_time(self._path):
                self._kept(replace(sums, file_time=page_sums.file_time(self._path)))

    def _settle(self, sums: Sums, pages: int, coming: dict[int, int]) -> None:
        """The pages are as the log had them: one sum each. `pages`: 0 where the log was taken over before."""
        descriptor = self._held.descriptor()
        pages = pages or self._path.stat().st_size // sums.page_size
        del sums.pages[pages:]
        new = range(len(sums.pages) + 1, pages + 1)  # some of them may be empty and not in the log
        sums.pages.extend(page_sums.sum_of(descriptor, page, sums.page_size) or 0 for page in new)
        for page in sorted(sums.pending):
            value = page_sums.sum_of(descriptor, page, sums.page_size) if page <= pages else None
            if value is not None:
                sums.pages[page - 1] = value if sums.accepts(page, value) else coming.get(page, value)
        sums.pending.clear()

    def _kept(self, sums: Sums) -> bool:
        """Whether the sums are on the disk; if not, there are none: old ones would accuse good pages."""
        try:
            page_sums.store(self._path, sums)
        except ConfereError:
            _log.info("the sums of the pages could not be written", exc_info=True)
            self._forget()
            return False
        return True

    def _forget(self) -> None:
        """Have no sums. Raises `OSError` where the system does not let them go."""
        page_sums.forget(self._path)


def refuse_flipped(path: Path, held: HeldFile, *, whole: bool = False) -> None:
    """Raise `ArchiveCorrupt` where single bits of the archive are not as they were written.

    A large archive is checked in part, another part each time, unless `whole`.
    """
    try:
        found = looked_through(path, held, whole=whole)
    except OSError:
        return  # whoever reads it next says why
    if found.is_flipped:
        raise _fault(path, found)


def _fault(path: Path, found: PageDamage) -> ArchiveCorrupt:
    first = found.flipped[0]
    return ArchiveCorrupt(
        message(
            "The archive {path} is damaged: bit {bit} of its byte {offset} flipped.",
            path=str(path), bit=first.bit, offset=first.offset,
        )
        if len(found.flipped) == 1
        else message(
            "The archive {path} is damaged: {count} of its bits flipped, the first in byte {offset}.",
            path=str(path), count=len(found.flipped), offset=first.offset,
        ),
        message(
            "Run `confere doctor`. Any command that writes, `confere sync` for one, puts flipped bits right; "
            "then have the disk and the memory of this computer checked."
        )
        if found.is_certain
        else message(
            "Something other than Confere wrote to the file, so it may be a change that somebody made. "
            "`confere doctor --repair` puts back what Confere wrote; to keep the file as it is, remove {sums}.",
            sums=str(page_sums.sums_file(path)),
        ),
    )  # fmt: skip


def looked_through(path: Path, held: HeldFile, *, whole: bool = True, progress: OnBytes | None = None) -> PageDamage:
    """What differs from the sums, without changing it; nothing where there are no sums. Raises `OSError`."""
    for _ in range(_TRIES):
        sums = page_sums.load(path)
        if sums is None:
            return PageDamage()
        found = _looked(path, held, sums, whole=whole, progress=progress)
        if not found.flipped and not found.changed:
            return found
        again = page_sums.load(path)
        if again is not None and again == sums:
            return found
        # A log was taken over meanwhile: what looked damaged may have been half written.
    return PageDamage()


def _looked(
    path: Path, held: HeldFile, sums: Sums, *, whole: bool = True, progress: OnBytes | None = None
) -> PageDamage:
    before = path.stat()
    size = before.st_size
    begin, end = 0, None
    if not whole and size > CHECKED_WHOLE:
        import random

        begin = random.randrange(-(-size // _SHARE)) * _SHARE  # noqa: S311 - any share will do
        end = begin + _SHARE
    found = page_sums.damage(
        held.descriptor(), sums, begin=begin, end=end, apart=sums.pending.keys(), progress=progress
    )
    if not found.flipped and not found.changed:
        return found
    _, logged = page_sums.in_log(path)  # what the log holds is not read from the file
    flipped = tuple(flip for flip in found.flipped if flip.page not in logged)
    changed = tuple(page for page in found.changed if page not in logged)
    is_certain = before.st_mtime_ns == sums.file_time == page_sums.file_time(path)
    if sums.being_written and not is_certain:  # commits of a killed writer may have been taken over meanwhile
        return PageDamage(changed=tuple(sorted({*changed, *(flip.page for flip in flipped)})))
    return PageDamage(flipped, changed, is_certain)


def _log_pages(path: Path, page_size: int) -> int:
    try:
        return page_sums.log_file(path).stat().st_size // (page_size + 24)
    except OSError:
        return 0


def _checkpoint(engine: Engine) -> bool:
    """Take the log over and empty it; whether somebody who reads stood in the way. Waits for nobody."""
    connection = engine.raw_connection()
    try:
        driver: sqlite3.Connection = connection.driver_connection  # type: ignore[assignment]
        driver.execute("PRAGMA busy_timeout = 0")
        try:
            busy, _, _ = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            driver.execute("PRAGMA busy_timeout = 30000")
        return bool(busy)
    finally:
        connection.close()
