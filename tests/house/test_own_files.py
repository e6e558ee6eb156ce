"""The tests need nothing beside the repository: no test and no check of a submission names a folder around it."""

from __future__ import annotations

import re

from tests.conftest import ROOT

# The folder around the repository, as a test would write it and as a script would.
OUTSIDE = re.compile(r"ROOT\s*\.\s*parent|ROOT\s*/\s*[\"']\.\.|\$top/\.\.|ln -s")


def test_no_test_looks_beside_the_repository() -> None:
    files = [*(ROOT / "tests").rglob("*.py"), *(path for path in (ROOT / ".ci").iterdir() if path.is_file())]
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in files
        if path.name != "test_own_files.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if OUTSIDE.search(line)
    ]
    assert found == []
