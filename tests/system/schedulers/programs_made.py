"""Programs of a system that is not this one: each writes down how it was called, and answers as a test says."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

_POSIX = """#!/bin/sh
printf '%s\\n' "$*" >> {log}
case "$*" in
{cases}
esac
exit 0
"""


class MadePrograms:
    """A folder that is the whole PATH; `calls` are the command lines that were given, in their order."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder = folder
        self._log = folder / "calls.log"
        folder.mkdir()
        monkeypatch.setenv("PATH", str(folder))

    @property
    def calls(self) -> list[str]:
        return self._log.read_text(encoding="utf-8").splitlines() if self._log.exists() else []

    def put(self, name: str, answers: Mapping[str, tuple[int, str]] | None = None) -> None:
        """A program that ends with 0, or as `answers` says for the calls that hold a text."""
        if sys.platform == "win32":
            lines = [f"@echo %*>>{self._log}"]
            for part, (code, out) in (answers or {}).items():
                lines += [f'@echo %* | find "{part}" >nul && (echo {out}& exit /b {code})']
            (self._folder / f"{name}.cmd").write_text("\r\n".join([*lines, "@exit /b 0", ""]), encoding="utf-8")
            return
        cases = "\n".join(
            f"*{shlex.quote(part)}*) printf '%s\\n' {shlex.quote(out)}; exit {code};;"
            for part, (code, out) in (answers or {}).items()
        )
        path = self._folder / name
        path.write_text(_POSIX.format(log=shlex.quote(str(self._log)), cases=cases), encoding="utf-8")
        os.chmod(path, 0o755)  # noqa: PTH101 - a program of a test
