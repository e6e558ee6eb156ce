"""A sandbox for the tests that write to its catalog, and one for those that only read or are refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.sandbox_hub.web.client import Client, sandbox


@pytest.fixture
def hub() -> Iterator[Client]:
    with sandbox(documents=60, seed=9) as client:
        yield client


@pytest.fixture(scope="session")
def shared() -> Iterator[Client]:
    with sandbox(documents=60, seed=9) as client:
        yield client
