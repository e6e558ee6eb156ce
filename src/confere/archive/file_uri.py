"""The path of an archive as SQLite's URI, and those of the files beside it."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote


def file_uri(path: Path) -> str:
    """The path as SQLite takes it: no host, and four slashes before a share of Windows."""
    absolute = path.absolute().as_posix()
    return "file://" + quote(absolute if absolute.startswith("/") else f"/{absolute}")


def beside(archive: Path, ending: str) -> Path:
    """The file of that ending that belongs to the archive: beside the file itself, where a link leads to it."""
    return Path(os.path.realpath(archive) + ending)
