"""Progress is drawn for a person on a terminal, told as JSON lines to a program that asks, and else not at all."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import psutil
import pytest
from rich.console import Console

from confere.cli.context import Face
from confere.cli.options.global_options import Given
from confere.cli.progress import Bars
from confere.errors import message
from confere.system.progress import JsonLines, Progress, Silent
from tests.cli.running import ENVIRONMENT, Call, Done

WHAT = message("Importing files")


def drawn(*said: Progress, width: int = 100) -> str:
    screen = io.StringIO()
    bars = Bars(Console(file=screen, width=width, force_terminal=True, color_system=None, markup=False))
    for progress in said:
        bars.progress(progress)
    bars._display.refresh()
    bars.close()
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", screen.getvalue())


def test_what_how_many_and_how_long_still() -> None:
    text = drawn(Progress(WHAT, 1200, 2000, 30.0, 20.4))
    assert "Importing files" in text
    assert "1,200 of 2,000" in text
    assert "20 s left" in text


def test_what_is_not_known_is_not_invented() -> None:
    text = drawn(Progress(WHAT, 1200, None, 65.0, None))
    assert "1,200 " in text
    assert "1 min 05 s" in text
    assert "left" not in text
    assert " of " not in text


def test_never_more_than_there_is() -> None:
    """Pages of a hub's list overlap."""
    assert "2,000 of 2,000" in drawn(Progress(WHAT, 2008, 2000, 1.0, 0.0))


def test_each_step_has_a_bar_and_a_name_cannot_command_the_terminal() -> None:
    step = message("Downloading XML of {account}", account="a\x1b[2Jb")
    text = drawn(Progress(WHAT, 1, 2, 0.0, None), Progress(step, 1, 3, 0.0, None), Progress(WHAT, 2, 2, 0.0, 0.0))
    assert text.count("2 of 2") >= 1
    assert "a\ufffd[2Jb" in text


def test_many_threads_may_tell() -> None:
    screen = io.StringIO()
    bars = Bars(Console(file=screen, width=80, force_terminal=True))
    threads = [
        threading.Thread(target=lambda: [bars.progress(Progress(WHAT, n, 50, 0.0, None)) for n in range(50)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with bars.aside():
        bars.note(message("A word beside."))
    bars.close()
    bars.close()
    assert len(bars._tasks) == 1
    assert "A word beside." in screen.getvalue()


def test_who_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    with Face(Given(json=True)).job() as reporter:
        assert isinstance(reporter, Silent)
    with Face(Given()).job() as reporter:
        assert isinstance(reporter, Silent)  # stderr is no terminal here
    with Face(Given(progress_json=True)).job() as reporter:
        assert isinstance(reporter, JsonLines)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    with Face(Given()).job() as reporter:
        assert isinstance(reporter, Bars)
    monkeypatch.setenv("TERM", "dumb")
    with Face(Given()).job() as reporter:
        assert isinstance(reporter, Silent)


def test_the_first_signal_asks_a_job_to_stop() -> None:
    face = Face(Given(json=True))
    with face.job():
        signal.raise_signal(signal.SIGINT)
        assert face.stop.is_set


def lines(done: Done) -> list[dict[str, object]]:
    return [json.loads(line) for line in done.out.splitlines()]


def test_a_program_gets_progress_and_then_the_result(call: Call, tmp_path: Path, papers: Path) -> None:
    done = call("import", papers / "cte" / "samples", "--home", tmp_path, "--progress-json")
    said = lines(done)
    assert (done.code, done.err) == (0, "")
    assert {line["type"] for line in said[:-1]} == {"progress"}
    assert said[-1]["type"] == "result"
    assert said[-1]["exit_code"] == 0
    result = said[-1]["result"]
    assert isinstance(result, dict)
    assert result["files"] == result["recorded"] == said[-2]["done"]
    failed = call("import", tmp_path / "nothing", "--home", tmp_path, "--progress-json")
    assert lines(failed)[-1]["type"] == "error"
    assert lines(failed)[-1]["exit_code"] == failed.code == 3
    wrong = call("import", "--home", tmp_path, "--progress-json")
    assert [line["type"] for line in lines(wrong)] == ["error"]


def test_a_child_ends_when_its_stdin_closes(tmp_path: Path, papers: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}.xml").write_bytes((papers / "nfe/samples/v4_0/procNFe.xml").read_bytes())
    child = subprocess.Popen(
        [
            *(sys.executable, "-m", "confere", "import", str(tmp_path), "--home", str(tmp_path / "home")),
            *("--progress-json", "--exit-with-stdin"),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        encoding="utf-8",
    )
    out, err = child.communicate(timeout=60)  # closes stdin at once
    assert err == ""
    last = json.loads(out.splitlines()[-1])
    assert last["type"] == "result"
    assert child.returncode == last["exit_code"]
    assert last["result"]["stopped"] in (True, False)
    assert child.returncode == (1 if last["result"]["stopped"] else 0)


@pytest.mark.exhaustive
def test_a_child_gives_way_to_who_started_it(child: Call, tmp_path: Path) -> None:
    look = (
        "import atexit, psutil, sys\n"
        "atexit.register(lambda: print('priority', int(psutil.Process().nice()), file=sys.stderr))"
    )
    usual = child("doctor", "--json", "--home", tmp_path, prelude=look).err
    given_way = child("doctor", "--json", "--exit-with-stdin", "--home", tmp_path, prelude=look).err
    ours = int(psutil.Process().nice())
    assert usual.split()[-1] == str(ours)
    assert given_way.split()[-1] == str(0x4000 if sys.platform == "win32" else max(5, ours))


if os.name == "posix":  # Windows has no pseudo-terminals of this kind

    def test_a_terminal_shows_the_summary_and_keeps_stdout_clean(tmp_path: Path, papers: Path) -> None:
        import pty

        ours, theirs = pty.openpty()
        child = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "confere", "import", str(papers / "cte"), "--home", str(tmp_path)],
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=theirs,
            env=ENVIRONMENT | {"TERM": "xterm"},
            encoding="utf-8",
        )
        os.close(theirs)
        screen = b""
        try:
            while part := os.read(ours, 65536):
                screen += part
        except OSError:
            pass  # the other end is closed
        finally:
            os.close(ours)
        assert child.stdout is not None
        out = child.stdout.read()
        child.stdout.close()
        assert child.wait(60) == 0
        assert "Importing files" in screen.decode()
        assert "Importing files" not in out
        assert re.search(r"Recorded\s+5\b", out)
