"""Times as papers write them, with and without zone."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from confere.fiscal.authenticity.timestamps import overlaps, span


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026-03-31T22:59:59-03:00", utc(2026, 4, 1, 1, 59, 59), utc(2026, 4, 1, 1, 59, 59)),
        ("2026-03-31T22:59:59Z", utc(2026, 3, 31, 22, 59, 59), utc(2026, 3, 31, 22, 59, 59)),
        ("2012-03-31T22:00:00", utc(2012, 4, 1, 0), utc(2012, 4, 1, 3)),
        ("2012-03-31", utc(2012, 3, 31, 2), utc(2012, 4, 1, 4, 59, 59)),
        (" 2012-03-31 ", utc(2012, 3, 31, 2), utc(2012, 4, 1, 4, 59, 59)),
    ],
)
def test_the_instants_that_a_text_can_mean(text: str, first: datetime, last: datetime) -> None:
    assert span(text) == (first, last)


@pytest.mark.parametrize("text", [None, "", "yesterday", "2026-13-01", "0001-01-01T00:00:00+14:00", "9999-12-31"])
def test_what_is_no_time(text: str | None) -> None:
    assert span(text) is None


def test_overlaps_counts_both_ends() -> None:
    when = (utc(2026, 1, 2), utc(2026, 1, 3))
    assert overlaps(when, utc(2026, 1, 3), utc(2026, 1, 9))
    assert overlaps(when, utc(2025, 1, 3), utc(2026, 1, 2))
    assert not overlaps(when, utc(2026, 1, 4), utc(2026, 1, 9))
    assert not overlaps(when, utc(2025, 1, 4), utc(2026, 1, 1))
