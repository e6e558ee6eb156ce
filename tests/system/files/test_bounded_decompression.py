"""Nothing is unpacked beyond its bounds, and nothing honest is lost to them."""

from __future__ import annotations

import base64
import gzip
import random
import tracemalloc
import zlib

import pytest

from confere.system.files.bounded_decompression import (
    SUSPICIOUS_SIZE,
    Coding,
    Damaged,
    Inflater,
    TooLarge,
    from_base64,
    gunzip,
)

TEXT = b"".join(b"<det nItem='%d'>%x</det>" % (number, number * 7919) for number in range(20_000))


def bare(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


PACKED: list[tuple[Coding, bytes]] = [
    ("gzip", gzip.compress(TEXT)),
    ("gzip", gzip.compress(TEXT[:1000]) + gzip.compress(TEXT[1000:])),
    ("gzip", gzip.compress(TEXT) + b"\0\0\r\n"),
    ("deflate", zlib.compress(TEXT)),
    ("deflate", bare(TEXT)),
]


@pytest.mark.parametrize(("coding", "packed"), PACKED)
@pytest.mark.parametrize("step", [1, 7, 4096, 10**9])
def test_what_was_packed_comes_back_whatever_the_pieces(coding: Coding, packed: bytes, step: int) -> None:
    inflater = Inflater(coding, len(TEXT))
    pieces = [inflater.feed(packed[start : start + step]) for start in range(0, len(packed), step)]
    inflater.end()
    assert b"".join(pieces) == TEXT


@pytest.mark.parametrize(("coding", "packed"), PACKED)
def test_one_byte_too_much_is_too_much(coding: Coding, packed: bytes) -> None:
    with pytest.raises(TooLarge) as refused:
        Inflater(coding, len(TEXT) - 1).feed(packed)
    assert refused.value.most == len(TEXT) - 1


@pytest.mark.parametrize("cut", [1, 5, 11, 1000])
@pytest.mark.parametrize(("coding", "packed"), [PACKED[0], *PACKED[3:]])
def test_a_stream_that_ends_early_is_damaged(coding: Coding, packed: bytes, cut: int) -> None:
    inflater = Inflater(coding, len(TEXT))
    inflater.feed(packed[:-cut])
    with pytest.raises(Damaged):
        inflater.end()


@pytest.mark.parametrize("rubbish", [b"no gzip at all", b"\x1f\x8bxx", gzip.compress(TEXT)[:50] + b"\xff" * 99])
def test_rubbish_is_damaged(rubbish: bytes) -> None:
    with pytest.raises(Damaged):
        gunzip(rubbish, 1_000_000)


def test_nothing_is_an_empty_stream() -> None:
    inflater = Inflater("gzip", 10)
    assert inflater.feed(b"") == b""
    inflater.end()


def test_a_bomb_is_refused_by_its_ratio_in_little_memory() -> None:
    bomb = gzip.compress(bytes(40_000_000))
    tracemalloc.start()
    try:
        with pytest.raises(TooLarge):
            gunzip(bomb, 10**9)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * SUSPICIOUS_SIZE


def test_members_of_nothing_cost_nothing() -> None:
    assert gunzip(gzip.compress(b"") * 5_000, 10) == b""
    with pytest.raises(TooLarge):
        gunzip(gzip.compress(b"") * 100_000, 10)


def test_base64_within_bounds() -> None:
    data = random.Random(7).randbytes(5_000)
    assert from_base64(base64.encodebytes(data), 5_000) == data
    with pytest.raises(TooLarge):
        from_base64(base64.b64encode(data), 4_999)
    with pytest.raises(TooLarge):
        from_base64(b"A" * 30_000, 5_000)
    with pytest.raises(Damaged):
        from_base64(b"<xml/>", 5_000)
