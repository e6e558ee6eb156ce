"""The thirty linking cases of the rule book, and what must hold whatever the ledger is."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from confere.fiscal.model import State
from confere.fiscal.operations import Operation
from confere.fiscal.references import RelationKind as RelationWord
from confere.reconcile.linker import link
from confere.sales.links import Decision, Linked, PersonsWord
from confere.sales.reconciliation_input import DocumentReference, Ledger, OrderEntry, PaperEntry
from confere.sales.terms import Terms
from tests.reconcile.cases import CASES, OWN, Case, Outcome, buyer, checked, cpf, key, note, order

every_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def outcome(linked: Linked) -> Outcome:
    return Outcome(
        frozenset((one.order_id, one.key, one.kind) for one in linked.links),
        frozenset((frozenset(one.orders), frozenset(one.keys)) for one in linked.ties),
    )


def run(ledger: Ledger, decisions: Sequence[Decision] = ()) -> Outcome:
    return outcome(link(ledger, Terms(), decisions))


@every_case
def test_case(case: Case) -> None:
    assert run(case.ledger, case.decisions) in case.outcomes, case.why


@every_case
def test_case_speaks_the_books_words(case: Case) -> None:
    """A case with a word that no ledger holds would prove nothing."""
    for paper in case.ledger.papers:
        assert Operation(paper.operation) and State(paper.state)
        assert paper.key is not None and paper.key == checked(paper.key[:43])
    assert all(RelationWord(one.kind) for one in case.ledger.relations)
    assert len({one.hub_id for one in case.ledger.orders}) == len(case.ledger.orders)
    assert len({one.key for one in case.ledger.papers}) == len(case.ledger.papers)


def test_there_are_thirty_cases_with_names_of_their_own() -> None:
    assert len({case.name for case in CASES}) == len(CASES) == 30


# What holds whatever the ledger is


@every_case
def test_no_pair_stands_twice_and_each_link_says_why(case: Case) -> None:
    links = link(case.ledger, Terms(), case.decisions).links
    assert len({(one.order_id, one.key) for one in links}) == len(links)
    assert all(one.evidence and 0 < one.confidence <= 100 for one in links)


@every_case
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_sequence_of_orders_papers_relations_and_decisions_is_no_matter(case: Case, seed: int) -> None:
    mixed = random.Random(seed)
    book = case.ledger
    shuffled = replace(
        book,
        orders=tuple(mixed.sample(book.orders, len(book.orders))),
        papers=tuple(mixed.sample(book.papers, len(book.papers))),
        relations=tuple(mixed.sample(book.relations, len(book.relations))),
    )
    decisions = mixed.sample(case.decisions, len(case.decisions))  # each is about another pair
    assert run(shuffled, decisions) == run(book, case.decisions)


@every_case
def test_archives_numbers_of_entries_are_no_matter(case: Case) -> None:
    book = case.ledger
    renumbered = replace(
        book,
        orders=tuple(replace(one, id=9_000 - one.id) for one in book.orders),
        papers=tuple(replace(one, id=9_000 - one.id) for one in book.papers),
    )
    assert run(renumbered, case.decisions) == run(book, case.decisions)


@every_case
def test_unrelated_order_changes_nothing(case: Case) -> None:
    book = case.ledger
    more = replace(book, orders=(order(400), *book.orders))
    assert run(more, case.decisions) == run(book, case.decisions)


@every_case
def test_unrelated_paper_changes_nothing(case: Case) -> None:
    book = case.ledger
    stranger = note(400, quoted=("4899999999",), order_hint="PO-17")
    more = replace(book, papers=(stranger, *book.papers))
    assert run(more, case.decisions) == run(book, case.decisions)


@every_case
def test_relation_between_papers_that_are_not_here_changes_nothing(case: Case) -> None:
    book = case.ledger
    more = replace(book, relations=(DocumentReference(key(401), key(402), "references"), *book.relations))
    assert run(more, case.decisions) == run(book, case.decisions)


@every_case
def test_decision_about_what_is_not_here_changes_nothing_else(case: Case) -> None:
    absent = Decision("4899999999", key(403), PersonsWord.UNLINK)
    assert run(case.ledger, (*case.decisions, absent)) == run(case.ledger, case.decisions)


@every_case
def test_confirming_every_link_links_the_same_pairs(case: Case) -> None:
    before = run(case.ledger, case.decisions)
    pairs = {(order_id, paper_key) for order_id, paper_key, _ in before.links}
    spoken = {(one.order_id, one.key) for one in case.decisions}
    words = tuple(Decision(*pair, PersonsWord.CONFIRM) for pair in sorted(pairs - spoken))
    after = run(case.ledger, (*case.decisions, *words))
    assert {(order_id, paper_key) for order_id, paper_key, _ in after.links} == pairs
    assert after.ties == before.ties


# Two disjoint copies


def other_key(told: str) -> str:
    """The same key with another number, as long as it was."""
    moved = told[:25] + str(int(told[25]) + 5) + told[26:] if len(told) > 25 else "99" + told[2:]
    return checked(moved[:43]) if len(told) == 44 else moved


def other_person(told: str | None) -> str | None:
    """Another CPF, masked where this one is; a company stays itself."""
    if told is None or len(told) != 11:
        return told
    moved = "".join(one if one == "*" else str((int(one) + 5) % 10) for one in told[:9])
    return moved + "**" if "*" in told else cpf(moved)


def other_name(told: str) -> str:
    """Text with the ids of the cases' orders in it, of the copy's orders."""
    return told.replace("4800000", "7800000").replace("20000000000", "60000000000")


def other_order(one: OrderEntry) -> OrderEntry:
    return replace(
        one,
        id=one.id + 5_000,
        hub_id=other_name(one.hub_id),
        marketplace_id=one.marketplace_id and other_name(one.marketplace_id),
        buyer=other_person(one.buyer),
        invoice_key=one.invoice_key and other_key(one.invoice_key),
        invoice_number=one.invoice_number and one.invoice_number + 500_000_000,
    )


def other_paper(one: PaperEntry) -> PaperEntry:
    assert one.key is not None and one.number is not None
    return replace(
        one,
        id=one.id + 5_000,
        key=other_key(one.key),
        number=one.number + 500_000_000,
        recipient=other_person(one.recipient),
        order_id=one.order_id and other_name(one.order_id),
        external_id=one.external_id and other_name(one.external_id),
        order_hint=one.order_hint and other_name(one.order_hint),
        quoted=tuple(other_name(number) for number in one.quoted),
    )


def other_outcome(one: Outcome) -> Outcome:
    return Outcome(
        frozenset((other_name(hub_id), other_key(paper_key), kind) for hub_id, paper_key, kind in one.links),
        frozenset(
            (frozenset(map(other_name, hub_ids)), frozenset(map(other_key, paper_keys)))
            for hub_ids, paper_keys in one.ties
        ),
    )


@every_case
def test_two_disjoint_copies_have_twice_the_links(case: Case) -> None:
    book = case.ledger
    twice = replace(
        book,
        orders=book.orders + tuple(map(other_order, book.orders)),
        papers=book.papers + tuple(map(other_paper, book.papers)),
        relations=book.relations
        + tuple(DocumentReference(other_key(one.source), other_key(one.target), one.kind) for one in book.relations),
    )
    decisions = case.decisions + tuple(
        Decision(other_name(one.order_id), other_key(one.key), one.word) for one in case.decisions
    )
    once = run(book, case.decisions)
    copy = other_outcome(once)
    assert run(twice, decisions) == Outcome(once.links | copy.links, once.ties | copy.ties)


def test_the_copies_are_disjoint() -> None:
    """Doubling proves something only where no id, key, number or person of a case is in its copy."""
    for case in CASES:
        orders, papers = case.ledger.orders, case.ledger.papers
        copies, copied = tuple(map(other_order, orders)), tuple(map(other_paper, papers))
        assert not {one.hub_id for one in orders} & {one.hub_id for one in copies}
        assert not {one.marketplace_id for one in orders} & {one.marketplace_id for one in copies}
        assert not {one.key for one in papers} & {one.key for one in copied}
        assert not {one.number for one in papers} & {one.number for one in copied}
        people = {one.buyer for one in orders} | {one.recipient for one in papers if len(one.recipient or "") == 11}
        others = {other_person(one) for one in people}
        assert not (people & others) - {None}
    assert other_person(buyer(1)) != buyer(1) and other_person(OWN) == OWN
