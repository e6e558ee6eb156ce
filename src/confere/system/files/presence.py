"""Whether something is at a path; where the system does not let anybody look, nothing is.

`Path.exists` and its kin raise there: for a folder of another user, a drive that is locked, a share that does not
answer, a name that is too long.
"""

from __future__ import annotations

import os
from pathlib import Path


def is_there(path: Path) -> bool:
    """Whether there is anything at `path`."""
    return os.path.exists(path)  # noqa: PTH110


def is_hidden(path: Path) -> bool:
    """Whether nobody can tell what is at `path`, since the system does not let one look."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except (OSError, ValueError):
        return True
    return False


def is_folder(path: Path) -> bool:
    """Whether `path` is a folder, or a link to one."""
    return os.path.isdir(path)  # noqa: PTH112


def is_file(path: Path) -> bool:
    """Whether `path` is a regular file, or a link to one."""
    return os.path.isfile(path)  # noqa: PTH113
