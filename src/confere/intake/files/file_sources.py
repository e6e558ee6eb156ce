"""Where imported files come from: single files, folders, ZIP archives and ZIPs inside ZIPs, all mistrusted.

Nothing is ever unpacked to disk, so a member's name can do no harm; a name that tries to is refused all the
same, since whoever made that file meant something else than to hand over invoices. What is refused is kept as
received wherever it fits, and told.
"""

from __future__ import annotations

import io
import lzma
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import BinaryIO

from confere.archive.message_encoding import storable
from confere.errors import EnvironmentFault, Message, message
from confere.intake.isolated_reading import Received
from confere.system.files import system_words
from confere.system.files.bounded_decompression import SUSPICIOUS_RATIO, SUSPICIOUS_SIZE
from confere.system.files.regular_files import open_regular, special_kind

LARGEST_FILE = 64 * 1024 * 1024  # that is kept; what is read as XML has a bound of its own
LARGEST_ZIP_CONTENT = 64 * 1024**3  # of one outer ZIP, unpacked
MOST_OF_ALL_RATIO = 100  # of one outer ZIP, all its members together, beyond the first gigabyte
DEEPEST_NESTING = 4
LARGEST_DIRECTORY = 24 * 1024 * 1024  # of a ZIP's list of members: some 250,000 with honest names
# What zipfile and its decompressors raise for bytes that are damaged, hostile or of a kind they do not know.
_DAMAGE = (
    zipfile.BadZipFile,
    zipfile.LargeZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    RuntimeError,  # encrypted; NotImplementedError is one of these
    ValueError,  # names that are not what their flag says
    OverflowError,
    MemoryError,
    EOFError,
    OSError,
)
_PIECE = 1024 * 1024
_TAKEN = ("", ".xml", ".zip")
_CERTIFICATES = (".pem", ".crt", ".cer", ".der", ".p7b", ".p7c")
_LARGEST_CERTIFICATES = 5_000_000
_HEAD_BYTES = 30  # of a member of a ZIP, before its name
_ZIP_MAGIC = b"PK"
_XML_MAGIC = (b"<?xml", b"\xef\xbb\xbf<")


@dataclass(frozen=True, slots=True)
class Ignored:
    """A file that claims to be neither XML nor ZIP."""

    source: str


@dataclass(frozen=True, slots=True)
class Unkept:
    """A file that could not even be kept: its reason is all there is."""

    source: str
    reason: Message


@dataclass(frozen=True, slots=True)
class Certificates:
    """A file that is called like one of certificates: whoever knows authorities may learn from it."""

    source: str
    data: bytes


Found = Received | Ignored | Unkept | Certificates


def find(paths: Sequence[Path]) -> Iterator[Found]:
    """Everything under `paths`, in a stable order; `EnvironmentFault` for a path that is not there."""
    for path in paths:
        source = storable(str(path))
        try:
            is_folder, exists = path.is_dir(), path.exists()
            problem = special_kind(path) if exists else None
        except OSError as error:  # it lies in a folder that is closed to us
            yield _closed(source, error)
            continue
        if is_folder:
            yield from _folder(path)
        elif problem is not None:
            yield Unkept(source, problem)
        elif exists:
            yield from _named(path)
        elif path.is_symlink():
            yield Unkept(source, _leads_nowhere(source))
        else:
            raise EnvironmentFault(
                message("There is no file or folder {path}.", path=source),
                message("Check the name; nothing after it was imported, what came before is kept."),
            )


def _named(path: Path) -> Iterator[Found]:
    """A file that a person named: to leave it out in silence, as one of a folder, would be no answer."""
    whole = storable(str(path))
    for found in _file(path):
        if isinstance(found, Ignored) and found.source == whole:
            yield Unkept(whole, message("{source} is neither XML nor ZIP.", source=whole))
        else:
            yield found


