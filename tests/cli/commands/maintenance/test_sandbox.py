"""sandbox, demo and sync: real processes on loopback, in an environment that has no Qt."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from tests.cli.running import ENVIRONMENT, WITHOUT_QT, Call


@pytest.mark.exhaustive
def test_an_account_on_the_sandbox_syncs(call: Call, tmp_path: Path) -> None:
    """The line that the sandbox gives to people is run as it stands."""
    child = subprocess.Popen(
        [
            *(sys.executable, "-W", "error", "-m", "confere", "sandbox"),
            *("--documents", "40", "--seed", "5"),
            *(() if os.name == "posix" else ("--exit-with-stdin",)),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
        encoding="utf-8",
    )
    assert child.stdout is not None
    lines: list[str] = []
    try:
        while not any("Ctrl+C" in line for line in lines):
            lines.append(child.stdout.readline())
            assert lines[-1], child.stderr
        (pasted,) = (shlex.split(line) for line in lines if "confere account add" in line)
        (token,) = (line.split()[1] for line in lines if line.startswith("Token"))
        home = tmp_path / "home"
        added = subprocess.run(
            [sys.executable, "-m", *pasted, "--token-stdin", "--json", "--home", str(home)],
            input=token,
            capture_output=True,
            encoding="utf-8",
            env=ENVIRONMENT,
            timeout=60,
            check=False,
        )
        assert added.returncode == 0, added.stderr
        account = json.loads(added.stdout)["account"]
        assert len(account["establishments"]) == 2
        name = account["name"]
        tested = call("account", "test", name, "--home", home, "--json")
        assert tested.json.items() >= {"account": name, "address": account["address"], "documents": 40}.items()
        assert set(tested.json) - {"account", "address", "documents"} == {"record", "shape"}
        assert "40 documents" in call("account", "test", name, "--home", home).out
        month = call("sync", "--month", "2026-10", "--type", "nfe", "--home", home, "--json")
        assert (month.code, month.err) == (0, "")
        figures = month.json["sync"]
        assert 0 < figures["listed"] < 40
        assert {"listed", "new", "updated", "downloaded", "already", "failed", "requests", "seconds"} <= figures.keys()
        whole = call("sync", "--account", name, "--home", home)
        assert whole.code == 0
        assert re.search(r"Documents listed +40\b", whole.out)
    finally:
        if os.name == "posix":
            child.send_signal(signal.SIGINT)
        _, complaints = child.communicate(timeout=60)
    assert (child.returncode, complaints) == (0, "")
    rows = call("list", "--all", "--home", home, "--json").json["documents"]
    assert len(rows) == 40
    of_hub = next(row for row in rows if row["account"] == name)
    sheet = call("show", str(of_hub["row"]), "--home", home).out
    assert f"The hub says ({name})" in sheet
    full = call("show", str(of_hub["row"]), "--home", home, "--json").json
    created = datetime.fromisoformat(full["hub"][0]["created_at"]).astimezone(timezone(timedelta(hours=-3)))
    assert re.search(rf"Created at +{created:%Y-%m-%d %H:%M}\b", sheet)
    assert full["hub"][0]["account"] == name
    assert full["hub"][0]["history"][0].keys() == {"status", "at", "protocol", "item_id", "description"}
    gone = call("sync", "--home", home, "--full", "--json")
    assert gone.code == 3
    assert account["address"].rpartition("/")[0] in gone.json["error"]["what"]


@pytest.mark.parametrize(
    ("options", "words"),
    [(("--faults", "nonsense"), "nonsense"), (("--clock", "noon"), "noon"), (("--rate-limit", "-1"), "rate limit")],
)
def test_options_that_make_no_world(call: Call, tmp_path: Path, options: tuple[str, ...], words: str) -> None:
    done = call("sandbox", "--json", *options)
    assert done.code == 2
    assert words in done.json["error"]["what"]
    if words == "nonsense":  # the demo hands them on to a sandbox of its own, and hands back what that says
        demo = call("demo", "--no-window", "--json", "--home", tmp_path, *options)
        assert demo.code == 2
        assert words in demo.json["error"]["what"]


def test_without_a_screen_it_is_said_that_no_window_opens(call: Call, tmp_path: Path) -> None:
    done = call("demo", "--documents", "12", "--home", tmp_path / "home")
    assert "No window was opened" in done.err
    assert f"`confere --home {tmp_path / 'home'}` opens it" in done.err
    assert 'list --state "cancelled,cancelled-late" --all' in done.out


def test_the_whole_way_without_qt(
    call: Call, child: Call, tmp_path: Path, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # one of the lines to try writes a PDF into the folder at hand
    home = ("--home", str(tmp_path / "my home"))
    world = ("--documents", "60", "--seed", "7")
    first = child("demo", "--no-window", *world, "--json", *home, prelude=WITHOUT_QT)
    assert (first.code, first.err) == (0, "")
    assert first.json["sync"]["listed"] == first.json["sync"]["new"] == 60
    assert first.json["sync"]["failed"] == 0
    packages = first.json["packages"]
    assert packages
    chosen = ["--company", packages[0]["company"], "--month", packages[0]["month"]]
    lines = [
        ["list", *chosen],
        ["show", "1"],
        ["export", *chosen, "--replace"],
        ["import", str(papers / "cte" / "samples")],
        ["doctor", "--verify"],
        ["account", "list"],
    ]
    code = (
        f"{WITHOUT_QT}\nfrom confere.cli.main import run\nfor line in {lines!r}:\n    run([*line, '--json', *{home!r}])"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        capture_output=True,
        encoding="utf-8",
        env=ENVIRONMENT,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert not [shape for shape in said if "error" in shape]
    listed, shown, exported, imported, examined, accounts = said
    assert listed["total"] == packages[0]["documents"]
    assert shown["row"] == 1
    for figure in ("documents", "events", "xml"):
        assert exported["packages"][0][figure] == packages[0][figure]
    assert imported["recorded"] == 5
    assert examined["well"] is True
    assert [entry["name"] for entry in accounts["accounts"]] == [first.json["account"]]
    again = call("demo", "--no-window", *world, *home)
    assert (again.code, again.err) == (0, "")
    assert re.search(r"XML downloaded +0\b", again.out)
    suggested = [shlex.split(line)[1:] for line in again.out.splitlines() if line.startswith("confere ")]
    assert [command[0] for command in suggested] == [
        "list",
        "show",
        "verify",
        "relations",
        "pdf",
        "list",
        "findings",
        "export",
        "doctor",
    ]
    (key,) = {command[1] for command in suggested[1:5]}
    assert call("relations", key, *home, "--json").json["in"]
    for command in suggested:
        assert call(*command).code == 0, command
    assert (tmp_path / f"{key}-danfe.pdf").is_file()


if os.name == "posix":

    def test_ctrl_c_stops_the_demo_and_loses_nothing(call: Call, tmp_path: Path) -> None:
        """A terminal sends the signal to everything that runs in it, so to the whole group of processes."""
        line = ("demo", "--documents", "600", "--seed", "7", "--rate-limit", "60", "--home", str(tmp_path))
        child = subprocess.Popen(
            [sys.executable, "-W", "error", "-m", "confere", *line, "--progress-json"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            encoding="utf-8",
            start_new_session=True,
        )
        assert child.stdout is not None
        for told in child.stdout:
            said = json.loads(told)
            if "Downloading" in said.get("text", "") and said["done"] >= 20:
                break
        os.killpg(child.pid, signal.SIGINT)
        out, complaints = child.communicate(timeout=60)
        last = json.loads(out.splitlines()[-1])
        assert (child.returncode, complaints) == (1, "")
        assert (last["type"], last["exit_code"]) == ("result", 1)
        assert last["result"]["stopped"] is True
        assert last["result"]["sync"]["failed"] == 0
        assert last["result"]["packages"] == []
        kept = call("list", "--home", tmp_path, "--json").json["total"]
        assert 10 <= kept < 600  # some of the files are events
