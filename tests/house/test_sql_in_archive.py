"""SQL stands in the archive alone."""

from __future__ import annotations

from tests.conftest import ROOT
from tests.house.measures.source import load
from tests.house.measures.sql import sql_literals


def test_no_statement_stands_outside() -> None:
    assert sql_literals(load(ROOT / "src")) == []
