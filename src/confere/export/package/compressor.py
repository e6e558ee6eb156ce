"""Unpacks and deflates the contents of a package ahead of its writer, in order: in a thread, or in worker processes.

What a file becomes does not depend on who does it, so neither does a byte of the package.
"""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from confere.archive.maintenance import shared_memory
from confere.archive.store import Archive
from confere.archive.vault.reader import VaultReader
from confere.export.package.output.package_worker import Done, Work, answer, files_of, prepare, pressed, ready
from confere.export.package.output.read_back import Stretch, different, first_different, stretches
from confere.export.package.zip import Deflated
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


def workers_for(files: int) -> int:
    """How many processes are worth their start for so many files; 0: this one does it alone."""
    # A worker of ours (a job of the window, say) may have no children of its own.
    if files <= ALONE or worker_pool.cores() < 2 or multiprocessing.current_process().daemon:
        return 0
    return min(worker_pool.cores(), _MOST_WORKERS)


InOrder = worker_pool.InOrder[Work, Done]


@contextmanager
def crew(archive: Archive, press: Press) -> Iterator[InOrder]:
    """The workers of a package, if it has any: the same ones make files ready and compare what was written."""
    # A view of the driver maps the index of the log, for which there must be room: our own connection has made it.
    bare = shared_memory.mapped_file(archive.path).is_file()
    with worker_pool.in_order(prepare, (archive.path, press.deflated, bare), press.workers) as run:
        yield run


def made_ready(
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
        return answer(ready(archive, VaultReader(), work, press.deflated))

    for done in run(tasks(), again):
        assert isinstance(done, worker_pool.Bulk)
        yield ahead.popleft(), files_of(done)


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
            ahead.append((group, pool.submit(pressed, reader, packed, press.deflated)))
            if len(ahead) > _AHEAD:
                done, future = ahead.popleft()
                yield done, future.result()
        while ahead:
            done, future = ahead.popleft()
            yield done, future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
