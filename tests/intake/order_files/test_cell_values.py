"""Cells of order files: what people write for money, days, numbers and words, and what is refused."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.intake.order_files import cell_values
from confere.intake.order_files.cell_values import Cell, UnreadableCell, amount, decimal_mark, moment, name


@pytest.mark.parametrize(
    ("cell", "mark", "value"),
    [
        ("R$ 1.234,56", None, "1234.56"),
        ("1,234.56", None, "1234.56"),
        ("R$\u00a010,5", None, "10.5"),
        ("1.234.567", None, "1234567"),
        ("1,234,567", None, "1234567"),
        ("1.234", ",", "1234"),
        ("1.234", ".", "1.234"),
        ("0.123", None, "0.123"),
        ("12.5", None, "12.5"),
        ("-3,00", None, "-3.00"),
        ("(3,00)", None, "-3.00"),
        ("3,00-", None, "-3.00"),
        ("\u22123", None, "-3"),
        ("7", None, "7"),
        (Decimal("7.25"), ",", "7.25"),
    ],
)
def test_amounts(cell: Cell, mark: str | None, value: str) -> None:
    assert amount(cell, mark) == Decimal(value)


@pytest.mark.parametrize(
    "cell",
    ["1.234", "abc", "", "1,2,3", "1.23.4,5", "1,234,56.7.8", "12,", "1e5", "9" * 16, datetime(2026, 1, 1), "1..2"],
)
def test_what_is_no_amount_or_two_is_refused(cell: Cell) -> None:
    with pytest.raises(UnreadableCell):
        amount(cell, None)


@pytest.mark.parametrize(
    ("cells", "mark"),
    [
        (["1.234", "10,50"], ","),
        (["1,234", "10.50"], "."),
        (["1.234.567", "5"], ","),
        (["1,234,567"], "."),
        (["1.234,567"], ","),
        (["1.234", "5"], None),
        (["10,5", "10.5"], None),
        ([Decimal("1.5"), datetime(2026, 1, 1)], None),
    ],
)
def test_the_file_tells_its_decimal_mark(cells: list[Cell], mark: str | None) -> None:
    assert decimal_mark(cells) == mark


@given(st.integers(0, 10**11), st.booleans(), st.booleans())
def test_money_as_brazil_and_america_write_it(cents: int, brazilian: bool, sign: bool) -> None:
    text = f"{cents // 100:,}.{cents % 100:02d}"
    if brazilian:
        text = text.translate(str.maketrans(",.", ".,"))
    assert amount(f"{'-' if sign else ''}R$ {text}", None) == Decimal(cents) / 100 * (-1 if sign else 1)


@given(st.text(max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (lambda: amount(text, ","), lambda: moment(text), lambda: name(text), lambda: cell_values.tax_id(text)):
        try:
            read()
        except UnreadableCell as error:
            assert str(error)


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("05/10/2026", "2026-10-05T00:00:00-03:00"),
        ("5/10/26 14:05", "2026-10-05T14:05:00-03:00"),
        ("05-10-2026 14:05:59", "2026-10-05T14:05:59-03:00"),
        ("5 de outubro de 2026 14:05 hs.", "2026-10-05T14:05:00-03:00"),
        ("5 de Março de 2026", "2026-03-05T00:00:00-03:00"),
        ("2 enero 2026", "2026-01-02T00:00:00-03:00"),
        ("2026-10-05T14:05:00Z", "2026-10-05T14:05:00+00:00"),
        ("2026-10-05 14:05", "2026-10-05T14:05:00-03:00"),
        (datetime(2026, 10, 5, 14, 5), "2026-10-05T14:05:00-03:00"),
        (datetime(2026, 10, 5, 14, 5, tzinfo=UTC), "2026-10-05T14:05:00+00:00"),
    ],
)
def test_days(cell: Cell, written: str) -> None:
    assert moment(cell).isoformat() == written


@pytest.mark.parametrize(
    "cell", ["32/10/2026", "10/13/2026", "5 de brumário de 2026", "1/1/0001", "2026-10-05T25:00", Decimal(5), "ontem"]
)
def test_what_is_no_day_is_refused(cell: Cell) -> None:
    with pytest.raises(UnreadableCell):
        moment(cell)


def test_names_keep_what_they_are_and_lost_digits_are_told() -> None:
    assert [name(cell) for cell in (" A-1 ", "'00123", Decimal("1001.0"), Decimal("2000003508419013"))] == [
        "A-1",
        "00123",
        "1001",
        "2000003508419013",
    ]
    for lost in (Decimal("3.526e43"), "3,5261E+43", "2E+15", datetime(2026, 1, 1)):
        with pytest.raises(UnreadableCell):
            name(lost)


def test_tax_ids_get_their_zeros_back_from_a_number_only() -> None:
    assert cell_values.tax_id(Decimal(1234567890)) == "01234567890"
    assert cell_values.tax_id(Decimal(191)) == "00000000191"
    assert cell_values.tax_id("191") == "191"
    assert cell_values.tax_id("***.456.789-**") == "***456789**"


def test_words_of_status_and_state() -> None:
    said = {
        "Cancelada pelo comprador": "CANCELED",
        "invoiced": "INVOICED",
        "Entregue": "CONCLUDED",
        "Pago": "PAID_WAITING_SHIP",
        "a caminho": "a caminho",
        "paid_waiting_ship": "PAID_WAITING_SHIP",
    }
    assert {word: cell_values.status(word) for word in said} == said
    assert [cell_values.state(word) for word in ("sp", "São Paulo", "Pará", "Lisboa")] == ["SP", "SP", "PA", "Lisboa"]


def test_cells_are_shown_as_text() -> None:
    cells: list[Cell] = [Decimal("1E+3"), Decimal("1.50"), datetime(2026, 1, 2, 3, 4), "x", Decimal("1e90")]
    assert [cell_values.shown(cell) for cell in cells] == ["1000", "1.5", "2026-01-02 03:04", "x", "1E+90"]
