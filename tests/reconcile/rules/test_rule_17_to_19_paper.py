"""R17 to R19: what a paper says of itself, whatever its state."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reconcile.made import OTHER_COMPANY, find, freight, ledger, note, only, words


@pytest.mark.parametrize(
    "facts",
    [
        {"subtype": "sale"},
        {"subtype": "sale_return", "direction": "0", "cfops": ("1202", "1411")},
        {"subtype": "symbolic_inbound", "destination": "2", "cfops": ("6949",)},
        {"subtype": "devolution", "cfops": ("5202",)},
        {"subtype": "devolution", "direction": "0", "cfops": ("1202",)},
        {"subtype": "inbound_return", "cfops": ("5906",), "emitter": OTHER_COMPANY},
        {"subtype": "something new"},
        {"destination": "3", "cfops": ("7102",)},
        {"direction": None, "destination": None},
        {"cfops": ("", "x")},
        {"uf": "MG", "emitter_uf": "SP"},
    ],
)
def test_notes_that_agree_with_themselves(facts: dict[str, Any]) -> None:
    assert find("R17", ledger([], [note(**facts)])) == []


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"subtype": "sale", "direction": "0", "cfops": ("1102",)}, "The hub calls it sale, which has tpNF 1"),
        ({"subtype": "Sale_Return", "cfops": ("5202",)}, "which has tpNF 0; its tpNF is 1"),
        ({"direction": "0"}, "CFOP 5.102 goes the other way"),
        ({"destination": "2"}, "CFOP 5.102 is of another destination"),
        ({"cfops": ("5102", "6102"), "uf": "MG", "emitter_uf": "SP"}, "from SP to MG"),
        ({"cfops": ("7102",)}, "CFOP 7.102 is of another destination"),
    ],
)
@pytest.mark.parametrize("state", ["authorized", "cancelled"])
def test_notes_that_contradict_themselves(facts: dict[str, Any], told: str, state: str) -> None:
    paper = note(**facts, state=state)
    found = only(find("R17", ledger([], [paper])))
    assert (found.keys, found.amount) == ((paper.key,), 10_000)
    assert told in words(found)


def test_freights_have_no_direction() -> None:
    assert find("R17", ledger([], [freight(destination="2", cfops=("5353",))])) == []


def test_totals_that_do_not_add_up() -> None:
    paper = note(mismatches=("vProd:100.00:90.00", "vNF:100.5:100.00"))
    found = only(find("R18", ledger([], [paper, note(101)])))
    assert (found.keys, found.amount) == ((paper.key,), 1_000)
    assert "The items come to R$ 100,00; vProd says R$ 90,00." in words(found)
    assert "R$ 100,50; vNF says R$ 100,00." in words(found)


def test_a_mismatch_that_is_no_money_is_told_as_it_stands() -> None:
    found = only(find("R18", ledger([], [note(mismatches=("vX:abc:-1.00", "vY"))])))
    assert found.amount == 0
    assert "come to abc; vX says -R$ 1,00" in words(found)
    assert "come to ?; vY says ?" in words(found)


def test_each_failing_line_is_told() -> None:
    paper = note(verdict=2, failing=("digest", "unheard"))
    found = only(find("R19", ledger([], [paper, note(101)])))
    assert (found.keys, found.checked) == ((paper.key,), True)
    assert "It fails: Content as it was signed." in words(found)
    assert "It fails: unheard." in words(found)


def test_what_was_not_judged_is_one_line_a_month() -> None:
    papers = [note(n, verdict=None) for n in range(100, 110)] + [
        note(110, "2026-04-01", verdict=1),
        freight(verdict=None),
    ]
    found = find("R19", ledger([], papers))
    assert [(entry.period, entry.checked, entry.keys) for entry in found] == [
        ("2026-03", False, ()),
        ("2026-04", False, ()),
    ]
    assert "Not checked in 03/2026: 11 (NF-e 1/100, NF-e 1/101, NF-e 1/102 …)" in words(found[0])
    assert "only in part" in words(found[1])
