"""Sums of the archive's pages, kept in a file beside it: a bit that flipped is known before anything is read.

SQLite trusts its pages: a flipped bit in a stored amount would be shown as the amount. Each page of the archive's own
file has a CRC-32 here. A single flipped bit changes it in a way that says which bit it was, so it can be put right.
A page that differs in more than one bit was damaged in a larger way, or written by another program: SQLite's own
checks, the SHA-256 of the contents and the check-up judge that.

What a program writes changes the file's time, what a disk or a memory does to it later does not. So the time is kept
with the sums: a bit is certain to have flipped only where nobody wrote since.

The archive's file changes only when the write-ahead log is taken over into it (`sealing`); until that is done both
the old and the new sum of a page hold.
"""

from __future__ import annotations

import os
import struct
import zlib
from array import array
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from confere.archive.file_uri import beside as beside
from confere.archive.maintenance.file_descriptors import read_at
from confere.system.files import held_files
from confere.system.files.atomic_file import write_bytes

_HEAD = struct.Struct(">12sIIII")  # magic, size of a page, pages, pages with a second sum, CRC-32 of what follows
_STATE = struct.Struct(">Q?")  # the file's time in nanoseconds, whether a writer is at work
_MAGIC = b"confere-sum2"
_LOG_HEAD = struct.Struct(">IIIIIIII")
_FRAME_HEAD = struct.Struct(">IIIIII")
_LOG_MAGIC = (0x377F0682, 0x377F0683)
_LOCK_BYTE = 1 << 30  # SQLite never uses the page with this byte, and Windows may refuse to read it
_PAGES_AT_ONCE = 256
_MOST_FLIPPED = 16  # of a whole file: more is not a flip here and there

OnBytes = Callable[[int, int], None]
"""Told how many bytes of how many are checked; what it raises ends the checking."""


@dataclass(frozen=True, slots=True)
class Sums:
    """One CRC-32 a page, first page first; `pending`: the second sum of pages that are being written just now.

    `file_time`: when the archive's file was written last, in nanoseconds, as far as these sums know. `being_written`:
    a writer is at work or was killed; then the log may hold commits that no sum here tells of.
    """

    page_size: int
    pages: array[int]
    pending: dict[int, int] = field(default_factory=dict)
    file_time: int = 0
    being_written: bool = False

    def accepts(self, page: int, value: int) -> bool:
        """Whether page number `page`, counted from 1, may have this sum."""
        return (page <= len(self.pages) and self.pages[page - 1] == value) or self.pending.get(page) == value


@dataclass(frozen=True, slots=True)
class FlippedBit:
    """A bit of the archive's file that is not as it was written: page from 1, byte of the file, bit 0 to 7."""

    page: int
    offset: int
    bit: int


@dataclass(frozen=True, slots=True)
class PageDamage:
    """What differs from the sums: single bits, and pages that differ in more and may be another program's work.

    `is_certain`: nobody wrote to the file since its sums were made, so that what differs was not written.
    """

    flipped: tuple[FlippedBit, ...] = ()
    changed: tuple[int, ...] = ()
    is_certain: bool = False

    @property
    def is_flipped(self) -> bool:
        """Whether nothing but single bits differs: then each of them can be put right, if it is certain or asked for.

        Where more differs it may be another archive, or one that another program wrote to: nothing is certain.
        """
        return bool(self.flipped) and not self.changed and len(self.flipped) <= _MOST_FLIPPED


def sums_file(archive: Path) -> Path:
    return beside(archive, "-sums")


def log_file(archive: Path) -> Path:
    return beside(archive, "-wal")


def load(archive: Path) -> Sums | None:
    """The sums of an archive; None where there are none or their own file is damaged."""
    try:
        data = sums_file(archive).read_bytes()
    except OSError:
        return None
    if len(data) < _HEAD.size:
        return None
    magic, page_size, count, pending_count, checksum = _HEAD.unpack_from(data)
    body = data[_HEAD.size :]
    ends = 4 * count, 4 * count + 8 * pending_count
    if magic != _MAGIC or len(body) != ends[1] + _STATE.size or zlib.crc32(body) != checksum:
        return None
    pages = _numbers(body[: ends[0]])
    pairs = _numbers(body[ends[0] : ends[1]])
    return Sums(page_size, pages, dict(zip(pairs[::2], pairs[1::2], strict=True)), *_STATE.unpack(body[ends[1] :]))


def store(archive: Path, sums: Sums) -> None:
    """Put the sums on the disk, all at once. Raises `DiskFull` or `EnvironmentFault`."""
    pairs = array("I", [number for pair in sums.pending.items() for number in pair])
    body = _as_bytes(sums.pages) + _as_bytes(pairs) + _STATE.pack(sums.file_time, sums.being_written)
    head = _HEAD.pack(_MAGIC, sums.page_size, len(sums.pages), len(sums.pending), zlib.crc32(body))
    write_bytes(sums_file(archive), head + body)


def forget(archive: Path) -> None:
    """Have no sums, before something other than `sealing` writes to the archive. Raises `OSError`."""
    held_files.remove(sums_file(archive))


def file_time(archive: Path) -> int:
    """When the archive's file was written last, in nanoseconds. Raises `OSError`."""
    return archive.stat().st_mtime_ns


