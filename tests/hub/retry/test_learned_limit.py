"""What the counts of one session tell about a limit that the hub does not name."""

from __future__ import annotations

import math

import pytest

from confere.hub.retry.learned_limit import RateTally


def series(start: float, length: float, each: float) -> RateTally:
    """A refusal at `start`, then a success every `each` seconds for `length` seconds."""
    tally = RateTally()
    tally.begin_series(start)
    for number in range(1, round(length / each) + 1):
        tally.accept(start + number * each, echo=False)
    return tally


def test_the_last_second_has_its_end_and_not_its_beginning() -> None:
    tally = RateTally()
    for moment in (1.0, 1.5, 1.9, 2.0, 2.5):
        tally.accept(moment, echo=True)
    assert tally.last_second(2.0) == 3
    assert tally.last_second(2.4) == 3
    assert tally.last_second(3.4) == 1
    assert tally.last_second(9.0) == 0


def test_nothing_is_guessed_from_fewer_than_ten() -> None:
    assert RateTally().measured(5.0) == math.inf
    assert series(0.0, 9.0, 1.0).measured(9.0) == math.inf
    assert series(0.0, 10.0, 1.0).measured(10.0) < math.inf


def test_the_limit_is_what_was_let_through_since_the_series_began() -> None:
    assert series(0.0, 2.0, 0.1).measured(2.0) == pytest.approx((20.5 / 2 * 10.5) ** 0.5, rel=0.03)
    assert series(0.0, 0.5, 0.05).measured(0.5) == pytest.approx(10.5 / 0.5)  # under a second: the average


def test_a_faster_last_second_counts_in_half_and_after_long_in_full() -> None:
    tally = series(0.0, 4.0, 0.4)
    for number in range(20):
        tally.accept(4.05 + number / 22, echo=False)
    average, latest = 30.5 / 5.0, tally.last_second(5.0) + 0.5
    assert latest > average
    assert tally.measured(5.0) == pytest.approx(math.sqrt(average * latest))
    slow = series(0.0, 8.0, 0.8)
    for number in range(20):
        slow.accept(8.05 + number / 22, echo=False)
    assert slow.measured(9.0) == pytest.approx(slow.last_second(9.0) + 0.5)


def test_echoes_are_let_through_and_say_nothing_about_after_the_refusal() -> None:
    tally = RateTally()
    tally.begin_series(10.0)
    tally.accept(10.1, echo=True)
    assert (tally.accepted_since, tally.was_shut(), tally.last_second(10.5)) == (0, False, 1)
    tally.accept(12.9, echo=False)
    assert (tally.accepted_since, tally.was_shut()) == (1, False)


@pytest.mark.parametrize(("reopened", "is_shut"), [(12.9, False), (13.0, True), (40.0, True)])
def test_a_hub_that_lets_nothing_through_for_three_seconds_was_shut(reopened: float, is_shut: bool) -> None:
    tally = RateTally()
    tally.begin_series(10.0)
    assert not tally.was_shut()
    tally.accept(reopened, echo=False)
    tally.accept(reopened + 5, echo=False)  # the first one tells
    assert tally.was_shut() is is_shut
    tally.begin_series(50.0)
    assert not tally.was_shut()
    assert (tally.series_at, tally.series_length, tally.accepted_since) == (50.0, 1, 0)


def test_a_hub_that_was_shut_is_measured_by_its_average() -> None:
    tally = RateTally()
    tally.begin_series(0.0)
    for number in range(40):
        tally.accept(4.0 + number / 50, echo=False)
    assert tally.measured(5.0) == pytest.approx(40.5 / 5)


@pytest.mark.parametrize(("refused", "is_often"), [(10, False), (11, True), (40, True)])
def test_more_than_a_quarter_of_forty_is_often(refused: int, is_often: bool) -> None:
    tally = RateTally()
    for number in range(39):
        tally.refuse() if number < refused else tally.accept(number, echo=False)
    assert not tally.often_refused()  # of fewer than forty nothing is said
    tally.refuse() if refused == 40 else tally.accept(39, echo=False)
    assert tally.often_refused() is is_often
    tally.forget()
    assert not tally.often_refused()
    assert tally.measured(50.0) == math.inf
