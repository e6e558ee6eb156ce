"""A push of products that is killed on the way goes on: every product is at the hub once, none was sent twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.catalog_push import push_killed

PRODUCTS = 150


@pytest.mark.exhaustive
def test_a_killed_push_goes_on_and_sends_nothing_twice(tmp_path: Path) -> None:
    pushed = push_killed(tmp_path, PRODUCTS, 2)
    assert len(pushed.kills_at) == 2
    assert pushed.code == 0, pushed
    assert (len(pushed.codes), set(pushed.codes.values()), pushed.sent) == (PRODUCTS, {1}, PRODUCTS)
    assert pushed.counts["created"] == PRODUCTS
