"""What was listed, and so what can be called missing."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from confere.reconcile.coverage.listed_periods import (
    Stretches,
    day_begins,
    issued,
    local_day,
    local_month,
    moment,
    month_ends,
    ordered,
    utc,
)
from confere.sales.reconciliation_input import ListedPeriod
from tests.reconcile import made


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


@pytest.mark.parametrize("hours", [-3, 0, 2])
def test_a_now_with_an_offset_keeps_it(hours: int) -> None:
    aware = datetime(2026, 3, 1, 12 + hours, tzinfo=timezone(timedelta(hours=hours)))
    assert utc(aware) == moment("2026-03-01T12:00:00+00:00")


@pytest.mark.parametrize(
    ("listed", "start", "until"),
    [
        ([(10, 20)], 9, None),
        ([(10, 20)], 10, 20),
        ([(10, 20)], 20, 20),
        ([(10, 20)], 21, None),
        ([(10, 20), (20, 30)], 10, 30),
        ([(10, 20), (21, 30)], 10, 20),
        ([(10, 20), (21, 30)], 20, 20),
        ([(10, 20), (21, 30)], 21, 30),
        ([(10, 40), (15, 20)], 15, 40),
        ([(15, 20), (10, 40)], 30, 40),
        ([(10, 40), (15, 20), (35, 50)], 12, 50),
        ([(10, 10)], 10, 10),
    ],
)
def test_where_the_stretch_around_a_second_ends(listed: list[tuple[int, int]], start: int, until: int | None) -> None:
    def at(second: int) -> str:
        return datetime.fromtimestamp(second, UTC).isoformat()

    stretches = Stretches([ListedPeriod(at(first), at(last)) for first, last in listed])
    assert stretches.until(start) == until
    if until is not None:
        assert stretches.cover(start, until)
        assert not stretches.cover(start, until + 1)


@pytest.mark.parametrize(("start", "end"), [("", "2026-03-02T00:00:00Z"), ("2026-03-01T00:00:00Z", ""), ("", "")])
def test_a_stretch_without_one_of_its_ends_is_none(start: str, end: str) -> None:
    assert Stretches([ListedPeriod(start, end)]).last is None


@pytest.mark.parametrize(
    ("month", "last"),
    [
        ("2026-01", "2026-01-31T23:59:59"),
        ("2026-02", "2026-02-28T23:59:59"),
        ("2024-02", "2024-02-29T23:59:59"),
        ("2026-12", "2026-12-31T23:59:59"),
    ],
)
def test_the_last_second_of_a_month(month: str, last: str) -> None:
    assert month_ends(month) == moment(last)


def test_orders_and_papers_without_a_time_stand_at_the_beginning_of_their_day() -> None:
    order, paper = made.order(1, "2026-03-10"), made.note(1, "2026-03-10")
    timed_order = replace(order, created_at="2026-03-10T15:00:00-03:00")
    timed_paper = replace(paper, issued_at="2026-03-10T15:00:00-03:00")
    assert ordered(timed_order) == issued(timed_paper) == moment("2026-03-10T18:00:00Z")
    assert ordered(replace(order, created_at=None)) == moment("2026-03-10T00:00:00")
    assert issued(replace(paper, issued_at=None)) == moment("2026-03-10T00:00:00")
    epoch = "1970-01-01T00:00:00+00:00"
    assert ordered(replace(order, created_at=epoch)) == issued(replace(paper, issued_at=epoch)) == 0
