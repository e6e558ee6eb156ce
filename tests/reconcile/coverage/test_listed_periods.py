"""What was listed, and so what can be called missing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from confere.reconcile.coverage.listed_periods import (
    Stretches,
    day_begins,
    local_day,
    local_month,
    moment,
    month_ends,
    utc,
)
from confere.sales.reconciliation_input import ListedPeriod


def test_times_with_offset_without_and_none() -> None:
    assert moment("2026-03-10T12:00:00-03:00") == moment("2026-03-10T15:00:00Z") == moment("2026-03-10T12:00:00")
    assert moment("2026-03-10T12:00:00.000Z") is not None
    assert moment("soon") is None
    assert moment(None) is moment("") is None


def test_days_and_months_are_those_of_brasilia() -> None:
    begins, ends = day_begins("2026-03"), month_ends("2026-02")
    assert begins == moment("2026-03-01T03:00:00Z")
    assert ends is not None
    assert begins is not None
    assert begins - ends == 1
    assert (local_day(begins), local_month(ends)) == ("2026-03-01", "2026-02")
    assert month_ends("none") is None
    assert month_ends("9999-12") is None


def test_days_that_windows_has_no_time_for() -> None:
    """Its own conversion ends with an OSError before 1970 and after 3000; what a paper bears may be either."""
    for day in ("1900-06-15", "1969-12-31", "3500-01-01"):
        begins = day_begins(day)
        assert begins is not None
        assert local_day(begins) == day
    assert month_ends("1969-11") == moment("1969-11-30T23:59:59")


def test_a_naive_now_is_utc() -> None:
    assert utc(datetime(2026, 3, 1)) == utc(datetime(2026, 3, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("start", "end", "whole"),
    [(1, 9, True), (2, 12, True), (1, 16, False), (0, 5, False), (14, 20, False), (15, 18, True), (21, 22, False)],
)
def test_only_what_lies_in_one_stretch_was_listed_whole(start: int, end: int, whole: bool) -> None:
    def at(hour: int) -> str:
        return f"2026-03-{1 + hour // 24:02d}T{hour % 24:02d}:00:00+00:00"

    stretches = Stretches(
        [
            ListedPeriod(at(15), at(20)),
            ListedPeriod(at(1), at(10)),
            ListedPeriod(at(9), at(13)),
            ListedPeriod("", at(23)),
        ]
    )
    first = moment(at(0))
    assert first is not None
    assert stretches.cover(first + start * 3_600, first + end * 3_600) is whole
    assert stretches.last == moment(at(20))


def test_nothing_was_listed() -> None:
    assert not Stretches([]).cover(0, 0)
    assert Stretches([]).last is None
