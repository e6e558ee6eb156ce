"""A fresh copy of the project in which mutants are tried, one at a time."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple

from tests.house.mutation.mutant import Mutant

_PYTEST: Final = ("-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=no", "-rfE")
_FAILED: Final = re.compile(r"^(?:FAILED|ERROR) (\S+?\.py(?:::.*?)?)(?: - .*)?$", re.MULTILINE)
_NO_TESTS: Final = 5  # pytest's code


class Fate(StrEnum):
    KILLED = "killed"
    SURVIVED = "survived"
    TIMEOUT = "timeout"
    REFUSED = "refused by types"


class Outcome(NamedTuple):
    """What became of a mutant; `by` is the test that failed first, or what the type checker says."""

    fate: Fate
    by: str = ""


class Trial:
    """A copy of the files that git knows or would add, below a temporary folder of the caller's."""

    def __init__(self, root: Path, folder: Path) -> None:
        self._root = folder / "copy"
        self._temporary = folder / "tmp"
        self._slow: set[str] = set()
        self._is_typed: bool | None = None  # whether the project has types that can be checked
        self.broken: list[str] = []  # tests that fail without any mutant: they notice none
        listed = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=root, capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        for name in filter(None, listed.split("\0")):
            if (root / name).is_file():
                (self._root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(root / name, self._root / name)

    @property
    def root(self) -> Path:
        return self._root

    def run(self, mutant: Mutant, tests: list[str], limit: float, budget: float) -> Outcome:
        """Put the mutant in, run these test files one by one, put the module back as it was.

        A file may take `limit` seconds; after `budget` seconds no further one is begun. One that takes longer notices
        the mutant only if it is done in time without; likewise a test that fails, else it is `broken`.
        """
        until = time.monotonic() + budget
        for test in tests:
            if time.monotonic() >= until:
                break
            outcome = self._met(mutant, test, limit)
            if outcome is not None:
                return outcome
        refusal = self._refusal(mutant)
        return Outcome(Fate.SURVIVED) if refusal is None else Outcome(Fate.REFUSED, refusal)

    def _refusal(self, mutant: Mutant) -> str | None:
        """What the type checker, by which nothing lands either, says of it; None where it takes it."""
        if self._is_typed is None:
            self._is_typed = self._types(mutant.path)[0] == 0
        if not self._is_typed:
            return None
        path = self._root / mutant.path
        _write(path, mutant.text)
        try:
            code, output = self._types(mutant.path)
        finally:
            _write(path, mutant.text_before)
        return next((line for line in output.splitlines() if ": error:" in line), None) if code == 1 else None

    def _types(self, path: str) -> tuple[int, str]:
        command = [sys.executable, "-m", "mypy", path]
        done = subprocess.run(command, cwd=self._root, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    def _met(self, mutant: Mutant, test: str, limit: float) -> Outcome | None:
        """What this test file makes of it; None where it notices nothing."""
        path = self._root / mutant.path
        while test not in self._slow and test not in self.broken:
            _write(path, mutant.text)
            try:
                code, output = self._pytest([test], limit)
            finally:
                _write(path, mutant.text_before)
            if code is None:
                return Outcome(Fate.TIMEOUT, test) if self._is_fast(test, limit) else None
            if code in (0, _NO_TESTS):
                return None
            failed = _FAILED.search(output)
            by = failed[1] if failed else test
            if self._passes(by, limit):
                return Outcome(Fate.KILLED, by)
            self.broken.append(by)  # not asked any more; what comes after it in the file is
        return None

    def _is_fast(self, test: str, limit: float) -> bool:
        code, _ = self._pytest([test], limit)
        if code is None:
            self._slow.add(test)
        return code is not None

    def _passes(self, test: str, limit: float) -> bool:
        # A file that could not even be collected: that it can be now is enough.
        code, _ = self._pytest([test] if "::" in test else [test, "--collect-only"], limit)
        return code in (0, _NO_TESTS)

    def _pytest(self, arguments: list[str], seconds: float) -> tuple[int | None, str]:
        """The code it ended with, None for too late, and what it printed."""
        path = os.pathsep.join(filter(None, [str(self._root / "src"), os.environ.get("PYTHONPATH")]))
        environment = {**os.environ, "PYTHONPATH": path, "QT_QPA_PLATFORM": "offscreen"}
        environment.pop("PYTEST_ADDOPTS", None)  # of whoever runs us: it may name plugins that are not loaded here
        left_out = [f"--deselect={test}" for test in self.broken]
        command = [sys.executable, *_PYTEST, f"--basetemp={self._temporary}", *left_out, *arguments]
        process = subprocess.Popen(
            command, cwd=self._root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            text=True, errors="replace", start_new_session=True,
        )  # fmt: skip
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            _end_group(process)
            return None, ""
        return process.returncode, output


def _end_group(process: subprocess.Popen[str]) -> None:
    """End it with all that it started: they are a session of their own."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def _write(path: Path, text: str) -> None:
    """Write a module and forget how it was compiled: a change within one second and of equal length goes unseen."""
    path.write_text(text, encoding="utf-8")
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()
