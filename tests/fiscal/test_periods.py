"""Days and months: as written, but for the hub's UTC."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from confere.fiscal import periods
from confere.fiscal.periods import local_date, period


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("2010-12-01", date(2010, 12, 1)),
        ("2011-07-26T17:34:00", date(2011, 7, 26)),
        ("2026-08-31T23:30:00-04:00", date(2026, 8, 31)),
        ("2026-08-31T23:30:00-03:00", date(2026, 8, 31)),
        ("2018-06-07T22:21:17+00:00", date(2018, 6, 7)),  # seen on paper: an offset that was written counts as local
        ("2026-09-01T02:59:59Z", date(2026, 8, 31)),
        ("2026-09-01T03:00:00Z", date(2026, 9, 1)),
        ("2026-09-01T02:59:59.999Z", date(2026, 8, 31)),
        ("2026-08-07T10:15:00.000-03:00", date(2026, 8, 7)),
        ("2026-08-07T10:15:00-0300", date(2026, 8, 7)),
        (" 2026-08-07 10:15:00 ", date(2026, 8, 7)),
        ("2026-08-07T10:15Z", date(2026, 8, 7)),
        ("", None),
        ("07/08/2026", None),
        ("2026-13-01", None),
        ("2026-02-30T00:00:00-03:00", None),
        ("2026-08-07T25:00:00Z", None),
        ("2026-08-07T10:15:00 horas", None),
        ("٢٠٢٦-08-07", None),
        ("0001-01-01T00:00:00Z", None),
    ],
)
def test_local_date(written: str, expected: date | None) -> None:
    assert local_date(written) == expected


def test_period_is_the_month_of_the_local_date() -> None:
    assert period("2026-08-31T23:30:00-04:00") == "2026-08"
    assert period("2026-09-01T02:00:00Z") == "2026-08"
    assert period("nunca") is None


def test_the_zone_has_a_stand_in_where_there_is_no_database(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise periods.ZoneInfoNotFoundError(name)

    monkeypatch.setattr(periods, "ZoneInfo", missing)
    zone = periods._brasilia()
    assert zone.utcoffset(None) == timedelta(hours=-3)
    monkeypatch.setattr(periods, "BRASILIA", zone)
    assert local_date("2026-09-01T02:59:59Z") == date(2026, 8, 31)
