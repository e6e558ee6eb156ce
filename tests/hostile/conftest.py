"""An archive to bring hostile files into, and no proxies between the tests and their hubs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from confere.archive.store import Archive


@pytest.fixture
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    home: Path = tmp_path_factory.mktemp("home")
    with Archive.to_write(home / "archive.sqlite3", "test") as opened:
        yield opened


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
