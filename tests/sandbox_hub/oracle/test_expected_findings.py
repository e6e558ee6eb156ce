"""What the truth lists as findings: planted ones with what they bring about, natural ones, and the world's edges."""

from __future__ import annotations

import json
from collections import defaultdict
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from sandbox_hub.oracle.expected_findings.accountant import BEFORE, COPY, UNDECIDABLE, anomalies
from sandbox_hub.oracle.truth import write_truth
from sandbox_hub.world.anomalies.spec import read_spec
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.timeline import DAY, END, HUB_ZONE
from sandbox_hub.world.world import World
from tests.sandbox_hub.world.worlds import found, world


@cache
def of(spec: str, seed: int = 4, documents: int = 800) -> dict[str, list[dict[str, Any]]]:
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in found(seed, documents, spec, ()):
        rows[row["rule"]].append(row)
    return rows


@pytest.mark.parametrize(
    ("spec", "rules"),
    [
        ("R1=0.1", {"R1"}),
        ("R4=0.5", {"R4", "R1"}),
        ("R7b=0.3", {"R7b", "R3"}),
        ("R7c=0.3", {"R7c", "R12"}),
        ("R7a.reserialized=0.1", {"R7a", "R19"}),
        ("R7a.outside=0.1", {"R7a"}),
        ("R8=0.2", {"R8", "R9"}),
        ("R10.twice=0.5", {"R10"}),
        ("R11.complement=0.5", {"R11"}),
        ("R11.overcharged=0.5", {"R11", "R10"}),
        ("R11.substitution=0.5", {"R11"}),
        ("R11.annulment=0.5", {"R11", "R9"}),
        ("R14=0.2", {"R14"}),
        ("R15=0.3", {"R15"}),
        ("R16=0.3", {"R16"}),
    ],
)
def test_each_lie_and_what_it_brings_about(spec: str, rules: set[str]) -> None:
    lying, honest = of(spec), of("R18=0.000001")  # the deck of a lying world, and hardly a lie in it
    assert {rule for rule, rows in lying.items() if any(row["planted"] for row in rows)} == rules
    assert all("edge" not in row or row["edge"] == COPY for rows in lying.values() for row in rows if row["planted"])
    # Nothing else turns up by itself in the same deck. Number gaps and items of their own may go, never come.
    for rule, rows in lying.items():
        natural = [_told(row) for row in rows if not row["planted"]]
        before = [_told(row) for row in honest[rule]]
        if rule not in ("R6", "R11", "R16"):
            assert [row for row in natural if row not in before] == [], rule


def _told(row: dict[str, Any]) -> tuple[object, ...]:
    return (row["keys"], row["orders"], row["period"], row.get("subject"))


def test_a_truthful_world_has_findings_too() -> None:
    rows = found(4, 1_500)
    certain = {row["rule"] for row in rows if "edge" not in row}
    assert certain == {"R6", "R11", "R16"}
    assert not any(row["planted"] for row in rows)
    its = world(4, 1_500)
    disputed = sum(
        any(o.happening is not None and o.happening.code == "610110" for o in its.occurrences(index))
        for index in its.all_documents()
    )
    assert sum(row["rule"] == "R11" for row in rows) == disputed >= 15


def test_what_came_before_the_hub_was_connected_is_an_edge() -> None:
    its = world(4, 1_500)
    rows = [row for row in found(4, 1_500) if row.get("edge") == BEFORE]
    assert {"R1", "R8", "R14"} <= {row["rule"] for row in rows}
    broken = {
        tuple(sorted((its.numbering.key(index), its.numbering.key(other))))
        for index in its.all_documents()
        for other in its.related(index)
        if other < 0 and its.place(index).subtype is not Subtype.FREIGHT
    }
    assert {tuple(row["keys"]) for row in rows if row["rule"] == "R14"} == broken


def test_what_rests_on_a_link_that_nothing_decides_is_an_edge() -> None:
    its = world(4, 800, "R5=0.3", ())
    rows = [row for row in found(4, 800, "R5=0.3", ()) if row["orders"] and row["keys"]]
    pairs = {(order, key) for row in rows for order in row["orders"] for key in row["keys"]}
    assert {row.get("edge") for row in anomalies(its, pairs) if row["rule"] == "R5"} == {None}
    told = [row.get("edge") for row in anomalies(its, set()) if row["rule"] == "R5"]
    assert told == [UNDECIDABLE] * len(told)
    assert told


def test_a_return_that_nothing_leads_to_may_be_missed() -> None:
    booked = [row for row in anomalies(world(4, 800), set()) if row["rule"] == "R13"]
    assert {row.get("edge") for row in booked} == {UNDECIDABLE}
    assert not [row for row in found(4, 800) if row["rule"] == "R13"]


def test_an_item_may_seem_to_stand_where_in_truth_it_fell_below_zero() -> None:
    """Both in one month, each from its own point of view: neither is certain."""
    rows = found(11, 2_000, "all", forget=True)
    subjects = {row["subject"]: row.get("edge") for row in rows if row["rule"] == "R16"}
    cnpj = world(11, 2_000, "all", forget=True).cast.companies[0].tax_id
    assert subjects[f"{cnpj}/MERCADO_AZUL/SKU-0107"] == BEFORE
    assert None in subjects.values()


def test_findings_are_as_of_the_clock() -> None:
    earlier = World(4, 1_500, lies=read_spec("all", ()))
    earlier.set_clock(END - 150 * DAY)
    rows = list(anomalies(earlier))
    assert rows
    assert max(row["period"] for row in rows) <= "2026-06"
    assert len(rows) < len(found(4, 1_500, "all", ()))


def test_r6_is_told_by_the_months_on_the_paper() -> None:
    its = world(4, 1_500)
    expected = set()
    for index in its.all_documents():
        issued = its.numbering.issued_at(index)
        if its.place(index).subtype is Subtype.SALE:
            for order in its.orders_of(index):
                placed = its.lives.created(order.seat, order.cycle)
                if _local_month(placed) != f"{issued:%Y-%m}":
                    expected.add(its.numbering.key(index))
    assert {row["keys"][0] for row in found(4, 1_500) if row["rule"] == "R6" and row["orders"]} == expected
    assert len(expected) > 5


def _local_month(moment: int) -> str:
    return f"{datetime.fromtimestamp(moment, HUB_ZONE):%Y-%m}"


def test_the_truth_file_holds_it_all(tmp_path: Path) -> None:
    its = world(8, 500, "all")
    write_truth(its, tmp_path / "truth.json")
    truth = json.loads((tmp_path / "truth.json").read_text("utf-8"))
    assert truth["anomalies"] == list(found(8, 500, "all"))
    assert truth["withheld"] == []
    lines = [f"{company.tax_id}/55/{series}" for company in its.cast.companies for series in (1, 2)]
    assert truth["visible_series"] == sorted([*lines, f"{its.cast.companies[0].tax_id}/65/3"])
    assert {note["does"] for note in truth["adjusting"]} >= {"return", "value", "prepayment"}
    kinds = {row["kind"] for row in truth["relations"]}
    assert kinds <= {"carries", "references", "prepayment", "complements", "annuls", "replaces"}
