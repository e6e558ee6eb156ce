"""Processes of our own know no module of the current folder, and what the user opens inherits nothing of that."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from confere.system.processes import worker_pool
from confere.system.processes.own_commands import (
    SAFE_PATH_VARIABLE,
    lasting_command,
    own_command,
    safe_environment,
)
from tests.planted import Planted


def looking() -> Callable[[int], list[str]]:
    return lambda _number: sys.path


@pytest.mark.parametrize("before", [None, "1"])
def test_the_environment_is_safe_for_as_long_as_a_process_starts(
    monkeypatch: pytest.MonkeyPatch, before: str | None
) -> None:
    monkeypatch.delenv(SAFE_PATH_VARIABLE, raising=False)
    if before is not None:
        monkeypatch.setenv(SAFE_PATH_VARIABLE, before)
    with pytest.raises(OSError), safe_environment():
        assert os.environ[SAFE_PATH_VARIABLE] == "1"
        raise OSError
    assert os.environ.get(SAFE_PATH_VARIABLE) == before


def test_a_worker_runs_nothing_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    planted = Planted(tmp_path / "downloads")
    monkeypatch.chdir(planted.folder)
    monkeypatch.delenv(SAFE_PATH_VARIABLE, raising=False)
    (path,) = worker_pool.work(looking, (), range(1), 1)
    assert planted.ran == []
    assert "" not in path


def test_a_frozen_build_starts_itself_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    assert own_command("sync") == [sys.executable, "-P", "-m", "confere", "sync"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert own_command("sync") == [sys.executable, "sync"]


@pytest.mark.parametrize(("system", "name"), [("linux", "confere"), ("darwin", "confere"), ("win32", "confere.exe")])
def test_a_scheduler_is_given_the_program_for_terminals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, name: str
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "confere-desktop"))
    assert lasting_command("run") == [str(tmp_path / "confere-desktop"), "-P", "-m", "confere", "run"]
    (tmp_path / name).write_text("")
    assert lasting_command("run") == [str(tmp_path / name), "run"]
