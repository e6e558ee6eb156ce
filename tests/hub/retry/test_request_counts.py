"""What a session counts of its requests, and what it makes of the times that a hub tells."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from confere.hub.retry import retry
from confere.hub.retry.retry import RequestCounts

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)


class FixedClock(datetime):
    """A `datetime` whose "now" stands still."""

    @classmethod
    def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
        return NOW


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "datetime", FixedClock)


def told(*apart: timedelta) -> RequestCounts:
    counts = RequestCounts()
    for one in apart:
        counts.told(NOW + one)
    return counts


@pytest.mark.parametrize(
    ("apart", "agreed"),
    [
        ((), False),
        ((SECOND,), False),
        ((timedelta(), timedelta()), True),
        ((timedelta(), DAY - SECOND), True),
        ((timedelta(), DAY), True),
        ((timedelta(), DAY + SECOND), False),
        ((DAY, timedelta()), True),
        ((DAY + SECOND, timedelta()), False),
        ((-DAY, DAY), False),
        ((-DAY, timedelta(), DAY), True),
    ],
)
def test_two_answers_agree_on_the_time_to_a_day_and_three_always(apart: tuple[timedelta, ...], agreed: bool) -> None:
    assert told(*apart).is_clock_agreed is agreed


@pytest.mark.parametrize(
    ("apart", "expected"),
    [
        ((), None),
        ((SECOND,), SECOND),
        ((SECOND, 3 * SECOND), SECOND),
        ((9 * SECOND, SECOND, 2 * SECOND), 2 * SECOND),
        ((-DAY, -DAY, SECOND), -DAY),
    ],
)
def test_the_clock_is_apart_by_what_most_answers_say(apart: tuple[timedelta, ...], expected: timedelta | None) -> None:
    assert told(*apart).clock_apart == expected


def test_an_answer_without_a_time_tells_none() -> None:
    counts = told(SECOND)
    counts.told(None)
    assert (counts.clock_apart, counts.server_time) == (SECOND, NOW + SECOND)
    assert RequestCounts().server_time is None


def test_old_answers_are_forgotten() -> None:
    counts = told(*[SECOND] * 101, *[DAY] * 51)
    assert counts.clock_apart == DAY
    assert told(*[SECOND] * 101, *[DAY] * 50).clock_apart == SECOND


def test_what_is_counted_adds_up() -> None:
    counts = RequestCounts()
    assert (counts.requests, counts.retries, counts.throttled, counts.answered) == (0, 0, 0, False)
    counts.add(requests=2)
    counts.add(retries=3, throttled=1)
    counts.add(requests=1, retries=1, throttled=4)
    assert (counts.requests, counts.retries, counts.throttled) == (3, 4, 5)
