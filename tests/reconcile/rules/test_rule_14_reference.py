"""R14: a reference to a document that is nowhere, of another counterparty, or in a circle."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.reconcile.graph.reference_cycles import circles
from tests.reconcile.made import (
    BRANCH,
    MARKETPLACE,
    NOTHING_SINCE_MARCH,
    OTHER_COMPANY,
    OWN,
    buyer,
    carries,
    find,
    freight,
    key_of,
    ledger,
    note,
    only,
    refers,
    returned,
    words,
)

SALE, BACK = note(), returned()


def test_a_return_of_an_archived_sale() -> None:
    assert find("R14", ledger([], [SALE, BACK], relations=(refers(BACK, SALE),))) == []


@pytest.mark.parametrize("kind", ["references", "item_references", "prepayment"])
def test_a_target_that_is_nowhere(kind: str) -> None:
    nowhere = key_of(777)
    found = only(find("R14", ledger([], [SALE, BACK], relations=(refers(BACK, nowhere, kind),))))
    assert set(found.keys) == {BACK.key, nowhere}
    assert found.amount == 10_000
    assert "NF-e 1/777" in words(found)


def test_a_freight_that_adjusts_one_that_is_nowhere() -> None:
    complement, nowhere = freight(901, purpose="1"), freight(999)
    book = ledger([], [freight(), complement], relations=(refers(complement, nowhere, "complements"),))
    assert set(only(find("R14", book)).keys) == {complement.key, nowhere.key}


@pytest.mark.parametrize("kind", ["related", "carries"])
def test_other_ways_of_naming_are_not_asked(kind: str) -> None:
    assert find("R14", ledger([], [SALE, BACK], relations=(refers(BACK, key_of(777), kind),))) == []
    cargo = freight()
    assert find("R14", ledger([], [cargo], relations=(carries(cargo, key_of(777)),))) == []


def test_a_document_without_effect_refers_to_nothing() -> None:
    void = returned(state="cancelled")
    assert find("R14", ledger([], [void], relations=(refers(void, key_of(777)),))) == []


@pytest.mark.parametrize(
    ("target", "facts"),
    [
        (key_of(777), {"undownloaded": frozenset({key_of(777)})}),
        (key_of(777), {"documents_listed": NOTHING_SINCE_MARCH}),
        (key_of(777, emitter=OTHER_COMPANY), {}),
    ],
)
def test_a_target_that_cannot_be_called_missing(target: str, facts: dict[str, Any]) -> None:
    back = note(operation="devolution", recipient=OTHER_COMPANY)
    found = only(find("R14", ledger([], [back], relations=(refers(back, target),), **facts)))
    assert not found.checked


def test_a_strangers_note_has_nothing_to_do_with_it() -> None:
    assert only(find("R14", ledger([], [BACK], relations=(refers(BACK, key_of(777, emitter=OTHER_COMPANY)),)))).checked


def test_a_masked_party_is_not_told_apart() -> None:
    back = returned(recipient="***222333****")
    stranger = key_of(777, emitter=OTHER_COMPANY)
    assert not only(find("R14", ledger([], [back], relations=(refers(back, stranger),)))).checked
    assert find("R14", ledger([], [SALE, back], relations=(refers(back, SALE),))) == []


@pytest.mark.parametrize(
    ("paper", "target"),
    [
        pytest.param(returned(recipient=buyer(2)), SALE, id="a return of another buyer"),
        pytest.param(returned(operation="sale_return", recipient=buyer(2)), SALE, id="a sale return of another buyer"),
        pytest.param(returned(emitter=OTHER_COMPANY, recipient=buyer(1)), SALE, id="a return to another company"),
        pytest.param(
            note(operation="symbolic_inbound_return", recipient=OTHER_COMPANY),
            note(50, operation="inbound", recipient=MARKETPLACE),
            id="a retorno of another warehouse",
        ),
        pytest.param(note(101, purpose="2", recipient=buyer(2)), SALE, id="a complement of another buyer"),
    ],
)
def test_another_counterparty(paper: Any, target: Any) -> None:
    found = only(find("R14", ledger([], [paper, target], relations=(refers(paper, target),))))
    assert set(found.keys) == {paper.key, target.key}
    assert str(target.recipient) in words(found)


@pytest.mark.parametrize(
    ("paper", "target"),
    [
        pytest.param(
            note(), note(50, operation="symbolic_inbound_return", recipient=MARKETPLACE), id="a fulfilment sale"
        ),
        pytest.param(
            note(operation="symbolic_inbound", recipient=MARKETPLACE),
            returned(),
            id="a remessa simbólica",
        ),
        pytest.param(returned(emitter=BRANCH), SALE, id="a return to another establishment"),
        pytest.param(
            returned(emitter=OTHER_COMPANY, recipient=OWN), note(recipient=OTHER_COMPANY), id="the buyer's own return"
        ),
        pytest.param(
            note(operation="inbound_return", recipient=MARKETPLACE),
            note(50, operation="symbolic_inbound", recipient=MARKETPLACE),
            id="a retorno of a remessa simbólica",
        ),
        pytest.param(returned(recipient=buyer(2)), note(50, operation="inbound"), id="a return of what is no sale"),
    ],
)
def test_honest_chains(paper: Any, target: Any) -> None:
    assert find("R14", ledger([], [paper, target], relations=(refers(paper, target),))) == []


def test_a_circle_of_two_is_one_finding() -> None:
    book = ledger([], [SALE, BACK], relations=(refers(BACK, SALE), refers(SALE, BACK)))
    found = only(find("R14", book))
    assert (set(found.keys), found.period) == ({SALE.key, BACK.key}, "2026-03")
    assert "circle" in words(found)


def test_a_note_that_names_itself() -> None:
    assert only(find("R14", ledger([], [SALE], relations=(refers(SALE, SALE),)))).keys == (SALE.key,)


def test_long_chains_need_no_recursion() -> None:
    edges = {str(n): [str(n + 1)] for n in range(5_000)}
    assert list(circles(edges)) == []
    (whole,) = circles(edges | {"5000": ["0"]})
    assert len(whole) == 5_001


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=24))
def test_circles_are_what_leads_back(pairs: list[tuple[int, int]]) -> None:
    edges: dict[str, list[str]] = {}
    for one, other in pairs:
        edges.setdefault(str(one), []).append(str(other))

    def reached(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = list(edges.get(start, ()))
        while waiting:
            node = waiting.pop()
            if node not in seen:
                seen.add(node)
                waiting += edges.get(node, ())
        return seen

    expected = {
        frozenset(other for other in map(str, range(8)) if other in reached(node) and node in reached(other))
        for node in map(str, range(8))
        if node in reached(node)
    }
    assert {frozenset(circle) for circle in circles(edges)} == expected