def _folder(folder: Path) -> Iterator[Found]:
    """Everything under a folder: its files by their names, then its folders. However deep: nothing here recurses."""
    walked: set[tuple[int, int]] = set()
    inside = os.path.realpath(folder)
    waiting = [folder]
    while waiting:
        current = waiting.pop()
        try:
            status = current.stat()
            if (status.st_dev, status.st_ino) in walked:  # by way of a junction: to Python an ordinary folder
                continue
            walked.add((status.st_dev, status.st_ino))
            with os.scandir(current) as entries:
                found = sorted((entry.name, _is_folder(entry), entry.is_symlink()) for entry in entries)
        except OSError as error:
            yield _closed(storable(os.fsdecode(error.filename or current)), error)
            continue
        for name, is_folder, is_link in found:
            path = current / name
            if not is_folder:
                leads_out = is_link and not _is_inside(path, inside)
                yield from _link_out(path) if leads_out else _file(path)
        for name, is_folder, is_link in reversed(found):
            path = current / name
            if is_folder and not is_link:
                waiting.append(path)
            elif is_folder:
                source = storable(str(path))
                yield Unkept(
                    source, message("{source} is a link to a folder; such links are not followed.", source=source)
                )


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link in a circle, for one; whoever opens it says why not
        return False


def _is_inside(path: Path, folder: str) -> bool:
    """Whether a link leads to something in the folder, or to nothing."""
    place = os.path.realpath(path)
    return not os.path.lexists(place) or Path(place).is_relative_to(folder)


def _link_out(path: Path) -> Iterator[Found]:
    source = storable(str(path))
    if path.suffix.lower() not in _TAKEN:
        yield Ignored(source)
        return
    reason = message("{source} is a link that leads out of the folder; such links are not followed.", source=source)
    with suppress(OSError):
        reason = special_kind(path) or reason
    yield Unkept(source, reason)


def _closed(source: str, error: OSError) -> Unkept:
    why = system_words.why(error)
    return Unkept(source, message("{source} cannot be read from the disk: {why}.", source=source, why=why))


def _leads_nowhere(source: str) -> Message:
    return message("{source} is a link that leads nowhere.", source=source)


def _file(path: Path) -> Iterator[Found]:
    source = storable(str(path))
    suffix = path.suffix.lower()
    try:
        if suffix in _CERTIFICATES and special_kind(path) is None:
            with open_regular(path) as file:
                data = file.read(_LARGEST_CERTIFICATES + 1)
            yield Certificates(source, data) if len(data) <= _LARGEST_CERTIFICATES else Ignored(source)
            return
        if suffix not in _TAKEN:
            yield Ignored(source)
            return
        problem = special_kind(path)
        if problem is not None:
            yield Unkept(source, problem) if suffix else Ignored(source)
            return
        with open_regular(path) as file:
            if suffix == "":
                beginning = file.read(8)
                file.seek(0)
                suffix = ".zip" if beginning.startswith(_ZIP_MAGIC) else ""
                suffix = ".xml" if beginning.startswith(_XML_MAGIC) else suffix
            if suffix == ".zip":
                size = os.fstat(file.fileno()).st_size
                yield from _zip(file, source, 1, _Allowance(_most_unpacked(size), LARGEST_FILE))
            elif suffix == ".xml":
                data = file.read(LARGEST_FILE + 1)
                if len(data) > LARGEST_FILE:
                    yield Unkept(source, _too_large(source))
                else:
                    yield Received(data, source)
            else:
                yield Ignored(source)
    except EnvironmentFault as error:  # it became another kind of file meanwhile
        yield Unkept(source, error.what)
    except OSError as error:
        yield Unkept(source, _leads_nowhere(source)) if _is_dangling(path) else _closed(source, error)


def _is_dangling(path: Path) -> bool:
    return path.is_symlink() and not path.exists()


def _most_unpacked(size: int) -> int:
    """Bytes that all members of a ZIP of `size` bytes may have: overlapping ones make a small file endless."""
    return min(LARGEST_ZIP_CONTENT, max(1024**3, MOST_OF_ALL_RATIO * size))


@dataclass(slots=True)
class _Allowance:
    """How much one outer ZIP may still unpack to, all levels together, and how much of it may be held at once."""

    left: int
    room: int


