"""Data folders that are costly to make: once in a run of all tests, however many processes share it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


def made_once(tmp_path_factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """The folder of this name that `make` fills, by whichever process needs it first; tests only read it."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    folder, half_made = shared / name, shared / f"{name}.half"
    with FileLock(shared / f"{name}.lock"):
        if not folder.exists():
            shutil.rmtree(half_made, ignore_errors=True)
            make(half_made)
            half_made.rename(folder)
    return folder
