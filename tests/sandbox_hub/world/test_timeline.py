"""The calendar: monotone in the index, spread over twelve months, read back from any way of writing a time."""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox_hub.world.timeline import END, HUB_ZONE, START, Timeline, first_second, hub_time, last_second, utc_time

SIZES = st.sampled_from([1, 7, 60, 2_000, 1_000_000, 50_000_000])


@settings(deadline=None)
@given(SIZES, st.integers(-(10**6), 10**6), st.integers(0, 2**32))
def test_times_never_go_back(documents: int, index: int, seed: int) -> None:
    timeline = Timeline(seed, documents)
    assert timeline.created(index) <= timeline.created(index + 1)
    assert timeline.issued(index) <= timeline.issued(index + 1)
    assert 100 <= timeline.created(index) - timeline.issued(index) <= 7_200


@settings(deadline=None)
@given(SIZES, st.integers(START - 10**6, END + 10**6))
def test_first_from_and_after_are_the_borders(documents: int, moment: int) -> None:
    timeline = Timeline(5, documents)
    at_or_after = timeline.first_created_from(moment)
    assert timeline.created(at_or_after - 1) < moment <= timeline.created(at_or_after)
    after = timeline.first_created_after(moment)
    assert timeline.created(after - 1) <= moment < timeline.created(after)


@pytest.mark.parametrize("documents", [2_000, 24_000])
def test_every_month_has_its_share(documents: int) -> None:
    timeline = Timeline(1, documents)
    months = Counter(hub_time(timeline.created(index))[:7] for index in range(documents))
    assert sorted(months) == ["2025-11", "2025-12", *(f"2026-{month:02d}" for month in range(1, 11))]
    assert min(months.values()) > documents * 27 // 365
    assert max(months.values()) < documents * 32 // 365


def test_a_gap_moment_lies_before_its_document() -> None:
    timeline = Timeline(3, 1_000)
    for index in range(-5, 50):
        moments = [timeline.within_gap(index, share, 3, 12345 * share) for share in range(3)]
        assert moments == sorted(moments)
        assert START + (index - 1) * (END - START) // 1_000 <= moments[0]
        assert moments[-1] <= timeline.created(index)


@settings(deadline=None)
@given(st.integers(START, END))
def test_written_times_are_read_back(moment: int) -> None:
    for text in (hub_time(moment), utc_time(moment), hub_time(moment).replace("-03:00", ".000-03:00")):
        assert first_second(text) == last_second(text) == moment


def test_a_bare_date_is_a_whole_day_of_the_hub() -> None:
    assert hub_time(first_second("2026-03-01")) == "2026-03-01T00:00:00-03:00"
    assert hub_time(last_second("2026-03-01")) == "2026-03-01T23:59:59-03:00"
    assert last_second("2026-03-01T10:00Z") == int(datetime(2026, 3, 1, 7, tzinfo=HUB_ZONE).timestamp())


def test_half_seconds_include_what_they_should() -> None:
    whole = first_second("2026-03-01T10:00:00Z")
    assert first_second("2026-03-01T10:00:00.500Z") == whole + 1
    assert last_second("2026-03-01T10:00:00.500Z") == whole


@pytest.mark.parametrize(
    "text", ["", "ontem", "2026-02-30", "2026-03-01T10:00:00", "2026-W10-1", "2026-03-01 10:00Z", "20260301T10:00Z"]
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        first_second(text)


def test_calendar_is_november_to_october() -> None:
    assert hub_time(END) == "2026-11-01T00:00:00-03:00"
    assert datetime.fromtimestamp(START, HUB_ZONE).date().isoformat() == "2025-11-01"
    assert timedelta(seconds=END - START) > timedelta(days=364, hours=20)
