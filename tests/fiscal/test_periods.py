"""Days and months: as written, but for the hub's UTC."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import date

import pytest

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


IN_SUMMER_TIME = """
import json
from confere.fiscal.periods import in_brasilia, period
told = ["2018-12-01T01:30:00Z", "2018-12-01T02:30:00Z", "2019-12-01T02:30:00Z", "2014-02-16T01:30:00Z"]
print(json.dumps([[period(written), in_brasilia(written).isoformat()] for written in told]))
"""


@pytest.mark.parametrize("folders", [None, ""], ids=["the system's zones", "a system without zones"])
def test_a_month_before_2019_is_that_of_summer_time_on_every_system(folders: str | None) -> None:
    """By a fixed offset 00:30 of 1 December 2018 would lie in November."""
    variables = os.environ if folders is None else os.environ | {"PYTHONTZPATH": folders}
    done = subprocess.run([sys.executable, "-c", IN_SUMMER_TIME], env=variables, capture_output=True, check=True)
    assert json.loads(done.stdout) == [
        ["2018-11", "2018-11-30T23:30:00-02:00"],
        ["2018-12", "2018-12-01T00:30:00-02:00"],
        ["2019-11", "2019-11-30T23:30:00-03:00"],
        ["2014-02", "2014-02-15T23:30:00-02:00"],
    ]
