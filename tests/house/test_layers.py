"""The house's rules of who may import whom, checked by import-linter with the contracts of pyproject.toml."""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import ROOT

# In a process of its own: import-linter sets the logging of its process up for itself.
LINT = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"


def test_imports_point_down() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LINT], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout
