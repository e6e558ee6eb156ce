"""Numbers and keys in closed form against walking the world from its beginning."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox_hub.paper.document_factory import access_key, check_digit
from sandbox_hub.world.documents.cte_facts import freight_facts
from sandbox_hub.world.documents.nfe_facts import note_facts
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.world import World

SMALL = World(11, 900)
LARGE = World(11, 1_000_000)


def test_numbers_run_in_order_of_issue_and_only_voided_ones_are_missing() -> None:
    lines: dict[object, list[tuple[int, int, bool]]] = defaultdict(list)
    for index in range(-300, SMALL.documents):
        place = SMALL.place(index)
        voided = place.subtype is Subtype.VOIDING
        lines[place.line].append((SMALL.numbering.number(index), SMALL.timeline.issued(index), voided))
    assert len(lines) == 7  # two series of each company, one of each carrier
    for papers in lines.values():
        expected = papers[0][0]
        for number, _, voided in papers:
            assert number == expected
            expected += 2 if voided else 1
        assert [issued for _, issued, _ in papers] == sorted(issued for _, issued, _ in papers)
    assert any(voided for papers in lines.values() for _, _, voided in papers)


def test_keys_are_unique() -> None:
    keys = {SMALL.numbering.key(index) for index in range(-300, SMALL.documents)}
    assert len(keys) == SMALL.documents + 300


@pytest.mark.parametrize("world", [SMALL, LARGE], ids=["small", "large"])
def test_keys_are_those_of_the_paper(world: World) -> None:
    for index in range(150):
        subtype = world.place(index).subtype
        if subtype is not Subtype.VOIDING:
            facts = freight_facts(world, index) if subtype is Subtype.FREIGHT else note_facts(world, index)
            assert access_key(facts) == world.numbering.key(index)


@settings(deadline=None)
@given(st.integers(-5_000, 1_000_000))
def test_a_key_leads_back_to_its_document(index: int) -> None:
    key = LARGE.numbering.key(index)
    assert key[-1] == check_digit(key[:-1])
    voiding = LARGE.place(index).subtype is Subtype.VOIDING
    assert LARGE.numbering.find(key) == (None if voiding else index)


def test_other_texts_lead_nowhere() -> None:
    key = SMALL.numbering.key(5)
    assert SMALL.numbering.find("") is None
    assert SMALL.numbering.find(key[:-1]) is None
    assert SMALL.numbering.find(key[:-1] + str((int(key[-1]) + 1) % 10)) is None
    assert SMALL.numbering.find("9" * 44) is None
    assert World(12, 900).numbering.find(key) is None


def test_codes_are_not_the_number() -> None:
    for index in range(900):
        assert SMALL.numbering.code(index) != SMALL.numbering.number(index)
