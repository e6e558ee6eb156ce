"""Amounts to centavos and quantities to decimals: exact, or None with a warning; never a guess."""

from __future__ import annotations

from decimal import Decimal, getcontext, localcontext

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confere.fiscal.document_parts import Warning
from confere.fiscal.reading.amounts import cents, integer, quantity
from confere.fiscal.warnings import Trait


@settings(deadline=None)
@given(st.integers(0, 10**15))
def test_two_decimals_are_exact(amount: int) -> None:
    warnings: list[Warning] = []
    assert cents(f"{amount // 100}.{amount % 100:02d}", "vNF", warnings) == amount
    assert warnings == []


@settings(deadline=None)
@given(st.decimals(min_value=-(10**12), max_value=10**12, places=10))
def test_more_decimals_are_rounded_half_to_even_and_said(amount: Decimal) -> None:
    warnings: list[Warning] = []
    found = cents(format(amount, "f"), "vNF", warnings)
    expected = round(amount * 100)  # Decimal's round() is half to even
    assert found == expected
    assert bool(warnings) == (amount * 100 != expected)
    assert all(warning.code == Trait.MONEY_ROUNDED for warning in warnings)


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_an_amount_or_a_warning(text: str) -> None:
    warnings: list[Warning] = []
    found = cents(text, "vNF", warnings)
    assert found is not None or [warning.code for warning in warnings][-1] == Trait.UNREADABLE_NUMBER
    exact = quantity(text, "qCom", [])
    assert exact is None or exact.is_finite()


@pytest.mark.parametrize(
    ("text", "expected", "codes"),
    [
        ("0.00", 0, []),
        ("10", 1000, []),
        ("10.5", 1050, []),
        (".5", 50, []),
        ("-1.25", -125, []),
        ("+1.25", 125, []),
        ("1 234.56", 123456, []),
        ("1.234,56", 123456, [Trait.COMMA_DECIMAL]),
        ("1,234.56", 123456, [Trait.COMMA_DECIMAL]),
        ("7,5", 750, [Trait.COMMA_DECIMAL]),
        ("0.125", 12, [Trait.MONEY_ROUNDED]),
        ("0.135", 14, [Trait.MONEY_ROUNDED]),
        ("0.1200000000", 12, []),
        ("999999999999999.99", 99999999999999999, []),
        ("", None, [Trait.UNREADABLE_NUMBER]),
        ("-", None, [Trait.UNREADABLE_NUMBER]),
        ("1.2.3", None, [Trait.UNREADABLE_NUMBER]),
        ("1e5", None, [Trait.UNREADABLE_NUMBER]),
        ("NaN", None, [Trait.UNREADABLE_NUMBER]),
        ("1_0.00", None, [Trait.UNREADABLE_NUMBER]),
        ("٣.٠٠", None, [Trait.UNREADABLE_NUMBER]),
        ("9" * 400, None, [Trait.UNREADABLE_NUMBER]),
    ],
)
def test_amounts_as_seen(text: str, expected: int | None, codes: list[str]) -> None:
    warnings: list[Warning] = []
    assert cents(text, "vNF", warnings) == expected
    assert [warning.code for warning in warnings] == codes


def test_absent_is_absent_without_a_word() -> None:
    warnings: list[Warning] = []
    assert cents(None, "vNF", warnings) is None
    assert quantity(None, "qCom", warnings) is None
    assert integer(None, "nNF", warnings) is None
    assert warnings == []


def test_quantities_stay_exactly_as_written() -> None:
    warnings: list[Warning] = []
    assert str(quantity("2.5000", "qCom", warnings)) == "2.5000"
    assert quantity("0.1234567890123456789012345", "qCom", warnings) == Decimal("0.1234567890123456789012345")
    assert quantity("1,5", "qCom", warnings) == Decimal("1.5")
    assert [warning.code for warning in warnings] == [Trait.COMMA_DECIMAL]


def test_the_callers_precision_does_not_matter() -> None:
    with localcontext() as context:
        context.prec = 3
        assert cents("123456789.125", "vNF", []) == 12345678912
    assert getcontext().prec > 3


@pytest.mark.parametrize(("text", "expected"), [("001", 1), ("890", 890), ("-1", None), ("1.0", None), ("²", None)])
def test_integers(text: str, expected: int | None) -> None:
    warnings: list[Warning] = []
    assert integer(text, "serie", warnings) == expected
    assert bool(warnings) == (expected is None)


def test_a_warning_names_the_field_and_cuts_endless_text() -> None:
    warnings: list[Warning] = []
    cents("x" * 10_000, "vNF", warnings)
    assert warnings[0].detail == "vNF=" + "x" * 60
