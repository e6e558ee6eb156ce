"""Asks commands for their JSON in this process, and keeps the shape of every answer by command and line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from unittest.mock import patch

from confere.cli.command import LocalizedGroup
from confere.cli.command_line import build
from confere.cli.main import run
from confere.errors import message
from confere.system import messages
from confere.system.folders import chosen_folder
from confere.system.language_choice import LANGUAGE_VARIABLE
from confere.system.secrets import system_keyring
from tests.cli.json_shape import Shape, shape_of, shape_of_lines
from tests.one_command_line import one_command_line

LINES: Final = "--progress-json"


@cache
def commands() -> dict[str, frozenset[str]]:
    """Every command of the program by its name (`findings list`), with its options."""
    return dict(_below(build(), ()))


def _below(command: Any, path: tuple[str, ...]) -> Iterator[tuple[str, frozenset[str]]]:
    if not isinstance(command, LocalizedGroup):
        yield " ".join(path), frozenset(option for given in command.params for option in given.opts)
        return
    for name in command.specs:
        yield from _below(command.get_command(None, name), (*path, name))


def command_of(words: list[str]) -> str:
    """The command that a line names; `confere` where it names none."""
    for length in (2, 1):
        if " ".join(words[:length]) in commands():
            return " ".join(words[:length])
    return "confere"


@contextmanager
def neutral_environment() -> Iterator[None]:
    """English, no keyring, and the commands made once: as the tests of the command line run them."""

    def none() -> None:
        raise system_keyring.KeyringUnusable(message("This system has no keyring that Confere can reach."))

    before = messages.language()
    settings = {LANGUAGE_VARIABLE: "en", "COLUMNS": "120"}
    with (
        TemporaryDirectory() as folder,
        patch.dict("os.environ", settings),
        patch.object(system_keyring, "_backend", none),
        patch.object(chosen_folder, "configuration_folder", lambda: Path(folder)),
        one_command_line(),
    ):
        try:
            yield
        finally:
            messages._Choice.code = before


@dataclass
class JsonRecorder:
    """What was asked for and what came: by command, then by its line as it stands in this module."""

    home: Path
    facts: dict[str, str] = field(default_factory=dict)
    shapes: dict[str, dict[str, Shape]] = field(default_factory=dict)

    def ask(self, line: str, when: str = "", **several: Iterable[object]) -> Any:
        """The answer to a line; with several values for one of its names one shape for all, and the last answer.

        `when` tells two requests of the same line apart.
        """
        codes, texts = set(), []
        for values in _each(several):
            facts = self.facts | values
            code, text = self._run(*(word.format(**facts) for word in line.split()))
            codes.add(code)
            texts.append(text)
        case = f"{line} ({when})" if when else line
        cases = self.shapes.setdefault(command_of(line.split()), {})
        assert case not in cases, case
        if LINES in line:
            cases[case] = {"exit code": " | ".join(map(str, sorted(codes))), "lines": shape_of_lines("".join(texts))}
            return json.loads(texts[-1].splitlines()[-1]).get("result")
        answers = [json.loads(text) for text in texts]
        (shape,) = shape_of(answers)
        cases[case] = {"exit code": " | ".join(map(str, sorted(codes))), "answer": shape}
        return answers[-1]

    def _run(self, *arguments: str) -> tuple[int, str]:
        mode = () if LINES in arguments else ("--json",)
        home = () if "--home" in arguments else ("--home", str(self.home))
        return answer_of(*arguments, *home, *mode)


def answer_of(*arguments: str) -> tuple[int, str]:
    """The exit code and the output of a command line that says nothing to a person."""
    out, err = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run(arguments)
    assert err.getvalue() == "", (arguments, err.getvalue())
    return code, out.getvalue()


def _each(several: Mapping[str, Iterable[object]]) -> list[dict[str, str]]:
    if not several:
        return [{}]
    ((name, values),) = several.items()
    found = [{name: str(value)} for value in values]
    assert found, f"nothing to ask for as {name}"
    return found
