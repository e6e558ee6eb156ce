"""A workspace with the small business, reconciled: each test has its own copy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from tests import own_configuration
from tests.app import business
from tests.app.sandboxed import copied


@pytest.fixture(autouse=True)
def _own_configuration(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Copies of one archive have its id: what a test binds for one of them is for no other test."""
    own_configuration.use_copy(monkeypatch, tmp_path_factory.mktemp("own-configuration"))


@pytest.fixture(scope="session")
def small_business(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder that is copied: only to be read."""
    return business.workspace_at(tmp_path_factory.mktemp("business")).home.root


@pytest.fixture
def workspace(small_business: Path, tmp_path: Path) -> Workspace:
    return copied(small_business, tmp_path / "home")


@pytest.fixture
def opened(workspace: Workspace) -> Iterator[OpenArchive]:
    archive = OpenArchive(workspace)
    yield archive
    archive.close()
