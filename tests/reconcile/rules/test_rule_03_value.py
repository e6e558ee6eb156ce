"""R3: what orders come to is not what their invoices come to."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.reconcile.totals import sides
from tests.reconcile.made import (
    NOTHING_SINCE_MARCH,
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


def one(ordered: dict[str, Any], billed: dict[str, Any], **facts: Any) -> list[Any]:
    buyer, sale = order(**ordered), note(**billed)
    return find("R3", ledger([buyer], [sale], **facts), linked((buyer, sale)))


def test_totals_that_differ() -> None:
    found = only(one({}, {"total": 9_000, "products": 9_000}))
    assert (found.orders, found.keys, found.amount) == (("70001",), (note().key,), 1_000)
    assert "R$ 100,00" in words(found)
    assert "R$ 90,00" in words(found)
    assert "R$ 10,00 apart" in words(found)


def test_within_the_tolerance() -> None:
    assert one({}, {"total": 10_001}) == []
    assert len(one({}, {"total": 10_002})) == 1


@pytest.mark.parametrize(
    ("ordered", "billed"),
    [
        pytest.param({"freight": 1_500}, {"freight": 1_500, "total": 11_500}, id="freight that the total leaves out"),
        pytest.param({"freight": 900, "total": 10_900}, {"freight": 950, "total": 10_950}, id="freight on both sides"),
        pytest.param({"total": 10_300, "gross": None, "interest": 300}, {}, id="interest as the order states it"),
        pytest.param({"interest": 300}, {"total": 10_300}, id="interest that the order's total leaves out"),
        pytest.param({"total": 10_300}, {"other": 200, "total": 10_200}, id="charges on both sides"),
    ],
)
def test_what_freight_discount_and_interest_make_up(ordered: dict[str, int], billed: dict[str, int]) -> None:
    assert one(ordered, billed) == []


@pytest.mark.parametrize(
    ("ordered", "billed"),
    [
        pytest.param({"freight": 1_500, "total": 11_500}, {"total": 10_200}, id="more than freight"),
        pytest.param({"freight": 1_500, "total": 11_500}, {"freight": 1_500, "total": 11_000}, id="freight agrees"),
        pytest.param({"freight": 1_500, "total": 11_500}, {}, id="freight that the note does not charge"),
        pytest.param({"discount": 800, "total": 9_200}, {}, id="discount granted by the marketplace"),
        pytest.param({}, {"discount": 800, "total": 9_200}, id="discount of the note alone"),
        pytest.param({}, {"other": 300, "total": 10_300}, id="vOutro of the note alone"),
        pytest.param({"total": 10_300}, {}, id="a surplus that is not called interest"),
        pytest.param({}, {"insurance": 300, "total": 10_300}, id="insurance"),
        pytest.param({"freight": 1_500, "discount": 800, "total": 10_700}, {}, id="freight and discount"),
        pytest.param({"total": 9_000}, {}, id="an order that lacks what nothing explains"),
        pytest.param({"total": 10_300, "gross": None}, {}, id="an order of which the parts are not told"),
    ],
)
def test_what_they_do_not(ordered: dict[str, int], billed: dict[str, int]) -> None:
    assert len(one(ordered, billed)) == 1


def test_a_cart_and_packages_are_compared_whole() -> None:
    orders = [order(1), order(2)]
    cart = note(total=20_000)
    assert find("R3", ledger(orders, [cart]), linked(*((o, cart) for o in orders))) == []
    parts = [note(100, total=4_000), note(101, total=6_000)]
    assert find("R3", ledger([order()], parts), linked(*((order(), part) for part in parts))) == []
    lacking = [note(100, total=4_000), note(101, "2026-04-01", total=5_000)]
    found = only(find("R3", ledger([order()], lacking), linked(*((order(), part) for part in lacking))))
    assert (found.amount, len(found.keys), found.period) == (1_000, 2, "2026-03")


def test_a_complement_adds() -> None:
    sale, complement = note(total=9_000), note(101, purpose="2", total=1_000)
    book = ledger([order()], [sale, complement], relations=(refers(complement, sale),))
    assert find("R3", book, linked((order(), sale))) == []
    assert find("R3", ledger([order()], [sale, complement]), linked((order(), sale), (order(), complement))) == []
    unrelated = ledger([order()], [sale, complement])
    assert only(find("R3", unrelated, linked((order(), sale)))).keys == (sale.key,)


def test_cancelled_and_symbolic_notes_are_not_counted() -> None:
    sale = note()
    others = [note(101, state="cancelled"), note(102, operation="symbolic_inbound_return", direction="0")]
    links = linked((order(), sale), *((order(), other) for other in others))
    assert find("R3", ledger([order()], [sale, *others]), links) == []


def test_a_cancelled_order_that_the_note_leaves_out() -> None:
    orders, sale = [order(1), order(2, status="CANCELED")], note()
    assert find("R3", ledger(orders, [sale]), linked(*((o, sale) for o in orders))) == []


def test_an_exchange_is_billed_again() -> None:
    sale, again, back = note(), note(101, "2026-03-25"), returned()
    links = linked((order(), sale), (order(), again))
    assert find("R3", ledger([order()], [sale, again, back], relations=(refers(back, sale),)), links) == []
    assert len(find("R3", ledger([order()], [sale, again, back]), links)) == 1


@pytest.mark.parametrize("side", ["order", "note"])
def test_a_total_that_is_not_told(side: str) -> None:
    found = only(one({"total": None} if side == "order" else {}, {"total": None} if side == "note" else {}))
    assert not found.checked


def test_a_package_may_be_missing() -> None:
    lacking = {"total": 4_000, "lines": (replace(SKU, quantity=Decimal(1)),)}
    assert not only(one({"invoice_key": key_of(77)}, lacking)).checked
    assert not only(one({}, lacking, documents_listed=NOTHING_SINCE_MARCH)).checked
    assert not only(one({}, lacking, undownloaded=frozenset({key_of(321)}))).checked
    assert only(one({}, {"total": 14_000}, documents_listed=NOTHING_SINCE_MARCH)).checked
    assert only(one({}, {"total": 4_000}, documents_listed=NOTHING_SINCE_MARCH)).checked, "all pieces are billed"
    assert only(one({"created_at": None, "created_on": ""}, lacking)).checked


def test_another_order_of_the_note_may_be_missing() -> None:
    assert not only(one({}, {"total": 14_000, "order_id": "5"})).checked
    orders, cart = [order(1), order(2)], note(total=30_000, lines=())
    links = linked(*((o, cart) for o in orders))
    assert not only(find("R3", ledger(orders, [cart], orders_listed=NOTHING_SINCE_MARCH), links)).checked
    assert only(find("R3", ledger(orders, [cart]), links)).checked


def test_a_tie_leaves_it_open() -> None:
    sale = note(total=9_000)
    for tied in (tie([order(), order(2)], [note(101)]), tie([order(2)], [sale, note(101)])):
        assert not only(find("R3", ledger([order()], [sale]), linked((order(), sale), ties=[tied]))).checked


@given(
    goods=st.integers(100, 10**6),
    freight=st.integers(1, 10**4),
    discount=st.integers(1, 99),
    interest=st.integers(1, 10**4),
    on_note=st.tuples(st.booleans(), st.booleans(), st.booleans()),
)
def test_any_of_them_on_one_side_alone_may_agree_and_explains_nothing(
    goods: int, freight: int, discount: int, interest: int, on_note: tuple[bool, bool, bool]
) -> None:
    charged, granted, booked = on_note
    bought = order(gross=goods, freight=freight, discount=discount, total=goods + freight - discount)
    sale = note(
        freight=freight if charged else 0,
        discount=discount if granted else 0,
        other=interest if booked else 0,
        total=goods + freight * charged - discount * granted + interest * booked,
    )
    told = sides([bought], [sale])
    assert told is not None
    assert told.may_agree(1)
    assert told.explained(1) == (() if abs(told.difference) <= 1 else None)
    assert told.difference == sum(part.effect for part in told.alone())
