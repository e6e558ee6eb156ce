"""Documents that nobody ever sees: pages, counts and truth of what is left."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sandbox_hub.oracle.expected_findings.accountant import WITHHELD, anomalies
from sandbox_hub.oracle.truth import write_truth
from sandbox_hub.world.anomalies.spec import read_spec
from sandbox_hub.world.filters import DocumentQuery
from sandbox_hub.world.hub_ids import document_id, document_of, item_id, item_of
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.selection import members
from sandbox_hub.world.timeline import DAY, END
from sandbox_hub.world.world import World

WORLD = World(5, 2_000, withhold=0.05)
QUERIES = {
    "all": DocumentQuery(),
    "one marketplace": DocumentQuery(marketplace="LOJA_VERDE"),
    "one subtype": DocumentQuery(subtype=Subtype.FREIGHT),
    "changed lately": DocumentQuery(changed_from=END - 60 * DAY, changed_to=END - DAY),
    "a month of creation": DocumentQuery(created_from=END - 90 * DAY, created_to=END - 60 * DAY),
}


@pytest.mark.parametrize("name", QUERIES)
def test_lists_leave_them_out_and_count_right(name: str) -> None:
    whole = list(members(World(5, 2_000).select(QUERIES[name])))
    shown = WORLD.select(QUERIES[name])
    expected = [index for index in whole if not WORLD.withheld(index)]
    assert list(members(shown, 7)) == expected
    assert len(shown) == len(expected) < len(whole)
    assert [shown.rank(index) for index in expected] == list(range(len(expected)))


def test_the_share_is_kept_and_nothing_gives_them_away() -> None:
    hidden = [index for index in range(2_000) if WORLD.withheld(index)]
    assert len(hidden) == 100
    for index in hidden:
        assert document_of(WORLD, document_id(WORLD, index)) is None
        assert item_of(WORLD, item_id(WORLD, index, 0)) is None
        assert index not in WORLD.select(DocumentQuery(order_id=1_000_000)).page(0, 9)
    assert not World(5, 2_000).withholds


def test_truth_tells_which_and_what_follows_from_it(tmp_path: Path) -> None:
    world = World(7, 900, lies=read_spec("all"), withhold=0.1)
    write_truth(world, tmp_path / "truth.json")
    truth = json.loads((tmp_path / "truth.json").read_text("utf-8"))
    hidden = {world.numbering.key(index) for index in range(900) if world.withheld(index)}
    assert set(truth["withheld"]) <= hidden
    assert len(truth["withheld"]) > 70
    assert not {link["key"] for link in truth["links"]} & hidden
    assert not {row["from"] for row in truth["relations"]} & hidden
    edges = {row["rule"] for row in truth["anomalies"] if row.get("edge") == "withheld"}
    assert {"R1", "R8", "R12", "R14"} <= edges
    # What holds with and without them is a finding like any other.
    certain = [row for row in truth["anomalies"] if "edge" not in row]
    assert len({row["rule"] for row in certain if row["planted"]}) > 5
    # An adjusted CT-e is named, be it seen or not.
    assert not [row for row in certain if set(row["keys"]) & hidden and row["rule"] != "R11"]


def test_a_ct_e_that_adjusts_a_withheld_one_may_be_called_a_broken_reference() -> None:
    spec = read_spec("R11.complement=0.9,R11.substitution=0.9,R11.annulment=0.9", ())
    world = World(3, 2_000, lies=spec, withhold=0.2)
    keys: dict[bool, set[frozenset[str]]] = {False: set(), True: set()}  # whether the adjusted one is withheld
    for index in world.all_documents():
        if world.place(index).subtype is Subtype.FREIGHT:
            for other in world.related(index):
                if world.place(other).subtype is Subtype.FREIGHT:
                    pair = frozenset((world.numbering.key(index), world.numbering.key(other)))
                    keys[world.withheld(other)].add(pair)
    told = {frozenset(row["keys"]): row.get("edge") for row in anomalies(world) if row["rule"] == "R14"}
    assert len(keys[True]) > 1
    assert {told.get(pair) for pair in keys[True]} == {WITHHELD}
    assert keys[False]
    assert not keys[False] & told.keys()
