"""An empty archive on disk for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from confere.archive.store import Archive


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with Archive.to_write(tmp_path / "home" / "archive.sqlite3", "test") as opened:
        yield opened


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Where packages go; nothing makes it beforehand."""
    return tmp_path / "out"
