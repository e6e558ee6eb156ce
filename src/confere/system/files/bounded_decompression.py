"""Decompression within bounds: nothing is unpacked beyond a size or a ratio, checked while it runs."""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import Any, Final, Literal

SUSPICIOUS_RATIO: Final = 300
"""Unpacked bytes for each packed one that no honest file has: deflate's limit is 1032, fiscal XML stays below 30."""

SUSPICIOUS_SIZE: Final = 8_000_000
"""Unpacked bytes up to which any ratio is taken: so much does no harm."""

Coding = Literal["gzip", "deflate"]

_STEP: Final = 1_000_000  # bytes unpacked at a time
# Bytes taken at a time: each of the thousands of empty members that a hostile file has copies what is left of them.
_SLICE: Final = 4096
_GZIP: Final = 16 + zlib.MAX_WBITS


class TooLarge(Exception):
    """More comes out than allowed; `most` is the limit in bytes. Nothing beyond it was unpacked."""

    def __init__(self, most: int) -> None:
        super().__init__(f"more than {most} bytes")
        self.most = most


class Damaged(Exception):
    """The packed bytes are not what they claim to be, or end before they are whole."""


class Inflater:
    """Unpacks a stream piece by piece, `most` bytes in all; several gzip members in a row are one stream.

    What follows a whole stream and is no further member (padding, a stray line end) is left alone.
    """

    def __init__(self, coding: Coding, most: int) -> None:
        self._coding = coding
        self._most = most
        self._unpacker: Any = None  # None before a stream and between two members
        self._head = b""  # what came before it was plain of what kind it is
        self._taken = self._given = 0
        self._begun = self._over = False

    def feed(self, packed: bytes) -> bytes:
        """What `packed` adds to the stream. Raises `TooLarge` or `Damaged`, after which the stream is of no use."""
        pieces: list[bytes] = []
        try:
            for start in range(0, len(packed), _SLICE):
                self._feed(packed[start : start + _SLICE], pieces)
        except zlib.error as error:
            raise Damaged(str(error)) from None
        return b"".join(pieces)

    def end(self) -> None:
        """Say that nothing more comes. Raises `Damaged` where the stream is not whole."""
        if self._unpacker is not None or (self._head and not self._begun):
            raise Damaged("cut short")

    def _feed(self, packed: bytes, pieces: list[bytes]) -> None:
        self._taken += len(packed)
        if self._taken > 2 * self._most + _STEP:  # honest ones do not grow by packing: endless empty members
            raise TooLarge(self._most)
        while not self._over:
            if self._unpacker is None:
                packed, self._head = self._head + packed, b""
                if len(packed) < 2:
                    self._head = packed
                    return
                self._begin(packed)
                continue
            piece = self._unpacker.decompress(packed, min(_STEP, self._most - self._given + 1))
            self._count(len(piece))
            pieces.append(piece)
            packed = self._unpacker.unconsumed_tail
            if self._unpacker.eof:
                packed = self._unpacker.unused_data
                self._unpacker = None
            elif not packed and not piece:
                return

    def _begin(self, head: bytes) -> None:
        """Choose the unpacker by what comes; what follows a whole stream may be nothing that we unpack."""
        if self._begun and not (self._coding == "gzip" and head.startswith(b"\x1f\x8b")):
            self._over = True
            return
        self._begun = True
        self._unpacker = zlib.decompressobj(self._window(head))

    def _window(self, head: bytes) -> int:
        """The header to expect; some servers send the bare stream, without any, under the name of deflate."""
        if self._coding == "gzip":
            return _GZIP
        has_header = head[0] & 0x0F == zlib.DEFLATED and (head[0] * 256 + head[1]) % 31 == 0
        return zlib.MAX_WBITS if has_header else -zlib.MAX_WBITS

    def _count(self, size: int) -> None:
        self._given += size
        if self._given > self._most:
            raise TooLarge(self._most)
        honest = max(SUSPICIOUS_SIZE, SUSPICIOUS_RATIO * self._taken)
        if self._given > honest:
            raise TooLarge(honest)


def gunzip(data: bytes, most: int) -> bytes:
    """The content of the whole gzip file `data`. Raises `TooLarge` beyond `most` bytes or a bomb's ratio, `Damaged`."""
    inflater = Inflater("gzip", most)
    content = inflater.feed(data)
    inflater.end()
    return content


def from_base64(text: bytes, most: int) -> bytes:
    """What base64 `text`, white space allowed, stands for. Raises `TooLarge` beyond `most` bytes, `Damaged`."""
    if len(text) > 2 * most + 4:  # an honest line break every 76 letters is far less than half
        raise TooLarge(most)
    try:
        content = base64.b64decode(b"".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise Damaged(str(error)) from None
    if len(content) > most:
        raise TooLarge(most)
    return content
