"""One sandbox that the reading tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.sandbox_hub.web.client import Client, sandbox


@pytest.fixture(scope="session")
def client() -> Iterator[Client]:
    with sandbox(documents=700, seed=9) as found:
        yield found
