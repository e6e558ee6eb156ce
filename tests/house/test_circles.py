"""No module depends on itself through others, neither at import nor for types nor inside a function."""

from __future__ import annotations

from tests.house.measures.circles import EVER, circles
from tests.house.measures.source import Tree


def test_no_modules_need_each_other(house: Tree) -> None:
    assert circles(house, EVER) == []
