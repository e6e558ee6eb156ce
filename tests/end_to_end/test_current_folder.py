"""Files that lie in the current folder are not run: by no command, by no child and by no worker."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.confere import ENVIRONMENT
from tests.planted import Planted

# What an installer of packages writes beside the interpreter; two workers, however few papers and processors there are.
SCRIPT = """
import sys
from confere.__main__ import main
from confere.app.authenticity import verify
from confere.app.documents import print_pdf
from confere.system.processes import worker_pool

if __name__ == "__main__":
    verify.ALONE = 0
    print_pdf.ALONE = 0
    worker_pool.cores = lambda: 2
    sys.exit(main())
"""
MONTH = "2026-10"


def run(line: list[str], planted: Planted, *arguments: str | Path) -> dict[str, Any]:
    done = subprocess.run(
        [*line, *map(str, arguments), "--json"],
        cwd=planted.folder,
        env={name: value for name, value in ENVIRONMENT.items() if name != "PYTHONSAFEPATH"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert planted.ran == [], done.stderr
    assert done.returncode in (0, 1), done.stderr
    said: dict[str, Any] = json.loads(done.stdout)
    return said


@pytest.mark.exhaustive
def test_not_by_commands_nor_by_the_sandbox_and_the_workers_that_they_start(tmp_path: Path) -> None:
    planted = Planted(tmp_path / "downloads")
    script = tmp_path / "bin" / "confere"
    script.parent.mkdir()
    script.write_text(SCRIPT, encoding="utf-8")
    started, home = [sys.executable, str(script)], ("--home", tmp_path / "home")
    synced = run(started, planted, "demo", "--no-window", "--documents", 60, *home)["sync"]
    assert synced["new"] == 60
    verified = run(started, planted, "verify", "--again", *home)
    assert len(verified["documents"]) > 0
    made = run(started, planted, "pdf", "--month", MONTH, "--output", tmp_path / "pdf", *home)
    assert len(made["documents"]) > 1


def test_not_by_python_itself_when_it_runs_the_package(tmp_path: Path) -> None:
    """Only a `confere.py` is run in our place, before a line of ours could hinder it."""
    planted = Planted(tmp_path / "downloads", without=("confere",))
    line = [sys.executable, "-m", "confere"]
    synced = run(line, planted, "demo", "--no-window", "--documents", 12, "--home", tmp_path / "home")["sync"]
    assert synced["new"] == 12
