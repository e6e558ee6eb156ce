"""The program as its users run it: command lines, real hubs on loopback, and what an archive holds in the end."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from confere.archive.store import Archive
from confere.cli.main import run
from sandbox_hub.server import RunningHub
from tests import own_configuration
from tests.loopback import LOOPBACK

own_configuration.use_temporary()
# Other tests of this process keep their windows off the screen; what is run here decides for itself.
_OURS = {name: value for name, value in os.environ.items() if not name.startswith(("CONFERE_", "QT_QPA_PLATFORM"))}
ENVIRONMENT = _OURS | {
    "CONFERE_LANGUAGE": "en",
    "PYTHONUTF8": "1",
    "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
}


@dataclass(frozen=True)
class Done:
    """How a command ended: its exit code, its JSON and what it said to a person."""

    code: int
    json: dict[str, Any]
    complaints: str


def command(home: Path, *arguments: str) -> list[str]:
    return [sys.executable, "-m", "confere", "--home", str(home), *arguments]


def confere(home: Path, *arguments: str, text: str = "") -> Done:
    """Run one command with `--json` to its end, in this process: starting another costs more than most commands do."""
    code, said, complaints = spoken(home, *arguments, "--json", text=text)
    return Done(code, json.loads(said) if said.strip() else {}, complaints)


def spoken(home: Path, *arguments: str, text: str = "") -> tuple[int, bytes, str]:
    """Run one command in this process: its exit code, what it wrote, and what it said beside."""
    out, err, given = io.BytesIO(), io.BytesIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")
    try:
        with (
            io.TextIOWrapper(out, encoding="utf-8", newline="", write_through=True) as stdout,
            io.TextIOWrapper(err, encoding="utf-8", newline="", write_through=True) as stderr,
            redirect_stdout(stdout),
            redirect_stderr(stderr),
        ):
            code = run(["--home", str(home), *arguments])
            stdout.flush()
            return code, out.getvalue(), err.getvalue().decode()
    finally:
        sys.stdin = given


def apart(home: Path, *arguments: str) -> Done:
    """Run one command with `--json` to its end, in a process of its own."""
    done = subprocess.run(
        [*command(home, *arguments), "--json"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env=ENVIRONMENT,
        timeout=300,
        check=False,
    )
    return Done(done.returncode, json.loads(done.stdout) if done.stdout.strip() else {}, done.stderr)


def add_account(home: Path, name: str, address: str, token: str, environment: str = "embedded") -> None:
    done = confere(
        home, "account", "add", name, "--address", address, "--platform", "test", "--environment", environment,
        "--token-stdin", text=token,
    )  # fmt: skip
    assert done.code == 0, done


def told(hub: RunningHub) -> dict[str, Any]:
    """What the sandbox's panel says of it now."""
    answer = httpx.get(f"{hub.panel}/info", headers={"X-Sandbox-Control": "1"}, **LOOPBACK)
    found: dict[str, Any] = answer.raise_for_status().json()
    return found


def contents(home: Path) -> dict[str, object]:
    """What must be the same however the archive came to be: papers, events, hashes, the hub's records, the queue."""
    with Archive.to_read(home / "archive.sqlite3") as archive, archive.reading() as transaction:
        fetch = transaction.fetch
        return {
            "hashes": sorted(row[0].hex() for row in fetch("SELECT digest FROM content WHERE family = 0")),
            "records": sorted(row[0].hex() for row in fetch("SELECT list_digest FROM hub_document")),
            "documents": sorted(
                fetch("SELECT type, coalesce(access_key, number), state, operation, total, is_current FROM document")
            ),
            "events": sorted(fetch("SELECT access_key, code, sequence, registered, is_current FROM event")),
            "relations": sorted(fetch("SELECT source_key, target_key, kind, claims FROM relation")),
            "belonging": len(fetch("SELECT 1 FROM belonging")),
            "items": len(fetch("SELECT 1 FROM item")),
            "searchable": fetch("SELECT count(*) FROM search WHERE search MATCH 'sandbox OR venda'")[0],
            "open": fetch("SELECT item_id FROM download WHERE state != 'done'"),
            "damage": fetch("PRAGMA integrity_check(1)"),
        }
