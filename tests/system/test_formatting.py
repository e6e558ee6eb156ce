"""Figures are written as the user's language writes them, and lose nothing."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.system import formatting
from confere.system.messages import set_language

CENTS = st.integers(min_value=-(10**17), max_value=10**17)


@given(CENTS)
def test_money_comes_back(cents: int) -> None:
    text = formatting.money(cents)
    digits = text.replace("R$ ", "").replace(".", "").replace(",", ".")
    assert Decimal(digits) * 100 == cents
    assert formatting.money(-cents) == (text.removeprefix("-") if text.startswith("-") or not cents else f"-{text}")


@given(CENTS)
def test_the_decimal_string_comes_back(cents: int) -> None:
    text = formatting.decimal_string(cents)
    assert text is not None
    assert Decimal(text) * 100 == cents
    assert text[-3] == "."
    assert "E" not in text


@given(st.integers())
def test_the_decimal_string_of_any_size(cents: int) -> None:
    whole, rest = divmod(abs(cents), 100)
    assert formatting.decimal_string(cents) == f"{'-' if cents < 0 else ''}{whole}.{rest:02d}"


@pytest.mark.parametrize("code", ["pt_BR", "en", "es"])
def test_money_is_brazilian_in_every_language(code: str) -> None:
    set_language(code)
    assert formatting.money(123456789) == "R$ 1.234.567,89"
    assert formatting.money(-5) == "-R$ 0,05"
    assert formatting.money(0) == "R$ 0,00"
    assert formatting.money(None) == ""


@pytest.mark.parametrize(
    ("cents", "text"), [(0, "0.00"), (5, "0.05"), (-5, "-0.05"), (123456, "1234.56"), (None, None)]
)
def test_decimal_strings(cents: int | None, text: str | None) -> None:
    assert formatting.decimal_string(cents) == text


@pytest.mark.parametrize(
    ("code", "number", "fraction", "day", "minute"),
    [
        ("pt_BR", "-1.234.567", "1.234,50", "31/10/2026", "31/10/2026 14:05"),
        ("es", "-1.234.567", "1.234,50", "31/10/2026", "31/10/2026 14:05"),
        ("en", "-1,234,567", "1,234.50", "2026-10-31", "2026-10-31 14:05"),
    ],
)
def test_by_language(code: str, number: str, fraction: str, day: str, minute: str) -> None:
    set_language(code)
    assert formatting.count(-1234567) == number
    assert formatting.count(0) == "0"
    assert formatting.decimal(Decimal("1234.5"), 2) == fraction
    assert formatting.date(date(2026, 10, 31)) == day
    assert formatting.date("2026-10-31") == day
    assert formatting.date("2026-10-31T23:59:59-03:00") == day
    zone = timezone(timedelta(hours=-3))
    assert formatting.moment(datetime(2026, 10, 31, 14, 5, 59, tzinfo=zone)) == minute
    assert formatting.moment("2026-10-31T14:05:59-03:00") == minute
    assert formatting.moment("2026-10-31") == day
    assert formatting.moment(datetime(2026, 10, 31, 14, 5, tzinfo=UTC)) == minute


def test_what_is_no_date_stays_as_it_is() -> None:
    assert formatting.date("31.10.2026") == "31.10.2026"
    assert formatting.moment("yesterday at five") == "yesterday at five"
    assert formatting.date(None) == formatting.moment(None) == ""


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (None, ""),
        (-1, "0 s"),
        (0.4, "0 s"),
        (59.4, "59 s"),
        (59.6, "1 min 00 s"),
        (130, "2 min 10 s"),
        (3599.6, "1 h 00 min"),
        (11100, "3 h 05 min"),
        (86400 * 2 + 3600 * 4, "2 d 04 h"),
    ],
)
def test_durations(seconds: float | None, text: str) -> None:
    assert formatting.duration(seconds) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1,00 kB"),
        (1234567, "1,23 MB"),
        (9_996_000, "10,0 MB"),
        (99_960_000, "100 MB"),
        (999_600_000, "1,00 GB"),
        (5 * 10**18, "5.000 PB"),
    ],
)
def test_sizes(number: int, text: str) -> None:
    set_language("pt_BR")
    assert formatting.size(number) == text


@given(st.integers(min_value=0, max_value=10**17))
def test_a_size_keeps_three_digits(number: int) -> None:
    set_language("en")
    value, unit = formatting.size(number).split(" ")
    factor = 1000 ** ("B", "kB", "MB", "GB", "TB", "PB").index(unit)
    assert abs(Decimal(value) * factor - number) <= Decimal(number) / 199
    assert len(value.replace(".", "")) <= 3


@pytest.mark.parametrize(
    ("text", "cents"),
    [("0,05", 5), ("0.05", 5), (" R$ 1.234,56 ", 123456), ("12", 1200), ("0,5", 50), (",5", 50)],
)
def test_reais_that_a_person_writes_are_centavos(text: str, cents: int) -> None:
    assert formatting.cents(text) == cents


@pytest.mark.parametrize("text", ["", "much", "0,005", "1.234", "-1", "1,2,3", "²"])
def test_what_is_no_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        formatting.cents(text)


@pytest.mark.parametrize(
    ("pieces", "total", "text"),
    [
        ("2", 14806, "2 × R$ 74,03 = R$ 148,06"),
        ("1", 7403, "1 × R$ 74,03"),
        ("3", 10000, "3 · R$ 100,00"),
        ("1.5", 1500, "1,5 × R$ 10,00 = R$ 15,00"),
        ("0", 500, "0 · R$ 5,00"),
        (None, 500, "R$ 5,00"),
        ("2", None, "2"),
    ],
)
def test_pieces_have_their_price_before_their_total(pieces: str | None, total: int | None, text: str) -> None:
    set_language("pt_BR")
    assert formatting.priced(None if pieces is None else Decimal(pieces), total) == text
