"""Which stories lie: how often, where never, and the same in every process."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

import pytest

from sandbox_hub.options import CLEAN_MONTHS
from sandbox_hub.world.anomalies.spec import read_spec
from sandbox_hub.world.anomalies.variants import BY_NAME, RULES, VARIANTS
from sandbox_hub.world.orders.surviving_evidence import Evidence
from sandbox_hub.world.timeline import HUB_ZONE
from sandbox_hub.world.world import OrderRef, World
from tests.sandbox_hub.world.worlds import found, world


def planted(its: World) -> list[tuple[str, int, int]]:
    """Variant, story and cycle of everything that is planted."""
    cycles = range(its.deck.first_cycle, its.documents // its.deck.width + 1)
    pairs = ((story, cycle) for cycle in cycles for story in range(len(its.deck.stories)))
    return [(lie, story, cycle) for story, cycle in pairs if (lie := its.planted.lie_of(story, cycle))]


@pytest.mark.parametrize(("seed", "forget"), [(1, False), (2, True), (13, True)])
def test_every_anomaly_is_in_a_small_world_and_touches_few_orders(seed: int, forget: bool) -> None:
    its = world(seed, 2_000, "all", forget=forget)
    lies = planted(its)
    counted = Counter(name for name, _, _ in lies)
    assert set(RULES) <= {name.split(".")[0] for name in counted}
    branches = {variant.name for variant in VARIANTS if variant.rule in ("R7a", "R7b", "R7c", "R10", "R11", "R16")}
    assert branches <= set(counted)
    orders = sum(len(its.deck.seats_of[story]) for _, story, _ in lies)
    assert 0.03 <= orders / (its.documents / its.deck.width * len(its.deck.seats)) <= 0.06


def test_each_rule_is_found_and_none_in_a_clean_month() -> None:
    rows = found(2, 2_000, "all", forget=True)
    mine = [row for row in rows if row["planted"]]
    assert {row["rule"] for row in mine} == set(RULES)
    assert not [row for row in mine if row["period"] in CLEAN_MONTHS]
    assert [row for row in rows if row["period"] in CLEAN_MONTHS]  # what is there by itself stays


def test_everything_that_is_planted_is_found() -> None:
    lies = [name for name, _, _ in planted(world(2, 2_000, "all", forget=True))]
    wanted = Counter(BY_NAME[name].rule for name in lies if not BY_NAME[name].tempts)
    told = Counter(row["rule"] for row in found(2, 2_000, "all", forget=True) if row["planted"])
    assert all(told[rule] >= count for rule, count in wanted.items()), (wanted, told)


def test_nothing_is_planted_near_a_clean_month_nor_outside_the_world() -> None:
    months = ("2025-12", "2026-04", "2026-05")
    its = World(5, 2_000, lies=read_spec("all", months))
    assert planted(its)
    for _, story, cycle in planted(its):
        for place in its.deck.places_of[story]:
            index = its.index_of(place, cycle)
            assert 0 <= index < its.documents
            for occurrence in its.occurrences(index):
                assert f"{datetime.fromtimestamp(occurrence.at, HUB_ZONE):%Y-%m}" not in months


@pytest.mark.parametrize("rate", [0.02, 0.5])
def test_rates_are_honoured(rate: float) -> None:
    its = World(4, 10_000, lies=read_spec(f"R19.tampered={rate}", ()))
    stories = sum(story.kind == "plain" for story in its.deck.stories)
    could = stories * its.documents / its.deck.width
    assert len(planted(its)) == pytest.approx(rate * could, rel=0.05)


def test_lies_are_told_of_orders_whose_documents_are_named() -> None:
    """A sum that nothing explains, or a second sale, would make what is scored ambiguous."""
    its = World(6, 1_500, forget=True, lies=read_spec("R3=0.2,R7b=0.2,R2=0.2", ()))
    lies = planted(its)
    assert len(lies) > 15
    for _, story, cycle in lies:
        for seat in its.deck.seats_of[story]:
            left = its.left(OrderRef(seat, cycle + seat.delay))
            assert left.exact
            assert left.kind not in (Evidence.DIFFERS, Evidence.TWINS)


def test_the_same_seed_lies_the_same() -> None:
    first, again, other = (World(seed, 1_500, forget=True, lies=read_spec("all")) for seed in (7, 7, 8))
    backwards = [(story, cycle) for _, story, cycle in planted(first)][::-1]
    # Asked in another order: nothing depends on what was asked before.
    assert [again.planted.lie_of(*pair) for pair in backwards] == [name for name, _, _ in planted(first)][::-1]
    assert planted(first) != planted(other)


def test_any_size_has_exactly_its_documents() -> None:
    for documents in (1, 120, 1_000_000):
        its = World(9, documents, forget=True, lies=read_spec("all"))
        assert sum(1 for _ in zip(range(200), its.all_documents(), strict=False)) == min(200, documents)
        assert its.numbering.find(its.numbering.key(documents - 1)) in (documents - 1, None)
    assert {its.planted.lie(index) for index in range(500_000, 501_000)} > {""}


def test_keys_lead_back_and_are_unique() -> None:
    its = World(10, 1_200, lies=read_spec("R7c=0.5,R6=1", ()))
    keys = {}
    for index in its.all_documents():
        if its.place(index).line.model == "55" and its.paper(index) != "voiding":
            keys[its.numbering.key(index)] = index
    assert {key: its.numbering.find(key) for key in keys} == keys
    assert len({key[6:34] for key in keys}) < len(keys)  # some number is there twice
