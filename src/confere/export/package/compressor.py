"""Compresses ahead: a thread unpacks and deflates the next files while the caller chooses and writes, in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final, TypeVar

from confere.archive.vault.reader import Packed, VaultReader
from confere.export.package.zip import Deflated, deflate

GROUP: Final = 64  # files that the thread takes at once: fewer would cost more in handing over than in work
_AHEAD: Final = 4  # groups on their way
_THREADS: Final = 1  # one keeps up; with two the interpreter's lock costs more than the second core gives

T = TypeVar("T")


def pressed(
    groups: Iterable[tuple[T, Sequence[Packed]]], reader: VaultReader
) -> Generator[tuple[T, list[Deflated]], None, None]:
    """Each group with its contents deflated, in the order given; an error of the thread is raised here."""
    pool = ThreadPoolExecutor(_THREADS, "press")
    ahead: deque[tuple[T, Future[list[Deflated]]]] = deque()
    try:
        for group, stored in groups:
            ahead.append((group, pool.submit(_press, reader, stored)))
            if len(ahead) > _AHEAD:
                done, future = ahead.popleft()
                yield done, future.result()
        while ahead:
            done, future = ahead.popleft()
            yield done, future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _press(reader: VaultReader, stored: Sequence[Packed]) -> list[Deflated]:
    return [deflate(reader.unpack(packed)) for packed in stored]
