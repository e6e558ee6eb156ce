"""Calls of the operating system's own programs: short, without a window, never answered from a terminal."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from typing import Final, NamedTuple

_SECONDS: Final = 30


class ProgramResult(NamedTuple):
    """How a program ended; `words` are what it said, on whichever stream, as one line."""

    code: int
    out: str
    words: str


def call(name: str, *arguments: str) -> ProgramResult | None:
    """Run a program of the system; None where it is not there, does not start or does not end."""
    program = shutil.which(name)
    if program is None:
        return None
    try:
        done = subprocess.run(  # noqa: S603 - a program of the system, by its whole path
            (program, *arguments),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
            text=True,
            errors="replace",
            env=outer_environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return ProgramResult(done.returncode, done.stdout, " ".join(f"{done.stderr} {done.stdout}".split()))


def outer_environment(environ: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment without what a frozen build set for its own libraries: other programs have their own."""
    variables = dict(os.environ if environ is None else environ)
    if getattr(sys, "frozen", False):
        for name in ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"):
            before = variables.pop(f"{name}_ORIG", None)
            variables.pop(name, None)
            if before:
                variables[name] = before
    return variables
