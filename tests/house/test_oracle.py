"""The independent program that filed figures are held against has nothing of what it is held against."""

from __future__ import annotations

import ast
import sys

from tests.conftest import ROOT

ALLOWED = {"lxml", *sys.stdlib_module_names}


def test_the_oracle_imports_nothing_of_the_program() -> None:
    files = sorted((ROOT / "tests/oracle").glob("*.py"))
    assert len(files) >= 5
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert name.split(".")[0] in ALLOWED or name.startswith("tests.oracle"), (path.name, name)
