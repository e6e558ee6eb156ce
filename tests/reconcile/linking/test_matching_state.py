"""The board: which evidence makes a link, which gives way, and what stays for a person."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from confere.errors import message
from confere.reconcile.linking.matching_state import Board, Proposal, is_sale, stands
from confere.sales.links import Decision, LinkKind, PersonsWord
from confere.sales.reconciliation_input import OrderEntry, PaperEntry
from confere.sales.terms import Terms
from tests.reconcile import made

ORDER, OTHER = made.order(1), made.order(2, buyer=made.buyer(2), total=7_777, gross=7_777)
NOTE, SECOND = made.note(100), made.note(101)
QUOTED, SCORED, KEY = LinkKind.QUOTED, LinkKind.SCORED, LinkKind.ORDER_KEY


def board(
    orders: Sequence[OrderEntry] = (ORDER, OTHER),
    papers: Sequence[PaperEntry] = (NOTE, SECOND),
    decisions: Sequence[Decision] = (),
) -> Board:
    return Board(made.ledger(orders, papers), Terms(), decisions)


def decision(order: OrderEntry, paper: PaperEntry, word: PersonsWord) -> Decision:
    return Decision(order.hub_id, paper.key or "", word)


def proposal(order: OrderEntry, paper: PaperEntry, confidence: int = 90, words: str = "because") -> Proposal:
    return Proposal(order, paper, confidence, message(words))


def pairs(found: Board) -> list[tuple[str, str]]:
    return [(link.order_id, link.key) for link in found.links()]


def test_a_sale_that_is_its_orders_whole_is_joined_by_no_other() -> None:
    found = board()
    found.commit(KEY, [proposal(ORDER, NOTE)])
    found.commit(QUOTED, [proposal(OTHER, NOTE)])
    assert pairs(found) == [(ORDER.hub_id, NOTE.key)]
    assert found.linked(ORDER.hub_id, NOTE.key or "")
    assert not found.linked(ORDER.hub_id, SECOND.key or "")
    assert (found.kind_of(ORDER.hub_id, NOTE.key or ""), found.confidence_of(ORDER.hub_id, NOTE.key or "")) == (KEY, 90)
    assert list(found.orders_of(NOTE.key or "")) == [ORDER.hub_id]
    assert list(found.sales_of(ORDER.hub_id)) == [NOTE.key]
    assert list(found.sales_of(OTHER.hub_id)) == list(found.orders_of(SECOND.key or "")) == []


def test_an_order_that_has_its_sale_takes_no_sale_of_another() -> None:
    found = board()
    found.commit(KEY, [proposal(ORDER, NOTE), proposal(OTHER, SECOND)])
    found.commit(QUOTED, [proposal(OTHER, NOTE), proposal(ORDER, SECOND)])
    assert pairs(found) == sorted([(ORDER.hub_id, NOTE.key), (OTHER.hub_id, SECOND.key)])
    found.commit(LinkKind.REFERENCE, [proposal(OTHER, NOTE)])  # a reference is a reason of its own
    assert (OTHER.hub_id, NOTE.key) in pairs(found)


def test_a_sale_joins_orders_of_one_buyer_until_it_is_whole() -> None:
    half, rest = made.order(3, total=4_000, gross=4_000), made.order(4, total=6_000, gross=6_000)
    beyond, free = made.order(5, total=1_000, gross=1_000), made.order(6, total=0, gross=0)
    found = board((half, rest, beyond, free))
    for order in (half, rest, beyond, free):
        found.commit(QUOTED, [proposal(order, NOTE)])
    assert {order_id for order_id, _ in pairs(found)} == {half.hub_id, rest.hub_id, free.hub_id}


@pytest.mark.parametrize("word", [PersonsWord.LINK, PersonsWord.CONFIRM])
def test_a_persons_link_stands_and_what_contradicts_it_is_told(word: PersonsWord) -> None:
    found = board(decisions=[decision(ORDER, NOTE, word)])
    found.commit(KEY, [proposal(OTHER, NOTE, words="its key")])
    (link,) = found.links()
    assert (link.order_id, link.key, link.kind, link.confidence) == (ORDER.hub_id, NOTE.key, LinkKind.PERSON, 100)
    assert len(link.evidence) == 2
    assert "its key" in str(link.evidence[1])


def test_what_a_person_parted_stays_apart() -> None:
    found = board(decisions=[decision(ORDER, NOTE, PersonsWord.LINK), decision(ORDER, NOTE, PersonsWord.UNLINK)])
    found.commit(KEY, [proposal(ORDER, NOTE)])
    assert pairs(found) == []
    assert found.kept_apart(ORDER.hub_id, NOTE.key or "")
    assert not found.kept_apart(OTHER.hub_id, NOTE.key or "")
    assert found.parted == {(ORDER.hub_id, NOTE.key)}


def test_no_more_than_four_reasons_are_kept_and_a_stronger_one_comes_first() -> None:
    found = board()
    found.commit(SCORED, [proposal(ORDER, NOTE, 60, "score")])
    for number in range(5):
        found.commit(SCORED, [proposal(ORDER, NOTE, 99, f"more {number}")])
    found.commit(KEY, [proposal(ORDER, NOTE, 95, "key")])
    found.commit(KEY, [proposal(ORDER, NOTE, 95, "key")])
    (link,) = found.links()
    assert [str(reason) for reason in link.evidence] == ["key", "score", "more 0", "more 1", "more 2"]
    assert (link.kind, link.confidence) == (KEY, 95)


@pytest.mark.parametrize(
    ("kind", "settled_by", "is_settled"),
    [
        (QUOTED, [(OTHER, NOTE)], True),  # a quoted number is of one document
        (SCORED, [(OTHER, NOTE)], False),  # the order is none of those that fit
        (SCORED, [(ORDER, NOTE)], True),
        (SCORED, [(ORDER, SECOND)], False),
        (SCORED, [], False),
    ],
)
def test_what_settles_a_tie(kind: LinkKind, settled_by: list[tuple[OrderEntry, PaperEntry]], is_settled: bool) -> None:
    found = board()
    found.tie(kind, [ORDER.hub_id], [NOTE.key or ""], message("either"))
    found.commit(LinkKind.REFERENCE, [proposal(*pair) for pair in settled_by])
    found.settle_ties()
    assert (found.ties() == ()) is is_settled


def test_one_commit_takes_all_that_its_evidence_says_at_once() -> None:
    found = board()
    found.commit(KEY, [proposal(ORDER, NOTE), proposal(ORDER, SECOND)])
    assert pairs(found) == sorted([(ORDER.hub_id, NOTE.key), (ORDER.hub_id, SECOND.key)])


def test_a_pair_that_is_linked_takes_the_evidence_as_one_more_reason() -> None:
    found = board()
    found.commit(KEY, [proposal(ORDER, NOTE, words="first")])
    found.commit(QUOTED, [proposal(ORDER, NOTE, words="second")])
    (link,) = found.links()
    assert [str(reason) for reason in link.evidence] == ["first", "second"]
    assert link.kind is KEY


def test_accepting_says_whether_the_link_is_new() -> None:
    found = board()
    assert found.accept(SCORED, proposal(ORDER, NOTE)) is True
    assert found.accept(SCORED, proposal(ORDER, NOTE)) is False
    assert found.accept(SCORED, proposal(OTHER, NOTE)) is False
    assert pairs(found) == [(ORDER.hub_id, NOTE.key)]


def test_a_name_of_another_buyer_and_total_is_doubtful_and_links_last() -> None:
    found = board()
    assert found.doubtful([ORDER, OTHER], NOTE) == [OTHER]
    assert found.doubtful([ORDER], NOTE) == []
    found.doubt(QUOTED, proposal(OTHER, NOTE))
    assert found.doubted() == {OTHER.hub_id}
    assert pairs(found) == []
    found.commit_doubted()
    (link,) = found.links()
    assert (link.order_id, link.key) == (OTHER.hub_id, NOTE.key)


def test_a_doubtful_name_gives_way_to_any_other_evidence() -> None:
    found = board()
    found.doubt(QUOTED, proposal(OTHER, NOTE))
    found.commit(SCORED, [proposal(OTHER, SECOND)])
    found.commit_doubted()
    assert pairs(found) == [(OTHER.hub_id, SECOND.key)]


def test_a_tie_stays_until_other_evidence_settles_it() -> None:
    found = board()
    reason = message("either")
    found.tie(SCORED, [ORDER.hub_id, OTHER.hub_id, ORDER.hub_id], [NOTE.key or ""], reason)
    found.tie(SCORED, [], [NOTE.key or ""], reason)
    found.tie(SCORED, [ORDER.hub_id], [], reason)
    (tie,) = found.ties()
    assert tie.orders == tuple(sorted((ORDER.hub_id, OTHER.hub_id)))
    found.settle_ties()
    assert (found.tied_orders, found.tied_keys) == ({ORDER.hub_id, OTHER.hub_id}, {NOTE.key})


def test_what_is_a_sale_and_what_stands() -> None:
    assert is_sale(NOTE)
    assert not any(
        is_sale(made.note(102, **facts)) for facts in ({"direction": "0"}, {"operation": "devolution"}, {"type": "cte"})
    )
    assert stands(NOTE)
    assert not stands(made.note(103, state="cancelled"))
