"""The path of an archive as SQLite's URI."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote


def file_uri(path: Path) -> str:
    """The path as SQLite takes it: no host, and four slashes before a share of Windows."""
    absolute = path.absolute().as_posix()
    return "file://" + quote(absolute if absolute.startswith("/") else f"/{absolute}")
