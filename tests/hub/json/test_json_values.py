from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.hub.json.json_values import cents, moment, number, objects, pick, text
from tests.hub.json.test_json_reader import JSON

BRT = timezone(timedelta(hours=-3))
AUGUST = datetime(2026, 8, 7, 10, 15, tzinfo=BRT)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-08-07T10:15:00-03:00", AUGUST),
        ("2026-08-07T10:15:00.000-03:00", AUGUST),
        ("2026-08-07T13:15:00Z", AUGUST),
        ("2026-08-07T13:15:00.000Z", AUGUST),
        ("2026-08-07T10:15:00-0300", AUGUST),
        (" 2026-08-07T10:15:00 ", AUGUST),
        ("2026-08-07 10:15:00", AUGUST),
        ("2026-08-07T10:15:00.123456-03:00", AUGUST.replace(microsecond=123456)),
        ("2026-08-07", datetime(2026, 8, 7, tzinfo=BRT)),
        ("2018-12-01T00:30:00", datetime(2018, 12, 1, 2, 30, tzinfo=UTC)),  # summer time, until February 2019
        ("2018-11-03T23:30:00", datetime(2018, 11, 4, 2, 30, tzinfo=UTC)),
        (1786108500000, AUGUST),
        ("1786108500000", AUGUST),
        (1786108500, AUGUST),
        (Decimal("1786108500000"), AUGUST),
        ("0001-01-01T00:00:00Z", None),
        ("9999-12-31T23:59:59Z", None),
        ("2026-13-45", None),
        ("07/08/2026", None),
        ("", None),
        (0, None),
        (-1, None),
        (10**30, None),
        (True, None),
        (None, None),
        ([2026, 8, 7], None),
    ],
)
def test_moments(value: object, expected: datetime | None) -> None:
    found = moment(value)
    assert found == expected
    assert found is None or found.tzinfo is not None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (10, 1000),
        (Decimal("10.1"), 1010),
        (Decimal("10.10"), 1010),
        ("10.10", 1010),
        (Decimal("0.005"), 1),
        (Decimal("-0.005"), -1),
        (Decimal("1e3"), 100000),
        (Decimal("1e300"), None),
        (Decimal("1e-300"), 0),
        ("10,10", None),
        ("", None),
        (True, None),
        (None, None),
        (10**40, None),
    ],
)
def test_amounts(value: object, expected: int | None) -> None:
    assert cents(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("  a\tb ", "a\tb"),
        ("a\x00b\ud800", "ab"),
        (5102, "5102"),
        (Decimal("1000123.0"), "1000123"),
        (Decimal("1.5"), None),
        (True, None),
        ("", None),
        (" ", None),
        ("x" * 5000, None),
        ({}, None),
    ],
)
def test_texts(value: object, expected: str | None) -> None:
    assert text(value) == expected


def test_numbers() -> None:
    assert text(10**5000) is None
    assert [number(value) for value in (7, "7", " 7 ", Decimal("7.0"), "7.5", "x", True, 10**20, "٧")] == [
        7, 7, 7, 7, None, None, None, None, None,
    ]  # fmt: skip


@given(JSON | st.decimals(allow_nan=True))
def test_no_value_makes_them_raise(value: object) -> None:
    for convert in (text, number, cents, moment):
        convert(value)
    found = text(value)
    assert found is None or found.encode()
    when = moment(value)
    assert when is None or when.astimezone(UTC)
    assert all(isinstance(item, dict) for item in objects(value))


def test_pick_takes_the_first_that_makes_sense() -> None:
    source = {"a": [], "b": {"c": "deep"}, "d": "flat"}
    assert pick(source, text, "a", "x", "b.c", "d") == "deep"
    assert pick(source, text, "b", "d.e", "a.b.c") is None
