"""Unpacks and deflates the contents of a package ahead of its writer, in order: in a thread, or in worker processes.

What a file becomes does not depend on who does it, so neither does a byte of the package.
"""

from __future__ import annotations

import multiprocessing
from array import array
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from confere.archive.store import Archive
from confere.archive.vault.reader import Packed, VaultReader
from confere.export.package.output.read_back import Stretch, different, first_different, stretches
from confere.export.package.zip import Deflated, deflate, stored
from confere.system.processes import worker_pool

GROUP: Final = 64  # files that are taken at once: fewer would cost more in handing over than in work
ALONE: Final = 6000  # files that one process has written before workers have started
_AHEAD: Final = 4  # groups on their way
_THREADS: Final = 1  # one keeps up; with two the interpreter's lock costs more than the second core gives
_MOST_WORKERS: Final = 4  # who chooses, names and writes cannot feed more

T = TypeVar("T")


class Press(NamedTuple):
    """How contents are made ready: `deflated` for a ZIP or as they are, and by how many `workers`."""

    deflated: bool = True
    workers: int = 0


class _Answer(NamedTuple):
    """A group as it comes from a worker: one run of bytes, which a pipe takes faster than many."""

    data: bytes
    figures: array[int]  # method, CRC, size and packed size of each


def workers_for(files: int) -> int:
    """How many processes are worth their start for so many files; 0: this one does it alone."""
    # A worker of ours (a job of the window, say) may have no children of its own.
    if files <= ALONE or worker_pool.cores() < 2 or multiprocessing.current_process().daemon:
        return 0
    return min(worker_pool.cores(), _MOST_WORKERS)


Work = Sequence[int] | Stretch
"""What a worker is asked for: contents by their numbers, or a stretch of a written ZIP to compare."""
Done = _Answer | str | None
InOrder = worker_pool.InOrder[Work, Done]


@contextmanager
def crew(archive: Archive, press: Press) -> Iterator[InOrder]:
    """The workers of a package, if it has any: the same ones make files ready and compare what was written."""
    with worker_pool.in_order(prepare, (archive.path, press.deflated), press.workers) as run:
        yield run


def prepare(path: Path, deflated: bool) -> Callable[[Work], Done]:
    """What a worker does: reads contents of the archive at `path` and makes them ready, compares stretches."""
    archive = Archive.to_read(path, check_pages=False)  # who gives the tasks has checked them
    reader = VaultReader()

    def do(work: Work) -> Done:
        if isinstance(work, Stretch):
            return first_different(work)
        return _answer(_ready(archive, reader, work, deflated))

    return do


def pressed(
    archive: Archive, groups: Iterable[tuple[T, Sequence[int]]], press: Press, run: InOrder
) -> Generator[tuple[T, list[Deflated]], None, None]:
    """Each group with its contents made ready, in the order given; what fails in a thread or worker is raised here.

    Bytes are not checked against their SHA-256 where they are `deflated`: the read-back does that of the whole ZIP.
    """
    if press.workers:
        yield from _by_workers(archive, groups, press, run)
    else:
        yield from _by_thread(archive, groups, press)


def compared(path: Path, manifest: Path, run: InOrder, go_on: Callable[[], None]) -> None:
    """Read the ZIP at `path` back and compare it with the manifest there.

    Raises `EnvironmentFault` where they differ, and what `go_on`, called for each stretch, raises.
    """
    with closing(stretches(path, manifest)) as parts:
        for name in run(parts, _compare_here):
            go_on()
            if name is not None:
                raise different(path, str(name))


def _compare_here(work: Work) -> Done:
    assert isinstance(work, Stretch)
    return first_different(work)


def _by_workers(
    archive: Archive, groups: Iterable[tuple[T, Sequence[int]]], press: Press, run: InOrder
) -> Generator[tuple[T, list[Deflated]], None, None]:
    ahead: deque[T] = deque()

    def tasks() -> Iterator[Sequence[int]]:
        for group, content_ids in groups:
            ahead.append(group)
            yield tuple(content_ids)

    def again(work: Work) -> Done:
        assert not isinstance(work, Stretch)
        return _answer(_ready(archive, VaultReader(), work, press.deflated))

    for answer in run(tasks(), again):
        assert isinstance(answer, _Answer)
        yield ahead.popleft(), _files(answer)


def _ready(archive: Archive, reader: VaultReader, content_ids: Sequence[int], deflated: bool) -> list[Deflated]:
    if not content_ids:
        return []
    with archive.reading() as transaction:
        packed = reader.fetch(transaction, content_ids)
    return _pressed(reader, packed, deflated)


def _by_thread(
    archive: Archive, groups: Iterable[tuple[T, Sequence[int]]], press: Press
) -> Generator[tuple[T, list[Deflated]], None, None]:
    reader = VaultReader()
    pool = ThreadPoolExecutor(_THREADS, "press")
    ahead: deque[tuple[T, Future[list[Deflated]]]] = deque()
    try:
        for group, content_ids in groups:
            with archive.reading() as transaction:
                packed = reader.fetch(transaction, content_ids) if content_ids else []
            ahead.append((group, pool.submit(_pressed, reader, packed, press.deflated)))
            if len(ahead) > _AHEAD:
                done, future = ahead.popleft()
                yield done, future.result()
        while ahead:
            done, future = ahead.popleft()
            yield done, future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _pressed(reader: VaultReader, packed: Sequence[Packed], deflated: bool) -> list[Deflated]:
    if deflated:
        return [deflate(reader.unpack(content, check=False)) for content in packed]
    return [stored(reader.unpack(content)) for content in packed]


def _answer(files: Sequence[Deflated]) -> _Answer:
    figures = array("Q")
    for file in files:
        figures.extend((file.method, file.crc, file.size, len(file.data)))
    return _Answer(b"".join([file.data for file in files]), figures)


def _files(answer: _Answer) -> list[Deflated]:
    data, figures, start = answer.data, answer.figures, 0
    files: list[Deflated] = []
    for place in range(0, len(figures), 4):
        method, crc, size, packed = figures[place : place + 4]
        files.append(Deflated(data[start : start + packed], method, crc, size))
        start += packed
    return files
