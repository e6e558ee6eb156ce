from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.hub.retry.retry_after import LONGEST, retry_after

NOW = datetime(2026, 8, 7, 13, 15, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("1", 1.0),
        (" 30 ", 30.0),
        ("0.5", 0.5),
        ("0", None),
        ("-3", None),
        ("120", 120.0),
        ("120.5", 120.0),
        ("99999", 120.0),
        ("Fri, 07 Aug 2026 13:15:10 GMT", 10.0),
        ("Fri, 07 Aug 2026 10:15:10 -0300", 10.0),
        ("Friday, 07-Aug-26 13:15:10 GMT", 10.0),
        ("Fri Aug  7 13:15:10 2026", 10.0),
        ("Fri, 07 Aug 2026 13:14:00 GMT", None),
        ("Mon, 07 Aug 2028 13:14:00 GMT", LONGEST),
        ("soon", None),
        ("", None),
        ("²", None),
        ("inf", None),
        ("Fri, 99 Aug 2026 99:15:10 GMT", None),
    ],
)
def test_seconds_and_dates(value: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": value}, NOW) == seconds


def test_no_header() -> None:
    assert retry_after({}) is None


def test_a_date_is_held_against_the_hubs_own_clock() -> None:
    headers = {"retry-after": "Thu, 01 Jan 2015 00:00:07 GMT", "date": "Thu, 01 Jan 2015 00:00:00 GMT"}
    assert retry_after(headers) == 7.0
    assert retry_after({**headers, "date": "rubbish"}) is None


@given(st.text(max_size=40))
def test_any_text_is_a_sane_wait_or_none(value: str) -> None:
    seconds = retry_after({"retry-after": value, "date": value})
    assert seconds is None or 0 < seconds <= LONGEST
