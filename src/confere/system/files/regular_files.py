"""Opening files that a person named: ordinary ones only, since a device, a pipe or a socket may never end."""

from __future__ import annotations

import os
import re
import stat
import sys
from pathlib import Path, PureWindowsPath
from typing import BinaryIO

from confere.errors import EnvironmentFault, Message, message

_RESERVED = re.compile(r"(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(COM|LPT)[0-9\u00b9\u00b2\u00b3])", re.IGNORECASE)
_ORDINARY_PREFIX = re.compile(r"\\\\\?\\([A-Za-z]:|UNC\\(?![^\\]+\\pipe(\\|$)))", re.IGNORECASE)


def open_regular(path: Path) -> BinaryIO:
    """`path` opened for reading. Raises `EnvironmentFault` for what is no ordinary file, `OSError` as `open` does.

    Never waits: a pipe without a writer is opened without blocking, looked at and refused.
    """
    if sys.platform == "win32" and is_windows_device(str(path)):
        raise _refused(_device(path))
    _refuse(path, path.stat())  # not opened at all: some devices act on that
    file = open(path, "rb", opener=_without_waiting)  # noqa: SIM115 - the caller closes it
    try:
        _refuse(path, os.fstat(file.fileno()))  # another may have taken its place meanwhile
    except BaseException:
        file.close()
        raise
    return file


def special_kind(path: Path) -> Message | None:
    """What `path` is where it is neither a folder nor an ordinary file, as a sentence; else None. Raises `OSError`."""
    if sys.platform == "win32" and is_windows_device(str(path)):
        return _device(path)
    mode = path.stat().st_mode
    return None if stat.S_ISDIR(mode) else problem_of(path, mode)


def problem_of(path: Path, mode: int) -> Message | None:
    """What is at `path` by its mode where that is no regular file, as a sentence; else None."""
    if stat.S_ISREG(mode):
        return None
    if stat.S_ISDIR(mode):
        return message("{path} is a folder, not a file.", path=str(path))
    if stat.S_ISFIFO(mode):
        return message("{path} is a pipe, not a file; it was not read.", path=str(path))
    if stat.S_ISSOCK(mode):
        return message("{path} is a socket, not a file; it was not read.", path=str(path))
    return _device(path)


def is_windows_device(name: str) -> bool:
    """Whether Windows takes `name` for a device or a pipe: `NUL`, `con.txt`, `\\\\.\\pipe\\x`."""
    windows = name.replace("/", "\\")
    if windows.startswith("\\\\.\\"):
        return True
    if windows.startswith("\\\\?\\"):
        return _ORDINARY_PREFIX.match(windows) is None
    path = PureWindowsPath(windows)
    if path.drive.lower().endswith("\\pipe"):
        return True
    return _RESERVED.fullmatch(re.split("[.:]", path.name, maxsplit=1)[0].rstrip(" ")) is not None


def _refuse(path: Path, status: os.stat_result) -> None:
    problem = problem_of(path, status.st_mode)
    if problem is not None:
        raise _refused(problem)


def _without_waiting(name: str, flags: int) -> int:
    # On Windows a pipe cannot lie in a folder, so nothing there waits.
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))


def _device(path: Path) -> Message:
    return message("{path} is a device, not a file; it was not read.", path=str(path))


def _refused(problem: Message) -> EnvironmentFault:
    return EnvironmentFault(problem, message("Name an ordinary file; what another program gives can be saved as one."))
