"""The sandbox as a process of its own: same bytes from any process, clean ends, loopback only."""

from __future__ import annotations

import hashlib
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from sandbox_hub.__main__ import main
from sandbox_hub.errors import SandboxError
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running, serve
from tests.loopback import LOOPBACK


@contextmanager
def process(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    command = [sys.executable, "-m", "sandbox_hub", *arguments]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        try:
            assert child.stdout is not None
            line = child.stdout.readline()
            assert line, child.stderr and child.stderr.read()
            yield child, json.loads(line)
        finally:
            child.kill()


def digests(address: str, token: str) -> list[str]:
    """SHA-256 of a page of the list (without its address) and of every XML on it."""
    headers = {"serviceToken": token, "platform": "x"}
    with httpx.Client(headers=headers, **LOOPBACK) as http:
        content = http.get(address + "/fiscalDocuments?limit=100").json()["content"]
        found = [hashlib.sha256(json.dumps(content).encode()).hexdigest()]
        for item in content:
            whole = http.get(f"{address}/fiscalDocuments/{item['id']}").json()
            for document in whole["documents"]:
                path = f"/fiscalDocuments/download/{document['path']['document_item_id']}"
                found.append(hashlib.sha256(http.get(address + path).content).hexdigest())
    return found


@pytest.mark.exhaustive
def test_same_seed_same_bytes_in_two_processes_and_another_seed_differs() -> None:
    here, other = (SandboxOptions(documents=70, seed=seed, forget=True, anomalies="all") for seed in (7, 8))
    with process("--documents", "70", "--seed", "7") as (_, there), running(here) as first, running(other) as second:
        ours = digests(first.address, first.token)
        assert len(ours) > 65
        assert digests(there["address"], there["token"]) == ours
        assert not set(digests(second.address, second.token)) & set(ours)
        assert first.token == there["token"] != second.token
        assert first.address != there["address"]


def test_ready_line_says_where_and_what(tmp_path: Path) -> None:
    truth = tmp_path / "truth.json"
    with process("--documents", "80", "--seed", "7", "--truth", str(truth), "--faults", "slow=0") as (_, ready):
        assert ready["documents"] == 80
        assert ready["address"].endswith("/v2")
        assert ready["production_address"].endswith("/production/v2")
        assert json.loads(truth.read_text("utf-8"))["documents"] == 80


def test_ends_when_stdin_ends() -> None:
    with process("--documents", "10", "--exit-with-stdin") as (child, _):
        assert child.stdin is not None
        child.stdin.close()
        assert child.wait(60) == 0
        assert child.stderr is not None
        assert child.stderr.read() == ""


def test_ends_on_a_signal() -> None:
    with process("--documents", "10") as (child, ready):
        headers = {"serviceToken": ready["token"], "platform": "x"}
        with httpx.Client(headers=headers, **LOOPBACK) as http:
            assert http.get(ready["address"] + "/fiscalDocuments").status_code == 200
            child.send_signal(signal.SIGTERM)
            code = child.wait(60)
        assert code == (1 if sys.platform == "win32" else 0)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--host", "0.0.0.0"],
        ["--host", "example.org"],
        ["--documents", "0"],
        ["--faults", "fire"],
        ["--clock", "tomorrow"],
        ["--rate-limit", "0"],
        ["--token", "same", "--production-token", "same"],
    ],
)
def test_a_start_that_makes_no_sense_is_one_sentence(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["sandbox_hub", *arguments])
    assert main() == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert len(said.err.strip().splitlines()) == 1


def test_its_exit_code_and_sentence_are_those_of_its_process() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sandbox_hub", "--documents", "0"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.strip().splitlines()) == 1


def test_only_loopback() -> None:
    with pytest.raises(SandboxError, match="loopback"), running(SandboxOptions(documents=10, host="192.0.2.1")):
        pass


def test_a_taken_port_is_said() -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        with pytest.raises(SandboxError, match=str(port)), running(SandboxOptions(documents=10, port=port)):
            pass


def test_stop_ends_it_and_may_be_called_again() -> None:
    with running(SandboxOptions(documents=10)) as hub:
        assert httpx.get(hub.address, **LOOPBACK).status_code == 401
        hub.stop()
        hub.stop()
        with pytest.raises(httpx.ConnectError):
            httpx.get(hub.address, **LOOPBACK)


def test_serve_ends_when_its_caller_fails() -> None:
    seen: list[RunningHub] = []

    def fail(hub: RunningHub) -> None:
        seen.append(hub)
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        serve(SandboxOptions(documents=10), port=0, ready=fail)
    with pytest.raises(httpx.ConnectError):
        httpx.get(seen[0].address, **LOOPBACK)


def test_options_do_not_change() -> None:
    options = SandboxOptions(seed=4)
    assert options.sandbox_token.startswith("sandbox-token-")
    assert options.token_of_production.startswith("production-token-")
    assert options.sandbox_token != SandboxOptions(seed=5).sandbox_token
    assert SandboxOptions(token="mine").sandbox_token == "mine"
    with pytest.raises(AttributeError):
        options.seed = 5  # type: ignore[misc]
