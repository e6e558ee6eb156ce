"""SQL stands in the archive alone."""

from __future__ import annotations

from tests.house.measures.source import Tree
from tests.house.measures.sql import sql_literals


def test_no_statement_stands_outside(house: Tree) -> None:
    assert sql_literals(house) == []
