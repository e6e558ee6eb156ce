"""R7a, R7b, R7c: the same key, the same goods, the same number twice."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from confere.sales.reconciliation_input import ItemQuantity, PaperEntry
from tests.reconcile.made import (
    BRANCH,
    OWN,
    SKU,
    find,
    freight,
    key_of,
    ledger,
    linked,
    note,
    only,
    order,
    refers,
    returned,
    words,
)


def pieces(count: int, code: str | None = "SKU-1", ean: str | None = "7891234567895") -> tuple[ItemQuantity, ...]:
    return (ItemQuantity(code, ean, Decimal(count), count * 5_000),)


def test_other_bytes_under_one_key() -> None:
    paper = note(versions=2)
    found = only(find("R7a", ledger([], [paper, note(101)])))
    assert found.keys == (paper.key,)
    assert "2 different files of NF-e 1/100" in words(found)


def twice(bought: Any, *sales: PaperEntry, **facts: Any) -> list[Any]:
    return find("R7b", ledger([bought], sales, **facts), linked(*((bought, sale) for sale in sales)))


def test_the_same_pieces_in_two_sales() -> None:
    sales = note(100), note(101, "2026-04-02")
    found = only(twice(order(), *sales))
    assert (found.orders, found.amount, found.period) == (("70001",), 10_000, "2026-03")
    assert set(found.keys) == {sale.key for sale in sales}
    assert "Item SKU-1: 4 billed, 2 ordered." in words(found)


def test_packages_that_split_the_order_or_an_item() -> None:
    assert twice(order(), note(100, lines=pieces(1)), note(101, lines=pieces(1))) == []
    other = ItemQuantity("SKU-2", None, Decimal(1), 500)
    bought = order(lines=(SKU, other))
    assert twice(bought, note(100), note(101, lines=(other,))) == []


def test_only_the_sales_that_hold_the_item_are_named() -> None:
    other = ItemQuantity("SKU-2", None, Decimal(1), 500)
    sales = note(100), note(101), note(102, lines=(other,))
    found = only(twice(order(lines=(SKU, other)), *sales))
    assert set(found.keys) == {sales[0].key, sales[1].key}


def test_one_note_of_a_cart_and_one_note_with_too_many_pieces() -> None:
    orders, cart = [order(1), order(2)], note(lines=pieces(4))
    assert find("R7b", ledger(orders, [cart]), linked(*((o, cart) for o in orders))) == []
    assert twice(order(), note(lines=pieces(9))) == []


def test_cancelled_reissued_and_returned_ones_are_not_billed() -> None:
    assert twice(order(), note(100, state="cancelled"), note(101)) == []
    first, back = note(100), returned()
    assert twice(order(), first, note(101), relations=(refers(back, first),)) != []
    book = ledger([order()], [first, note(101), back], relations=(refers(back, first),))
    assert find("R7b", book, linked((order(), first), (order(), note(101)))) == []


def test_an_item_is_known_by_its_ean_whatever_its_code() -> None:
    bought = order(lines=pieces(2, "A"))
    assert len(twice(bought, note(100, lines=pieces(2, "B")), note(101, lines=pieces(2, "C")))) == 1
    assert twice(bought, note(100, lines=pieces(1, "B")), note(101, lines=pieces(1, "C"))) == []


def test_codes_that_the_order_does_not_know_count_by_the_totals() -> None:
    bought = order(lines=pieces(2, "A", None))
    kit = pieces(1, "KIT", "SEM GTIN")
    assert len(twice(bought, note(100, lines=kit), note(101, lines=kit))) == 1
    halves = note(100, lines=kit, total=5_000), note(101, lines=kit, total=5_000)
    assert twice(bought, *halves) == []


def test_lines_that_say_nothing_are_left_out() -> None:
    bare = (ItemQuantity(None, None, Decimal(2), 10_000), ItemQuantity("SKU-1", None, None, 10_000))
    assert twice(order(), note(100, lines=bare), note(101, lines=bare)) == []


def same_number(**facts: Any) -> PaperEntry:
    return replace(note(100, "2026-04-02"), **facts)


def test_one_number_under_two_keys() -> None:
    papers = note(100), same_number()
    found = only(find("R7c", ledger([], papers)))
    assert set(found.keys) == {paper.key for paper in papers}
    assert found.period == "2026-03"
    assert "10/03/2026, 02/04/2026" in words(found)


@pytest.mark.parametrize("state", ["cancelled", "denied"])
def test_a_cancelled_or_denied_number_is_used_up(state: str) -> None:
    assert len(find("R7c", ledger([], [note(100), same_number(state=state)]))) == 1


@pytest.mark.parametrize(
    "facts",
    [
        {"series": 2},
        {"model": "65"},
        {"emitter": BRANCH},
        {"number": None},
        {"state": "rejected"},
        {"state": "no_protocol"},
    ],
)
def test_what_is_another_number_or_none(facts: dict[str, Any]) -> None:
    assert find("R7c", ledger([], [note(100), same_number(**facts)])) == []


def test_freights_have_numbers_too() -> None:
    papers = freight(900), replace(freight(900), key=key_of(900, "2026-04-02", model="57"))
    assert len(find("R7c", ledger([], papers))) == 1


@pytest.mark.parametrize(("first", "last", "count"), [(100, 100, 1), (90, 110, 1), (101, 110, 0), (90, 99, 0)])
@pytest.mark.parametrize("state", ["voided", "rejected"])
def test_a_number_that_was_declared_unused(first: int, last: int, count: int, state: str) -> None:
    def void(first: int, last: int) -> PaperEntry:
        return PaperEntry(0, None, "voiding", "55", 1, emitter=OWN, state=state, first_number=first, last_number=last)

    found = find("R7c", ledger([], [note(100), void(first, last), void(500, 600)]))
    assert [entry.keys for entry in found] == [(note(100).key,)] * (count if state == "voided" else 0)
    assert all(f"{first} to {last}" in words(entry) for entry in found)
