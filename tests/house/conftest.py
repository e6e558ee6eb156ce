"""The program's source, parsed once: it costs more than what most tests of the house ask of it."""

from __future__ import annotations

import pytest

from tests.conftest import ROOT
from tests.house.measures.source import Tree, load


@pytest.fixture(scope="package")
def house() -> Tree:
    """Every module below `src`; the trees are let go of after the last test of this folder."""
    return load(ROOT / "src")
