"""A program called `lp` that writes down what it was given and keeps the file that it was to print."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_PROGRAM = """#!/bin/sh
for file; do :; done
printf '%s\\n' "$@" > "{folder}/arguments"
cp "$file" "{folder}/printed.pdf"
ls -l "$file" > "{folder}/rights"
exit {code}
"""


class Spooler:
    """The only `lp` on the path."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, code: int = 0) -> None:
        self.folder = folder
        programs = folder / "programs"
        programs.mkdir(parents=True)
        program = programs / "lp"
        program.write_text(_PROGRAM.format(folder=folder, code=code), encoding="ascii")
        program.chmod(0o755)
        monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")

    @property
    def arguments(self) -> list[str]:
        """What `lp` was given; empty where nobody called it."""
        file = self.folder / "arguments"
        return file.read_text(encoding="utf-8").splitlines() if file.exists() else []

    @property
    def printed(self) -> bytes:
        return (self.folder / "printed.pdf").read_bytes()

    @property
    def rights(self) -> str:
        """Who may read the file that `lp` was given, as `ls -l` shows it."""
        return (self.folder / "rights").read_text(encoding="utf-8")[:10]
