"""`confere run`: all that a night does, once; the second run changes nothing, and no account keeps another from it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from confere.app.context import Workspace
from confere.app.schedule.unattended import UnattendedRequest, run_unattended
from confere.archive.reconciliation import finding_search
from confere.errors import Message
from confere.system.progress import Silent
from confere.system.settings import BACKUP_FOLDER
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.app.sandboxed import dump
from tests.cli.running import Call

WORLD = SandboxOptions(documents=60, seed=7, clock="2026-11-01T08:00:00-03:00", forget=True, anomalies="all")
# What a run writes down of itself: who was asked when, and what was seen last by which run.
_OF_RUNS = {"coverage", "hub_shape"}
_SEEN = {
    "account": ("facts",),
    "hub_document": ("last_run_id",),
    "sales_order": ("last_run_id", "seen_at"),
    "hub_return": ("last_run_id", "seen_at"),
    "hub_record": ("last_run_id", "seen_at"),
}


@pytest.fixture(scope="module")
def hub() -> Iterator[RunningHub]:
    with running(WORLD) as served:
        yield served


@pytest.fixture
def home(call: Call, tmp_path: Path, hub: RunningHub) -> Path:
    token = tmp_path / "token"
    token.write_text(hub.token)
    token.chmod(0o600)
    add(call, tmp_path / "home", hub.address, token)
    return tmp_path / "home"


def add(call: Call, home: Path, address: str, token: Path, name: str = "loja") -> None:
    hub = ("--address", address, "--platform", "p", "--environment", "sandbox", "--token-file", token)
    assert call("account", "add", name, *hub, "--home", home).code == 0


def contents(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All rows but what a run writes down of itself."""
    found = {name: rows for name, rows in dump(home).items() if name not in _OF_RUNS}
    with closing(sqlite3.connect(home / "archive.sqlite3")) as database:
        for table, seen in _SEEN.items():
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            if columns:
                kept = [place for place, column in enumerate(columns) if column not in seen]
                found[table] = [tuple(row[place] for place in kept) for row in found[table]]
    return found


class Notes(Silent):
    """Holds the archive in a thread of its own until somebody who waits for it says so."""

    def __init__(self) -> None:
        self.is_held, self.is_awaited = threading.Event(), threading.Event()
        self.first = ""

    def note(self, text: Message) -> None:
        self.first = self.first or str(text)
        self.is_awaited.set()

    def hold(self, home: Path) -> None:
        with Workspace.at(home).writing("a job of the window"):
            self.is_held.set()
            self.is_awaited.wait(60)


def runs_of(home: Path, kind: str) -> int:
    with closing(sqlite3.connect(home / "archive.sqlite3")) as database:
        return int(database.execute("SELECT count(*) FROM run WHERE kind = ?", (kind,)).fetchone()[0])


def test_the_second_run_changes_nothing(call: Call, home: Path) -> None:
    first = call("run", "--all", "--json", "--home", home).json
    assert first["changed"]
    assert (first["counts"]["new"], first["counts"]["failed_accounts"]) == (60, 0)
    (account,) = first["accounts"]
    assert account["sync"]["downloaded"] > 60
    assert account["months"][:2] == ["2026-10", "2026-09"]
    assert first["verified"]["judged"] == 60
    assert first["counts"]["new_findings"] == sum(account["new_findings"].values()) > 0
    assert Path(first["reports"][0]).name == "reconciliation-loja-2026-10.xlsx"
    assert all(Path(path).is_file() and Path(path).parent == home / "exports" for path in first["reports"])
    before = contents(home)
    for path in map(Path, first["reports"]):
        path.unlink()

    second = call("run", "--all", "--json", "--fail-on", "any", "--home", home)
    assert second.code == 0
    assert (second.json["outcome"], second.json["changed"], second.json["reports"]) == ("done", False, [])
    assert {name: count for name, count in second.json["counts"].items() if count} == {}
    assert second.json["accounts"][0]["sync"]["downloaded"] == 0
    assert second.json["verified"]["judged"] == 0
    after = contents(home)
    assert {name for name in before if before[name] != after[name]} == set()
    assert [path.name for path in (home / "exports").iterdir()] == []
    assert runs_of(home, "unattended") == 2
    said = call("run", "--account", "loja", "--home", home)
    assert (said.code, "Nothing has changed since the run before." in said.out) == (0, True)
    doctor = call("doctor", "--json", "--home", home).json
    assert doctor["facts"]["unattended"]["outcome"] == "done"
    with Workspace.at(home).reading() as archive, archive.reading() as transaction:
        assert finding_search.changed_periods(transaction, 1, first["run"] + 10_000) == ()


