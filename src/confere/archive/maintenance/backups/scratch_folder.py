"""A private folder on the archive's disk for a trial, gone afterwards; what a killed process left is swept."""

from __future__ import annotations

import os
import secrets
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from confere.system.files import stale_drafts

BEGINNING: Final = "archive-drill-"
_HOLDER: Final = "in-use"


@contextmanager
def scratch_folder(parent: Path) -> Iterator[Path]:
    """A folder in `parent`, which nobody else can read; a file in it is held against `sweep` as long as it is used.

    Raises `OSError` where it cannot be made.
    """
    folder = parent / f"{BEGINNING}{secrets.token_hex(4)}"
    folder.mkdir(mode=0o700, parents=True)
    try:
        descriptor = os.open(folder / _HOLDER, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            stale_drafts.hold(descriptor)
            yield folder
        finally:
            os.close(descriptor)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep(parent: Path) -> None:
    """Remove the folders of trials that were killed: no process holds the file in them."""
    with suppress(OSError):
        for folder in parent.glob(f"{BEGINNING}*"):
            if folder.is_dir() and not folder.is_symlink() and _is_left(folder):
                shutil.rmtree(folder, ignore_errors=True)


def _is_left(folder: Path) -> bool:
    holder = folder / _HOLDER
    try:
        if holder.is_symlink() or not holder.is_file():  # killed before it was made, or being made just now
            return time.time() - folder.stat().st_mtime > stale_drafts.OLD_SECONDS
        stale_drafts.remove_if_idle(holder)
    except OSError:
        return False
    return True
