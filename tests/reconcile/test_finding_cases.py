"""The cases of the rule book's sharpened part: what is found, explained, asked about and linked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from confere.errors import Message
from confere.reconcile import run_rules
from confere.reconcile.linker import link
from confere.sales.terms import Terms
from tests.reconcile.finding_cases import CASES, OPEN, UNCHECKED, World
from tests.reconcile.made import NOW, words


def test_there_are_sixty_cases_at_least() -> None:
    assert len(CASES) >= 60


@pytest.mark.parametrize("make", CASES.values(), ids=CASES)
def test_case(make: Callable[[], World]) -> None:
    world = make()
    terms = Terms(**world.terms)
    linked = link(world.book, terms, world.decisions)
    review = run_rules.review(world.book, linked, terms, NOW)
    told = [entry for entry in review.findings if entry.rule in world.about]
    states = sorted((entry.rule, OPEN if entry.checked else UNCHECKED) for entry in told)
    assert states == sorted((rule, state) for rule, state, _ in world.findings)
    amounts = sorted(entry.amount or 0 for entry in told if entry.checked)
    assert amounts == sorted(amount or 0 for _, state, amount in world.findings if state == OPEN)
    if world.severity is not None:
        assert {str(entry.severity) for entry in told} == {world.severity}
    assert all(word in " ".join(map(words, told)) for word in world.evidence)
    pairs = {(entry.order_id, entry.key): entry for entry in linked.links}
    for bought, paper in world.kept:
        assert (bought.hub_id, paper.key) in pairs
        said = " ".join(map(str, pairs[bought.hub_id, paper.key or ""].evidence))
        assert all(word in said for word in world.said)
        assert not any(word in said for word in world.unsaid)
    assert not any((bought.hub_id, paper.key) in pairs for bought, paper in world.apart)
    assert sorted(entry.amount for entry in review.explained) == sorted(world.explained)
    assert all(isinstance(reason, Message) for entry in review.explained for reason in entry.evidence)
    if world.suggested is not None:
        asked = [(entry.order_id, entry.key) for entry in linked.suggestions]
        assert asked == [(bought.hub_id, paper.key) for bought, paper in world.suggested]
        assert all(entry.agrees and entry.differs for entry in linked.suggestions)
