"""What no ledger may break: sequence is no matter, a person's word stands, and likeness is what brute force says."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confere.reconcile.linker import link
from confere.reconcile.linking import candidates
from confere.sales.links import Decision, Linked, LinkKind, PersonsWord
from confere.sales.reconciliation_input import DocumentReference, ItemQuantity, Ledger, OrderEntry, PaperEntry
from confere.sales.terms import Terms
from tests.reconcile.cases import OWN, buyer, freight_paper, key, note, of, order, returned

Pair = tuple[str, str]
_MANY = settings(max_examples=60, deadline=None)
_BUYERS = (buyer(1), buyer(2), f"***{buyer(1)[3:9]}**", None)
_DAYS = ("2025-03-10", "2025-03-11", "2025-03-16", "2025-03-24")


@st.composite
def ledgers(draw: st.DrawFn) -> Ledger:
    """A few orders and documents that share whatever can be shared, and contradict each other in every way."""
    count = draw(st.integers(1, 5))
    papers = [
        note(
            number,
            recipient=draw(st.sampled_from((buyer(1), buyer(2), None))),
            recipient_name=draw(st.sampled_from(("Ana", "BIA", None))),
            issued_on=draw(st.sampled_from(_DAYS)),
            total=draw(st.sampled_from((10_000, 20_000, 10_500))),
            state=draw(st.sampled_from(("authorized", "authorized", "cancelled"))),
            lines=(ItemQuantity(draw(st.sampled_from("AB")), None, Decimal(1), None),),
            order_id=draw(st.sampled_from((None, None, "10001", "777000111222"))),
            external_id=draw(st.sampled_from((None, None, "10002", "SALE-sale-10001-1"))),
            quoted=draw(st.sampled_from(((), ("777000111222",), ("10001", "10002")))),
        )
        for number in range(1, count + 1)
    ]
    back, cte = returned(41, papers[0]), freight_paper(61)
    everything = [*papers, back, cte]
    orders = [
        order(
            number,
            hub_id=f"1000{number}",
            marketplace_id=draw(st.sampled_from((None, "777000111222", f"88800011122{number}"))),
            buyer=draw(st.sampled_from(_BUYERS)),
            buyer_name=draw(st.sampled_from(("Ana", "Bia", None))),
            created_on=draw(st.sampled_from(_DAYS)),
            total=draw(st.sampled_from((10_000, 20_000, 0))),
            freight=draw(st.sampled_from((0, 500))),
            lines=draw(st.sampled_from(((), (ItemQuantity("A", None, Decimal(1), None),)))),
            invoice_key=draw(st.sampled_from((None, None, *map(of, papers), key(99)))),
            invoice_series=1,
            invoice_number=draw(st.sampled_from((None, None, 1, 2))),
        )
        for number in range(1, draw(st.integers(1, 5)) + 1)
    ]
    ends = st.sampled_from([of(paper) for paper in everything] + [key(99)])
    kinds = st.sampled_from(("references", "carries", "continues"))
    relations = draw(st.lists(st.builds(DocumentReference, ends, ends, kinds), max_size=6))
    return Ledger("loja", frozenset({OWN}), tuple(orders), tuple(everything), tuple(relations))


def words(draw: st.DrawFn, book: Ledger) -> list[Decision]:
    pairs = [(one.hub_id, of(paper)) for one in book.orders for paper in book.papers]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True, max_size=6))
    return [Decision(*pair, draw(st.sampled_from(PersonsWord))) for pair in chosen]


@given(st.data())
@_MANY
def test_sequence_is_no_matter_to_links_reasons_and_confidence(data: st.DataObject) -> None:
    book = data.draw(ledgers())
    said = words(data.draw, book)
    mixed = random.Random(data.draw(st.integers(0, 9)))
    other = replace(
        book,
        orders=tuple(mixed.sample(book.orders, len(book.orders))),
        papers=tuple(mixed.sample(book.papers, len(book.papers))),
        relations=tuple(mixed.sample(book.relations, len(book.relations))),
    )
    assert link(other, Terms(), mixed.sample(said, len(said))) == link(book, Terms(), said)


@given(st.data())
@_MANY
def test_a_persons_word_stands_against_every_kind(data: st.DataObject) -> None:
    book = data.draw(ledgers())
    said = words(data.draw, book)
    found = link(book, Terms(), said)
    pairs = {(one.order_id, one.key): one for one in found.links}
    for word in said:
        made = pairs.get((word.order_id, word.key))
        if word.word is PersonsWord.UNLINK:
            assert made is None
        else:
            assert made is not None and made.manual and made.confidence == 100
    for tie in found.ties:
        for one in tie.orders:
            assert not any((one, paper) in pairs for paper in tie.keys)  # what is decided is no tie
    for one in found.links:
        assert 0 < one.confidence <= 100 and one.evidence and all(map(str, one.evidence))


@given(st.data())
@_MANY
def test_unlinking_all_that_was_found_leaves_none_of_it(data: st.DataObject) -> None:
    book = data.draw(ledgers())
    before = {(one.order_id, one.key) for one in link(book, Terms()).links}
    after = link(book, Terms(), [Decision(*pair, PersonsWord.UNLINK) for pair in sorted(before)])
    assert before.isdisjoint((one.order_id, one.key) for one in after.links)


# Kind 6 alone, held against every way to pair orders and notes

_ALIKE = st.tuples(st.sampled_from((buyer(1), buyer(2))), st.sampled_from(_DAYS), st.sampled_from((100, 101, 103)))


def _book(orders: list[tuple[str, str, int]], notes: list[tuple[str, str, int]]) -> Ledger:
    item = (ItemQuantity("A", None, Decimal(1), None),)
    return Ledger(
        "loja",
        frozenset({OWN}),
        tuple(
            order(number, buyer=who, created_on=day, total=total, gross=total, lines=item)
            for number, (who, day, total) in enumerate(orders, 1)
        ),
        tuple(
            note(number, recipient=who, issued_on=day, total=total, lines=item)
            for number, (who, day, total) in enumerate(notes, 1)
        ),
    )


def _fits(one: OrderEntry, paper: PaperEntry) -> bool:
    days = int(paper.issued_on[-2:]) - int(one.created_on[-2:])
    close = abs((one.total or 0) - (paper.total or 0)) <= 1
    return one.buyer == paper.recipient and close and -1 <= days <= 10


def _groups(pairs: set[Pair]) -> Iterator[set[Pair]]:
    left = set(pairs)
    while left:
        group = {left.pop()}
        while more := {pair for pair in left if any(pair[0] == one or pair[1] == two for one, two in group)}:
            group |= more
            left -= more
        yield group


def _brute(book: Ledger) -> tuple[set[Pair], set[str]]:
    """Pairs that are in every complete pairing; and the names of all that stays open."""
    sure: set[Pair] = set()
    unsure: set[str] = set()
    fitting = {(one.hub_id, of(paper)) for one in book.orders for paper in book.papers if _fits(one, paper)}
    for group in _groups(fitting):
        left, right = sorted({one for one, _ in group}), sorted({two for _, two in group})
        ways = [set(zip(left, way, strict=True)) for way in permutations(right)] if len(left) == len(right) else []
        ways = [way for way in ways if way <= group]
        forced = set.intersection(*ways) if ways else set()
        sure |= forced
        unsure |= {*left, *right} - {name for pair in forced for name in pair}
    return sure, unsure


def _outcome(found: Linked) -> tuple[set[Pair], set[str]]:
    assert all(one.kind is LinkKind.SCORED for one in found.links)
    return {(one.order_id, one.key) for one in found.links}, {
        name for tie in found.ties for name in (*tie.orders, *tie.keys)
    }


@pytest.mark.parametrize("few", [64, 0])
@given(st.lists(_ALIKE, max_size=6), st.lists(_ALIKE, max_size=6))
@settings(max_examples=80, deadline=None)
def test_likeness_is_what_brute_force_says(
    few: int, orders: list[tuple[str, str, int]], notes: list[tuple[str, str, int]]
) -> None:
    """Pair by pair, and as of a buyer with many (`few`: up to how many pairs are compared one by one)."""
    book = _book(orders, notes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidates, "_FEW", few)
        assert _outcome(link(book, Terms())) == _brute(book)


@given(ledgers(), st.integers(0, 3))
@_MANY
def test_a_buyer_with_many_is_judged_as_one_with_few(book: Ledger, tolerance: int) -> None:
    terms = Terms(tolerance=tolerance)
    usual = link(book, terms)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidates, "_FEW", 0)
        assert link(book, terms) == usual
