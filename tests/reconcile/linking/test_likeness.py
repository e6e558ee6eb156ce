"""Buyer, total, day and items: what agrees, what differs, what nobody knows."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.reconcile.linking.likeness import (
    days_between,
    fits_mask,
    in_window,
    same_buyer,
    same_items,
)
from confere.reconcile.totals import may_agree
from confere.sales.reconciliation_input import ItemQuantity, OrderEntry, PaperEntry

_ORDER = OrderEntry(1, "1", created_on="2026-03-10", total=12_000, gross=10_000, discount=0, freight=2_000)
_NOTE = PaperEntry(1, "k", "nfe", issued_on="2026-03-11", total=12_000, products=10_000, freight=2_000)


@given(st.text("0123456789ABC", min_size=11, max_size=14), st.data())
def test_every_mask_of_a_tax_id_fits_it(tax_id: str, data: st.DataObject) -> None:
    hidden = data.draw(st.sets(st.integers(0, len(tax_id) - 1)))
    shown = "".join("*" if n in hidden else letter for n, letter in enumerate(tax_id))
    assert fits_mask(shown, tax_id) is (len(hidden) < len(tax_id))


@pytest.mark.parametrize(
    ("shown", "whole"), [("***456789**", "11145678811"), ("***456789*", "11145678911"), ("***********", "11145678911")]
)
def test_a_mask_that_differs_fits_nothing(shown: str, whole: str) -> None:
    assert not fits_mask(shown, whole)


def test_a_buyer_is_compared_by_name_only_where_a_tax_id_is_missing() -> None:
    named = replace(_ORDER, buyer_name="José  da Conceição")
    note = replace(_NOTE, recipient="11122233344", recipient_name="JOSE DA CONCEICAO")
    assert same_buyer(named, note) is True
    assert same_buyer(replace(named, buyer="99922233344"), note) is False
    assert same_buyer(replace(named, buyer_name=None), note) is None


@pytest.mark.parametrize(
    ("order", "note", "made_up"),
    [
        ({}, {}, True),
        ({}, {"total": 12_001}, True),  # within a centavo
        ({}, {"total": 12_002}, False),
        ({}, {"total": 10_000, "freight": 0}, True),  # the freight is not on the note
        ({}, {"total": 10_000}, False),  # the note charges the same freight: it explains nothing
        ({"freight": 0, "total": 10_000}, {}, True),  # the note charges freight that the order has not
        ({}, {"total": 12_350, "other": 350}, True),  # interest on the note
        ({}, {"total": 12_400, "insurance": 400}, True),
        ({"total": 11_000, "discount": 1_000}, {}, True),  # a discount that the note leaves out
        ({}, {"total": 11_500, "discount": 500}, True),  # one that the order leaves out
        ({"total": 12_300}, {}, True),  # interest in the order's total
        ({"total": 11_000, "discount": 1_000}, {"total": 10_000, "freight": 0}, True),  # both at once
        ({}, {"total": 12_500, "ipi": 500}, True),  # a tax that the order's total leaves out
        ({"total": 11_000}, {}, False),  # an order below its own parts: nothing says what it lacks
        ({}, {"total": 11_700}, False),
        ({"total": None}, {}, False),
    ],
)
def test_totals_are_made_up_by_amounts_of_one_side(order: dict[str, int], note: dict[str, int], made_up: bool) -> None:
    assert may_agree(replace(_ORDER, **order), replace(_NOTE, **note), 1) is made_up


@pytest.mark.parametrize(
    ("issued", "fits"),
    [("2026-03-08", False), ("2026-03-09", True), ("2026-03-20", True), ("2026-03-21", False), ("", False)],
)
def test_the_window_opens_a_day_before_the_order(issued: str, fits: bool) -> None:
    assert in_window(days_between(_ORDER, replace(_NOTE, issued_on=issued)), 10) is fits


def _lines(*entries: tuple[str | None, str | None, str]) -> tuple[ItemQuantity, ...]:
    return tuple(ItemQuantity(code, ean, Decimal(quantity), None) for code, ean, quantity in entries)


@pytest.mark.parametrize(
    ("ordered", "billed", "same"),
    [
        (_lines(("A", None, "2"), ("B", None, "1")), _lines(("B", None, "1.0000"), ("A", None, "2.0000")), True),
        (_lines(("A", None, "1"), ("A", None, "1")), _lines(("A", None, "2")), True),
        (_lines(("A", None, "2")), _lines(("A", None, "1")), False),
        (_lines(("A", "789", "1")), _lines(("B", "789", "1")), True),  # by EAN where codes differ
        (_lines(("A", "789", "1")), _lines(("B", "788", "1")), False),
        (_lines((None, None, "1")), _lines(("B", "788", "1")), None),
        ((), _lines(("B", "788", "1")), None),
    ],
)
def test_items_by_code_then_by_ean(
    ordered: tuple[ItemQuantity, ...], billed: tuple[ItemQuantity, ...], same: bool | None
) -> None:
    assert same_items(replace(_ORDER, lines=ordered), replace(_NOTE, lines=billed)) is same
