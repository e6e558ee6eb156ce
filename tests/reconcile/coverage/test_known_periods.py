"""What is known whole: by the hub's list, and by a person's declaration, which is told with what rests on it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from confere.reconcile import run_rules
from confere.reconcile.context import View
from confere.reconcile.coverage.declared_evidence import with_proof
from confere.reconcile.coverage.known_periods import KnownPeriods
from confere.reconcile.coverage.listed_periods import day_begins, moment, ordered
from confere.sales.declarations import Declaration, Declared
from confere.sales.findings import Finding
from confere.sales.links import Linked
from confere.sales.reconciliation_input import Ledger
from confere.sales.terms import Terms
from tests.reconcile import made


def declared(month: str, what: Declared = Declared.DOCUMENTS, **facts: Any) -> Declaration:
    told = Declaration(1, "loja", what, month, (), "pasta", "ab" * 32, "2026-04-20T12:00:00+00:00", "ana")
    return replace(told, **facts)


def judged(book: Ledger, *declarations: Declaration, links: Linked | None = None) -> dict[str, list[Finding]]:
    bare = replace(book, documents_listed=(), orders_listed=(), declared=declarations)
    found: dict[str, list[Finding]] = {}
    for finding in run_rules.findings(bare, links or made.linked(), Terms(), made.NOW):
        found.setdefault(finding.rule, []).append(finding)
    return found


def second(day: str) -> float:
    at = day_begins(day)
    assert at is not None
    return at


def test_months_that_follow_each_other_are_one_stretch() -> None:
    known = KnownPeriods((), [declared("2026-02"), declared("2026-03", id=2)])
    assert known.cover(second("2026-02-27"), second("2026-03-02"))
    assert [entry.month for proof in known.used.values() for entry in proof] == ["2026-02", "2026-03"]
    assert not known.cover(second("2026-01-31"), second("2026-02-02"))
    assert not known.cover(second("2026-03-30"), second("2026-04-02"))
    assert (known.last, known.until(second("2026-02-10"))) == (None, second("2026-04-01"))
    assert known.until(second("2026-04-02")) is None


def test_a_month_that_was_running_is_known_up_to_the_declaration() -> None:
    known = KnownPeriods((), [declared("2026-04")])
    assert known.cover(second("2026-04-01"), second("2026-04-20"))
    assert not known.cover(second("2026-04-01"), second("2026-04-21"))


def test_what_the_hub_listed_needs_no_declaration() -> None:
    known = KnownPeriods(made.EVERYTHING, [declared("2026-03")])
    assert known.cover(second("2026-03-01"), second("2026-03-20"))
    assert known.used == {}


@pytest.mark.parametrize(("marketplace", "is_known"), [("Loja_Azul", True), ("LOJA_VERDE", False), (None, False)])
def test_a_declaration_speaks_of_its_marketplaces_alone(marketplace: str | None, is_known: bool) -> None:
    known = KnownPeriods((), [declared("2026-03", Declared.ORDERS, marketplaces=("LOJA_AZUL",))])
    assert known.cover(second("2026-03-05"), second("2026-03-09"), marketplace) is is_known


def test_an_order_without_invoice_is_told_with_its_proof() -> None:
    book = made.ledger([made.order(1, "2026-03-10")])
    (unchecked,) = judged(book)["R1"]
    assert not unchecked.checked
    (found,) = judged(book, declared("2026-03"))["R1"]
    assert found.checked
    assert str(found.evidence[-1]) == (
        "ana declared on 20/04/2026: pasta (SHA-256 abababababab…) holds all documents of 03/2026."
    )
    assert (
        found.fingerprint
        == judged(made.ledger([made.order(1, "2026-03-10")]), declared("2026-03"))["R1"][0].fingerprint
    )


def test_a_month_of_orders_says_nothing_of_documents() -> None:
    book = made.ledger([made.order(1, "2026-03-10")])
    assert not judged(book, declared("2026-03", Declared.ORDERS))["R1"][0].checked
    assert not judged(book, declared("2026-02"))["R1"][0].checked


def test_an_invoice_without_order_and_the_marketplace_of_the_file() -> None:
    sale = made.note(1000, "2026-03-20", marketplace="LOJA_AZUL")
    book = made.ledger([], [sale])
    whole = declared("2026-03", Declared.ORDERS, file="pedidos.csv")
    (found,) = judged(book, whole)["R2"]
    assert "pedidos.csv" in str(found.evidence[-1])
    assert "holds all orders of 03/2026." in str(found.evidence[-1])
    (narrow,) = judged(book, replace(whole, marketplaces=("LOJA_AZUL",)))["R2"]
    assert str(narrow.evidence[-1]).endswith("holds all orders of 03/2026 of LOJA_AZUL.")
    assert not judged(book, replace(whole, marketplaces=("LOJA_VERDE",)))["R2"][0].checked
    early = made.ledger([], [made.note(1001, "2026-03-05")])
    assert not judged(early, whole)["R2"][0].checked, "its order may be of February"


def test_a_cancelled_order_is_told_up_to_the_end_of_what_is_declared() -> None:
    order, sale = made.order(1, "2026-02-10", status="CANCELED"), made.note(1000, "2026-02-10")
    book = made.ledger([order], [sale])
    links = made.linked((order, sale))
    assert not judged(book, links=links)["R5"][0].checked
    (found,) = judged(book, declared("2026-02"), links=links)["R5"]
    assert found.checked
    assert "02/2026" in str(found.evidence[-1])


def test_a_reference_into_a_declared_month_is_missing_even_before_the_first_document() -> None:
    gone = made.key_of(99, "2026-03-02")
    sale = made.note(1000, "2026-03-20", purpose="2", operation="complement")
    book = replace(made.ledger([], [sale]), relations=(made.refers(sale, gone),))
    assert not judged(book)["R14"][0].checked
    (found,) = judged(book, declared("2026-03"))["R14"]
    assert found.checked
    assert "holds all documents of 03/2026" in str(found.evidence[-1])


def test_what_rests_on_no_declaration_names_none() -> None:
    one, other = made.note(1000, "2026-03-20"), made.note(1001, "2026-03-21", recipient=made.buyer(2), purpose="2")
    book = replace(made.ledger([], [one, other]), relations=(made.refers(other, one),))
    found = judged(book, declared("2026-03"))["R14"]
    assert found
    assert all("declared" not in str(sentence) for entry in found for sentence in entry.evidence)


def test_what_one_rule_asked_proves_nothing_of_the_next() -> None:
    book = made.ledger([made.order(1, "2026-03-10")])
    finding = replace(judged(book, declared("2026-03"))["R1"][0], evidence=())
    known = replace(book, documents_listed=(), orders_listed=(), declared=(declared("2026-03"),))
    view = View(known, made.linked(), Terms(), made.NOW)
    start = ordered(book.orders[0])
    assert start is not None and view.documents_listed.declare(start, start + 1)
    (proven,) = with_proof(view, [finding])
    assert len(proven.evidence) == 1
    assert list(with_proof(view, [finding])) == [finding]


@pytest.mark.parametrize(
    ("facts", "is_proven"),
    [
        ({"orders": (), "keys": (), "period": "2026-03"}, True),  # told once for a whole month
        ({"orders": (), "keys": (), "period": "2026-02"}, False),
        ({"orders": (), "keys": (made.key_of(99, "2026-02-02"),), "period": "2026-03"}, False),
        ({"orders": ("none",), "keys": (), "period": "2026-03"}, False),
        ({"checked": False}, False),
        ({}, True),
    ],
)
def test_a_finding_has_the_declarations_that_speak_of_it(facts: dict[str, Any], is_proven: bool) -> None:
    book = made.ledger([made.order(1, "2026-03-10")])
    finding = replace(judged(book, declared("2026-03"))["R1"][0], evidence=(), **facts)
    known = replace(book, documents_listed=(), orders_listed=(), declared=(declared("2026-03"),))
    view = View(known, made.linked(), Terms(), made.NOW)
    start = ordered(book.orders[0])
    assert start is not None and view.documents_listed.declare(start, start + 1)
    (proven,) = with_proof(view, [finding])
    assert len(proven.evidence) == is_proven


@pytest.mark.parametrize(
    ("start", "end", "months"),
    [
        (0, 0, ["2026-03"]),
        (0, 1, ["2026-03"]),
        (-1, 0, ["2026-02", "2026-03"]),
        (-2, -1, ["2026-02"]),
        (-1, -1, ["2026-02"]),
        (1, 2, ["2026-03"]),
    ],
)
def test_a_question_rests_on_the_months_that_it_touches(start: int, end: int, months: list[str]) -> None:
    """Seconds from the boundary of two months; what ends where the question starts says nothing of it."""
    known = KnownPeriods((), [declared("2026-02"), declared("2026-03", id=2)])
    boundary = second("2026-03-01")
    assert known.declare(boundary + start, boundary + end)
    assert [entry.month for entry in known.used[boundary + start]] == months


@pytest.mark.parametrize(
    ("day", "until"),
    [("2026-01-31", None), ("2026-02-01", "2026-03-01"), ("2026-02-28", "2026-03-01"), ("2026-03-01", None)],
)
def test_until_when_a_declared_month_reaches(day: str, until: str | None) -> None:
    known = KnownPeriods((), [declared("2026-02")])
    assert known.until(second(day)) == (second(until) if until is not None else None)


def test_until_goes_on_with_what_the_hub_listed_and_begins_in_no_such_stretch() -> None:
    known = KnownPeriods(made.EVERYTHING, [declared("2026-02")])
    assert known.until(second("2026-02-10")) == known.last
    assert known.until(second("2026-03-10")) is None


def test_a_declaration_of_one_marketplace_says_nothing_of_all() -> None:
    known = KnownPeriods((), [declared("2026-02", marketplaces=("LOJA_AZUL",))])
    assert known.until(second("2026-02-10")) is None
    assert known.declare(second("2026-02-10"), second("2026-02-11"), "LOJA_AZUL")
    assert not known.declare(second("2026-02-10"), second("2026-02-11"))


@pytest.mark.parametrize(
    ("at", "end"),
    [
        ("2026-02-01T02:59:59+00:00", "2026-03-01T03:00:00+00:00"),
        ("2026-02-01T03:00:00+00:00", "2026-02-01T03:00:00+00:00"),
        ("2026-02-10T12:00:00+00:00", "2026-02-10T12:00:00+00:00"),
        ("2026-03-01T02:59:59+00:00", "2026-03-01T02:59:59+00:00"),
        ("2026-03-01T03:00:00+00:00", "2026-03-01T03:00:00+00:00"),
        ("2026-03-02T00:00:00+00:00", "2026-03-01T03:00:00+00:00"),
        ("", "2026-03-01T03:00:00+00:00"),
    ],
)
def test_a_month_reaches_to_the_declaration_where_that_lies_in_it(at: str, end: str) -> None:
    known = KnownPeriods((), [declared("2026-02", at=at)])
    last = moment(end)
    assert last is not None
    assert known.cover(second("2026-02-01"), last) is (last > second("2026-02-01"))  # no time at all is nothing known
    assert not known.cover(second("2026-02-01"), last + 1)


@pytest.mark.parametrize("month", ["", "soon", "2026-13", "9999-12"])
def test_a_month_that_is_none_declares_nothing(month: str) -> None:
    assert not KnownPeriods((), [declared(month)]).declare(second("2026-02-10"), second("2026-02-11"))
