"""What was listed: orders and documents each have windows of their own."""

from __future__ import annotations

import pytest

from confere.archive.hub import coverage
from confere.archive.store import Archive
from tests.archive.listed import add_accounts

FROM, TO = "2026-10-01T00:00:00.000+00:00", "2026-10-02T00:00:00.000+00:00"


@pytest.mark.parametrize("method", [coverage.SCAN, coverage.WINDOW])
def test_an_interrupted_listing_is_gone_on_with_or_forgotten_along_its_own_axis(archive: Archive, method: str) -> None:
    add_accounts(archive)
    with archive.writing() as transaction:
        begun = {
            axis: coverage.begin(transaction, 1, 1, axis=axis, from_at=FROM, to_at=TO, narrowed="", method=method)
            for axis in (coverage.CREATED, coverage.ORDERS, coverage.RETURNS)
        }
        whole = method == coverage.SCAN
        assert coverage.unfinished(transaction, 1) == (begun[coverage.CREATED] if whole else None)
        for axis in (coverage.ORDERS, coverage.RETURNS):
            assert coverage.unfinished(transaction, 1, (axis,)) == (begun[axis] if whole else None)
        coverage.forget_interrupted(transaction, 1)
        left = {row[0] for row in transaction.fetch("SELECT axis FROM coverage")}
        assert left == (set(begun) if whole else {coverage.ORDERS, coverage.RETURNS})
        coverage.forget_interrupted(transaction, 1, (coverage.ORDERS,))
        left = {row[0] for row in transaction.fetch("SELECT axis FROM coverage")}
        assert left == (set(begun) if whole else {coverage.RETURNS})
