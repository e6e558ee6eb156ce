"""Reads a written ZIP again, before it gets its name: every file as it is on the disk against the manifest's SHA-256.

What is compared is what an importer will get: the directory is parsed, each local header must agree with it, each
file is inflated, and its CRC, size and SHA-256 must be the ones told. In short stretches of bounded weight: who gives
them out only finds where each begins and ends, all the rest is done by who takes one.
"""

from __future__ import annotations

import hashlib
import json
import re
from binascii import a2b_hex
from collections.abc import Generator, Iterator
from pathlib import Path
from struct import Struct
from typing import BinaryIO, Final, NamedTuple

from isal import igzip_lib, isal_zlib

from confere.errors import EnvironmentFault, message

_MOST: Final = 256  # files of a stretch
_MOST_BYTES: Final = 2 * 1024 * 1024  # of a stretch, unless a single file is larger
_BLOCK: Final = 256 * 1024  # of the directory, read at once
_LOCAL: Final = Struct("<4sHHHHHIIIHH")
_CENTRAL: Final = Struct("<4s4xHH4xIIIHHH8xI")
_LENGTHS: Final = Struct("<28xHH10xI")  # of an entry of the directory, and where its file begins
_END: Final = Struct("<4s6xHII2x")
_END64: Final = Struct("<4s28xQQQ")
_LOCATOR64_BYTES: Final = 20
_LARGE: Final = 0xFFFFFFFF
_DEFLATED: Final = 8
_FILES: Final = b' "files": ['
_LINE: Final = re.compile(rb'  \{"path": ("[^"\\]*(?:\\.[^"\\]*)*"), "sha256": "([0-9a-f]{64})", "size": ([0-9]+),')


class Bytes(NamedTuple):
    """Some bytes of a file."""

    start: int
    after: int


class Stretch(NamedTuple):
    """Some files that stand one after the other: in the ZIP at `path`, in its directory and in the manifest."""

    path: Path
    manifest: Path
    files: Bytes
    entries: Bytes  # of the ZIP's directory
    lines: Bytes  # of the manifest


class Member(NamedTuple):
    """A file of the ZIP as its directory tells of it: where it is, and what its local header must say."""

    start: int
    method: int
    crc: int
    packed: int
    size: int
    name: bytes


def stretches(path: Path, manifest: Path) -> Generator[Stretch, None, None]:
    """What is to be compared of the ZIP at `path`.

    `EnvironmentFault` where its directory is not whole, or does not have as many files as the manifest.
    """
    with path.open("rb") as file, manifest.open("rb") as lines:
        count, directory = _end(file, path)
        line = _first_line(lines)
        start, entry, first_line = -1, directory, line
        held, place = 0, directory
        for length, file_start in _entries(file, directory, count, path):
            if held and (held == _MOST or file_start - start > _MOST_BYTES):
                yield Stretch(path, manifest, Bytes(start, file_start), Bytes(entry, place), Bytes(first_line, line))
                held, entry, first_line = 0, place, line
            if not held:
                start = file_start
            text = lines.readline()
            if not text.startswith(b"  {"):
                raise different(path, "")
            held, place, line = held + 1, place + length, line + len(text)
        if lines.readline().startswith(b"  {"):
            raise different(path, "")
        if held:
            yield Stretch(path, manifest, Bytes(start, directory), Bytes(entry, place), Bytes(first_line, line))


def first_different(stretch: Stretch) -> str | None:
    """The first file of the stretch that is not what the manifest says; None where all are.

    An empty text where the directory itself is not whole, or not of the manifest's files.
    """
    with stretch.path.open("rb") as file:
        entries = _read(file, stretch.entries)
        data = _read(file, stretch.files)
    with stretch.manifest.open("rb") as file:
        lines = _read(file, stretch.lines).splitlines()
    place = 0
    for line in lines:
        listed = _listed(line)
        if listed is None or place + _CENTRAL.size > len(entries):
            return ""
        member, place = _member(entries, place)
        name, digest, size = listed
        if (member.name, member.size) != (name, size) or not _agrees(member, digest, data, stretch.files.start):
            return name.decode(errors="replace")
    return None if place == len(entries) else ""


def different(path: Path, name: str) -> EnvironmentFault:
    """The error for a file called `name` that was not read back as it was written."""
    return EnvironmentFault(
        message("{name} was not read back from {path} as it was written.", name=name or path.name, path=str(path)),
        message("Nothing was handed over. Check the disk, or choose another folder."),
    )


