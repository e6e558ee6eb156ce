"""`confere listen` as a process: how it starts, tells what it does, and ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.cli.running import ENVIRONMENT, Call
from tests.loopback import LOOPBACK

PATH = "/callbacks/0123456789abcdef"
CONTROL = {"X-Sandbox-Control": "1"}


@pytest.fixture(scope="module")
def hub() -> Iterator[RunningHub]:
    with running(SandboxOptions(documents=60, seed=3, clock="2026-03-01T00:00:00-03:00")) as hub:
        yield hub


@pytest.fixture
def home(call: Call, hub: RunningHub, tmp_path: Path) -> Path:
    token = tmp_path / "token.txt"
    token.write_text(hub.token, encoding="utf-8")
    token.chmod(0o600)
    options = ("--address", hub.address, "--platform", "t", "--environment", "embedded", "--token-file", token)
    assert call("account", "add", "shop", *options, "--home", tmp_path / "home", "--json").code == 0
    return tmp_path / "home"


@contextmanager
def started(home: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """A listener in a process of its own; killed where the test does not end it."""
    line = ("listen", "--account", "shop", "--port", "0", "--path", PATH, "--home", str(home), *options)
    child = subprocess.Popen(
        [sys.executable, "-W", "error", "-m", "confere", *line],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        encoding="utf-8",
    )
    with child:
        try:
            yield child
        finally:
            child.kill()


def test_what_it_does_is_told_line_by_line_and_the_end_of_stdin_ends_it(home: Path, hub: RunningHub) -> None:
    with started(home, "--progress-json", "--exit-with-stdin") as child:
        assert child.stdin is not None
        assert child.stdout is not None
        listening = _note(child.stdout, "Listening")
        _note(child.stdout, "Synced")
        url = str(listening["message"]["params"]["address"]) + PATH
        with httpx.Client(headers=CONTROL, **LOOPBACK) as panel:
            panel.post(f"{hub.panel}/callbacks", json={"url": url, "topics": ["FISCAL_DOCUMENTS"]}).raise_for_status()
            panel.post(f"{hub.panel}/clock", json={"now": "2026-03-20T00:00:00-03:00"}).raise_for_status()
        announced = _note(child.stdout, "Announced")["message"]["params"]
        child.stdin.close()
        result = json.loads(list(child.stdout)[-1])
        assert child.wait(60) == 0
        assert child.stderr is not None
        assert child.stderr.read() == ""
    assert (result["type"], result["exit_code"]) == ("result", 0)
    figures = result["result"]["listen"]
    assert figures["new"] == announced["new"] > 0
    assert figures["received"] >= figures["new"]
    assert not any(figures["refused"].values())
    assert hub.token not in json.dumps([listening, result])


def _note(lines: Iterator[str], beginning: str) -> dict[str, dict[str, dict[str, object]]]:
    for line in lines:
        said = json.loads(line)
        if said["type"] == "note" and said["text"].startswith(beginning):
            assert isinstance(said, dict)
            return said
    raise AssertionError(f"it ended before it said {beginning}")


@pytest.mark.exhaustive
@pytest.mark.skipif(os.name != "posix", reason="signals of another process are POSIX's; Windows has the test above")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_with_a_sentence_and_0(home: Path, number: int) -> None:
    with started(home) as child:
        assert child.stderr is not None
        said: list[str] = []
        while not any(line.startswith("Synced shop. ") for line in said):
            said.append(child.stderr.readline())
            assert said[-1], said
        assert said[0].startswith("Listening at http://127.0.0.1:")
        assert PATH not in "".join(said)
        child.send_signal(number)
        out, rest = child.communicate(timeout=60)
        assert (child.returncode, out) == (0, "")
        assert rest.splitlines() == ["Stopped. Requests that came: 0; documents fetched: 0 new, 0 changed."]


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        ((), 2, "--account"),
        (("--account", "nobody"), 2, "nobody"),
        (("--account", "shop", "--path", "secret"), 2, "secret"),
        (("--account", "shop", "--port", "65536"), 2, "--port"),
        (("--account", "shop", "--sync-every", "0"), 2, "--sync-every"),
        (("--account", "shop", "--host", "192.0.2.1"), 3, "192.0.2.1"),
    ],
)
def test_what_cannot_begin_is_said(call: Call, home: Path, options: tuple[str, ...], code: int, words: str) -> None:
    done = call("listen", *options, "--home", home, "--json")
    assert done.code == code
    assert words in done.json["error"]["what"]
