"""One sandbox that the reading tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.sandbox_hub.web.client import Client, sandbox


@pytest.fixture(scope="session")
def strict() -> Iterator[Client]:
    """The same world at a hub that takes nothing beyond the specification, in queries and in bodies."""
    with sandbox(documents=700, seed=9, shape=("strict",), strict_bodies=True) as found:
        yield found


@pytest.fixture(scope="session")
def client() -> Iterator[Client]:
    with sandbox(documents=700, seed=9) as found:
        yield found
