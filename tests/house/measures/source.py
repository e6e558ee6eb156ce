"""The modules of a source folder, read and parsed once for every measure.

Folders are found by what is there: no module but the top rooms (`confere.archive` and its like) is named here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Module(NamedTuple):
    """One Python file: its dotted `name` (of a package for an `__init__.py`), `path` from the root, text and syntax."""

    name: str
    path: Path
    text: str
    syntax: ast.Module

    @property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"

    @property
    def folder(self) -> str:
        """The dotted name of the package that it lies in; a package lies in itself."""
        return self.name if self.is_package else self.name.rpartition(".")[0]

    @property
    def root(self) -> str:
        return self.name.partition(".")[0]


Tree = tuple[Module, ...]


def load(root: Path) -> Tree:
    """Every module below `root` (as `src`), sorted by name."""
    return tuple(
        sorted(
            (module_of(path.relative_to(root), path.read_text(encoding="utf-8")) for path in root.rglob("*.py")),
            key=lambda module: module.name,
        )
    )


def module_of(path: Path, text: str) -> Module:
    """The module that a file at `path`, counted from the source folder, is. Raises `SyntaxError`."""
    parts = path.parent.parts if path.name == "__init__.py" else path.with_suffix("").parts
    return Module(".".join(parts), path, text, ast.parse(text, str(path)))


def is_in(name: str, room: str) -> bool:
    """Whether the module `name` is the `room` or lies in it."""
    return name == room or name.startswith(f"{room}.")


def bare_strings(syntax: ast.AST) -> Iterator[ast.Expr]:
    """Docstrings, those of attributes too: every statement that is a string and nothing else."""
    for node in ast.walk(syntax):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node


def is_public(name: str) -> bool:
    return not name.startswith("_")