def _zip(file: BinaryIO, source: str, depth: int, allowance: _Allowance) -> Iterator[Found]:
    try:
        archive = zipfile.ZipFile(_ShortDirectory(file))
    except _LongDirectory:
        yield Unkept(source, message("{source} has more members than Confere takes from one ZIP.", source=source))
        return
    except NotImplementedError as error:  # a newer kind of ZIP, not a broken one
        yield from _whole(file, source, _not_unpacked(source, error))
        return
    except _DAMAGE:
        reason = message("{source} is not a whole ZIP; it may have been cut off on its way.", source=source)
        yield from _whole(file, source, reason)
        return
    with archive:
        if _overlap(archive.infolist()):
            reason = message("{source} was refused as a ZIP bomb: its members lie over each other.", source=source)
            yield from _whole(file, source, reason)
            return
        for entry in archive.infolist():
            if not entry.is_dir():
                yield from _member(archive, entry, storable(f"{source}!/{entry.filename}"), depth, allowance)


def _member(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, source: str, depth: int, allowance: _Allowance
) -> Iterator[Found]:
    suffix = PurePosixPath(entry.filename.replace("\\", "/")).suffix.lower()
    certificates = suffix in _CERTIFICATES and entry.file_size <= _LARGEST_CERTIFICATES
    if suffix not in (".xml", ".zip") and not certificates:
        yield Ignored(source)
        return
    bomb = entry.file_size > SUSPICIOUS_SIZE and entry.file_size > SUSPICIOUS_RATIO * max(1, entry.compress_size)
    if bomb or entry.file_size > min(allowance.room, allowance.left):
        yield Unkept(
            source,
            message(
                "{source} would unpack to {size} bytes and was refused as a ZIP bomb.",
                source=source,
                size=entry.file_size,
            ),
        )
        return
    try:
        with archive.open(entry) as member:  # reads no more than the header promised
            data = b"".join(iter(lambda: member.read(_PIECE), b""))
    except _DAMAGE as error:
        yield Unkept(source, _not_unpacked(source, error))
        return
    allowance.left -= len(data)
    if _tricks(entry.filename):
        reason = message("{source} was refused: its name tries to leave the ZIP's folder.", source=source)
        yield Received(data, source, refused=reason)
    elif certificates:
        yield Certificates(source, data)
    elif suffix == ".xml":
        yield Received(data, source)
    elif depth >= DEEPEST_NESTING:
        yield Received(data, source, refused=message("{source} lies too deep in other ZIPs.", source=source))
    else:
        allowance.room -= len(data)
        yield from _zip(io.BytesIO(data), source, depth + 1, allowance)
        allowance.room += len(data)


def _overlap(members: Sequence[zipfile.ZipInfo]) -> bool:
    """Whether two members share bytes, as in no honest ZIP: a small file would unpack to a large one many times."""
    end = 0
    for start, size in sorted((member.header_offset, member.compress_size) for member in members):
        if start < end:
            return True
        end = start + _HEAD_BYTES + size
    return False


class _LongDirectory(Exception):
    """A ZIP's list of members that would fill the memory."""


class _ShortDirectory:
    """A file as `zipfile` reads it: the list of its members comes in one read, which is refused when it is too long."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell = file.seek, file.tell

    def read(self, size: int = -1) -> bytes:
        if size > LARGEST_DIRECTORY:  # members are read in smaller pieces
            raise _LongDirectory
        return self._file.read(size)

    def seekable(self) -> bool:
        return True


def _whole(file: BinaryIO, source: str, reason: Message) -> Iterator[Found]:
    """A broken ZIP is kept as it is, where it is not too large."""
    file.seek(0)
    data = file.read(LARGEST_FILE + 1)
    yield Unkept(source, _too_large(source)) if len(data) > LARGEST_FILE else Received(data, source, refused=reason)


def _tricks(name: str) -> bool:
    """Whether a member's name points outside: absolute, with a drive, with `..`, on any system."""
    windows = PureWindowsPath(name)
    return bool(windows.drive or windows.root) or ".." in windows.parts or "\0" in name


def _not_unpacked(source: str, error: BaseException) -> Message:
    return message("{source} cannot be unpacked: {why}.", source=source, why=_why(error))


def _why(error: BaseException) -> Message:
    """The unpacking libraries' own words are English."""
    match error:
        case NotImplementedError():
            return message("it is packed in a way that Confere does not know")
        case RuntimeError():
            return message("it is protected by a password")
        case MemoryError() | EOFError():
            return system_words.why(error)
        case OSError(errno=int()):
            return system_words.why(error)
    return message("its packed content is damaged")


def _too_large(source: str) -> Message:
    return message("{source} is larger than any fiscal document and was not read.", source=source)