def test_new_findings_end_with_1_as_asked(call: Call, home: Path) -> None:
    with_report = call("run", "--all", "--no-report", "--fail-on", "any", "--json", "--home", home)
    assert with_report.json["counts"]["new_findings"] > 0
    assert (with_report.code, with_report.json["reports"]) == (1, [])


@pytest.mark.logs_problems
def test_one_account_does_not_keep_the_others(call: Call, home: Path, tmp_path: Path) -> None:
    add(call, home, "http://127.0.0.1:9/v2", tmp_path / "token", "away")
    done = call("run", "--all", "--fail-on", "never", "--backup", "--json", "--home", home)
    assert done.code == 1
    assert done.json["outcome"] == "partial"
    outcomes = {entry["account"]: entry["outcome"] for entry in done.json["accounts"]}
    assert outcomes == {"loja": "done", "away": "failed"}
    away = next(entry for entry in done.json["accounts"] if entry["account"] == "away")
    assert "away: " in away["problem"]["what"]
    assert (away["sync"], away["reconciliation"]) == (None, None)
    assert done.json["counts"]["new"] == 60
    assert done.json["backups"] == [done.json["backup"]]
    assert Path(done.json["backup"]).parent == home / "backups"
    with closing(sqlite3.connect(done.json["backup"])) as copy:
        assert copy.execute("SELECT outcome FROM run WHERE kind = 'unattended'").fetchall() == [("partial",)]
    status = call("schedule", "status", "--json", "--home", home).json
    assert status["last_run"]["outcome"] == "partial"
    assert status["last_run"]["accounts"] == outcomes
    assert "away: " in status["last_run"]["problems"][0]

    alone = call("run", "--account", "away", "--json", "--home", home)
    assert (alone.code, alone.json["outcome"]) == (3, "failed")


@pytest.mark.logs_problems
def test_a_report_that_cannot_be_written_is_told(call: Call, home: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    settings = Workspace.at(home).settings
    settings.set(BACKUP_FOLDER, str(tmp_path / "taken"))
    settings.save()
    targets = ("--report", tmp_path / "taken", "--backup")
    done = call("run", "--all", "--fail-on", "never", *targets, "--json", "--home", home)
    assert (done.code, done.json["outcome"], done.json["reports"]) == (1, "partial", [])
    assert [Path(path).parent for path in done.json["backups"]] == [home / "backups"]
    assert len(done.json["problems"]) >= 2
    assert all("taken" in problem for problem in done.json["problems"])
    assert done.json["accounts"][0]["outcome"] == "done"
    last = call("schedule", "status", "--json", "--home", home).json["last_run"]
    assert (last["outcome"], len(last["problems"])) == ("partial", len(done.json["problems"]))


def test_a_run_copies_only_what_is_due_and_counts_its_copies(call: Call, home: Path) -> None:
    options = ("run", "--all", "--no-report", "--fail-on", "never", "--backup", "--json", "--home", home)
    first, again = call(*options).json, call(*options).json
    assert ([Path(path).parent for path in first["backups"]], again["backups"]) == ([home / "backups"], [])
    assert (again["backup"], again["problems"]) == (None, [])
    assert (first["drill"], again["drill"]) == ({"file": first["backup"], "passed": True, "problems": []}, None)
    status = call("backup", "--status", "--json", "--home", home).json["status"]
    assert [(copy["file"], copy["state"]) for copy in status["copies"]] == [(first["backup"], "whole")]


def test_a_run_waits_for_who_writes(call: Call, home: Path) -> None:
    with Workspace.at(home).writing("a job of the window"):
        refused = call("run", "--all", "--wait", "0", "--json", "--home", home)
    assert refused.code == 3
    assert "a job of the window" in refused.json["error"]["what"]
    assert runs_of(home, "unattended") == 0

    notes = Notes()
    holder = threading.Thread(target=notes.hold, args=(home,))
    holder.start()
    assert notes.is_held.wait(60)
    done = run_unattended(Workspace.at(home), UnattendedRequest(wait_seconds=60), reporter=notes)
    holder.join()
    assert "a job of the window" in notes.first
    assert (done.outcome, runs_of(home, "unattended")) == ("done", 1)


def test_whose_documents_is_to_be_said(call: Call, home: Path, tmp_path: Path) -> None:
    for wrong in (
        ("run",),
        ("run", "--all", "--account", "loja"),
        ("run", "--all", "--wait", "-1"),
        ("run", "--all", "--report", tmp_path, "--no-report"),
        ("run", "--account", "nobody"),
    ):
        assert call(*wrong, "--home", home).code == 2
    assert call("run", "--all", "--home", tmp_path / "empty").code == 2
