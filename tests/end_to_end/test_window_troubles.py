"""The program around its window: started twice, hung, killed, closed at work; each time the archive is whole."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running, start
from tests.end_to_end.confere import ENVIRONMENT, add_account, command, confere, contents
from tests.end_to_end.screen import Screen, needs_a_screen, screen, wait_until

WORLD = 240
UNSEEN = {"QT_QPA_PLATFORM": "offscreen"}


@contextmanager
def program(home: Path, variables: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """The window's program; ended with the block, if it has not by then."""
    given = {**ENVIRONMENT, **variables, "HOME": str(home)}
    with subprocess.Popen(
        command(home), env=given, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def second(home: Path) -> subprocess.CompletedProcess[str]:
    """Start it once more on the same folder."""
    return subprocess.run(
        command(home), env={**ENVIRONMENT, **UNSEEN}, capture_output=True, text=True, timeout=120, check=False
    )


def holds(home: Path, process: subprocess.Popen[bytes]) -> bool:
    """Whether this window has the folder."""
    try:
        return (home / "window.lock").read_text().split("\n")[0] == str(process.pid)
    except OSError:
        return False


def forward(home: Path, process: subprocess.Popen[bytes]) -> subprocess.CompletedProcess[str]:
    """What another start says once this window has the folder and answers it."""
    said: list[subprocess.CompletedProcess[str]] = []

    def answered() -> bool:
        if holds(home, process):
            said.append(second(home))
        return bool(said) and said[-1].returncode == 0

    wait_until(answered, "an answer of the window")
    return said[-1]


def test_a_second_start_finds_the_first_window_the_hung_and_the_killed(tmp_path: Path) -> None:
    with program(tmp_path, UNSEEN) as first:
        again = forward(tmp_path, first)
        assert again.stdout == f"Confere was open on {tmp_path} already; its window came forward.\n"
        assert again.stderr == ""
        assert first.poll() is None
        if sys.platform != "win32":  # a program cannot be stopped like that there
            first.send_signal(signal.SIGSTOP)
            hung = second(tmp_path)
            first.send_signal(signal.SIGCONT)
            assert hung.returncode == 3
            assert "its window does not answer" in hung.stderr
            assert "end that process" in hung.stderr
            assert "Traceback" not in hung.stderr
        first.kill()
        first.wait()
    assert (tmp_path / "window.lock").exists()  # of a killed window: no hindrance to the next
    with program(tmp_path, UNSEEN) as next_one:
        wait_until(lambda: holds(tmp_path, next_one), "the next window")
        assert next_one.poll() is None


def test_a_folder_that_cannot_be_used_is_said_and_no_window_opens(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (home / "logs").write_text("a file where a folder has to be")
    done = second(home)
    assert done.returncode == 3
    assert str(home / "logs") in done.stderr
    assert "Move it out of the data folder" in done.stderr
    assert "Traceback" not in done.stderr


# -- at work -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What an undisturbed sync ends with."""
    folder = tmp_path_factory.mktemp("calm")
    with running(SandboxOptions(documents=WORLD, seed=21)) as hub:
        add_account(folder, "hub", hub.address, hub.token)
        assert confere(folder, "sync").code == 0
    return contents(folder)


def child_of(process: subprocess.Popen[bytes]) -> psutil.Process | None:
    """The sync that the window has started."""
    found = [entry for entry in psutil.Process(process.pid).children() if "sync" in entry.cmdline()]
    return found[0] if found else None


def is_open(shown: Screen) -> bool:
    return any("Confere" in title for title in shown.titles())


def at_work(shown: Screen, process: subprocess.Popen[bytes], home: Path) -> psutil.Process:
    """The child that syncs, once it has written something."""
    wait_until(lambda: is_open(shown), "the window")

    def begun() -> bool:
        if child_of(process) is None:
            shown.keys("F5")
        return child_of(process) is not None

    wait_until(begun, "the sync")
    child = child_of(process)
    assert child is not None
    wait_until(lambda: bool(confere(home, "list").json.get("documents")), "a first document")
    return child


def goes_on(home: Path, hub: RunningHub, calm: dict[str, object]) -> None:
    """The next sync ends with what an undisturbed one has."""
    port = int(hub.address.split(":")[2].split("/")[0])
    assert contents(home)["damage"] == [("ok",)]
    with running(SandboxOptions(documents=WORLD, seed=21, port=port)):
        assert confere(home, "sync").code == 0
    assert contents(home) == calm


@pytest.fixture
def slow_hub() -> Iterator[RunningHub]:
    hub = start(SandboxOptions(documents=WORLD, seed=21, faults="slow=1"))
    yield hub
    hub.stop()


class TestAtWork:
    pytestmark = needs_a_screen

    @pytest.mark.exhaustive
    def test_closed_at_work_it_asks_stops_and_ends_well(
        self, tmp_path: Path, slow_hub: RunningHub, calm: dict[str, object]
    ) -> None:
        home, frame = tmp_path / "home", tmp_path / "frame"
        frame.mkdir()
        add_account(home, "hub", slow_hub.address, slow_hub.token)
        with screen(frame) as shown, program(home, shown.variables) as window:
            child = at_work(shown, window, home)
            shown.keys("ctrl+q")
            wait_until(lambda: any("still running" in title for title in shown.titles()), "the question")
            shown.keys("Escape")
            wait_until(lambda: not any("still running" in title for title in shown.titles()), "the window again")
            assert child.is_running()
            assert window.poll() is None

            def asked() -> bool:
                shown.keys("ctrl+q")
                return any("still running" in title for title in shown.titles())

            wait_until(asked, "the question again")
            shown.keys("Tab", "space")
            wait_until(lambda: window.poll() is not None, "the end")
            assert window.returncode == 0
            assert not child.is_running()
        slow_hub.stop()
        goes_on(home, slow_hub, calm)

    @pytest.mark.exhaustive
    def test_killed_at_work_its_child_ends_and_the_next_start_goes_on(
        self, tmp_path: Path, slow_hub: RunningHub, calm: dict[str, object]
    ) -> None:
        home, frame = tmp_path / "home", tmp_path / "frame"
        frame.mkdir()
        add_account(home, "hub", slow_hub.address, slow_hub.token)
        with screen(frame) as shown, program(home, shown.variables) as window:
            child = at_work(shown, window, home)
            window.kill()
            window.wait()
            wait_until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE, "the child's end")
        slow_hub.stop()
        goes_on(home, slow_hub, calm)
