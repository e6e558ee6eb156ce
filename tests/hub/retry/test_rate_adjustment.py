from __future__ import annotations

from collections.abc import Callable

import pytest

from confere.hub.retry.rate_adjustment import Pace
from tests.hub.simulated import Limit, ask, bucket, bursts, fixed_window, sliding_window

MINUTES = 180.0


@pytest.mark.parametrize("retry_after", [None, 1.0])
@pytest.mark.parametrize("rate", [5, 10, 50])
@pytest.mark.parametrize("seconds_of_room", [1, 5])
def test_a_bucket_is_used_to_95_per_cent_from_the_first_second_on(
    rate: float, seconds_of_room: float, retry_after: float | None
) -> None:
    outcome = ask(bucket(rate, rate * seconds_of_room), seconds=MINUTES, retry_after=retry_after)
    assert outcome.rate(0, MINUTES) >= 0.95 * rate
    assert outcome.rate(60, MINUTES) >= 0.95 * rate
    assert len(outcome.refused) <= 100  # about eight threads finding out, then one a minute


@pytest.mark.parametrize("rate", [5, 10, 50])
@pytest.mark.parametrize("kind", [fixed_window, sliding_window])
def test_windows_of_a_second_are_used_nearly_as_well(kind: Callable[[float, float], Limit], rate: float) -> None:
    outcome = ask(kind(rate, 1.0), seconds=MINUTES)
    assert outcome.rate(0, MINUTES) >= 0.93 * rate
    assert len(outcome.refused) <= 40


def test_a_window_of_a_minute_is_used_in_full(rate: float = 10.0) -> None:
    outcome = ask(fixed_window(rate, 60.0), seconds=MINUTES)
    assert outcome.rate(0, MINUTES) >= 0.95 * rate
    assert len(outcome.refused) <= 200


def test_refusals_become_rare() -> None:
    outcome = ask(bucket(10, 10), seconds=600)
    assert sum(1 for moment in outcome.refused if moment > 60) <= 12


def test_a_limit_that_is_raised_is_found_again() -> None:
    low, high = bucket(5, 5), bucket(50, 50)
    outcome = ask(lambda now: (low if now < 60 else high)(now), seconds=240)
    assert outcome.rate(30, 60) <= 5.5
    assert outcome.rate(180, 240) >= 40


def test_a_limit_that_is_lowered_is_obeyed_soon() -> None:
    high, low = bucket(50, 50), bucket(5, 5)
    outcome = ask(lambda now: (high if now < 60 else low)(now), seconds=180)
    assert outcome.rate(120, 180) >= 4.5
    assert sum(1 for moment in outcome.refused if moment > 90) <= 40


def test_without_a_limit_nothing_holds_us_back() -> None:
    outcome = ask(lambda _: True, seconds=10, latency=0.02)
    assert outcome.rate(0, 10) >= 0.95 * 8 / 0.02
    assert outcome.refused == []


@pytest.mark.parametrize("retry_after", [None, 1.0])
@pytest.mark.parametrize("length", [1, 4])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_refusals_that_are_a_fault_do_not_starve_a_sync(length: int, retry_after: float | None, seed: int) -> None:
    outcome = ask(bursts(0.03, length, seed), seconds=60, latency=0.01, retry_after=retry_after, seed=seed)
    assert len(outcome.accepted) >= 1000


def test_a_ceiling_is_never_exceeded() -> None:
    outcome = ask(lambda _: True, seconds=60, ceiling=7.0)
    assert 6.7 <= outcome.rate(0, 60) <= 7.1
    outcome = ask(bucket(5, 5), seconds=120, ceiling=7.0)
    assert 4.75 <= outcome.rate(0, 120) <= 5.1


def test_retry_after_holds_everybody_back() -> None:
    pace = Pace()
    assert [pace.reserve(10.0) for _ in range(3)] == [10.0] * 3
    pace.accepted(10.1, 10.0)
    assert pace.refused(10.1, 10.0, 7.0) == pytest.approx(7.0)
    assert pace.reserve(10.2) == pytest.approx(17.1)


def test_slots_handed_out_before_a_refusal_are_void() -> None:
    pace = Pace(ceiling=10.0)
    slots = [pace.reserve(0.0) for _ in range(5)]
    assert slots == sorted(slots)
    before = pace.generation
    pace.refused(0.05, 0.0, 3.0)
    assert pace.generation > before


def test_a_hub_that_stays_shut_is_asked_ever_more_rarely() -> None:
    outcome = ask(lambda now: now < 1 or now > 300, seconds=400, threads=1)
    waits = [later - earlier for earlier, later in zip(outcome.refused, outcome.refused[1:], strict=False)]
    assert len(outcome.refused) <= 25
    assert max(waits) <= 32
    assert outcome.rate(340, 400) > 1
