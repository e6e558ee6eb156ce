"""Every command's `--json`, and the lines that the window reads, have the keys, order and kinds of the snapshots."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli import json_snapshots
from tests.cli.json_recorder import LINES, commands
from tests.cli.json_requests import recorded
from tests.desktop.once import made_once

EXPECTED = json_snapshots.expected()


@pytest.fixture(scope="session")
def now(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """What the commands answer now, as the files would be written."""

    def make(folder: Path) -> None:
        texts = json_snapshots.texts_of(recorded(folder / "work"))
        (folder / "texts.json").write_text(json.dumps(texts), encoding="utf-8")

    folder = made_once(tmp_path_factory, "json_snapshots", make)
    texts: dict[str, str] = json.loads((folder / "texts.json").read_text(encoding="utf-8"))
    return texts


def test_every_answer_has_the_shape_that_it_had(now: Mapping[str, str]) -> None:
    different = [
        line
        for name in sorted(now.keys() | EXPECTED.keys())
        for line in difflib.unified_diff(
            EXPECTED.get(name, "").splitlines(),
            now.get(name, "").splitlines(),
            f"expected {name}",
            f"now {name}",
            "",
            "",
            4,
            "",
        )
    ]
    how = "If it is meant: python -m tests.cli.json_snapshots --write"
    assert not different, "\n".join([*different, how])


def _cases(command: str) -> dict[str, Any]:
    cases: dict[str, Any] = json.loads(EXPECTED.get(json_snapshots.file_of(command), "{}"))
    return cases


@pytest.mark.parametrize("command", sorted(commands()))
def test_every_command_with_json_is_among_them(command: str) -> None:
    """A new command has to be asked for in `json_requests`: once at least it does what it is for."""
    options = commands()[command]
    cases = _cases(command).values()
    if "--json" in options:
        assert any("answer" in case and "error" not in case["answer"] for case in cases)
        assert any("error" in case.get("answer", {}) for case in cases)
    if LINES in options:
        assert any("result" in case.get("lines", {}) for case in cases)


def test_the_program_has_commands_with_json_and_with_lines() -> None:
    every = commands()
    assert len(every) > 50
    assert all("--json" in options for options in every.values())
    assert sum(LINES in options for options in every.values()) > 10
