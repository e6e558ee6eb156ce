"""Files that another program holds open: waits while one is held for an instant, and says when it is held for long.

Of Windows: a virus scanner or an indexer holds a new file for an instant, a spreadsheet program what it shows for
hours, and neither can be replaced or removed meanwhile. Other systems let both be done.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

from confere.errors import EnvironmentFault, message

_ACCESS_DENIED: Final = 5  # also what replacing a file says that somebody else has open
_HELD: Final = frozenset({32, 33})  # ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION
PAUSES: Final = (0.05, 0.1, 0.2, 0.4, 0.8)
"""Seconds between the attempts."""
LONG_PAUSES: Final = (*PAUSES, 1.6, 3.2, 6.4)
"""The same for files so large that a scanner takes its time."""

Value = TypeVar("Value")


def replace(source: Path, target: Path, *, pauses: tuple[float, ...] = PAUSES) -> None:
    """Give `source` the name `target`, over what has it; `OSError` where it is held longer than `pauses` last."""
    patiently(lambda: source.replace(target), pauses=pauses)


def remove(path: Path, *, pauses: tuple[float, ...] = PAUSES) -> None:
    """Remove a file, if it is there; `OSError` where it is held longer than `pauses` last."""
    patiently(lambda: path.unlink(missing_ok=True), pauses=pauses)


def patiently(action: Callable[[], Value], *, pauses: tuple[float, ...] = PAUSES) -> Value:
    """What `action` gives, tried again after each of the `pauses` while another program may hold its file."""
    for pause in pauses:
        try:
            return action()
        except PermissionError as error:
            if getattr(error, "winerror", None) not in {_ACCESS_DENIED, *_HELD}:
                raise
            time.sleep(pause)
    return action()


def refuse_held(path: Path) -> None:
    """Raise `held_fault` where another program keeps `path` open: before work whose result is to take its place."""
    for pause in (*PAUSES, None):
        if not _is_open_elsewhere(path):
            return
        if pause is not None:
            time.sleep(pause)
    raise held_fault(path)


def is_held(error: OSError, path: Path) -> bool:
    """Whether `error`, met while writing, replacing or removing `path`, means that another program has it open."""
    if getattr(error, "winerror", None) in _HELD:
        return True
    # Opening and replacing say no more than "access denied", whatever the reason: the file itself is asked.
    return isinstance(error, PermissionError) and _is_open_elsewhere(path)


def held_fault(path: Path) -> EnvironmentFault:
    """The error to raise where `is_held`."""
    return EnvironmentFault(
        message("{path} is open in another program.", path=str(path)),
        message("Close it there and try again; it was left as it was."),
    )


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    _DELETE, _SHARE_ALL, _OPEN_EXISTING = 0x00010000, 0x7, 3

    def _is_open_elsewhere(path: Path) -> bool:
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateFileW.restype = wintypes.HANDLE
        handle = kernel.CreateFileW(str(path), _DELETE, _SHARE_ALL, None, _OPEN_EXISTING, 0, None)
        if handle != wintypes.HANDLE(-1).value:
            kernel.CloseHandle(wintypes.HANDLE(handle))
            return False
        return ctypes.get_last_error() in _HELD

else:

    def _is_open_elsewhere(_path: Path) -> bool:
        """An open file hinders nobody here."""
        return False
