"""One sandbox without callbacks that the tests of its panel share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.sandbox_hub.web.client import Client, sandbox


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with sandbox(documents=30) as found:
        yield found
