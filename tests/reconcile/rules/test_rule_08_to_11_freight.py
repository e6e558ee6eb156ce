"""R8 to R11: notes and CT-e, the freight between them, and CT-e that change others."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.reconcile.goods.freight import allocated
from confere.sales.findings import Severity
from tests.reconcile.made import (
    CARRIER,
    MARKETPLACE,
    NOTHING_SINCE_MARCH,
    OTHER_COMPANY,
    OWN,
    anchor,
    carries,
    find,
    freight,
    happened,
    key_of,
    ledger,
    linked,
    note,
    only,
    order,
    refers,
    tie,
    words,
)

ORDER = order(freight=2_000, shipped_at="2026-03-11T12:00:00Z")
SALE = note(freight_mode="0")
FREIGHT = freight()
ANOTHER = freight(901)  # of another sale
BOTH = linked((ORDER, SALE), (ORDER, FREIGHT))


# R8


def test_a_freight_that_carries_an_archived_note() -> None:
    assert find("R8", ledger([], [SALE, FREIGHT], relations=(carries(FREIGHT, SALE),))) == []


def test_a_freight_that_carries_none() -> None:
    found = only(find("R8", ledger([], [FREIGHT])))
    assert (found.keys, found.orders, found.amount) == ((FREIGHT.key,), (), 2_000)
    assert "CT-e 1/900 carries no NF-e" in words(found)


def test_a_freight_that_carries_a_note_that_is_not_here() -> None:
    absent = key_of(777)
    found = only(find("R8", ledger([], [SALE, FREIGHT], relations=(carries(FREIGHT, SALE), carries(FREIGHT, absent)))))
    assert found.keys == (FREIGHT.key,)
    assert f"NF-e 1/777 ({absent})" in words(found)


@pytest.mark.parametrize("purpose", ["1", "2"])
def test_complement_and_annulment_carry_nothing_by_their_nature(purpose: str) -> None:
    assert find("R8", ledger([], [freight(purpose=purpose)])) == []


@pytest.mark.parametrize("facts", [{"state": "cancelled"}, {"type": "cteos", "model": "67"}])
def test_freights_that_do_not_count(facts: dict[str, str]) -> None:
    assert find("R8", ledger([], [replace(FREIGHT, **facts)])) == []


@pytest.mark.parametrize(
    ("key", "facts", "reason"),
    [
        (key_of(777), {"undownloaded": frozenset({key_of(777)})}, "not downloaded"),
        (key_of(777), {"documents_listed": NOTHING_SINCE_MARCH}, "not listed"),
        (key_of(5, "2025-12-01", series=1), {"papers": (note(10), FREIGHT)}, "before the first one"),
        (key_of(5, "2025-12-01", series=9), {}, "before the first one"),
    ],
)
def test_a_note_that_cannot_be_called_missing(key: str, facts: dict[str, Any], reason: str) -> None:
    papers = facts.pop("papers", (FREIGHT,))
    book = replace(ledger([], papers, relations=(carries(FREIGHT, key),), **facts))
    if reason == "before the first one" and len(papers) > 1:
        book = replace(book, papers=papers)
    found = only(find("R8", book))
    assert not found.checked
    assert reason in words(found)


def test_a_key_that_no_document_can_have_is_missing_all_the_same() -> None:
    assert only(find("R8", ledger([], [FREIGHT], relations=(carries(FREIGHT, "123"),), documents_listed=()))).checked


# R9


def test_a_shipped_sale_without_freight() -> None:
    found = only(find("R9", ledger([ORDER], [SALE, ANOTHER]), BOTH))
    assert (found.orders, found.keys, found.amount) == (("70001",), (SALE.key,), 2_000)
    assert "shipped by 11/03/2026" in words(found)
    assert "10 days" in words(found)


def test_where_no_freight_ever_came_as_cte_none_is_missing() -> None:
    more = [(order(n, freight=0, shipped_at="2026-03-11T12:00:00Z"), note(100 + n, freight_mode="0")) for n in (2, 3)]
    book = ledger([ORDER, *(one for one, _ in more)], [SALE, *(sale for _, sale in more)])
    found = only(find("R9", book, linked((ORDER, SALE), *more)))
    assert not found.checked
    assert "no CT-e at all" in words(found)
    assert "3 (NF-e 1/100, NF-e 1/102, NF-e 1/103)" in words(found)


def test_one_that_is_carried() -> None:
    assert find("R9", ledger([ORDER], [SALE, FREIGHT], relations=(carries(FREIGHT, SALE),)), BOTH) == []


@pytest.mark.parametrize("facts", [{"state": "cancelled"}, {"state": "annulled"}, {"purpose": "1"}])
def test_a_freight_without_effect_carries_nothing(facts: dict[str, str]) -> None:
    void = replace(FREIGHT, **facts)
    found = only(find("R9", ledger([ORDER], [SALE, void], relations=(carries(void, SALE),)), BOTH))
    assert found.checked
    assert ("without effect" in words(found)) is ("state" in facts)


@pytest.mark.parametrize(
    ("ordered", "sold", "terms"),
    [
        ({}, {"freight_mode": "1"}, {}),
        ({}, {"freight_mode": "2"}, {}),
        ({}, {"freight_mode": None}, {}),
        ({}, {"state": "cancelled"}, {}),
        ({"shipped_at": None, "status": "INVOICED"}, {}, {}),
        ({"shipped_at": "2026-04-25T12:00:00Z"}, {}, {}),
        ({}, {}, {"freight_after_days": 60}),
        ({}, {}, {"freight_by_cte": False}),
    ],
)
def test_sales_that_need_none_or_not_yet(ordered: dict[str, Any], sold: dict[str, Any], terms: dict[str, Any]) -> None:
    bought, sale = replace(ORDER, **ordered), replace(SALE, **sold)
    assert find("R9", ledger([bought], [sale]), linked((bought, sale)), **terms) == []


def test_on_its_way_without_a_day_counts_from_the_invoice() -> None:
    bought = replace(ORDER, shipped_at=None, status="PAID_WAITING_DELIVERY")
    assert "10/03/2026" in words(only(find("R9", ledger([bought], [SALE, ANOTHER]), linked((bought, SALE)))))


def test_a_sale_without_order_is_not_known_to_be_shipped() -> None:
    assert find("R9", ledger([], [SALE])) == []


def test_the_marketplace_carries_what_it_keeps() -> None:
    stock = note(50, operation="inbound", recipient=MARKETPLACE)
    by_cfop = replace(SALE, cfops=("5106",))
    assert find("R9", ledger([ORDER], [stock, by_cfop]), BOTH) == []
    assert len(find("R9", ledger([ORDER], [by_cfop]), BOTH)) == 1
    symbolic = note(51, operation="symbolic_inbound_return", recipient=MARKETPLACE)
    assert find("R9", ledger([ORDER], [symbolic, SALE], relations=(refers(SALE, symbolic),)), BOTH) == []


@pytest.mark.parametrize(
    "facts",
    [{"documents_listed": NOTHING_SINCE_MARCH}, {"undownloaded": frozenset({key_of(5, emitter=CARRIER, model="57")})}],
)
def test_the_freight_may_be_missing_here(facts: dict[str, Any]) -> None:
    assert not only(find("R9", ledger([ORDER], [SALE], **facts), BOTH)).checked


def test_unanswered_freights_and_undated_sales() -> None:
    silent = freight(state="no_protocol")
    assert not only(find("R9", ledger([ORDER], [SALE, silent], relations=(carries(silent, SALE),)), BOTH)).checked
    undated = replace(SALE, issued_at=None, issued_on="")
    assert not only(find("R9", ledger([ORDER], [undated]), linked((ORDER, undated)))).checked


# R10


def hauled(*freights: Any, ordered: dict[str, Any] | None = None, relations: tuple[Any, ...] = (), **facts: Any) -> Any:
    bought = replace(ORDER, **(ordered or {}))
    relations = (*(carries(entry, SALE) for entry in freights if entry.purpose != "1"), *relations)
    return find("R10", ledger([bought], [SALE, *freights], relations=relations, **facts), linked((bought, SALE)))


def test_freight_that_agrees_within_the_tolerance() -> None:
    assert hauled(FREIGHT) == []
    assert hauled(freight(total=2_001)) == []


def test_freight_that_differs() -> None:
    found = only(hauled(freight(total=2_500)))
    assert (found.orders, found.keys, found.amount) == (("70001",), (FREIGHT.key,), 500)
    assert "R$ 25,00" in words(found)
    assert "R$ 20,00" in words(found)
    assert "R$ 5,00 apart" in words(found)


def test_one_freight_of_three_orders_is_compared_with_all_of_them() -> None:
    orders = [order(n, freight=n * 1_000) for n in (1, 2, 3)]
    sales = [note(100 + n) for n in (1, 2, 3)]
    links = linked(*zip(orders, sales, strict=True))
    for total, count in ((6_000, 0), (5_000, 1)):
        shared = freight(total=total)
        found = find("R10", ledger(orders, [*sales, shared], relations=tuple(carries(shared, s) for s in sales)), links)
        assert len(found) == count
    assert "NF-e 1/101 R$ 16,67, NF-e 1/102 R$ 16,66, NF-e 1/103 R$ 16,67" in words(found[0])


def test_a_complement_adds_and_what_is_replaced_does_not_count() -> None:
    low, complement = freight(total=1_500), freight(901, purpose="1", total=500)
    assert hauled(low, complement, relations=(refers(complement, low, "complements"),)) == []
    found = only(hauled(FREIGHT, complement, relations=(refers(complement, FREIGHT, "complements"),)))
    assert (found.amount, len(found.keys)) == (500, 2)
    assert "complement of R$ 5,00" in words(found)
    replaced, substitute = freight(state="replaced", total=9_999), freight(901, purpose="3")
    assert hauled(replaced, substitute) == []


def test_a_substitute_that_names_no_note_carries_what_the_replaced_one_did() -> None:
    replaced, substitute = freight(state="replaced"), freight(901, purpose="3", total=3_000)
    relations = (carries(replaced, SALE), refers(substitute, replaced, "replaces"))
    found = only(find("R10", ledger([ORDER], [SALE, replaced, substitute], relations=relations), BOTH))
    assert (found.keys, found.amount) == ((substitute.key,), 1_000)


def test_one_leg_billed_twice() -> None:
    found = only(hauled(FREIGHT, freight(901)))
    assert (len(found.keys), found.amount) == (2, 2_000)
    assert "billed twice" in words(found)
    halves = freight(900, total=1_000), freight(901, total=1_000)
    found = only(hauled(*halves))
    assert (found.amount, found.checked) == (1_000, True)


def test_two_legs_are_two_freights() -> None:
    first, second = freight(900, total=1_000), freight(901, total=1_000)
    assert hauled(first, second, relations=(refers(second, first, "continues"),)) == []
    assert hauled(first, replace(second, recipient=MARKETPLACE)) == []


def test_freight_that_another_one_pays() -> None:
    assert hauled(freight(total=9_999, taker=OTHER_COMPANY)) == []
    assert len(hauled(freight(total=9_999, taker=None))) == 1


def test_accounts_whose_freight_comes_otherwise() -> None:
    book = ledger([ORDER], [SALE, freight(total=9_999)], relations=(carries(FREIGHT, SALE),))
    assert find("R10", book, BOTH, freight_by_cte=False) == []
    assert len(find("R10", book, BOTH)) == 1


def test_freight_of_no_order_says_nothing() -> None:
    assert find("R10", ledger([], [SALE, freight(total=1)], relations=(carries(FREIGHT, SALE),))) == []


@pytest.mark.parametrize(
    ("ordered", "total", "facts", "reason"),
    [
        ({"freight": None}, 2_500, {}, "what freight"),
        ({}, None, {}, "its total"),
        ({}, 2_500, {"documents_listed": NOTHING_SINCE_MARCH}, "not listed"),
        ({}, 2_500, {"undownloaded": frozenset({key_of(5, emitter=CARRIER, model="57")})}, "not downloaded"),
    ],
)
def test_what_leaves_freight_open(
    ordered: dict[str, Any], total: int | None, facts: dict[str, Any], reason: str
) -> None:
    found = only(hauled(freight(total=total), ordered=ordered, **facts))
    assert not found.checked
    assert reason in words(found)


def test_what_is_carried_must_be_known() -> None:
    heavy = freight(total=2_500)
    assert not only(hauled(heavy, relations=(carries(heavy, key_of(777)),))).checked
    back = note(200, operation="devolution")
    book = ledger([ORDER], [SALE, back, heavy], relations=(carries(heavy, SALE), carries(heavy, back)))
    assert "belongs to no order" in words(only(find("R10", book, BOTH)))
    tied = linked((ORDER, SALE), ties=[tie([ORDER], [note(300)])])
    assert not only(find("R10", ledger([ORDER], [SALE, heavy], relations=(carries(heavy, SALE),)), tied)).checked
    undated = replace(SALE, issued_at=None, issued_on="")
    book = ledger([ORDER], [undated, heavy], relations=(carries(heavy, undated),))
    assert not only(find("R10", book, linked((ORDER, undated)))).checked


def test_another_package_may_still_wait() -> None:
    package, half = note(101, freight_mode="0"), freight(total=1_000)
    links = linked((ORDER, SALE), (ORDER, package))
    found = only(find("R10", ledger([ORDER], [SALE, package, half], relations=(carries(half, SALE),)), links))
    assert "still wait" in words(found)


@given(st.integers(0, 10**7), st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 99)), min_size=1, max_size=9))
def test_an_allocation_adds_up(total: int, notes: list[tuple[int, int]]) -> None:
    entries = [note(n, total=value, weight=None) for n, (value, _) in enumerate(notes)]
    shares = allocated(total, entries)
    assert sum(shares) == total
    assert all(share >= 0 for share in shares)


def test_an_allocation_is_by_value_else_by_weight_else_equal() -> None:
    assert allocated(900, [note(1, total=100), note(2, total=200)]) == [300, 600]
    assert allocated(900, [note(1, total=None, weight=2), note(2, total=200, weight=1)]) == [600, 300]
    assert allocated(900, [note(1, total=None), note(2, total=200)]) == [450, 450]


# R11


def adjusted(kind: str, original: Any, other: Any, *more: Any, **facts: Any) -> Any:
    return find("R11", ledger([], [original, other], relations=(refers(other, original, kind), *more), **facts))


@pytest.mark.parametrize(
    ("kind", "state", "purpose", "amount", "told"),
    [
        ("complements", "complemented", "1", 500, "CT-e 1/901 adds R$ 5,00 to CT-e 1/900"),
        ("replaces", "replaced", "3", 1_500, "stands in the place of CT-e 1/900 (R$ 20,00)"),
    ],
)
def test_adjustments_are_information(kind: str, state: str, purpose: str, amount: int, told: str) -> None:
    found = only(adjusted(kind, freight(state=state), freight(901, purpose=purpose, total=500)))
    assert set(found.keys) == {FREIGHT.key, freight(901).key}
    assert (found.severity, found.amount, found.checked) == (Severity.LOW, amount, True)
    assert told in words(found)


def test_an_annulment_asks_for_a_substitute() -> None:
    original, annulment, substitute = freight(state="annulled"), freight(901, purpose="2"), freight(902, purpose="3")
    found = only(adjusted("annuls", original, annulment))
    assert (found.severity, found.amount) == (Severity.MEDIUM, 2_000)
    assert "No CT-e in effect stands in its place" in words(found)
    relations = (refers(annulment, original, "annuls"), refers(substitute, original, "replaces"))
    found = find("R11", ledger([], [original, annulment, substitute], relations=relations))
    assert {entry.severity for entry in found if annulment.key in entry.keys} == {Severity.LOW}


def test_an_original_that_is_missing_or_void_is_graver() -> None:
    complement = freight(901, purpose="1", total=500)
    found = only(adjusted("complements", freight(state="cancelled"), complement))
    assert found.severity is Severity.MEDIUM
    assert "state is cancelled" in words(found)
    relations = (refers(complement, FREIGHT.key or "", "complements"),)
    found = only(find("R11", ledger([], [freight(899), complement], relations=relations)))
    assert found.severity is Severity.MEDIUM
    assert "does not hold the original" in words(found)
    assert only(find("R11", ledger([], [complement], relations=relations))).severity is Severity.LOW
    substitute = freight(901, purpose="3")
    found = only(find("R11", ledger([], [substitute], relations=(refers(substitute, FREIGHT, "replaces"),))))
    assert found.amount is None


def test_an_adjustment_without_effect_adjusts_nothing() -> None:
    assert adjusted("complements", FREIGHT, freight(901, purpose="1", state="cancelled")) == []


def test_a_disagreement_left_open() -> None:
    found = only(find("R11", ledger([], [FREIGHT], happenings=(happened(FREIGHT, "610110"),))))
    assert (found.keys, found.severity) == ((FREIGHT.key,), Severity.MEDIUM)
    assert "12/03/2026" in words(found)


def test_one_that_was_settled() -> None:
    events = (happened(FREIGHT, "610110"), happened(FREIGHT, "610111", "2026-03-13"))
    assert find("R11", ledger([], [FREIGHT], happenings=events)) == []
    assert len(find("R11", ledger([], [FREIGHT], happenings=(*events, happened(FREIGHT, "610110", "2026-03-14"))))) == 1
    void = freight(state="annulled")
    assert find("R11", ledger([], [void], happenings=(happened(void, "610110"),))) == []
    assert find("R11", ledger([], [FREIGHT], happenings=(happened(FREIGHT, "110110"),))) == []


def test_a_note_is_no_freight() -> None:
    paper = note(purpose="2")
    book = ledger([], [paper, anchor()], relations=(refers(paper, anchor(), "complements"),))
    assert find("R11", book) == []
    assert OWN in book.own
