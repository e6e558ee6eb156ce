"""Names that every system accepts: one safe path segment out of any text, a place inside a folder, each path once.

Whatever text of documents, hubs and settings becomes a file's name goes through `segment`, and the place of every
file that is named so through `inside`.
"""

from __future__ import annotations

import os
import re
import unicodedata
from array import array
from pathlib import Path
from typing import Final

from confere.errors import EnvironmentFault, message

LONGEST: Final = 150
"""Bytes of a segment in UTF-8, so also characters: within 255 bytes on Linux and 255 UTF-16 units on Windows, and
with room for the folders above it in the 260 of an old Windows path."""

_PLAIN: Final = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*", re.ASCII)
_FORBIDDEN: Final = frozenset('<>:"/\\|?*')
_RESERVED: Final = frozenset(
    {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"}
    | {f"{name}{digit}" for name in ("COM", "LPT") for digit in "0123456789¹²³"}
)
_STAND_IN: Final = "_"
_LONGEST_ENDING: Final = 16


def segment(text: str) -> str:
    """`text` as one segment of a path: never empty, `.` or `..`, no separator, nothing that Windows refuses.

    What cannot stand becomes `_`: characters that Windows forbids, controls, invisible and direction marks, spaces
    and dots at the ends, and the names of devices (`CON`, `NUL.xml`). A text that is too long is cut before its
    ending. Two texts may give the same segment: see `Taken`.
    """
    if len(text) <= LONGEST and _PLAIN.fullmatch(text) and text.partition(".")[0].upper() not in _RESERVED:
        return text
    text = "".join(
        [_STAND_IN if _is_unfit(character) else character for character in unicodedata.normalize("NFC", text)]
    )
    text = _shortened(text)
    if not text or text.partition(".")[0].rstrip(" ").upper() in _RESERVED:
        text = _shortened(_STAND_IN + text)
    if text.startswith((".", " ")):
        text = _STAND_IN + text[1:]
    return text[:-1] + _STAND_IN if text.endswith((".", " ")) else text


def inside(folder: Path, *names: str) -> Path:
    """The place below `folder` that these names lead to, each made a segment; not checked whether something is there.

    Raises `EnvironmentFault` where a link in the folder leads out of it: what is written there would lie elsewhere.
    """
    path = folder.joinpath(*map(segment, names))
    root = os.path.realpath(folder)
    place = os.path.realpath(path.parent)
    if os.path.commonpath([root, place]) != root:
        raise EnvironmentFault(
            message("{path} leads out of the folder {folder}.", path=str(path), folder=str(folder)),
            message("A link stands in the way: remove it, or choose another folder."),
        )
    return path


def marked(name: str, mark: str, longest: int = LONGEST) -> str:
    """`name` with `-mark` before its ending, still within `longest` bytes, by themselves those of a segment."""
    stem, tail = _halves(name)
    tail = f"-{mark}{tail}"
    return _cut(stem, longest - len(tail.encode())) + tail


def _shortened(text: str) -> str:
    stem, tail = _halves(text)
    return _cut(stem, LONGEST - len(tail.encode())) + tail


def _is_unfit(character: str) -> bool:
    return character in _FORBIDDEN or (character != " " and unicodedata.category(character)[0] in "CZ")


def _halves(name: str) -> tuple[str, str]:
    """The name and its ending with the dot; an ending as long as a name is none."""
    stem, dot, ending = name.rpartition(".")
    if not stem or len(ending.encode()) > _LONGEST_ENDING:
        return name, ""
    return stem, dot + ending


def _cut(text: str, longest: int) -> str:
    return text.encode()[: max(longest, 0)].decode(errors="ignore")


class Taken:
    """The paths of one package, each once, whatever the case: some 16 bytes for each, not the text.

    Open addressing over 64-bit hashes. Two paths with the same hash would be taken for one, which costs a needless
    mark and nothing else.
    """

    def __init__(self) -> None:
        self._slots = array("q", bytes(8 * 1024))
        self._count = 0

    def take(self, path: str) -> bool:
        """Take `path`; False where it is taken already."""
        if not self._insert(hash(path.casefold()) or 1):
            return False
        self._count += 1
        if 2 * self._count > len(self._slots):
            self._grow()
        return True

    def _insert(self, digest: int) -> bool:
        slots = self._slots
        mask = len(slots) - 1
        place = digest & mask
        while held := slots[place]:
            if held == digest:
                return False
            place = (place + 1) & mask
        slots[place] = digest
        return True

    def _grow(self) -> None:
        before = self._slots
        self._slots = array("q", bytes(8 * 2 * len(before)))
        for digest in before:
            if digest:
                self._insert(digest)
