"""Reads a written ZIP again, before it gets its name: every file as it is on the disk against the manifest's SHA-256.

What is compared is what an importer will get: the directory is parsed, each local header must agree with it, each
file is inflated, and its CRC, size and SHA-256 must be the ones told. In short stretches of bounded weight.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Generator, Iterator
from pathlib import Path
from struct import Struct
from typing import BinaryIO, Final, NamedTuple

from isal import igzip_lib, isal_zlib

from confere.errors import EnvironmentFault, message

_MOST: Final = 256  # files of a stretch
_MOST_BYTES: Final = 2 * 1024 * 1024  # of a stretch, unless a single file is larger
_LOCAL: Final = Struct("<4sHHHHHIIIHH")
_CENTRAL: Final = Struct("<4s4xHH4xIIIHHH8xI")
_END: Final = Struct("<4s6xHII2x")
_END64: Final = Struct("<4s28xQQQ")
_LOCATOR64_BYTES: Final = 20
_LARGE: Final = 0xFFFFFFFF
_DEFLATED: Final = 8
_LINE: Final = re.compile(r'  \{"path": ("(?:[^"\\]|\\.)*"), "sha256": "([0-9a-f]{64})", "size": ([0-9]+),')


class Member(NamedTuple):
    """A file of the ZIP: where it is, what the directory tells of it, and the SHA-256 that the manifest does."""

    start: int
    method: int
    crc: int
    packed: int
    size: int
    name: bytes
    digest: bytes


class Stretch(NamedTuple):
    """Some files that stand one after the other in the ZIP at `path`, up to the byte `after`."""

    path: Path
    after: int
    members: tuple[Member, ...]


def stretches(path: Path, manifest: Path) -> Generator[Stretch, None, None]:
    """What is to be compared of the ZIP at `path`.

    `EnvironmentFault` where its directory is not whole, or does not have the manifest's files.
    """
    listed = told(manifest)
    waiting: list[Member] = []
    with path.open("rb") as file:
        count, directory = _end(file, path)
        file.seek(directory)
        for _ in range(count):
            member = _member(file, next(listed, None), path)
            if waiting and (len(waiting) == _MOST or member.start - waiting[0].start > _MOST_BYTES):
                yield Stretch(path, member.start, tuple(waiting))
                waiting.clear()
            waiting.append(member)
    if next(listed, None) is not None:
        raise different(path, "")
    if waiting:
        yield Stretch(path, directory, tuple(waiting))


def first_different(stretch: Stretch) -> str | None:
    """The first file of the stretch that is not what the manifest says; None where all are."""
    start = stretch.members[0].start
    with stretch.path.open("rb") as file:
        file.seek(start)
        data = file.read(stretch.after - start)
    for member in stretch.members:
        if not _agrees(member, data, member.start - start):
            return member.name.decode(errors="replace")
    return None


def different(path: Path, name: str) -> EnvironmentFault:
    """The error for a file called `name` that was not read back as it was written."""
    return EnvironmentFault(
        message("{name} was not read back from {path} as it was written.", name=name or path.name, path=str(path)),
        message("Nothing was handed over. Check the disk, or choose another folder."),
    )


def _agrees(member: Member, data: bytes, place: int) -> bool:
    if place + _LOCAL.size > len(data):
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
    return hashlib.sha256(body).digest() == member.digest


def told(manifest: Path) -> Iterator[tuple[bytes, bytes, int]]:
    """`(path, SHA-256, size)` of each file, from the manifest as it is on the disk."""
    with manifest.open(encoding="ascii") as lines:
        for line in lines:
            if line.startswith(" ]"):
                return
            if match := _LINE.match(line):
                yield json.loads(match[1]).encode(), bytes.fromhex(match[2]), int(match[3])


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


def _member(file: BinaryIO, line: tuple[bytes, bytes, int] | None, path: Path) -> Member:
    head = file.read(46)
    if len(head) < 46 or line is None:
        raise different(path, "")
    signature, _, method, crc, packed, size, name_bytes, extra_bytes, _, start = _CENTRAL.unpack(head)
    name, extra = file.read(name_bytes), file.read(extra_bytes)
    large = [int.from_bytes(extra[at : at + 8], "little") for at in range(4, len(extra), 8)]
    if large and _LARGE in (size, packed):
        size, packed = large.pop(0), large.pop(0)
    if large:
        start = large.pop(0)
    if signature != b"PK\1\2" or (name, size) != (line[0], line[2]):
        raise different(path, line[0].decode(errors="replace"))
    return Member(start, method, crc, packed, size, name, line[1])
