"""All rules together: their registry, and what they say of one ledger."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

from confere.reconcile import run_rules
from confere.reconcile.rules.registry import BY_ID, RULES
from confere.sales.links import Linked
from confere.sales.reconciliation_input import Ledger, ReturnEntry
from confere.sales.terms import Terms
from tests.reconcile.made import (
    MARKETPLACE,
    NOW,
    OWN,
    SKU,
    carries,
    freight,
    key_of,
    ledger,
    linked,
    note,
    order,
    refers,
    returned,
)

TERMS = Terms(visible_series=(f"{OWN}/55/1",))


def honest(count: int) -> tuple[Ledger, Linked]:
    """Orders that were invoiced, shipped, and one in three given back, without a disagreement."""
    orders, sales, papers, relations, pairs = [], [], [], [], []
    for n in range(count):
        bought = order(n, freight=2_000, total=12_000, shipped_at="2026-03-11T12:00:00Z", lines=(SKU,))
        sale = note(2 + n, freight=2_000, total=12_000, freight_mode="0")
        cargo = freight(1 + n)
        orders.append(bought)
        sales.append(sale)
        papers.append(cargo)
        relations.append(carries(cargo, sale))
        pairs += [(bought, sale), (bought, cargo)]
        if n % 3 == 0:
            back = returned(2 + count + n // 3)
            papers.append(back)
            relations.append(refers(back, sale))
            pairs.append((bought, back))
    return ledger(orders, [*sales, *papers], relations=tuple(relations)), linked(*pairs)


def test_the_registry_holds_every_rule_of_the_rule_book_that_finds() -> None:
    lettered = {"R7": ("R7a", "R7b", "R7c")}
    expected = [name for n in range(1, 20) for name in lettered.get(f"R{n}", (f"R{n}",))]
    expected += ["R20", "R23", "R24", "R25", "R26", "R27"]  # R21 and R22 come with their files
    assert [entry.rule.id for entry in RULES] == expected
    assert list(BY_ID) == expected
    for entry in RULES:
        assert entry.rule.version >= 1
        assert str(entry.title)
        assert 2 <= str(entry.explanation).count(". ") + str(entry.explanation).endswith(".") <= 3


def test_an_honest_ledger_gives_no_finding() -> None:
    assert run_rules.findings(*honest(12), TERMS, NOW) == []


def test_findings_come_in_the_order_of_the_rules_and_never_twice() -> None:
    book, links = honest(12)
    papers = [replace(paper, verdict=2, mismatches=("vNF:1.00:2.00",)) for paper in book.papers]
    book = replace(book, papers=tuple(papers), orders=(*book.orders, order(500)), undownloaded=frozenset({key_of(800)}))
    found = run_rules.findings(book, links, TERMS, NOW)
    numbers = [list(BY_ID).index(entry.rule) for entry in found]
    assert numbers == sorted(numbers)
    assert len({entry.fingerprint for entry in found}) == len(found) > 30


def test_the_order_of_the_ledger_changes_no_finding() -> None:
    book, links = honest(9)
    lacking = replace(book, papers=book.papers[:-6], relations=book.relations[2:], orders=(*book.orders, order(500)))
    dice = random.Random(4)

    def shuffled(entries: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(dice.sample(entries, len(entries)))

    other = replace(
        lacking,
        papers=shuffled(lacking.papers),
        orders=shuffled(lacking.orders),
        relations=shuffled(lacking.relations),
    )
    found = run_rules.findings(lacking, links, TERMS, NOW)
    again = run_rules.findings(other, replace(links, links=shuffled(links.links)), TERMS, NOW)
    assert {entry.fingerprint for entry in found} == {entry.fingerprint for entry in again}
    assert {(entry.fingerprint, entry.amount) for entry in found} == {
        (entry.fingerprint, entry.amount) for entry in again
    }


@pytest.mark.parametrize("listed", [{"documents_listed": ()}, {"orders_listed": ()}, {"returns": None}])
def test_what_was_not_listed_is_never_missing(listed: dict[str, Any]) -> None:
    book, links = honest(9)
    found = run_rules.findings(replace(book, **listed), links, TERMS, NOW)
    assert all(not entry.checked for entry in found)
    nothing = replace(book, orders=(), papers=book.papers, documents_listed=(), orders_listed=(), returns=None)
    assert all(not entry.checked for entry in run_rules.findings(nothing, Linked(), TERMS, NOW) if entry.rule != "R12")


def test_an_empty_ledger() -> None:
    assert run_rules.findings(Ledger("loja", frozenset()), Linked(), Terms(), NOW) == []


def test_without_establishments_nothing_is_said_of_orders_sales_returns_freight_and_stock() -> None:
    book, links = honest(9)
    stock = note(800, operation="symbolic_inbound_return", recipient=MARKETPLACE, lines=(SKU,), series=2)
    booked = ReturnEntry("rt-1", book.orders[1].hub_id, created_on="2026-03-19", total=100)
    papers = [replace(paper, taker=None, total=1) if paper.type == "cte" else paper for paper in book.papers]
    unknown = replace(book, own=frozenset(), papers=(*papers, stock), returns=(booked,))
    found = run_rules.findings(unknown, links, TERMS, NOW)
    assert {entry.rule for entry in found} == {"R1", "R10", "R13", "R15", "R16"}
    assert not any(entry.checked for entry in found)
    assert all("names no establishment" in str(entry.evidence[0]) for entry in found)
