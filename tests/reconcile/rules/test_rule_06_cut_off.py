"""R6: the month of issue is not that of the authorization, of the order or of the cancellation."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reconcile.made import find, freight, ledger, linked, note, only, order, words


def test_one_month_throughout() -> None:
    sale = note(state="cancelled", cancelled_on="2026-03-31")
    assert find("R6", ledger([order()], [sale]), linked((order(), sale))) == []


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"authorized_on": "2026-04-01"}, "authorized on 01/04/2026"),
        ({"state": "cancelled", "cancelled_on": "2026-04-02"}, "cancelled on 02/04/2026"),
    ],
)
@pytest.mark.parametrize("make", [note, freight])
def test_authorized_or_cancelled_in_another_month(make: Any, facts: dict[str, str], told: str) -> None:
    paper = make(day="2026-03-31", **facts)
    found = only(find("R6", ledger([], [paper])))
    assert (found.keys, found.orders, found.period) == ((paper.key,), (), "2026-03")
    assert told in words(found)


def test_a_sale_of_an_order_of_another_month() -> None:
    bought, sale = order(day="2026-03-31"), note(day="2026-04-01")
    found = only(find("R6", ledger([bought], [sale]), linked((bought, sale))))
    assert (found.orders, found.period) == (("70001",), "2026-04")
    assert "placed on 31/03/2026" in words(found)


def test_the_first_order_is_named_and_all_reasons_are_one_finding() -> None:
    orders = [order(n, "2026-03-31") for n in (3, 2)] + [order(1, "2026-04-01")]
    cart = note(day="2026-04-30", authorized_on="2026-05-01")
    found = only(find("R6", ledger(orders, [cart]), linked(*((o, cart) for o in orders))))
    assert found.orders == ("70002",)
    assert len(found.evidence) == 3


@pytest.mark.parametrize(
    "paper",
    [
        note(day="2026-04-20", operation="devolution", direction="0"),
        freight(day="2026-04-02"),
        note(day="2026-04-20", state="denied", authorized_on="2026-05-01"),
        note(day="2026-04-20", state="no_protocol"),
        note(issued_on="", issued_at=None),
    ],
)
def test_what_is_no_cut_off(paper: Any) -> None:
    assert find("R6", ledger([order()], [paper]), linked((order(), paper))) == []
