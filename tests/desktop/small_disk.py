"""Runs a command of Confere on a disk without room: SQLite by its own limit, other files by what the system says."""

from __future__ import annotations

import errno
import os
import runpy
import sqlite3
import sys
from pathlib import Path
from typing import Any

VARIABLE = "CONFERE_TEST_FULL_DISK"  # names a file; while it exists the disk is full
_MORE_PAGES = 6

_connect = sqlite3.connect
_fsync = os.fsync


def _is_full() -> bool:
    return Path(os.environ[VARIABLE]).exists()


def _connected(*arguments: Any, **options: Any) -> sqlite3.Connection:
    connection = _connect(*arguments, **options)
    if _is_full():
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + _MORE_PAGES}")
    return connection


def _settled(descriptor: int) -> None:
    if _is_full():
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    _fsync(descriptor)


if __name__ == "__main__":
    sqlite3.connect = _connected  # type: ignore[assignment]
    os.fsync = _settled
    sys.argv = ["confere", *sys.argv[1:]]
    runpy.run_module("confere", run_name="__main__")
