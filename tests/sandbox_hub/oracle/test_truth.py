"""The truth file against the world's papers read one by one."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

from sandbox_hub.oracle.truth import write_truth
from sandbox_hub.world.documents.cte_facts import freight_facts
from sandbox_hub.world.documents.nfe_facts import note_facts
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.timeline import DAY, END
from sandbox_hub.world.world import World

WORLD = World(4, 600)


def test_truth_says_what_the_papers_say(tmp_path: Path) -> None:
    write_truth(WORLD, tmp_path / "deep" / "truth.json")
    truth = json.loads((tmp_path / "deep" / "truth.json").read_text("utf-8"))
    relations, months, linked = [], Counter(), set()
    for index in WORLD.all_documents():
        months[WORLD.numbering.issued_at(index).strftime("%Y-%m")] += 1
        subtype, key = WORLD.place(index).subtype, WORLD.numbering.key(index)
        if subtype is Subtype.FREIGHT:
            relations += [(key, "carries", other) for other in freight_facts(WORLD, index).carried]
        elif subtype is not Subtype.VOIDING:
            relations += [
                (WORLD.numbering.key(index), "references", key) for key in note_facts(WORLD, index).references
            ]
        for order in WORLD.orders_of(index):
            linked.add((WORLD.order_id(order), key))
    assert [(r["from"], r["kind"], r["to"]) for r in truth["relations"]] == relations
    assert {(link["order"], link["key"]) for link in truth["links"]} == linked
    assert len(truth["links"]) == len(linked)
    assert truth["months"] == dict(months)
    assert truth["documents"] == 600
    assert truth["events"] == sum(len(WORLD.occurrences(i)) - 1 for i in range(600))
    assert truth["seed"] == 4
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["truth.json"]


def test_truth_is_of_the_clock(tmp_path: Path) -> None:
    world = World(4, 600)
    world.set_clock(END - 200 * DAY)
    write_truth(world, tmp_path / "truth.json")
    truth = json.loads((tmp_path / "truth.json").read_text("utf-8"))
    assert truth["documents"] == sum(1 for _ in world.all_documents()) < 300
    assert max(truth["months"]) <= "2026-04"
