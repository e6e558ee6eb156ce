"""Whatever is raised ends in a sentence, an exit code, and a trace in the log instead of on the screen."""

from __future__ import annotations

import errno
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from confere.app.documents import browse
from confere.cli import command
from confere.cli.command import CommandSpec, GroupSpec, perform
from confere.cli.options.global_options import Given
from confere.errors import Bug, Cancelled, EnvironmentFault, HubTooBusy, message
from confere.system import logs
from confere.system.paths import Home
from tests.cli.running import Call

SECRET = "token-that-nobody-may-see"


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Make `confere list` raise."""

    def break_it(error: BaseException) -> None:
        def find(*_: Any, **__: Any) -> None:
            raise error

        monkeypatch.setattr(browse, "find", find)

    return break_it


def trace_of(home: Path) -> str:
    (log,) = (home / "logs").glob("*.log")
    return log.read_text(encoding="utf-8")


@pytest.mark.logs_problems
def test_an_unexpected_error_names_the_log(call: Call, tmp_path: Path, broken: Callable[[BaseException], None]) -> None:
    logs.register_secret(SECRET)
    broken(ZeroDivisionError(f"by {SECRET}"))
    done = call("list", "--home", tmp_path)
    assert (done.code, done.out) == (3, "")
    assert "Traceback" not in done.err
    assert "ZeroDivisionError" in done.err
    assert str(tmp_path / "logs") in done.err
    assert "Traceback" in trace_of(tmp_path)
    assert "ZeroDivisionError" in trace_of(tmp_path)
    assert SECRET not in trace_of(tmp_path) + done.err


@pytest.mark.logs_problems
def test_it_is_one_object_for_programs(call: Call, tmp_path: Path, broken: Callable[[BaseException], None]) -> None:
    broken(ZeroDivisionError())
    done = call("list", "--home", tmp_path, "--json")
    assert (done.code, done.err) == (3, "")
    assert "ZeroDivisionError" in done.json["error"]["what"]


@pytest.mark.logs_problems
def test_who_asks_for_details_sees_the_trace(
    call: Call, tmp_path: Path, broken: Callable[[BaseException], None]
) -> None:
    logs.register_secret(SECRET)
    broken(ZeroDivisionError(SECRET))
    done = call("list", "--home", tmp_path, "--verbose")
    assert done.code == 3
    assert done.err.count("Traceback") == 1
    assert SECRET not in done.err
    broken(HubTooBusy(message("Too many requests.")))
    assert "Traceback" in call("list", "--home", tmp_path, "--verbose").err


@pytest.mark.logs_problems
def test_where_nothing_can_be_logged_the_trace_is_shown(
    call: Call, tmp_path: Path, broken: Callable[[BaseException], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(home: Home) -> None:
        raise EnvironmentFault(message("Read only."))

    broken(ZeroDivisionError())
    monkeypatch.setattr(Home, "ensure", refuse)
    done = call("list", "--home", tmp_path)
    assert done.code == 3
    assert done.err.count("Traceback") == 1


@pytest.mark.parametrize(
    ("error", "code", "words"),
    [
        (KeyboardInterrupt(), 1, "was stopped"),
        (Cancelled(message("Enough.")), 1, "Enough."),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), 3, "no room left"),
        pytest.param(
            Bug(message("A promise was broken.")), 3, "A promise was broken.", marks=pytest.mark.logs_problems
        ),
        (HubTooBusy(message("Too many requests."), hub_words="Calma!"), 3, "Calma!"),
        pytest.param(MemoryError(), 3, "MemoryError", marks=pytest.mark.logs_problems),
    ],
)
def test_each_kind_has_its_sentence_and_code(
    call: Call, tmp_path: Path, broken: Callable[[BaseException], None], error: BaseException, code: int, words: str
) -> None:
    broken(error)
    done = call("list", "--home", tmp_path)
    assert done.code == code
    assert words in done.err
    assert "Traceback" not in done.err
    if isinstance(error, Bug | MemoryError):
        assert "Traceback" in trace_of(tmp_path)


def test_nothing_stays_behind_a_command(call: Call, archived: Path) -> None:
    handlers = list(logging.getLogger().handlers)
    assert call("list", "--home", archived).code == 0
    assert call("show", "x", "--home", archived).code == 2
    assert logging.getLogger().handlers == handlers


def test_what_work_returns_is_the_exit_code(tmp_path: Path) -> None:
    given = Given(home=tmp_path)
    assert [perform(lambda face, code=code: code, given, {}) for code in range(4)] == [0, 1, 2, 3]


def test_a_command_is_called_with_what_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Given] = []

    def work(face: Any, name: str) -> int:
        seen.append(face.given)
        return len(name)

    module = ModuleType("confere.cli.commands.counting")
    module.count = work  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    made = command.made_group("confere", GroupSpec("x", {"count": CommandSpec("counting", "count", "y", job=True)}))
    line = ["--verbose", "count", "abc", "--home", str(tmp_path), "--progress-json"]
    assert made.main(line, standalone_mode=False) == 3
    assert seen == [Given(home=tmp_path, verbose=True, progress_json=True)]
