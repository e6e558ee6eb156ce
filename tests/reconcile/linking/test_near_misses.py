"""Orders without invoice and sales without order that nearly fit: which pairs, and what agrees and differs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

from confere.reconcile.linker import link
from confere.sales.links import Decision, PersonsWord, Suggestion
from confere.sales.reconciliation_input import OrderEntry, PaperEntry
from confere.sales.terms import Terms
from tests.reconcile.cases import OTHER_COMPANY, buyer, ledger, note, of, order, said

BOUGHT = order(1)  # of R$ 107,31
MASKED = f"***{BOUGHT.buyer[3:9]}**" if BOUGHT.buyer else None


def near(
    orders: Iterable[OrderEntry], papers: Iterable[PaperEntry], decisions: Iterable[Decision] = ()
) -> tuple[Suggestion, ...]:
    return link(ledger(orders, papers), Terms(), tuple(decisions)).suggestions


def pairs(orders: Iterable[OrderEntry], papers: Iterable[PaperEntry]) -> set[tuple[str, str]]:
    return {(one.order_id, one.key) for one in near(orders, papers)}


def sold(number: int = 1, **facts: Any) -> PaperEntry:
    """A sale to the order's buyer, of R$ 1,00 more."""
    dearer = (BOUGHT.total or 0) + 100
    return note(number, BOUGHT, **{"total": dearer, "products": dearer, **facts})


def words(bought: OrderEntry, paper: PaperEntry) -> tuple[list[str], list[str]]:
    (suggestion,) = near([bought], [paper])
    assert (suggestion.order_id, suggestion.key) == (bought.hub_id, of(paper))
    return [str(one) for one in suggestion.agrees], [str(one) for one in suggestion.differs]


def test_all_but_the_total_agrees() -> None:
    assert words(BOUGHT, sold()) == (
        ["the buyer's tax id", "the items", "1 days from the order to the document", "the state SP"],
        ["the total: R$ 107,31 on the order, R$ 108,31 on the document"],
    )


def test_only_buyer_and_total_agree() -> None:
    paper = note(1, BOUGHT, lines=order(2).lines, issued_on="2025-03-30", uf="RJ")
    assert words(BOUGHT, paper) == (
        ["the buyer's tax id", "the total R$ 107,31"],
        [
            "the items are others",
            "20 days from the order to the document",
            "the state: SP on the order, RJ on the document",
        ],
    )


def test_what_cannot_be_compared_does_not_agree() -> None:
    paper = note(1, BOUGHT, lines=(), issued_on="2025-03-30", uf=None)
    assert words(BOUGHT, paper) == (
        ["the buyer's tax id", "the total R$ 107,31"],
        [
            "the items cannot be compared",
            "20 days from the order to the document",
            "one of them does not tell the buyer's state",
        ],
    )


def test_totals_that_freight_makes_up() -> None:
    bought = replace(BOUGHT, total=(BOUGHT.total or 0) + 500, freight=500)
    agrees, differs = words(bought, note(1, BOUGHT, issued_on="2025-03-30"))
    assert "the totals, made up by freight, discount, interest or taxes: R$ 112,31, R$ 107,31" in agrees
    assert differs == ["20 days from the order to the document"]


@pytest.mark.parametrize(
    ("shown", "by"),
    [(BOUGHT.buyer, "the buyer's tax id"), (MASKED, "what is shown of the buyer's tax id")],
)
def test_by_what_the_buyer_is_the_same(shown: str | None, by: str) -> None:
    assert words(replace(BOUGHT, buyer=shown), sold())[0][0] == by


def test_of_a_buyer_known_by_name_two_of_total_items_and_state_agree() -> None:
    by_name = replace(BOUGHT, buyer=None)
    agrees, differs = words(by_name, sold())
    assert agrees[:2] == ["the buyer's name", "the items"]
    assert differs[0] == "there is no whole tax id to compare"
    assert pairs([by_name], [sold(uf="RJ")]) == set()
    assert pairs([by_name], [sold(lines=order(2).lines)]) == set()
    assert pairs([by_name], [note(1, BOUGHT, lines=(), issued_on="2025-03-30")]) == {
        (BOUGHT.hub_id, of(note(1, BOUGHT)))
    }


def test_of_a_buyer_known_by_tax_id_total_or_items_agree() -> None:
    assert pairs([BOUGHT], [sold(lines=order(2).lines)]) == set()
    assert pairs([BOUGHT], [sold(lines=())]) == set()


@pytest.mark.parametrize(
    ("day", "is_near"), [("2025-04-09", True), ("2025-04-10", False), ("2025-03-09", True), ("2025-03-08", False)]
)
def test_thirty_days_are_not_too_many(day: str, is_near: bool) -> None:
    assert bool(near([BOUGHT], [sold(issued_on=day)])) is is_near


@pytest.mark.parametrize(
    "bought",
    [
        replace(BOUGHT, buyer=buyer(9)),
        replace(BOUGHT, status="CANCELLED"),
        replace(BOUGHT, invoice_number=77),
        replace(BOUGHT, created_on=""),
    ],
)
def test_orders_that_are_not_near(bought: OrderEntry) -> None:
    assert near([bought], [sold()]) == ()


@pytest.mark.parametrize(
    "paper", [sold(state="cancelled"), sold(order_id="77"), sold(emitter=OTHER_COMPANY), sold(issued_on="")]
)
def test_sales_that_are_not_near(paper: PaperEntry) -> None:
    assert near([BOUGHT], [paper]) == ()


def test_a_pair_that_a_person_parted_is_not_suggested_again() -> None:
    paper = sold()
    assert near([BOUGHT], [paper])
    assert near([BOUGHT], [paper], [said(BOUGHT, paper, PersonsWord.UNLINK)]) == ()


def test_the_nearest_goes_first_and_none_goes_twice() -> None:
    total = BOUGHT.total or 0
    near_by = sold(1, total=total + 50, products=total + 50)
    cheaper = sold(2, total=total - 90, products=total - 90)
    other_state = sold(3, total=total + 10, products=total + 10, uf="RJ")
    assert pairs([BOUGHT], [other_state, cheaper, near_by]) == {(BOUGHT.hub_id, of(near_by))}
    again = replace(BOUGHT, id=2, hub_id="4800000002", marketplace_id=None)
    assert pairs([BOUGHT, again], [cheaper]) == {(BOUGHT.hub_id, of(cheaper))}
    both = near([again, BOUGHT], [cheaper, near_by])
    assert [(one.order_id, one.key) for one in both] == [
        (BOUGHT.hub_id, of(near_by)),
        (again.hub_id, of(cheaper)),
    ]


def test_of_equal_differences_the_day_decides() -> None:
    late, soon = sold(1, issued_on="2025-03-13"), sold(2, issued_on="2025-03-12")
    assert pairs([BOUGHT], [late, soon]) == {(BOUGHT.hub_id, of(soon))}
