"""Taking the XML out of what a hub wraps around it: gzip, ZIP, base64, JSON, a few layers deep and bounded in size."""

from __future__ import annotations

import io
import json
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from confere.system.files import bounded_decompression

MOST_LAYERS = 3
MOST_BYTES = 16_000_000  # of everything that is unpacked from one download
MOST_INSIDE = 50  # things that one layer may hold: members of a ZIP, texts of a JSON
_SHORTEST = 24  # characters of base64 or JSON text that could hold anything

_XML = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*<[?!A-Za-z_]|\xff\xfe<\x00|\xfe\xff\x00<|<\x00[?A-Za-z]\x00|\x00<\x00[?A-Za-z]"
)
_BASE64 = re.compile(rb"[A-Za-z0-9+/_\-\s]+={0,2}\s*")
_DATA_ADDRESS = re.compile(rb"data:[\w.+/;=-]{0,100},", re.IGNORECASE)
_SPACE = b" \t\r\n"
_GZIP, _ZIP = b"\x1f\x8b", b"PK\x03\x04"


@dataclass(frozen=True, slots=True)
class Inside:
    """Bytes that begin as XML does, and the layers that were around them, outermost first."""

    data: bytes
    layers: tuple[str, ...]


def inside(data: bytes) -> Iterator[Inside]:
    """The XML files within `data` in the order in which they stand; itself, without a layer, where it is XML.

    Nothing where none is within reach, or where unpacking breaks a bound: then the bytes are what they are.
    """
    yield from _Unwrapping().within(data, ())


class _Unwrapping:
    def __init__(self) -> None:
        self._left = MOST_BYTES

    def within(self, data: bytes, layers: tuple[str, ...]) -> Iterator[Inside]:
        if _XML.match(data):
            yield Inside(data, layers)
            return
        if len(layers) == MOST_LAYERS:
            return
        try:
            for layer, content in self._unwrapped(data):
                self._left -= len(content)
                yield from self.within(content, (*layers, layer))
        except (bounded_decompression.TooLarge, bounded_decompression.Damaged):
            return

    def _unwrapped(self, data: bytes) -> Iterator[tuple[str, bytes]]:
        """What one layer holds, if `data` is one, with the layer's name."""
        bare = data.removeprefix(b"\xef\xbb\xbf").strip(_SPACE)
        if data.startswith(_GZIP):
            yield "gzip", bounded_decompression.gunzip(data, self._left)
        elif data.startswith(_ZIP):
            yield from (("zip", content) for content in self._members(data))
        elif bare[:1] in (b"{", b"[", b'"'):
            yield from (("json", content) for content in _texts(bare))
        else:
            bare = bare[found.end() :] if (found := _DATA_ADDRESS.match(bare)) else bare
            if len(bare) >= _SHORTEST and _BASE64.fullmatch(bare):
                standard = b"".join(bare.split()).translate(bytes.maketrans(b"-_", b"+/")).rstrip(b"=")
                yield "base64", bounded_decompression.from_base64(standard + b"=" * (-len(standard) % 4), self._left)

    def _members(self, data: bytes) -> Iterator[bytes]:
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                for member in archive.infolist()[:MOST_INSIDE]:
                    if member.is_dir() or member.flag_bits & 1:
                        continue
                    with archive.open(member) as file:
                        content = file.read(self._left + 1)  # a member may be longer than it says
                    if len(content) > self._left:
                        raise bounded_decompression.TooLarge(self._left)
                    yield content
        except (
            zipfile.BadZipFile,
            zlib.error,
            OSError,
            EOFError,
            NotImplementedError,
            RuntimeError,
            ValueError,
        ) as error:
            raise bounded_decompression.Damaged(str(error)) from None


def _texts(data: bytes) -> Iterator[bytes]:
    """The texts of a JSON value that are long enough to hold a file, in the order in which they stand."""
    try:
        waiting: list[object] = [json.loads(data)]
    except (ValueError, RecursionError):
        return
    given = 0
    while waiting and given < MOST_INSIDE:
        value = waiting.pop()
        if isinstance(value, str) and len(value) >= _SHORTEST:
            given += 1
            yield value.encode("utf-8", "replace")
        elif isinstance(value, dict):
            waiting += reversed(list(value.values()))
        elif isinstance(value, list):
            waiting += reversed(value)
