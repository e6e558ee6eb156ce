"""R12: numbers of a series that were neither used nor declared unused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.sales.reconciliation_input import ListedPeriod, PaperEntry
from tests.reconcile.made import BRANCH, OTHER_COMPANY, OWN, find, key_of, ledger, note, only, words

SERIES = f"{OWN}/55/1"
LISTED_IN_MARCH = (ListedPeriod("2026-03-01T03:00:00.000+00:00", "2026-04-01T02:59:59.000+00:00"),)


def gaps(*papers: PaperEntry, **facts: Any) -> list[Any]:
    # The first document of the other tests' ledgers would be the first number of this series.
    return find("R12", replace(ledger([], **facts), papers=papers), visible_series=(SERIES,))


def void(first: int, last: int, **facts: Any) -> PaperEntry:
    told = {"model": "55", "series": 1, "emitter": OWN, "state": "voided"} | facts
    return PaperEntry(0, None, "voiding", first_number=first, last_number=last, **told)


def test_numbers_in_order_leave_no_gap() -> None:
    assert gaps(note(7), note(8), note(9)) == []


def test_missing_numbers_in_one_run() -> None:
    found = only(gaps(note(7, "2026-02-27"), note(11, "2026-03-02")))
    assert (found.subject, found.period, found.keys, found.amount) == (f"{SERIES}/8-10", "2026-03", (), None)
    assert "the 3 numbers from 8 to 10" in words(found)


@pytest.mark.parametrize("state", ["cancelled", "denied", "rejected", "no_protocol"])
def test_every_archived_number_is_used(state: str) -> None:
    assert gaps(note(7), note(8, state=state), note(9)) == []


def test_numbers_without_xml_are_used() -> None:
    assert gaps(note(7), note(9), undownloaded=frozenset({key_of(8)})) == []
    found = only(gaps(note(7), undownloaded=frozenset({key_of(9)})))
    assert found.subject == f"{SERIES}/8-8"
    assert "the number 8 is neither" in words(found)


def test_voided_numbers_are_no_gap() -> None:
    assert gaps(note(7), note(11), void(8, 10)) == []
    assert gaps(note(7), note(11), void(8, 8), void(9, 10), void(20, 30), void(1, 2)) == []
    assert [entry.subject for entry in gaps(note(7), note(15), void(9, 10), void(12, 12))] == [
        f"{SERIES}/8-8",
        f"{SERIES}/11-11",
        f"{SERIES}/13-14",
    ]


@pytest.mark.parametrize("facts", [{"state": "rejected"}, {"series": 2}, {"emitter": OTHER_COMPANY}, {"model": "65"}])
def test_a_voiding_of_other_numbers(facts: dict[str, Any]) -> None:
    assert len(gaps(note(7), note(11), void(8, 10, **facts))) == 1


def test_outside_what_was_listed_a_number_is_not_missing() -> None:
    found = only(gaps(note(7, "2026-02-10"), note(9, "2026-03-10"), documents_listed=LISTED_IN_MARCH))
    assert not found.checked
    assert "that are not here: 1." in words(found)
    assert only(gaps(note(7, "2026-03-09"), note(9, "2026-03-10"), documents_listed=LISTED_IN_MARCH)).checked


def test_series_that_nobody_declared_are_told_once_a_month() -> None:
    papers = [note(n, day, series=3) for n, day in ((7, "2026-02-10"), (9, "2026-03-10"), (12, "2026-03-11"))]
    found = gaps(*papers, note(4, "2026-03-12", series=4))
    assert [(entry.checked, entry.period, entry.subject) for entry in found] == [
        (False, "2026-02", f"{OWN}/2026-02"),
        (False, "2026-03", f"{OWN}/2026-03"),
    ]
    assert words(found[0]).endswith(f": {OWN}/55/3.")
    assert words(found[1]).endswith(f": {OWN}/55/3, {OWN}/55/4.")


def test_each_company_has_its_own_series_that_nobody_declared() -> None:
    """So that the company whose series are all declared has none."""
    others = [note(4, emitter=BRANCH, series=9), note(5, emitter=BRANCH, series=9)]
    found = only(gaps(note(7), note(8), *others))
    assert (found.subject, found.checked) == (f"{BRANCH}/2026-03", False)
    assert words(found).endswith(f": {BRANCH}/55/9.")
    found_of_both = gaps(note(7, series=2), *others)
    assert [entry.subject for entry in found_of_both] == [f"{OWN}/2026-03", f"{BRANCH}/2026-03"]
    assert BRANCH not in words(found_of_both[0])


def test_of_an_account_with_one_company_the_month_alone_is_the_subject() -> None:
    """What a person decided on it before each company had its own still holds."""
    assert only(gaps(note(7, series=3), own=frozenset({OWN}))).subject == "2026-03"


def test_what_was_issued_as_a_test_uses_no_number() -> None:
    assert len(gaps(note(7), note(8, state="test"), note(9))) == 1


@pytest.mark.parametrize("facts", [{"emitter": OTHER_COMPANY}, {"type": "cte", "model": "57"}, {"number": None}])
def test_numbers_that_are_not_the_accounts(facts: dict[str, Any]) -> None:
    assert gaps(*(replace(note(number), **facts) for number in (7, 9))) == []


@given(st.sets(st.integers(1, 60), min_size=1), st.sets(st.integers(1, 60)))
def test_gaps_are_what_is_neither_used_nor_voided(used: set[int], voided: set[int]) -> None:
    found = gaps(*(note(number) for number in used), *(void(number, number) for number in voided))
    missing: set[int] = set()
    for entry in found:
        first, last = map(int, entry.subject.rpartition("/")[2].split("-"))
        run = set(range(first, last + 1))
        assert not missing & run
        missing |= run
    assert missing == set(range(min(used), max(used) + 1)) - used - voided