def told(manifest: Path) -> Iterator[tuple[bytes, bytes, int]]:
    """`(path, SHA-256, size)` of each file, from the manifest as it is on the disk."""
    with manifest.open("rb") as lines:
        for line in lines:
            if line.startswith(b" ]"):
                return
            if listed := _listed(line):
                yield listed


def _listed(line: bytes) -> tuple[bytes, bytes, int] | None:
    """`(path, SHA-256, size)` of the file that a line of the manifest tells of; None where it tells of none."""
    match = _LINE.match(line)
    if match is None:
        return None
    path, digest, size = match.groups()
    name = json.loads(path).encode() if b"\\" in path else path[1:-1]
    return name, a2b_hex(digest), int(size)


def _agrees(member: Member, digest: bytes, data: bytes, first: int) -> bool:
    """Whether `data`, which begins at the byte `first` of the ZIP, has the file with that SHA-256."""
    place = member.start - first
    if place < 0 or place + _LOCAL.size > len(data):
        return False
    signature, _, _, method, _, _, crc, _, _, name_bytes, extra_bytes = _LOCAL.unpack_from(data, place)
    name_at = place + _LOCAL.size
    body_at = name_at + name_bytes + extra_bytes
    body = data[body_at : body_at + member.packed]
    if (signature, method, crc) != (b"PK\3\4", member.method, member.crc):
        return False
    if data[name_at : name_at + name_bytes] != member.name or len(body) != member.packed:
        return False
    if method == _DEFLATED:
        try:
            body = isal_zlib.decompress(body, -15)
        except igzip_lib.IsalError:  # type: ignore[misc]  # its stub tells of an instance
            return False
    if len(body) != member.size or isal_zlib.crc32(body) != member.crc:
        return False
    return hashlib.sha256(body).digest() == digest


def _read(file: BinaryIO, part: Bytes) -> bytes:
    file.seek(part.start)
    return file.read(part.after - part.start)


def _first_line(manifest: BinaryIO) -> int:
    """Where the manifest's first file stands, with `manifest` set to it."""
    for line in manifest:
        if line.startswith(_FILES):
            break
    return manifest.tell()


def _end(file: BinaryIO, path: Path) -> tuple[int, int]:
    """How many files the directory has, and where it begins."""
    length = file.seek(0, 2)
    if length < _END.size:
        raise different(path, "")
    file.seek(-_END.size, 2)
    signature, count, size, directory = _END.unpack(file.read(_END.size))
    if signature != b"PK\5\6":
        raise different(path, "")
    if count == 0xFFFF or _LARGE in (size, directory):
        back = _END.size + _LOCATOR64_BYTES + _END64.size
        file.seek(max(length - back, 0))
        signature, count, size, directory = _END64.unpack(file.read(_END64.size))
        if signature != b"PK\6\6":
            raise different(path, "")
    return count, directory


def _entries(file: BinaryIO, directory: int, count: int, path: Path) -> Iterator[tuple[int, int]]:
    """The length of each entry of the directory, and where its file begins."""
    file.seek(directory)
    block, place = file.read(_BLOCK), 0
    for _ in range(count):
        while True:
            left = len(block) - place
            length = _CENTRAL.size
            if left >= length:
                name_bytes, extra_bytes, start = _LENGTHS.unpack_from(block, place)
                length += name_bytes + extra_bytes
                if left >= length:
                    break
            more = file.read(_BLOCK)
            if not more:
                raise different(path, "")
            block, place = block[place:] + more, 0
        place += length
        if start == _LARGE and extra_bytes:  # the last of the larger numbers
            start = int.from_bytes(block[place - 8 : place], "little")
        yield length, start


def _member(entries: bytes, place: int) -> tuple[Member, int]:
    """The file whose entry stands at `place`, and where the next one does. One that is no entry has no name."""
    signature, _, method, crc, packed, size, name_bytes, extra_bytes, _, start = _CENTRAL.unpack_from(entries, place)
    name_at = place + _CENTRAL.size
    extra_at = name_at + name_bytes
    after = extra_at + extra_bytes
    name = entries[name_at:extra_at] if signature == b"PK\1\2" else b""
    if extra_bytes:
        large = [int.from_bytes(entries[at : at + 8], "little") for at in range(extra_at + 4, after, 8)]
        if large and _LARGE in (size, packed):
            size, packed = large.pop(0), large.pop(0)
        if large:
            start = large.pop(0)
    return Member(start, method, crc, packed, size, name), after