def made(descriptor: int, page_size: int) -> Sums:
    """The sums of a file as it is now."""
    size = _size(descriptor)
    pages = array("I", bytes(4 * (size // page_size)))
    for page, value in _values(descriptor, page_size, 0, size):
        pages[page - 1] = value
    return Sums(page_size, pages, file_time=os.fstat(descriptor).st_mtime_ns)


def damage(
    descriptor: int,
    sums: Sums,
    *,
    begin: int = 0,
    end: int | None = None,
    apart: Collection[int] = (),
    progress: OnBytes | None = None,
) -> PageDamage:
    """What of the file's bytes from `begin` to `end` is not as its sums say; pages `apart` are not looked at."""
    size = _size(descriptor)
    last = size if end is None else min(end, size)
    flipped: list[FlippedBit] = []
    changed: list[int] = []
    seen = 0
    for page, value in _values(descriptor, sums.page_size, begin, last):
        seen = page
        if progress is not None and page % _PAGES_AT_ONCE == 0:
            progress(page * sums.page_size, size)
        if sums.accepts(page, value) or page in apart:
            continue
        bit = None if page > len(sums.pages) else _flipped_bit(value ^ sums.pages[page - 1], sums.page_size)
        if bit is None:
            changed.append(page)
        else:
            flipped.append(FlippedBit(page, (page - 1) * sums.page_size + bit // 8, bit % 8))
    if end is None and seen < len(sums.pages):  # cut off
        changed.extend(page for page in range(seen + 1, len(sums.pages) + 1) if page not in sums.pending)
    return PageDamage(tuple(flipped), tuple(changed))


def sum_of(descriptor: int, page: int, page_size: int) -> int | None:
    """The sum of one page as it is in the file; None where the file ends before."""
    data = read_at(descriptor, page_size, (page - 1) * page_size)
    return zlib.crc32(data) if len(data) == page_size else None


def in_log(archive: Path) -> tuple[int, dict[int, int]]:
    """What the write-ahead log will make of the archive: its pages then, and the sum of each page in the log.

    Raises `OSError` where there is a log that cannot be read.
    """
    try:
        with log_file(archive).open("rb") as file:
            return _logged(file.read(_LOG_HEAD.size), lambda: file.read(_FRAME_HEAD.size), file.read)
    except FileNotFoundError:
        return 0, {}


def _logged(head: bytes, next_head: Callable[[], bytes], read: Callable[[int], bytes]) -> tuple[int, dict[int, int]]:
    if len(head) < _LOG_HEAD.size:
        return 0, {}
    magic, _, page_size, _, *salts, _, _ = _LOG_HEAD.unpack(head)
    if magic not in _LOG_MAGIC:
        return 0, {}
    count = 0
    committed: dict[int, int] = {}
    open_frames: dict[int, int] = {}
    while len(frame := next_head()) == _FRAME_HEAD.size:
        page, pages, first_salt, second_salt, _, _ = _FRAME_HEAD.unpack(frame)
        if [first_salt, second_salt] != salts:  # of an earlier round of the log
            break
        data = read(page_size)
        if len(data) < page_size:
            break
        open_frames[page] = zlib.crc32(data)
        if pages:  # the last frame of a transaction
            count = pages
            committed |= open_frames
            open_frames = {}
    return count, committed


def _values(descriptor: int, page_size: int, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Numbers and sums of the whole pages between two places of the file."""
    step = page_size * _PAGES_AT_ONCE
    lock = _LOCK_BYTE - _LOCK_BYTE % page_size
    begin -= begin % page_size
    for low, high in ((begin, min(end, lock)), (max(begin, lock + page_size), end)):
        for start in range(low, high, step):
            data = memoryview(read_at(descriptor, min(step, high - start), start))
            first = start // page_size + 1
            for at in range(0, len(data) - page_size + 1, page_size):
                yield first + at // page_size, zlib.crc32(data[at : at + page_size])


def _flipped_bit(difference: int, page_size: int) -> int | None:
    """Which bit of a page, counted from its first byte's lowest, makes this difference of sums; None: not one bit."""
    return _bits(page_size).get(difference)


@cache
def _bits(page_size: int) -> dict[int, int]:
    """The bits of a page by what each changes of its sum.

    A CRC is linear: what a bit changes of it depends on nothing but how many bytes follow.
    """
    bits: dict[int, int] = {}
    changes = [zlib.crc32(bytes([1 << bit])) ^ zlib.crc32(b"\0") for bit in range(8)]
    for byte in range(page_size - 1, -1, -1):
        bits.update((change, byte * 8 + bit) for bit, change in enumerate(changes))
        changes = [zlib.crc32(b"\0", change ^ 0xFFFFFFFF) ^ 0xFFFFFFFF for change in changes]
    return bits


def _size(descriptor: int) -> int:
    return os.fstat(descriptor).st_size


def _numbers(data: bytes) -> array[int]:
    made: array[int] = array("I")
    made.frombytes(data)
    return _big_endian(made)


def _as_bytes(numbers: array[int]) -> bytes:
    return _big_endian(array("I", numbers)).tobytes()


def _big_endian(numbers: array[int]) -> array[int]:
    import sys

    if sys.byteorder == "little":
        numbers.byteswap()
    return numbers
