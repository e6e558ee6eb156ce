"""R13: a return without its document, or one that gives back more than was sold."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from confere.sales.reconciliation_input import ItemQuantity, ReturnEntry
from tests.reconcile.made import (
    NOTHING_SINCE_MARCH,
    OTHER_COMPANY,
    SKU,
    find,
    key_of,
    ledger,
    linked,
    note,
    only,
    order,
    refers,
    returned,
    tie,
    words,
)

ORDER, SALE, BACK = order(), note(), returned()
REFERS = (refers(BACK, SALE),)


def booked(number: int = 1, **facts: Any) -> ReturnEntry:
    made = ReturnEntry(f"rt-{number}", ORDER.hub_id, "total", "COMPLETED", "2026-03-19", None, 10_000, (SKU,))
    return replace(made, **facts)


def book(*papers: Any, returns: tuple[ReturnEntry, ...] | None = (booked(),), **facts: Any) -> Any:
    papers = papers or (SALE,)
    return find("R13", ledger([ORDER], papers, returns=returns, **facts), linked((ORDER, SALE)))


def test_a_booked_return_without_document() -> None:
    found = only(book())
    assert (found.orders, found.keys, found.amount, found.period) == (("70001",), (), 10_000, "2026-03")
    assert "return rt-1 of order 70001 on 19/03/2026 (R$ 100,00)" in words(found)


def test_a_document_that_refers_to_the_sale_settles_it() -> None:
    assert book(SALE, BACK, relations=REFERS) == []


def test_one_that_the_hub_names_or_that_is_linked_to_the_order() -> None:
    assert book(SALE, BACK, returns=(booked(key=BACK.key),)) == []
    links = linked((ORDER, SALE), (ORDER, BACK))
    assert find("R13", ledger([ORDER], [SALE, BACK], returns=(booked(),)), links) == []


def test_one_that_refers_to_the_invoice_that_the_order_names() -> None:
    bought = order(invoice_key=SALE.key)
    assert find("R13", ledger([bought], [SALE, BACK], returns=(booked(),), relations=REFERS)) == []


def test_a_denied_document_is_none_and_is_told() -> None:
    denied = returned(state="denied")
    found = only(book(SALE, denied, relations=REFERS))
    assert found.keys == ()
    assert "NF-e 1/200 is without effect (denied)" in words(found)


def test_two_returns_ask_for_two_documents_unless_one_is_worth_both() -> None:
    halves = tuple(booked(n, total=5_000, lines=()) for n in (1, 2))
    half = returned(total=5_000, lines=())
    found = only(book(SALE, half, returns=halves, relations=REFERS))
    assert (found.amount, found.checked) == (5_000, True)
    assert book(SALE, BACK, returns=halves, relations=REFERS) == []


@pytest.mark.parametrize("status", ["CANCELED", "Cancelado", "REJECTED", "recusada"])
def test_returns_that_were_called_off(status: str) -> None:
    assert book(returns=(booked(status=status),)) == []


def test_without_a_list_of_returns_each_month_says_so() -> None:
    late = note(101, "2026-04-02")
    found = book(SALE, late, returns=None)
    assert [(entry.checked, entry.period, entry.subject) for entry in found] == [
        (False, "2026-03", "2026-03"),
        (False, "2026-04", "2026-04"),
    ]


@pytest.mark.parametrize(
    ("entry", "facts", "reason"),
    [
        ({}, {"documents_listed": NOTHING_SINCE_MARCH}, "not listed"),
        ({}, {"undownloaded": frozenset({key_of(321)})}, "not downloaded"),
        ({"key": key_of(200)}, {"undownloaded": frozenset({key_of(200)})}, "not downloaded"),
        ({"created_on": ""}, {}, "not listed"),
        ({"order_id": "5"}, {}, "names an order"),
        ({"order_id": None}, {}, "names an order"),
    ],
)
def test_what_cannot_be_called_missing(entry: dict[str, Any], facts: dict[str, Any], reason: str) -> None:
    found = only(book(returns=(booked(**entry),), **facts))
    assert not found.checked
    assert reason in words(found)


def test_ties_unanswered_documents_and_orders_without_their_sale() -> None:
    ties = linked((ORDER, SALE), ties=[tie([ORDER], [note(300)])])
    assert not only(find("R13", ledger([ORDER], [SALE], returns=(booked(),)), ties)).checked
    assert not only(book(SALE, returned(state="no_protocol"), relations=REFERS)).checked
    alone = only(find("R13", ledger([ORDER], [SALE, BACK], returns=(booked(),), relations=REFERS)))
    assert not alone.checked
    assert "sale is not here" in words(alone)


def test_a_document_that_gives_back_more_pieces() -> None:
    more = returned(lines=(ItemQuantity("SKU-1", None, Decimal(3), 10_000),))
    found = only(book(SALE, more, relations=REFERS))
    assert (found.orders, found.keys) == (("70001",), (more.key,))
    assert "Item SKU-1: 1 more" in words(found)


def test_a_document_that_gives_back_more_value() -> None:
    found = only(book(SALE, returned(total=10_500), relations=REFERS))
    assert found.amount == 500
    assert "R$ 105,00 come back of R$ 100,00" in words(found)
    assert book(SALE, returned(total=10_001), relations=REFERS) == []


def test_an_item_that_comes_back_dearer_than_it_was_sold() -> None:
    # Less comes back in all: the sale charged freight too.
    sale = note(total=15_000, freight=5_000)
    back = returned(total=10_400, lines=(replace(SKU, total=10_400),))
    found = only(book(sale, back, relations=(refers(back, sale),)))
    assert (found.keys, found.amount) == ((back.key,), 400)
    assert "Item SKU-1: R$ 4,00 more come back than it was sold for." in words(found)
    within = replace(back, lines=(replace(SKU, total=10_001),))
    assert book(sale, within, relations=(refers(back, sale),)) == []
    raised = note(101, purpose="2", total=400)
    assert book(sale, raised, back, relations=(refers(back, sale), refers(raised, sale))) == []


def test_a_complement_raises_what_can_come_back() -> None:
    added = note(101, purpose="2", total=500)
    relations = (*REFERS, refers(added, SALE))
    assert book(SALE, added, returned(total=10_500), relations=relations) == []


def test_partial_returns_add_up() -> None:
    one = (ItemQuantity("SKU-1", None, Decimal(1), 5_000),)
    parts = [returned(200 + n, total=5_000, lines=one) for n in range(3)]
    relations = tuple(refers(part, SALE) for part in parts)
    assert book(SALE, *parts[:2], relations=relations[:2]) == []
    assert len(only(book(SALE, *parts, relations=relations)).keys) == 3


def test_a_document_that_gives_back_several_sales_is_no_measure_of_one() -> None:
    other, both = note(101), returned(total=20_000, lines=(replace(SKU, quantity=Decimal(4)),))
    assert book(SALE, other, both, relations=(refers(both, SALE), refers(both, other))) == []


def test_the_hub_booked_more_than_was_ordered() -> None:
    many = booked(lines=(replace(SKU, quantity=Decimal(5)),))
    found = only(book(SALE, BACK, returns=(many,), relations=REFERS))
    assert (found.orders, found.keys, found.subject) == (("70001",), (BACK.key,), "")
    assert "3 more" in words(found)


def test_booked_and_documented_too_much_is_one_finding() -> None:
    many = replace(SKU, quantity=Decimal(5))
    found = only(book(SALE, returned(lines=(many,)), returns=(booked(lines=(many,)),), relations=REFERS))
    assert "sold: NF-e 1/200." in words(found)


def test_booked_too_much_without_document_is_two() -> None:
    found = book(returns=(booked(total=12_000),))
    assert sorted(entry.subject for entry in found) == ["", "booked"]
    assert len({entry.fingerprint for entry in found}) == 2


def test_an_order_without_lines_measures_no_pieces() -> None:
    bare = order(lines=())
    back = booked(lines=(replace(SKU, quantity=Decimal(5)),))
    assert find("R13", ledger([bare], [SALE, BACK], returns=(back,), relations=REFERS), linked((bare, SALE))) == []


def test_a_company_may_have_given_it_back_by_its_own_note() -> None:
    bought = note(recipient=OTHER_COMPANY)
    found = only(find("R13", ledger([ORDER], [bought], returns=(booked(),)), linked((ORDER, bought))))
    assert "a note of its own" in words(found)
