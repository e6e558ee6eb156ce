"""Up to when a listing may be claimed, where the hub's clock and ours disagree."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from confere.archive.clock import utc_text
from confere.errors import HubBroken, message
from confere.intake.listing.hub_clock import APART, Begun, hear_again

AT = datetime(2026, 10, 5, 12, tzinfo=UTC)
DAY = timedelta(days=1)
YEAR = 365 * DAY


class Session:
    """As much of a session as the clock asks: how far the hub's is ahead of ours."""

    def __init__(self, apart: timedelta | None) -> None:
        self.clock_apart = apart


def until(told: datetime | None, apart: timedelta | None, newest: datetime | None = None, *, demo: bool = False) -> str:
    session: Any = Session(apart)
    return Begun(AT, told, demo).until(session, None if newest is None else utc_text(newest))


@pytest.mark.parametrize("apart", [None, timedelta(0), timedelta(hours=3), -APART, APART])
def test_a_clock_near_ours_is_believed(apart: timedelta | None) -> None:
    moment = AT + (apart or timedelta(0))
    assert until(moment, apart) == utc_text(moment)
    assert until(None, apart) == utc_text(moment)


def test_the_first_answer_is_not_believed_against_the_others() -> None:
    assert until(AT + timedelta(hours=5), timedelta(hours=3)) == utc_text(AT + timedelta(hours=5))
    assert until(AT + YEAR, timedelta(hours=3)) == utc_text(AT + timedelta(hours=3))
    assert until(AT - YEAR, timedelta(hours=3)) == utc_text(AT + timedelta(hours=3))


def test_of_clocks_far_apart_the_earlier_claims() -> None:
    assert until(AT + YEAR, YEAR) == utc_text(AT)
    assert until(AT - YEAR, -YEAR) == utc_text(AT - YEAR)


def test_a_hub_far_behind_went_on_to_its_newest_record_at_least() -> None:
    assert until(AT - YEAR, -YEAR, AT - 2 * DAY) == utc_text(AT - 2 * DAY)
    assert until(AT - YEAR, -YEAR, AT - 2 * YEAR) == utc_text(AT - YEAR)
    assert until(AT - YEAR, -YEAR, AT + 2 * DAY) == utc_text(AT)
    assert until(AT + YEAR, YEAR, AT + 2 * DAY) == utc_text(AT)


def test_clocks_farther_apart_than_time_goes() -> None:
    assert until(None, timedelta.max) == utc_text(AT)
    assert until(None, timedelta.min) == utc_text(datetime(1970, 1, 1, tzinfo=UTC))


def test_a_demonstration_has_a_calendar_of_its_own() -> None:
    assert until(AT + YEAR, timedelta(0), demo=True) == utc_text(AT + YEAR)
    assert until(None, YEAR, demo=True) == utc_text(AT)


class Asked:
    """A session whose clock is `apart` from ours, until so many answers agree."""

    def __init__(self, apart: timedelta | None, agreed_after: int = 99) -> None:
        self.clock_apart = apart
        self.asked = 0
        self._agreed_after = agreed_after

    @property
    def is_clock_agreed(self) -> bool:
        return self.asked >= self._agreed_after

    def ask(self) -> None:
        self.asked += 1
        raise HubBroken(message("It fails."))


@pytest.mark.parametrize(
    ("apart", "agreed_after", "environment", "asked"),
    [
        (YEAR, 99, "production", 2),
        (-YEAR, 99, "production", 2),
        (YEAR, 1, "production", 1),
        (YEAR, 0, "production", 0),
        (APART, 99, "production", 0),
        (-APART, 99, "production", 0),
        (APART + timedelta(seconds=1), 99, "sandbox", 2),
        (None, 99, "production", 0),
        (YEAR, 99, "embedded", 0),
    ],
)
def test_a_clock_far_away_is_heard_again(
    apart: timedelta | None, agreed_after: int, environment: str, asked: int
) -> None:
    session: Any = Asked(apart, agreed_after)
    account: Any = SimpleNamespace(environment=environment)
    hear_again(session, account, session.ask)
    assert session.asked == asked
    session.server_time = AT
    begun = Begun.now(session, account)
    assert (begun.told, begun.is_demonstration) == (AT, environment == "embedded")
    assert abs(begun.at - datetime.now(UTC)) < timedelta(minutes=1)
