"""Worker processes for work that one core is too slow for: they die with us, and nothing is lost with one of them.

Each worker hangs on a pipe of its own. Should this process be killed, the pipes close and the workers end; a queue
shared among them would keep them waiting for good.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

from confere.errors import EnvironmentFault, message
from confere.system.processes.own_commands import safe_environment

Task = TypeVar("Task")
Answer = TypeVar("Answer")

MOST: Final = 32  # beyond, starting them costs more than they bring
_AHEAD: Final = 2
_MOST_DEATHS: Final = 50
_FEW_DEATHS: Final = 3
_PATIENCE: Final = 5.0  # seconds for a worker to end by itself

Prepare = Callable[..., Callable[[Task], Answer]]
"""Makes, once in each worker, the function that does the tasks. To be found by its name in a module."""


class Bulk(NamedTuple):
    """An answer of many bytes, which cross the pipe as they are: to pickle them too would cost as much again."""

    data: bytes
    figures: Any  # what is told of them


def cores() -> int:
    """How many processes can work at once on this machine, as far as this one may use it."""
    try:
        return max(1, min(MOST, len(os.sched_getaffinity(0))))
    except AttributeError:  # not on this system
        return max(1, min(MOST, os.cpu_count() or 1))


def work(
    prepare: Prepare[Task, Answer],
    setup: tuple[Any, ...],
    tasks: Iterable[Task],
    workers: int,
    *,
    ahead: int = _AHEAD,
    again: Callable[[Task], Answer] | None = None,
) -> Iterator[Answer]:
    """The answers to `tasks`, as they come. Without workers the work is done here, in this process.

    `ahead` is how many tasks a worker has at hand, so that it need not wait for us: 1 where tasks are large, since a
    pipe that is full both ways would never empty. Setup, tasks and answers are plain values. What a worker raises is
    raised here. `again` does here, with more care, the tasks that a worker had at hand when it died; without it, or
    where worker after worker dies, that is an `EnvironmentFault`.
    """
    if workers < 1:
        do = prepare(*setup)
        yield from map(do, tasks)
        return
    crew = _Crew(prepare, setup, workers)
    try:
        yield from crew.answers(iter(tasks), ahead, again)
    finally:
        crew.dismiss()


Again = Callable[[Task], Answer]
InOrder = Callable[[Iterable[Task], Again[Task, Answer]], Iterator[Answer]]
"""Does tasks and gives the answers in the order of the tasks.

