"""Rooms that anyone finds: folders of few modules, modules of one idea, classes of one meaning."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.conftest import ROOT

SOURCE = ROOT / "src"
MOST_MODULES = 15
MOST_LINES = 400


def modules(folder: Path = SOURCE) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*.py")) if path.name != "__init__.py")


def test_a_folder_holds_few_modules() -> None:
    counts: dict[str, int] = defaultdict(int)
    for path in modules():
        counts[path.parent.relative_to(SOURCE).as_posix()] += 1
    migrations = "confere/archive/migrations/versions"  # a history, which only grows
    assert {folder: count for folder, count in counts.items() if count > MOST_MODULES and folder != migrations} == {}


def test_a_module_is_one_idea_and_says_which() -> None:
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= MOST_LINES, path
        assert ast.get_docstring(ast.parse(text)), path


def test_every_folder_says_what_it_is_for() -> None:
    for folder in {path.parent for path in modules()}:
        start = folder / "__init__.py"
        assert start.exists(), folder
        assert ast.get_docstring(ast.parse(start.read_text(encoding="utf-8"))), start


def test_a_public_class_has_one_meaning() -> None:
    """In each program: the sandbox knows nothing of Confere and may have an order of its own."""
    for program in ("confere", "sandbox_hub"):
        homes: dict[str, list[str]] = defaultdict(list)
        for path in modules(SOURCE / program):
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    homes[node.name].append(path.relative_to(SOURCE).as_posix())
        assert {name: found for name, found in homes.items() if len(found) > 1} == {}
