"""R4 and R5: one side was cancelled, and the other stands."""

from __future__ import annotations

from datetime import timedelta

import pytest

from confere.sales.reconciliation_input import ListedPeriod
from tests.reconcile.made import (
    NOTHING_SINCE_MARCH,
    NOW,
    OTHER_COMPANY,
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

CANCELLED = note(state="cancelled", cancelled_on="2026-03-12")
CALLED_OFF = order(status="CANCELED")
SALE = note()


@pytest.mark.parametrize(
    ("status", "said"),
    [("PAID_WAITING_SHIP", "paid, to be invoiced"), ("INVOICED", "invoiced"), ("CONCLUDED", "delivered"), ("X", "X")],
)
def test_a_cancelled_invoice_of_a_live_order(status: str, said: str) -> None:
    live = order(status=status)
    found = only(find("R4", ledger([live], [CANCELLED]), linked((live, CANCELLED))))
    assert (found.orders, found.keys, found.amount) == (("70001",), (CANCELLED.key,), 10_000)
    assert "cancelled on 12/03/2026" in words(found)
    assert f"is {said}, and no" in words(found)


def test_late_cancellations_too() -> None:
    late = note(state="cancelled_late")
    assert len(find("R4", ledger([order()], [late]), linked((order(), late)))) == 1


def test_a_cancelled_order_agrees() -> None:
    assert find("R4", ledger([CALLED_OFF], [CANCELLED]), linked((CALLED_OFF, CANCELLED))) == []


def test_a_newer_sale_stands_in_its_place() -> None:
    again = note(101, "2026-03-11")
    links = linked((order(), CANCELLED), (order(), again))
    assert find("R4", ledger([order()], [CANCELLED, again]), links) == []
    denied = note(101, "2026-03-11", state="denied")
    links = linked((order(), CANCELLED), (order(), denied))
    assert len(find("R4", ledger([order()], [CANCELLED, denied]), links)) == 1


def test_an_older_sale_only_where_it_makes_up_the_order() -> None:
    duplicate = note(101, "2026-03-11", state="cancelled", cancelled_on="2026-03-11")
    links = linked((order(), SALE), (order(), duplicate))
    assert find("R4", ledger([order()], [SALE, duplicate]), links) == []
    part = note(total=4_000)
    links = linked((order(), part), (order(), duplicate))
    assert len(find("R4", ledger([order()], [part, duplicate]), links)) == 1


def test_other_notes_that_were_cancelled_are_no_invoice() -> None:
    symbolic = note(operation="symbolic_inbound_return", state="cancelled")
    assert find("R4", ledger([order()], [symbolic]), linked((order(), symbolic))) == []
    assert find("R4", ledger([order()], [CANCELLED])) == []


@pytest.mark.parametrize(
    ("ordered", "facts"),
    [
        ({"status": ""}, {}),
        ({"invoice_key": key_of(77)}, {}),
        ({}, {"documents_listed": NOTHING_SINCE_MARCH}),
        ({}, {"undownloaded": frozenset({key_of(321)})}),
    ],
)
def test_where_the_newer_sale_may_be_missing(ordered: dict[str, str], facts: dict[str, object]) -> None:
    live = order(**ordered)
    assert not only(find("R4", ledger([live], [CANCELLED], **facts), linked((live, CANCELLED)))).checked


def test_a_tie_or_an_unknown_day_leaves_it_open() -> None:
    ties = [tie([order(), order(2)], [note(101)])]
    assert not only(find("R4", ledger([order()], [CANCELLED]), linked((order(), CANCELLED), ties=ties))).checked
    undated = note(state="cancelled", issued_at=None, issued_on="")
    assert not only(find("R4", ledger([order()], [undated]), linked((order(), undated)))).checked


def test_a_cancelled_order_with_an_authorized_sale() -> None:
    found = only(find("R5", ledger([CALLED_OFF], [SALE]), linked((CALLED_OFF, SALE))))
    assert (found.orders, found.keys, found.amount) == (("70001",), (SALE.key,), 10_000)
    assert "no return" in words(found)


def test_a_cancelled_or_live_pair_agrees() -> None:
    assert find("R5", ledger([CALLED_OFF], [CANCELLED]), linked((CALLED_OFF, CANCELLED))) == []
    assert find("R5", ledger([order()], [SALE]), linked((order(), SALE))) == []


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"operation": "sale_return", "purpose": "1"},
        {"operation": "other", "purpose": "4"},
        {"operation": "other", "purpose": "3"},
    ],
)
def test_a_return_or_reversal_clears_it(facts: dict[str, str]) -> None:
    back = returned(**facts)
    book = ledger([CALLED_OFF], [SALE, back], relations=(refers(back, SALE),))
    assert find("R5", book, linked((CALLED_OFF, SALE))) == []


@pytest.mark.parametrize(
    "facts", [{"state": "denied"}, {"operation": "other", "purpose": "1"}, {"type": "cte", "operation": "freight"}]
)
def test_what_only_refers_to_it_does_not(facts: dict[str, str]) -> None:
    back = returned(**facts)
    book = ledger([CALLED_OFF], [SALE, back], relations=(refers(back, SALE),))
    assert only(find("R5", book, linked((CALLED_OFF, SALE)))).checked


@pytest.mark.parametrize(
    "facts",
    [{"documents_listed": NOTHING_SINCE_MARCH}, {"undownloaded": frozenset({key_of(321, "2026-04-10")})}],
)
def test_where_the_return_may_be_missing(facts: dict[str, object]) -> None:
    assert not only(find("R5", ledger([CALLED_OFF], [SALE], **facts), linked((CALLED_OFF, SALE)))).checked


@pytest.mark.parametrize(("days", "checked"), [(2, True), (6, True), (9, False), (40, False)])
def test_a_return_may_have_come_since_anything_was_listed(days: int, checked: bool) -> None:
    until = (
        ListedPeriod("1970-01-01T00:00:00.000+00:00", (NOW - timedelta(days=days)).isoformat(timespec="milliseconds")),
    )
    book = ledger([CALLED_OFF], [SALE], documents_listed=until, orders_listed=until)
    found = only(find("R5", book, linked((CALLED_OFF, SALE))))
    assert found.checked is checked


def test_a_tie_or_an_unknown_day_leaves_the_return_open() -> None:
    for ties in ([tie([CALLED_OFF], [note(101)])], [tie([order(2)], [SALE])]):
        assert not only(find("R5", ledger([CALLED_OFF], [SALE]), linked((CALLED_OFF, SALE), ties=ties))).checked
    undated = note(issued_at=None, issued_on="")
    assert not only(find("R5", ledger([CALLED_OFF], [undated]), linked((CALLED_OFF, undated)))).checked


def test_a_company_may_have_given_it_back_by_its_own_note() -> None:
    bought = note(recipient=OTHER_COMPANY)
    found = only(find("R5", ledger([CALLED_OFF], [bought]), linked((CALLED_OFF, bought))))
    assert found.checked
    assert "a note of its own" in words(found)
    assert "a note of its own" not in words(only(find("R5", ledger([CALLED_OFF], [SALE]), linked((CALLED_OFF, SALE)))))