What a worker had at hand when it died is done here by `again`, and everything else once several have.
"""


@contextmanager
def in_order(
    prepare: Prepare[Task, Answer], setup: tuple[Any, ...], workers: int, *, ahead: int = _AHEAD
) -> Iterator[InOrder[Task, Answer]]:
    """Workers for as many series of tasks as come, one after the other; without workers all is done by `again`.

    Tasks are small, so that a pipe never fills up with them. For the rest as `work`.
    """
    if workers < 1:
        yield lambda tasks, again: map(again, tasks)
        return
    crew = _Crew(prepare, setup, workers)
    try:
        yield lambda tasks, again: crew.answers_in_order(iter(tasks), ahead, again)
    finally:
        crew.dismiss()


class _Crew(Generic[Task, Answer]):
    def __init__(self, prepare: Prepare[Task, Answer], setup: tuple[Any, ...], workers: int) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._serving = prepare, setup
        self._workers: dict[Connection, SpawnProcess] = {}
        self._lost: set[Connection] = set()  # of workers that died while they worked in order
        for _ in range(workers):
            self._start()

    def _start(self) -> Connection:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=serve, args=(theirs, *self._serving), daemon=True)
        with safe_environment():
            process.start()
        theirs.close()
        self._workers[ours] = process
        return ours

    def answers(self, tasks: Iterator[Task], ahead: int, again: Callable[[Task], Answer] | None) -> Iterator[Answer]:
        deaths = 0
        busy: dict[Connection, deque[Task]] = {pipe: deque() for pipe in self._workers}
        for _ in range(ahead):
            for pipe in self._workers:
                self._hand(pipe, tasks, busy[pipe])
        while any(busy.values()):
            for ready in cast("list[Connection]", wait([pipe for pipe, held in busy.items() if held])):
                try:
                    answer = self._take(ready)
                except (EOFError, OSError) as error:
                    deaths += 1
                    if again is None or deaths > _MOST_DEATHS:
                        raise _gone() from error
                    yield from map(again, busy.pop(ready))
                    other = self._start()
                    busy[other] = deque()
                    for _ in range(ahead):
                        self._hand(other, tasks, busy[other])
                    continue
                busy[ready].popleft()
                self._hand(ready, tasks, busy[ready])
                yield answer

    def answers_in_order(self, tasks: Iterator[Task], ahead: int, again: Callable[[Task], Answer]) -> Iterator[Answer]:
        waiting: deque[tuple[Connection, Task]] = deque()

        def hand(pipe: Connection) -> None:
            held: deque[Task] = deque()
            self._hand(pipe, tasks, held)
            waiting.extend((pipe, task) for task in held)

        for pipe in list(self._workers.keys() - self._lost) * ahead:
            hand(pipe)
        while waiting:
            pipe, task = waiting.popleft()
            try:
                failed, answer = _received(pipe)
            except (EOFError, OSError):
                self._lost.add(pipe)
                answer = again(task)
                if len(self._lost) > _FEW_DEATHS:  # they cannot live here: the rest is done without them
                    self._lost |= self._workers.keys()
                    yield answer
                    yield from (again(other) for _, other in waiting)
                    break
                failed, lost, pipe = False, pipe, self._start()
                waiting = deque((pipe if held is lost else held, other) for held, other in waiting)
                for held, other in waiting:
                    if held is pipe:
                        with suppress(OSError):
                            pipe.send(other)
            if failed:
                raise answer
            hand(pipe)
            yield answer
        yield from map(again, tasks)

    def dismiss(self) -> None:
        for pipe in self._workers:
            pipe.close()
        for process in self._workers.values():
            process.join(_PATIENCE)
            if process.is_alive():
                process.kill()
                process.join()
            process.close()

    def _hand(self, pipe: Connection, tasks: Iterator[Task], held: deque[Task]) -> None:
        """Give a worker its next task. One that died has it too, and is met when its answer is awaited."""
        for task in tasks:
            held.append(task)
            with suppress(OSError):
                pipe.send(task)
            return

    def _take(self, pipe: Connection) -> Answer:
        failed, answer = _received(pipe)
        if failed:
            raise answer
        done: Answer = answer
        return done


def serve(pipe: Connection, prepare: Prepare[Task, Answer], setup: tuple[Any, ...]) -> None:
    """A worker: does tasks until its pipe closes. Ctrl+C is for the one who gives them."""
    for name in ("SIGINT", "SIGBREAK"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    with suppress(EOFError, OSError):
        try:
            do = prepare(*setup)
        except Exception as error:
            pipe.recv()
            pipe.send((True, _sendable(error)))
            return
        while True:
            task = pipe.recv()
            try:
                answer = do(task)
            except Exception as error:
                pipe.send((True, _sendable(error)))
                continue
            if isinstance(answer, Bulk):
                pipe.send((False, Bulk(b"", answer.figures)))
                pipe.send_bytes(answer.data)
            else:
                pipe.send((False, answer))


def _received(pipe: Connection) -> tuple[bool, Any]:
    """Whether a worker failed at a task, and its error or its answer."""
    failed, answer = pipe.recv()
    if isinstance(answer, Bulk):
        answer = Bulk(pipe.recv_bytes(), answer.figures)
    return failed, answer


def _sendable(error: Exception) -> Exception:
    """The error itself where it survives a pipe, else its words."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - what we have just written
    except Exception as refusal:
        return RuntimeError(f"{type(error).__name__}: {error} ({refusal})")
    return error


def _gone() -> EnvironmentFault:
    return EnvironmentFault(
        message("A process that was doing a part of the work has ended before its time."),
        message("Start it again to go on from there; should it happen again, look whether the memory is full."),
    )
