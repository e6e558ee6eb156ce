"""How processes of our own are started: another command of Confere, or a worker; never code of the current folder.

Python looks for modules in the current folder first when it is started with `-m` or `-c`, and that folder may be one
of downloads. `-P` and `PYTHONSAFEPATH` take it out; a frozen build never has it.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

SAFE_PATH_VARIABLE: Final = "PYTHONSAFEPATH"

_environment = threading.Lock()


def own_command(*arguments: str) -> list[str]:
    """How this program starts itself: a frozen build is its own executable, elsewhere Python runs the package."""
    if getattr(sys, "frozen", False):
        return [sys.executable, *arguments]
    return [sys.executable, "-P", "-m", "confere", *arguments]


def lasting_command(*arguments: str) -> list[str]:
    """As `own_command`, for whoever keeps it: the program that terminals and schedulers call, by its whole path."""
    beside = Path(sys.executable).parent / ("confere.exe" if sys.platform == "win32" else "confere")
    if beside.is_file():
        return [str(beside), *arguments]
    return own_command(*arguments)


@contextmanager
def safe_environment() -> Iterator[None]:
    """Inside the block a process that is started, by whichever library, has no current folder among its modules.

    For `multiprocessing`, which takes neither options nor an environment. Programs that the user opens later (a
    browser, an editor) do not inherit it.
    """
    with _environment:
        before = os.environ.get(SAFE_PATH_VARIABLE)
        os.environ[SAFE_PATH_VARIABLE] = "1"
        try:
            yield
        finally:
            if before is None:
                del os.environ[SAFE_PATH_VARIABLE]
            else:
                os.environ[SAFE_PATH_VARIABLE] = before
