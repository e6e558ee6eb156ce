"""An empty archive on disk for each test, and papers made of the sandbox's own mill."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from confere.archive.store import Archive


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "archive.sqlite3"


@pytest.fixture
def archive(path: Path) -> Iterator[Archive]:
    with Archive.to_write(path, "test") as opened:
        yield opened
