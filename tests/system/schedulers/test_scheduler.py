"""Putting a task in, taking it out and looking at it, by the programs of each system."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from confere.errors import EnvironmentFault
from confere.system.schedulers import programs
from confere.system.schedulers.schedule import Rhythm, Schedule, ScheduledTask
from confere.system.schedulers.scheduler import (
    LaunchdScheduler,
    SystemdScheduler,
    TaskState,
    WindowsScheduler,
    of_this_system,
)
from tests.system.schedulers.programs_made import MadePrograms

TASK = ScheduledTask("confere-1", "Confere", ("/opt/it's 5%/confere", "run"), Schedule(2, 30, Rhythm.WEEKDAY))


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MadePrograms:
    return MadePrograms(tmp_path / "bin", monkeypatch)


def test_systemd_enables_what_is_written(made: MadePrograms, tmp_path: Path) -> None:
    shown = (0, "ActiveState=active\nNextElapseUSecRealtime=@1793000000")
    made.put("systemctl", {"is-enabled": (0, "enabled"), "show": shown})
    scheduler = SystemdScheduler(tmp_path / "user")
    assert scheduler.state(TASK.name) == TaskState(False)
    done = scheduler.install(TASK)
    assert done.problem is None
    assert [path.name for path in done.files] == ["confere-1.service", "confere-1.timer"]
    assert all(path.is_file() for path in done.files)
    assert made.calls == [
        "--user daemon-reload",
        "--user enable confere-1.timer",
        "--user restart confere-1.timer",
    ]
    state = scheduler.state(TASK.name)
    assert (state.present, state.active) == (True, True)
    assert state.next_run == datetime.fromtimestamp(1793000000, UTC)
    assert scheduler.remove(TASK.name)
    assert "--user disable --now confere-1.timer" in made.calls
    assert not any(path.exists() for path in done.files)
    assert not scheduler.remove(TASK.name)


@pytest.mark.parametrize("is_there", [True, False])
def test_units_stay_where_systemd_does_not_take_them(made: MadePrograms, tmp_path: Path, is_there: bool) -> None:
    if is_there:
        made.put("systemctl", {"--user": (1, "Failed to connect to bus: No medium found")})
    scheduler = SystemdScheduler(tmp_path / "user")
    done = scheduler.install(TASK)
    assert done.problem is not None
    said = str(done.problem)
    assert ("systemctl ended with code 1" in said) is is_there
    assert "systemctl --user enable --now confere-1.timer" in said
    assert "30 2 * * 1-5 '/opt/it'\\''s 5\\%/confere' 'run'" in said
    assert all(path.is_file() for path in done.files)
    assert scheduler.state(TASK.name).active is (False if is_there else None)
    assert scheduler.remove(TASK.name)
    assert not any(path.exists() for path in done.files)


def test_launchd_loads_what_is_written(made: MadePrograms, tmp_path: Path) -> None:
    made.put("launchctl")
    scheduler = LaunchdScheduler(tmp_path / "agents")
    done = scheduler.install(TASK)
    (path,) = done.files
    assert done.problem is None
    assert path.name == "io.github.confere.confere-1.plist"
    assert [call.split()[0] for call in made.calls] == ["bootout", "bootstrap"]
    assert made.calls[1].endswith(str(path))
    assert scheduler.state(TASK.name) == TaskState(True, True)
    assert scheduler.remove(TASK.name)
    assert not path.exists()
    made.put("launchctl", {"bootstrap": (5, "Input/output error"), "print": (113, "Could not find service")})
    assert "launchctl ended with code 5" in str(scheduler.install(TASK).problem)
    assert scheduler.state(TASK.name) == TaskState(True, False)


def test_windows_is_given_a_file_that_does_not_stay(made: MadePrograms) -> None:
    made.put("schtasks", {"/Query": (1, "ERROR")})
    scheduler = WindowsScheduler()
    assert scheduler.install(TASK).problem is None
    (call,) = made.calls
    assert call.startswith("/Create /F /TN confere-1 /XML ")
    assert not Path(call.partition("/XML ")[2]).exists()
    assert scheduler.state(TASK.name) == TaskState(False)
    assert not scheduler.remove(TASK.name)
    made.put("schtasks")
    assert scheduler.state(TASK.name) == TaskState(True, True)
    assert scheduler.remove(TASK.name)
    assert made.calls[-1] == "/Delete /F /TN confere-1"
    made.put("schtasks", {"/Create": (1, "ERROR: Access is denied."), "/Delete": (1, "ERROR: Access is denied.")})
    with pytest.raises(EnvironmentFault, match="schtasks ended with code 1"):
        scheduler.install(TASK)
    with pytest.raises(EnvironmentFault, match="schtasks ended with code 1"):
        scheduler.remove(TASK.name)


def test_a_folder_that_is_a_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "user").write_text("")
    with pytest.raises(EnvironmentFault, match="user"):
        SystemdScheduler(tmp_path / "user").install(TASK)


def test_each_system_has_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = []
    for name in ("linux", "darwin", "win32"):
        monkeypatch.setattr(sys, "platform", name)
        kinds.append(of_this_system().kind)
    assert kinds == ["systemd", "launchd", "task-scheduler"]


def test_a_program_of_the_system_has_its_own_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"PATH": "/bin", "LD_LIBRARY_PATH": "/frozen", "LD_LIBRARY_PATH_ORIG": "/usr", "DYLD_LIBRARY_PATH": "/f"}
    assert programs.outer_environment(given) == given
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert programs.outer_environment(given) == {"PATH": "/bin", "LD_LIBRARY_PATH": "/usr"}
