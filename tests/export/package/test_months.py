"""Months as a filing knows them, and which of them is over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Establishment
from confere.archive.hub import coverage
from confere.archive.hub.completeness import MonthCount
from confere.archive.store import Archive
from confere.errors import UsageFault
from confere.export.months import known_companies, month_of, months_of, newest_full_month
from tests.export.made import CARRIER, COMPANY, OTHER, freight, note, store


@pytest.mark.parametrize(
    ("text", "last_day", "from_at", "to_at"),
    [
        ("2026-10", "2026-10-31", "2026-10-01T03:00:00.000+00:00", "2026-11-01T02:59:59.999+00:00"),
        ("2026-12", "2026-12-31", "2026-12-01T03:00:00.000+00:00", "2027-01-01T02:59:59.999+00:00"),
        ("2024-02", "2024-02-29", "2024-02-01T03:00:00.000+00:00", "2024-03-01T02:59:59.999+00:00"),
    ],
)
def test_a_month_has_days_and_instants(text: str, last_day: str, from_at: str, to_at: str) -> None:
    month = month_of(text)
    assert (month.text, month.first_day, month.last_day) == (text, f"{text}-01", last_day)
    assert (month.from_at, month.to_at) == (from_at, to_at)


@pytest.mark.parametrize(
    "text", ["", "2026", "2026-1", "2026-13", "2026-00", "202610", "1999-12", "2026-10-01", "٢٠٢٦-10"]
)
def test_anything_else_is_no_month(text: str) -> None:
    with pytest.raises(UsageFault):
        month_of(text)


def test_months_and_companies_that_are_here(archive: Archive) -> None:
    store(archive, note(1), note(2), note(3, day="2026-08-01"), note(4, emitter=OTHER, recipient=CARRIER), freight(5))
    store(archive, note(6).replace(b"2026-10-05T10:00:00-03:00", b"?"))
    assert months_of(archive, COMPANY) == (MonthCount("2026-08", 1), MonthCount("2026-10", 3))
    assert months_of(archive, "00000000000000") == ()
    assert known_companies(archive) == (COMPANY, OTHER, CARRIER)
    with archive.writing() as transaction:
        accounts.add(
            transaction, name="a", environment="sandbox", address="x", platform="x",
            establishments=(Establishment(OTHER),),
        )  # fmt: skip
    assert known_companies(archive) == (OTHER,)
    with archive.writing() as transaction:
        accounts.remove(transaction, "a")
    assert known_companies(archive) == (COMPANY, OTHER, CARRIER)


@pytest.mark.parametrize(
    ("listed_until", "month"),
    [
        ("2026-11-01T03:00:00.000+00:00", "2026-10"),
        ("2026-11-01T02:59:59.999+00:00", "2026-08"),
        ("2026-09-01T02:59:59.999+00:00", None),
        ("2028-01-01T00:00:00.000+00:00", "2026-10"),
    ],
)
def test_the_hubs_calendar_says_which_month_is_over(archive: Archive, listed_until: str, month: str | None) -> None:
    store(archive, note(1, day="2026-08-31"), note(2, day="2026-10-31"))
    with archive.writing() as transaction:
        account = accounts.add(transaction, name="a", environment="sandbox", address="x", platform="x")
        window = coverage.begin(
            transaction, account.id, 1, axis="created", from_at=coverage.FOREVER, to_at=listed_until, narrowed="",
            method="scan",
        )  # fmt: skip
        assert newest_full_month(archive, [COMPANY]) is not None  # an open window says nothing yet
        coverage.finish(transaction, window.id)
    assert newest_full_month(archive, [COMPANY]) == month
    assert newest_full_month(archive, [CARRIER]) is None
    assert newest_full_month(archive, []) is None


def test_without_a_hub_our_own_calendar_says_it(archive: Archive) -> None:
    today = datetime.now(UTC)
    long_ago, next_year = today - timedelta(days=70), today + timedelta(days=400)
    store(archive, note(1, day=long_ago.strftime("%Y-%m-10")))
    assert newest_full_month(archive, [COMPANY]) == long_ago.strftime("%Y-%m")
    store(archive, note(2, day=today.strftime("%Y-%m-01")))
    assert newest_full_month(archive, [COMPANY]) == long_ago.strftime("%Y-%m")
    store(archive, note(3, day=next_year.strftime("%Y-%m-01")))
    assert newest_full_month(archive, [COMPANY]) == today.strftime("%Y-%m")
