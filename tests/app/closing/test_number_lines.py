"""Whether the time of a gap in a series was listed, from values: the notes on both sides, and one without a date."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from confere.app.closing import number_lines
from confere.archive.closing.series_numbers import UsedNumber
from confere.reconcile.coverage.known_periods import KnownPeriods
from confere.reconcile.number_gaps import NumberGap
from confere.sales.reconciliation_input import ListedPeriod

NOW = datetime(2026, 10, 25, tzinfo=UTC)
LISTED = KnownPeriods([ListedPeriod("2026-10-05T03:00:00.000+00:00", "2026-10-20T02:59:59.999+00:00")], ())


def used(number: int, day: str, at: str | None = None) -> UsedNumber:
    return UsedNumber(number, day, at)


@pytest.mark.parametrize(
    ("before", "after", "listed"),
    [
        (used(1, "2026-10-06"), used(3, "2026-10-19"), True),
        (used(1, "2026-10-05"), used(3, "2026-10-19"), True),
        (used(1, "2026-10-04"), used(3, "2026-10-19"), False),
        (used(1, "2026-10-06"), used(3, "2026-10-20"), False),
        (used(1, "2026-10-19", "2026-10-19T22:00:00-03:00"), used(3, "2026-10-19", "2026-10-19T23:00:00-03:00"), True),
        # The later number may have been used first.
        (used(1, "2026-10-19"), used(3, "2026-10-06"), True),
        # One that says no date leaves the other's; two leave nothing to look at.
        (used(1, ""), used(3, "2026-10-06"), True),
        (used(1, "2026-10-06"), used(3, ""), True),
        (used(1, ""), used(3, "2026-10-21"), False),
        (used(1, ""), used(3, ""), False),
        # Of a number without XML its month alone is known, and that was not listed whole.
        (used(1, "2026-10"), used(3, "2026-10-06"), False),
    ],
)
def test_whether_the_time_of_a_gap_was_listed(before: UsedNumber, after: UsedNumber, listed: bool) -> None:
    gap = NumberGap(2, 2, before, after)
    assert number_lines._is_listed([LISTED], gap, NOW) is listed
    assert number_lines._is_listed([KnownPeriods([], ()), LISTED], gap, NOW) is listed
    assert number_lines._is_listed([], gap, NOW) is False


def test_what_is_still_to_come_need_not_have_been_listed() -> None:
    gap = NumberGap(2, 2, used(1, "2026-10-06"), used(3, "2026-10"))
    whole = KnownPeriods([ListedPeriod("2026-10-01T03:00:00.000+00:00", "2026-10-20T02:59:59.999+00:00")], ())
    assert number_lines._is_listed([whole], gap, NOW) is False
    assert number_lines._is_listed([whole], gap, datetime(2026, 10, 20, 2, tzinfo=UTC)) is True
