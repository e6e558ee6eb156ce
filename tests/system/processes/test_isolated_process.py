"""Work in a process of its own: its answer comes, what it raises comes, and its end in any way is an answer too."""

from __future__ import annotations

import os
import signal
import sys
import time

import pytest

from confere.errors import UsageFault, message
from confere.system.processes import isolated_process
from confere.system.processes.isolated_process import End, Ended, apart, apart_or_again
from tests.system.processes.killed_children import Killer


def length(data: bytes) -> tuple[int, int]:
    return len(data), os.getpid()


def failing(word: str) -> None:
    raise UsageFault(message("{word} is not wanted.", word=word))


def filling(size: int) -> int:
    return len(bytearray(size))


def dying(number: int) -> None:
    os.kill(os.getpid(), number)


def waiting(seconds: float) -> None:
    time.sleep(seconds)


def test_it_is_done_elsewhere() -> None:
    size, process = apart(length, b"x" * 5_000_000)
    assert size == 5_000_000
    assert process != os.getpid()


def test_what_it_raises_is_raised_here() -> None:
    with pytest.raises(UsageFault, match="gold is not wanted"):
        apart(failing, "gold")


@pytest.mark.parametrize("number", [signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM), signal.SIGABRT])
def test_a_crash_is_an_answer(number: int) -> None:
    with pytest.raises(Ended):
        apart(dying, number)


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS binds no address space")
def test_memory_is_bounded() -> None:
    assert apart(filling, 20_000_000, memory=100_000_000) == 20_000_000
    with pytest.raises(Ended) as ended:
        apart(filling, 400_000_000, memory=100_000_000)
    assert ended.value.how is End.MEMORY


def test_time_is_bounded() -> None:
    begun = time.monotonic()
    with pytest.raises(Ended):
        apart(waiting, 600.0, seconds=0.5)
    assert time.monotonic() - begun < 60


def test_whoever_waits_may_give_up() -> None:
    def give_up() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        apart(waiting, 600.0, check=give_up)


@pytest.mark.parametrize(("kills", "answers"), [(0, True), (1, True), (2, True), (3, False)])
def test_a_killed_process_is_begun_again_twice(monkeypatch: pytest.MonkeyPatch, kills: int, answers: bool) -> None:
    killer = Killer(monkeypatch, kills)
    if answers:
        assert apart_or_again(length, b"abc")[0] == 3
    else:
        with pytest.raises(Ended):
            apart_or_again(length, b"abc")
    assert killer.begun == min(kills + 1, 3)


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS binds no address space")
def test_what_lacked_memory_gets_more_of_it_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolated_process, "MEMORY", 60_000_000)
    killer = Killer(monkeypatch, 0)
    assert apart_or_again(filling, 100_000_000) == 100_000_000
    assert killer.begun == 2
    with pytest.raises(Ended) as ended:
        apart_or_again(filling, 900_000_000)
    assert (ended.value.how, killer.begun) == (End.MEMORY, 4)


def test_more_memory_is_never_less() -> None:
    assert isolated_process.MEMORY <= isolated_process.more_memory() <= 4 * isolated_process.MEMORY
