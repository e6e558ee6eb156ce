"""Compiles the program and its tests before several workers do: each would compile all of it, at the same time."""

from __future__ import annotations

import compileall
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

from _pytest.assertion import rewrite

ROOT = Path(__file__).resolve().parent.parent
_QUIET = 2  # not even errors: whoever imports the file says them


def once() -> None:
    """Compile what was not compiled yet, in a process for each processor."""
    processes = os.cpu_count() or 1
    running = [
        subprocess.Popen([sys.executable, "-m", __name__, str(number), str(processes)], cwd=ROOT)
        for number in range(processes)
    ]
    for process in running:
        process.wait()


def _compile(number: int, of: int) -> None:
    for place, file in enumerate(sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "tests").rglob("*.py")])):
        if place % of != number:
            continue
        if file.name.startswith("test_") or file.name == "conftest.py":
            _rewrite(file)
        else:
            compileall.compile_file(file, quiet=_QUIET)


def _rewrite(file: Path) -> None:
    """As pytest does it when it imports the file: with assertions that say what they compared."""
    state = SimpleNamespace(trace=lambda _text: None)
    folder = rewrite.get_cache_dir(file)
    kept = folder / (file.name[:-3] + rewrite.PYC_TAIL)
    if rewrite._read_pyc(file, kept, state.trace) is None and rewrite.try_makedirs(folder):
        source, code = rewrite._rewrite_test(file, None)  # type: ignore[arg-type]
        rewrite._write_pyc(state, code, source, kept)  # type: ignore[arg-type]


if __name__ == "__main__":
    _compile(int(sys.argv[1]), int(sys.argv[2]))
