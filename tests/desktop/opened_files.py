"""Which files of a folder any part of this process opens, Qt's own code too: told by the Linux kernel (inotify)."""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_OPENED = 0x20
_HEAD = struct.Struct("iIII")


class Opened:
    """`names` tells what was opened since it was asked last."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def names(self) -> list[str]:
        found = []
        try:
            data = os.read(self._descriptor, 1 << 16)
        except BlockingIOError:
            return []
        while data:
            _, _, _, length = _HEAD.unpack_from(data)
            found.append(data[_HEAD.size : _HEAD.size + length].rstrip(b"\0").decode())
            data = data[_HEAD.size + length :]
        return found


@contextmanager
def watched(folder: Path) -> Iterator[Opened]:
    if not sys.platform.startswith("linux"):
        pytest.skip("only Linux tells who opens a file")
    library = ctypes.CDLL(None, use_errno=True)
    descriptor = library.inotify_init1(os.O_NONBLOCK)
    assert descriptor >= 0
    try:
        assert library.inotify_add_watch(descriptor, os.fsencode(folder), _OPENED) >= 0
        yield Opened(descriptor)
    finally:
        os.close(descriptor)
