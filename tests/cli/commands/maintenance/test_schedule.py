"""`confere schedule`: the units of this system, what is kept of them, and the alarm of what grows old."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from confere.app.context import Workspace
from confere.app.schedule import schedule_plan
from confere.archive.accounts import runs
from confere.archive.hub import coverage
from confere.system.paths import find_home
from tests.app.made import account
from tests.cli.running import Call
from tests.system.schedulers.programs_made import MadePrograms


@pytest.fixture(autouse=True)
def units(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the units of this user go; no scheduler of whoever runs this is touched."""
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "systemd" / "user"


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MadePrograms:
    made = MadePrograms(tmp_path / "programs", monkeypatch)
    made.put("systemctl", {"is-enabled": (0, "enabled"), "show": (0, "ActiveState=active")})
    return made


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / 'my "home" 100%'
    with Workspace.at(folder).writing("test") as archive:
        account(archive, "loja")
    return folder


def aged(home: Path, days: int) -> None:
    """An account that was listed so many days ago, and a schedule that was put in then."""
    at = (datetime.now(UTC) - timedelta(days=days, minutes=1)).isoformat(timespec="seconds")
    with closing(sqlite3.connect(home / "archive.sqlite3")) as connection, connection:
        connection.execute(
            'INSERT INTO coverage (account_id, axis, from_at, to_at, narrowed, method, "offset", pages, run_id,'
            " finished_at) VALUES (1, 'created', ?, ?, '', 'window', 0, 1, 1, ?)",
            (coverage.FOREVER, at, at),
        )
    plan = Workspace.at(home).home.schedule
    if plan.exists():
        plan.write_text(json.dumps({**json.loads(plan.read_text()), "since": at}))


@pytest.mark.usefixtures("programs")
def test_it_is_installed_shown_and_taken_out(call: Call, home: Path, units: Path, tmp_path: Path) -> None:
    options = ("--at", "3:05", "--every", "weekday", "--account", "loja", "--backup")
    done = call("schedule", "install", *options, "--json", "--home", home)
    assert (done.code, done.json["enabled"], done.json["problem"]) == (0, True, None)
    assert [Path(path).parent for path in done.json["files"]] == [units, units]
    service = Path(done.json["files"][0]).read_text(encoding="utf-8")
    escaped = str(home).replace('"', '\\"').replace("%", "%%")
    assert f'"run" "--home={escaped}" "--account=loja" "--backup"' in service
    assert "OnCalendar=Mon..Fri *-*-* 03:05:00" in Path(done.json["files"][1]).read_text(encoding="utf-8")

    status = call("schedule", "status", "--json", "--home", home)
    assert status.code == 0
    shown = status.json
    assert (shown["installed"], shown["enabled"], shown["at"], shown["every"]) == (True, True, "03:05", "weekday")
    assert (shown["accounts"], shown["last_run"], shown["alarms"]) == (["loja"], None, [])
    assert datetime.fromisoformat(shown["next_run"]) > datetime.now(UTC)
    assert "03:05, Monday to Friday" in call("schedule", "status", "--home", home).out

    assert call("schedule", "remove", "--json", "--home", home).json == {"removed": True}
    assert list(units.iterdir()) == []
    status = call("schedule", "status", "--json", "--home", home)
    assert (status.code, status.json["installed"], status.json["next_run"]) == (0, False, None)
    assert call("schedule", "remove", "--json", "--home", home).json == {"removed": False}


@pytest.mark.system_program("systemd-analyze")
def test_systemd_accepts_what_is_installed(call: Call, home: Path, tmp_path: Path) -> None:
    files = call("schedule", "install", "--json", "--home", home).json["files"]
    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", *files],
        env={"PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    call("schedule", "remove", "--home", home)


def test_without_a_systemd_the_units_stay(call: Call, home: Path, units: Path, programs: MadePrograms) -> None:
    programs.put("systemctl", {"--user": (1, "Failed to connect to bus")})
    done = call("schedule", "install", "--json", "--home", home)
    assert (done.code, done.json["enabled"]) == (1, False)
    assert "systemctl ended with code 1" in done.json["problem"]
    assert len(list(units.iterdir())) == 2
    status = call("schedule", "status", "--json", "--home", home).json
    assert (status["installed"], status["enabled"], status["next_run"]) == (True, False, None)


@pytest.mark.usefixtures("programs")
def test_what_makes_no_sense_is_refused(call: Call, home: Path, units: Path) -> None:
    for wrong in (("--at", "25:00"), ("--every", "night"), ("--account", "nobody"), ("--all", "--account", "loja")):
        assert call("schedule", "install", *wrong, "--home", home).code == 2
    assert not units.exists()
    assert schedule_plan.kept(Workspace.at(home).home) is None


@pytest.mark.usefixtures("programs")
def test_what_grows_old_is_an_alarm(call: Call, home: Path) -> None:
    call("schedule", "install", "--home", home)
    aged(home, 4)
    status = call("schedule", "status", "--json", "--home", home)
    assert status.code == 1
    assert [(alarm["account"], alarm["days"]) for alarm in status.json["alarms"]] == [("loja", 4), (None, 4)]
    said = call("schedule", "status", "--home", home).err
    assert "loja was last listed 4 days ago." in said
    assert "has not run for 4 days" in said
    doctor = call("doctor", "--json", "--home", home)
    assert doctor.code == 1
    assert {entry["topic"] for entry in doctor.json["findings"] if not entry["well"]} == {"account", "schedule"}
    settings = home / "settings.json"
    settings.write_text(json.dumps({"stale_after_days": 5}))
    status = call("schedule", "status", "--json", "--home", home)
    assert (status.code, status.json["stale_after_days"]) == (0, 5)
    assert call("doctor", "--json", "--home", home).code == 0


@pytest.mark.usefixtures("programs")
def test_units_that_somebody_took_away_are_an_alarm(call: Call, home: Path, units: Path) -> None:
    call("schedule", "install", "--home", home)
    for path in units.iterdir():
        path.unlink()
    status = call("schedule", "status", "--json", "--home", home)
    assert (status.code, status.json["installed"]) == (1, False)
    assert "install it again" in status.json["alarms"][0]["what"]


@pytest.mark.usefixtures("programs")
def test_a_run_that_was_cut_off_is_an_alarm(call: Call, home: Path) -> None:
    call("schedule", "install", "--home", home)
    with Workspace.at(home).writing("test") as archive, archive.writing() as transaction:
        runs.start(transaction, "unattended", None, {})
    status = call("schedule", "status", "--json", "--home", home)
    assert (status.code, status.json["last_run"]["outcome"]) == (1, "interrupted")
    assert "failed" in status.json["alarms"][0]["what"]
    assert call("doctor", "--home", home).code == 1


@pytest.mark.parametrize("text", ["", "{", "[]", '{"at": 5}', '{"at": "02:30", "every": "night"}', '{"at": "02:30"}'])
def test_a_plan_that_nobody_understands_is_none(tmp_path: Path, text: str) -> None:
    home = find_home(tmp_path)
    home.schedule.write_text(text)
    assert schedule_plan.kept(home) is None


def test_each_data_folder_has_a_task_of_its_own(tmp_path: Path) -> None:
    assert schedule_plan.task_name(find_home(environ={})) == "confere"
    one, two = schedule_plan.task_name(find_home(tmp_path / "a")), schedule_plan.task_name(find_home(tmp_path / "b"))
    assert one != two
    assert one.startswith("confere-")
