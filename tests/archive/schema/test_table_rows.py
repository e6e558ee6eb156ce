"""Rows to be written: their tables say what they are called and where they stand."""

from __future__ import annotations

import pytest

from confere.archive.schema.schema import dictionary, tax_group
from confere.archive.schema.table_rows import row_of, setter
from confere.fiscal.model import TaxSums


def test_a_row_takes_only_the_columns_of_its_table() -> None:
    with pytest.raises(TypeError, match="colour"):
        row_of(dictionary)(id=1, colour="red")


def test_columns_that_stand_side_by_side_are_set_together() -> None:
    made = row_of(dictionary)(id=1, family=2, data=b"x", trained_at="now", ratio=3)
    assert setter(dictionary, "family", "data")(made, 5, b"y") == (1, 5, b"y", "now", 3)
    with pytest.raises(ValueError, match="side by side"):
        setter(dictionary, "family", "trained_at")


def test_the_sums_of_a_document_stand_as_its_table_does() -> None:
    names = tuple(column.name for column in tax_group.columns)
    assert names == ("document_id", "position", *TaxSums._fields)
