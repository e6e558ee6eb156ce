"""Worker processes: every task answered once, what they raise raised here, and none left behind however it ends."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest

from confere.errors import EnvironmentFault, UsageFault, message
from confere.system.processes import worker_pool


def doubling(times: int) -> Callable[[int], int]:
    return lambda number: number * times


def telling() -> Callable[[int], int]:
    return lambda _number: os.getpid()


def failing() -> Callable[[int], int]:
    def fail(number: int) -> int:
        if number == 7:
            raise UsageFault(message("{number} is not wanted.", number=number))
        return number

    return fail


def unprepared() -> Callable[[int], int]:
    raise UsageFault(message("There is nothing to work with."))


def dying() -> Callable[[int], int]:
    return lambda number: os._exit(3) if number == 7 else number


def always_dying() -> Callable[[int], int]:
    return lambda _number: os._exit(3)


def weighing() -> Callable[[int], worker_pool.Bulk]:
    return lambda number: worker_pool.Bulk(bytes([number % 256]) * number, ("of", number))


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_many_bytes_cross_as_they_are(workers: int) -> None:
    sizes = (0, 1, 5_000_000, 0, 70_000)
    expected = [weighing()(size) for size in sizes]
    assert sorted(worker_pool.work(weighing, (), sizes, workers)) == sorted(expected)
    with worker_pool.in_order(weighing, (), workers) as run:
        assert list(run(sizes, weighing())) == expected


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_every_task_is_answered_once(workers: int) -> None:
    assert sorted(worker_pool.work(doubling, (3,), range(50), workers)) == [number * 3 for number in range(50)]


def test_the_work_is_done_elsewhere_by_several() -> None:
    found = set(worker_pool.work(telling, (), range(20), 2))
    assert os.getpid() not in found
    assert len(found) == 2
    assert set(worker_pool.work(telling, (), range(3), 0)) == {os.getpid()}


@pytest.mark.parametrize("workers", [0, 1, 2])
def test_what_a_worker_raises_is_raised_here(workers: int) -> None:
    with pytest.raises(UsageFault, match="7 is not wanted"):
        list(worker_pool.work(failing, (), range(20), workers))
    with pytest.raises(UsageFault, match="nothing to work with"):
        list(worker_pool.work(unprepared, (), range(20), workers))


def test_a_worker_that_dies_is_told() -> None:
    with pytest.raises(EnvironmentFault, match="before its time"):
        list(worker_pool.work(dying, (), range(20), 2))


@pytest.mark.parametrize("workers", [1, 2])
def test_what_a_dead_worker_had_is_done_again_and_the_rest_goes_on(workers: int) -> None:
    again: list[int] = []

    def carefully(number: int) -> int:
        again.append(number)
        return number

    assert sorted(worker_pool.work(dying, (), range(50), workers, again=carefully)) == list(range(50))
    assert 7 in again
    assert len(again) <= 2  # the one that killed it and what was ahead of it


@pytest.mark.exhaustive
def test_worker_after_worker_that_dies_ends_it() -> None:
    with pytest.raises(EnvironmentFault, match="before its time"):
        list(worker_pool.work(always_dying, (), range(1000), 2, again=lambda number: number))


def test_without_tasks_there_is_nothing() -> None:
    assert list(worker_pool.work(doubling, (3,), [], 2)) == []


def test_whoever_stops_listening_leaves_no_process_behind() -> None:
    answers = worker_pool.work(telling, (), range(1000), 2)
    (one, *_) = {next(answers) for _ in range(10)}
    answers.close()  # type: ignore[attr-defined]
    assert not _is_alive(one)


SCRIPT = textwrap.dedent(
    """
    import sys, time
    sys.path.insert(0, sys.argv[1])
    from confere.system.processes import worker_pool
    from test_worker_pool import telling

    if __name__ == "__main__":
        for answer in worker_pool.work(telling, (), range(10**9), 2):
            print(answer, flush=True)
    """
)


def test_killed_we_leave_no_process_behind(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, str(script), str(Path(__file__).parent)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    workers: set[int] = set()
    while len(workers) < 2:
        workers.add(int(process.stdout.readline()))
    process.kill()
    process.wait()
    # The pipe ends when nobody holds it any more: not us, not a worker.
    while process.stdout.read(65536):
        pass
    process.stdout.close()
    assert not any(_is_alive(number) for number in workers)


def _is_alive(number: int) -> bool:
    """Whether a process of this number runs; one that has ended and waits for its parent does not."""
    if os.name == "nt":
        listed = subprocess.run(["tasklist", "/fi", f"pid eq {number}"], capture_output=True, text=True, check=True)
        return str(number) in listed.stdout
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(number)], capture_output=True, text=True, check=False)
    return bool(state.stdout.strip()) and not state.stdout.strip().startswith("Z")
