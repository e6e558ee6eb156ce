"""A hub with its middleware, for each test a new one: what tests write stays in it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.sandbox_hub.publications.seller import Seller, shop


@pytest.fixture
def seller() -> Iterator[Seller]:
    with shop() as found:
        yield found
