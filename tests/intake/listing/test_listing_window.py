"""When a list that was short is read again."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import cast

import pytest

from confere.archive.hub import coverage
from confere.archive.transaction import Transaction
from confere.intake.listing import listing_window
from confere.intake.listing.listing_window import RELIST_AGAIN, ListingWindow, known_until, looks_again, undated, whole

NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


class FixedClock(datetime):
    """A `datetime` whose "now" stands still."""

    @classmethod
    def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
        return NOW


@pytest.mark.parametrize(
    ("ago", "again"),
    [
        (None, False),
        (timedelta(), False),
        (SECOND, False),
        (RELIST_AGAIN - SECOND, False),
        (RELIST_AGAIN, True),
        (RELIST_AGAIN + SECOND, True),
        (-SECOND, True),  # read in the future: our clock was set back
    ],
)
def test_a_short_list_is_read_again_after_a_while(
    ago: timedelta | None, again: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_at = (NOW - ago).isoformat() if ago is not None else None
    monkeypatch.setattr(listing_window, "datetime", FixedClock)
    monkeypatch.setattr(listing_window.shortfalls, "last_read", lambda *_: read_at)
    assert looks_again(cast(Transaction, None), 1, "documents") is again


DAY = timedelta(days=1)
FIRST, LAST = "2026-03-01T00:00:00+00:00", "2026-03-05T00:00:00+00:00"
BEGIN, END = datetime.fromisoformat(FIRST), datetime.fromisoformat(LAST)


@pytest.mark.parametrize(
    ("window", "after", "before"),
    [
        (ListingWindow("created", "window", FIRST, LAST, dated=True), BEGIN, END),
        (ListingWindow("created", "window", FIRST, None, dated=True), BEGIN, None),
        (ListingWindow("created", "window", coverage.FOREVER, LAST, dated=True), None, END),
        (ListingWindow("created", "window", FIRST, LAST), None, None),
    ],
)
def test_a_dated_window_has_bounds(window: ListingWindow, after: datetime | None, before: datetime | None) -> None:
    assert (window.after, window.before) == (after, before)


@pytest.mark.parametrize(
    ("moment", "widened", "excluded"),
    [
        (BEGIN - DAY - SECOND, timedelta(), True),
        (BEGIN - DAY, timedelta(), False),
        (BEGIN, timedelta(), False),
        (END + DAY, timedelta(), False),
        (END + DAY + SECOND, timedelta(), True),
        (BEGIN - 2 * DAY, DAY, False),
        (BEGIN - 2 * DAY - SECOND, DAY, True),
        (END + 2 * DAY, DAY, False),
        (END + 2 * DAY + SECOND, DAY, True),
        (None, timedelta(), True),
    ],
)
def test_what_a_dated_window_cannot_show(moment: datetime | None, widened: timedelta, excluded: bool) -> None:
    both = ListingWindow("created", "window", FIRST, LAST, dated=True)
    assert both.excludes(moment, widened) is excluded
    assert not replace(both, dated=False).excludes(moment, widened)
    open_ended = replace(both, to_at=None)
    assert open_ended.excludes(moment, widened) is (excluded and (moment is None or moment < BEGIN))
    from_ever = replace(both, from_at=coverage.FOREVER)
    assert from_ever.excludes(moment, widened) is (excluded and (moment is None or moment > END))


def test_days_asked_for_stay_where_the_hub_does_not_honour_them() -> None:
    asked = ListingWindow("updated", coverage.ASKED, FIRST, LAST, dated=True)
    assert undated(asked, "created") == ListingWindow("updated", coverage.ASKED, FIRST, LAST)
    lapsed = ListingWindow("updated", coverage.WINDOW, FIRST, None, dated=True)
    assert undated(lapsed, "created") == whole("created")
    assert whole("created") == ListingWindow("created", coverage.SCAN, coverage.FOREVER, None)


@pytest.mark.parametrize(
    ("spans", "until"),
    [
        ((), None),
        (((FIRST, LAST),), None),
        (((coverage.FOREVER, FIRST),), BEGIN),
        (((coverage.FOREVER, FIRST), (LAST, LAST)), BEGIN),
    ],
)
def test_everything_is_known_up_to_the_end_of_the_first_span_from_the_beginning(
    spans: tuple[tuple[str, str], ...], until: datetime | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [SimpleNamespace(from_at=first, to_at=last) for first, last in spans]
    monkeypatch.setattr(coverage, "covered", lambda *_: found)
    assert known_until(cast(Transaction, None), 1, "created") == until
