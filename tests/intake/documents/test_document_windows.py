"""What is listed next, from what is covered already; and how a window asks the hub."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from confere.archive.accounts import preferences
from confere.archive.clock import from_text, utc_text
from confere.archive.hub import coverage, shortfalls
from confere.archive.hub.shortfalls import COUNT, Short
from confere.archive.store import Archive
from confere.hub.documents.documents import DocumentFilter
from confere.intake.documents.document_windows import document_filter, plan
from confere.intake.documents.sync_request import SyncRequest
from confere.intake.listing.listing_window import RELIST_AGAIN, ListingWindow, looks_again, undated, whole
from tests.archive.listed import add_accounts, observe

ANY = SyncRequest()
KNOWN = "2026-10-05T12:00:00.000+00:00"  # when the record that `observe` makes was created and updated
FIRST, LAST = datetime(2026, 10, 1, tzinfo=UTC), datetime(2026, 10, 9, tzinfo=UTC)
DAY = timedelta(days=1)


@pytest.fixture
def listed(archive: Archive) -> Archive:
    """An archive with a record, before anything is covered."""
    add_accounts(archive)
    observe(archive, 1)
    return archive


def cover(archive: Archive, axis: str, to_at: str, *, from_at: str = coverage.FOREVER, ago: timedelta = DAY) -> None:
    """A stretch that was listed to its end, so long ago."""
    with archive.writing() as transaction:
        window = coverage.begin(
            transaction, 1, 1, axis=axis, from_at=from_at, to_at=to_at, narrowed="", method=coverage.RELIST
        )
        at = utc_text(datetime.now(UTC) - ago)
        transaction.execute("UPDATE coverage SET finished_at = ? WHERE id = ?", (at, window.id))


def cover_both(archive: Archive, to_at: str, *, ago: timedelta = timedelta(hours=1)) -> None:
    for axis in (coverage.CREATED, coverage.UPDATED):
        cover(archive, axis, to_at, ago=ago)


def planned(archive: Archive, request: SyncRequest = ANY) -> tuple[ListingWindow, ...]:
    with archive.writing() as transaction:
        return plan(transaction, 1, request)


def test_at_first_everything_is_listed(listed: Archive) -> None:
    assert planned(listed) == (whole("created"),) == (ListingWindow("created", "scan", coverage.FOREVER, None),)


def test_new_and_changed_ones_are_asked_for_from_a_day_before(listed: Archive) -> None:
    until = "2026-10-06T06:00:00.000+00:00"
    cover_both(listed, until)
    created, updated = planned(listed)
    for window, axis in ((created, coverage.CREATED), (updated, coverage.UPDATED)):
        assert (window.axis, window.method, window.dated) == (axis, coverage.WINDOW, True)
        assert (window.from_at, window.to_at) == (utc_text(from_text(until) - DAY), None)
        assert window.landmark is not None and window.landmark.at == KNOWN


def test_a_window_begins_at_the_newest_record_at_the_latest(listed: Archive) -> None:
    cover_both(listed, "2026-10-20T00:00:00.000+00:00")
    assert [window.from_at for window in planned(listed)] == [KNOWN, KNOWN]


def test_once_a_day_new_ones_are_asked_for_from_days_further_back(listed: Archive) -> None:
    until = "2026-10-20T00:00:00.000+00:00"
    cover_both(listed, until, ago=RELIST_AGAIN + timedelta(minutes=1))
    created, updated = planned(listed)
    days = preferences.Preferences().relist_documents_days
    assert (created.method, created.from_at) == (coverage.RELIST, utc_text(from_text(until) - days * DAY))
    assert (updated.method, updated.from_at) == (coverage.WINDOW, KNOWN)
    with listed.writing() as transaction:
        wanted = preferences.get(transaction, 1)
        preferences.set(transaction, 1, replace(wanted, relist_documents_days=0))
    assert [window.method for window in planned(listed)] == [coverage.WINDOW] * 2


def test_a_time_of_listing_that_lies_ahead_is_no_reason_to_wait(listed: Archive) -> None:
    cover_both(listed, "2026-10-20T00:00:00.000+00:00", ago=-DAY)
    assert planned(listed)[0].method == coverage.RELIST


@pytest.mark.parametrize("missing", [coverage.CREATED, coverage.UPDATED])
def test_an_axis_without_its_beginning_asks_for_everything(listed: Archive, missing: str) -> None:
    other = coverage.UPDATED if missing == coverage.CREATED else coverage.CREATED
    cover(listed, other, "2026-10-06T06:00:00.000+00:00")
    cover(listed, missing, "2026-10-06T06:00:00.000+00:00", from_at="2026-10-01T00:00:00.000+00:00")
    assert planned(listed) == (whole("created"),)


def test_without_a_record_to_hold_the_answer_against_everything_is_listed(archive: Archive) -> None:
    add_accounts(archive)
    cover_both(archive, "2026-10-06T06:00:00.000+00:00")
    assert planned(archive) == (whole("created"),)


@pytest.mark.parametrize("request_", [SyncRequest(full=True), SyncRequest(type="cte"), SyncRequest(order_id="7")])
def test_what_is_asked_for_beside_dates_is_picked_out_of_everything(listed: Archive, request_: SyncRequest) -> None:
    cover_both(listed, "2026-10-06T06:00:00.000+00:00")
    assert planned(listed, request_) == (whole("created"),)


@pytest.mark.parametrize(("first", "last"), [(FIRST, LAST), (FIRST, None), (None, LAST)])
def test_days_asked_for_are_asked_of_the_hub(listed: Archive, first: datetime | None, last: datetime | None) -> None:
    (window,) = planned(listed, SyncRequest(from_at=first, to_at=last, full=True))
    assert (window.axis, window.method, window.dated) == (coverage.CREATED, coverage.ASKED, True)
    assert window.from_at == (utc_text(first) if first else coverage.FOREVER)
    assert window.to_at == (utc_text(last) if last else None)


def test_an_interrupted_listing_of_everything_is_gone_on_with(listed: Archive) -> None:
    cover_both(listed, "2026-10-06T06:00:00.000+00:00")
    with listed.writing() as transaction:
        begun = coverage.begin(
            transaction, 1, 1, axis=coverage.CREATED, from_at=coverage.FOREVER, to_at=KNOWN, narrowed="",
            method=coverage.SCAN,
        )  # fmt: skip
    assert planned(listed) == (ListingWindow(begun.axis, begun.method, begun.from_at, None, resumed=begun),)


@pytest.mark.parametrize(
    ("ago", "again"),
    [
        (timedelta(0), False),
        (RELIST_AGAIN - timedelta(minutes=1), False),
        (RELIST_AGAIN + timedelta(minutes=1), True),
        (-DAY, True),
    ],
)
def test_a_list_that_was_short_is_read_whole_again_the_next_night(
    listed: Archive, monkeypatch: pytest.MonkeyPatch, ago: timedelta, again: bool
) -> None:
    cover_both(listed, "2026-10-06T06:00:00.000+00:00")
    with listed.writing() as transaction:
        assert not looks_again(transaction, 1, shortfalls.DOCUMENTS)
        window = coverage.Window(9, coverage.CREATED, coverage.FOREVER, KNOWN, "", coverage.SCAN, 0, 1, 1, None)
        monkeypatch.setattr(shortfalls, "utc_now", lambda: utc_text(datetime.now(UTC) - ago))
        shortfalls.note(transaction, 1, window, Short(COUNT, 2, 1, 3))
        assert looks_again(transaction, 1, shortfalls.DOCUMENTS) is again
    assert (planned(listed) == (whole("created"),)) is again


def test_how_a_window_asks() -> None:
    asked = ListingWindow(coverage.CREATED, coverage.ASKED, utc_text(FIRST), utc_text(LAST), dated=True)
    request = SyncRequest(order_id="7", marketplace="LOJA")
    assert document_filter(asked, request, "CTE") == DocumentFilter(
        order_id="7", marketplace="LOJA", created_from=FIRST, created_to=LAST, document_type_value="CTE"
    )
    changed = replace(asked, axis=coverage.UPDATED, from_at=coverage.FOREVER)
    assert document_filter(changed, ANY, None) == DocumentFilter(updated_to=LAST)
    assert document_filter(replace(asked, dated=False), ANY, None) == DocumentFilter()
    assert document_filter(replace(asked, to_at=None), ANY, None) == DocumentFilter(created_from=FIRST)


def test_what_replaces_a_window_whose_dates_the_hub_does_not_honour() -> None:
    asked = ListingWindow(coverage.CREATED, coverage.ASKED, utc_text(FIRST), utc_text(LAST), dated=True)
    assert undated(asked, "created") == replace(asked, dated=False)
    assert undated(replace(asked, method=coverage.WINDOW), "created") == whole("created")
