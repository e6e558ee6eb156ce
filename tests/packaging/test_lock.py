"""What is pinned is what the project asks for: each requirement once, and none without its pin."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def required() -> dict[str, list[str]]:
    """The names that every list of requirements has; our own extras left out."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lists = {"dependencies": project["dependencies"], **project["optional-dependencies"]}
    return {
        where: [name for line in lines if (name := name_of(line)) != project["name"]] for where, lines in lists.items()
    }


def name_of(requirement: str) -> str:
    match = _NAME.match(requirement)
    assert match is not None, requirement
    return match[0].lower().replace("_", "-").replace(".", "-")


def test_no_requirement_stands_in_a_list_twice() -> None:
    for where, names in required().items():
        assert len(set(names)) == len(names), where


def test_every_requirement_is_pinned() -> None:
    lines = (ROOT / "packaging/requirements.lock").read_text("utf-8").splitlines()
    pinned = {name_of(line) for line in lines if "==" in line and not line.startswith((" ", "#"))}
    assert {name for names in required().values() for name in names} <= pinned
