"""A job stops when it is asked to: by a signal, a closed stdin or a dead parent, and only then."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from confere.errors import Cancelled, message
from confere.system.processes.cancellation import Stop, stop_on_signals

Run = Callable[..., subprocess.CompletedProcess[str]]

WAIT = """
import sys
from confere.system.processes.cancellation import Stop, stop_on_signals, stop_when_stdin_closes
stop = Stop()
"""
UNTIL_STDIN_CLOSES = WAIT + (
    "stop_when_stdin_closes(stop)\nprint('ready', flush=True)\n"
    "print('stopped' if stop.wait(30) else 'late', flush=True)\n"
)


def test_a_stop_is_seen_and_stays() -> None:
    stop = Stop()
    stop.check()
    assert not stop.is_set
    assert not stop.wait(0)
    stop.set()
    assert stop.is_set
    assert stop.wait(60)
    with pytest.raises(Cancelled) as caught:
        stop.check()
    assert caught.value.exit_code == 1
    with pytest.raises(Cancelled, match="12 documents"):
        stop.check(message("{n} documents are in the archive.", n=12))


def test_a_wait_ends_with_the_request() -> None:
    stop = Stop()
    threading.Timer(0.05, stop.set).start()
    assert stop.wait(60)


def test_the_first_signal_asks_and_the_second_ends(run: Run) -> None:
    code = WAIT + (
        "import signal\n"
        "before = signal.getsignal(signal.SIGINT)\n"
        "with stop_on_signals(stop):\n"
        "    assert not stop.is_set\n"
        "    signal.raise_signal(signal.SIGINT)\n"
        "    assert stop.is_set\n"
        "    try:\n"
        "        signal.raise_signal(signal.SIGINT)\n"
        "    except KeyboardInterrupt:\n"
        "        print('interrupted')\n"
        "assert signal.getsignal(signal.SIGINT) is before\n"
    )
    child = run(code)
    assert (child.stdout.strip(), child.stderr) == ("interrupted", "")


def test_a_scheduler_asks_from_outside() -> None:
    code = WAIT + (
        "with stop_on_signals(stop):\n"
        "    print('ready', flush=True)\n"
        "    for _ in range(300):\n"
        "        if stop.wait(0.1): break\n"
        "    print('stopped' if stop.is_set else 'late', flush=True)\n"
    )
    windows = sys.platform == "win32"
    flags = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
    number = getattr(signal, "CTRL_BREAK_EVENT", None) if windows else signal.SIGTERM
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, encoding="utf-8", creationflags=flags
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        child.send_signal(number)
        assert child.stdout.readline() == "stopped\n"
        assert child.wait(30) == 0


def test_a_signal_that_was_ignored_stays_ignored(run: Run) -> None:
    code = WAIT + (
        "import signal\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "with stop_on_signals(stop):\n"
        "    signal.raise_signal(signal.SIGTERM)\n"
        "    print(stop.is_set)\n"
    )
    assert run(code).stdout.strip() == "False"


def test_outside_the_main_thread_it_changes_nothing() -> None:
    before = signal.getsignal(signal.SIGINT)
    seen = []

    def work() -> None:
        with stop_on_signals(Stop()):
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [before]


def test_a_closed_stdin_stops_and_what_comes_before_does_not() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", UNTIL_STDIN_CLOSES],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.stdout.readline() == "ready\n"
        child.stdin.write("noise\n" * 10)
        child.stdin.flush()
        with pytest.raises(subprocess.TimeoutExpired):
            child.wait(0.3)
        child.stdin.close()
        assert child.stdout.read() == "stopped\n"
        assert child.wait(30) == 0
        assert child.stderr.read() == ""


def test_a_parent_that_is_killed_takes_its_child_along() -> None:
    parent = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-c', {UNTIL_STDIN_CLOSES!r}], stdin=subprocess.PIPE)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.kill()
        assert process.stdout.readline() == "stopped\n"


def test_a_job_that_ends_first_ends_cleanly() -> None:
    code = WAIT + "stop_when_stdin_closes(stop)\nprint('done')\n"
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        assert child.wait(30) == 0
        assert (child.stdout.read(), child.stderr.read()) == ("done\n", "")
