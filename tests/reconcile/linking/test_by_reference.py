"""Which references lead from a document that has an order to another one, and which way."""

from __future__ import annotations

from dataclasses import replace

import pytest

from confere.errors import message
from confere.reconcile.linking.by_reference import Paths, link_by_reference, link_leaders, link_to_absent, name
from confere.reconcile.linking.matching_state import Board, Proposal
from confere.sales.links import LinkKind
from confere.sales.reconciliation_input import OrderEntry, PaperEntry
from confere.sales.terms import Terms
from tests.reconcile import made

SALE, RETURN, FREIGHT = made.note(100), made.returned(200), made.freight(900)
OTHER = made.note(101, operation="other")
SYMBOLIC = made.note(102, operation="symbolic_inbound")
SYMBOLIC_RETURN = made.note(103, operation="symbolic_inbound_return")
PREPAID = made.note(104, operation="prepayment")
COMPLEMENT = made.note(105, operation="other", purpose="2")
SECOND_FREIGHT = made.freight(901)
ENTRY = made.note(106, direction="0")
STRANGER = made.returned(201, recipient=made.buyer(9), emitter=made.OWN)


def board(source: PaperEntry, target: PaperEntry | str, kind: str, orders: tuple[OrderEntry, ...] = ()) -> Board:
    papers = [source, *([target] if isinstance(target, PaperEntry) else [])]
    return Board(made.ledger(orders, papers, relations=(made.refers(source, target, kind),)), Terms())


@pytest.mark.parametrize(
    ("source", "target", "kind", "leader"),
    [
        (FREIGHT, SALE, "carries", SALE),
        (SALE, OTHER, "carries", None),  # a note carries nothing
        (FREIGHT, SECOND_FREIGHT, "carries", None),
        (FREIGHT, SECOND_FREIGHT, "complements", SECOND_FREIGHT),
        (FREIGHT, SECOND_FREIGHT, "replaces", SECOND_FREIGHT),
        (FREIGHT, SECOND_FREIGHT, "annuls", SECOND_FREIGHT),
        (FREIGHT, SECOND_FREIGHT, "continues", SECOND_FREIGHT),
        (FREIGHT, SALE, "complements", None),
        (SALE, FREIGHT, "complements", None),
        (FREIGHT, SALE, "related", SALE),
        (FREIGHT, SALE, "references", None),
        (RETURN, SALE, "references", SALE),
        (RETURN, SALE, "item_references", SALE),
        (RETURN, SALE, "related", SALE),
        (STRANGER, SALE, "references", None),  # a return to somebody else is a broken reference
        (COMPLEMENT, SALE, "references", SALE),
        (OTHER, SALE, "references", None),
        (SALE, OTHER, "references", None),
        (SALE, SYMBOLIC_RETURN, "references", SALE),
        (SALE, PREPAID, "prepayment", SALE),
        (OTHER, SYMBOLIC_RETURN, "references", None),
        (OTHER, PREPAID, "references", None),
        (SYMBOLIC, RETURN, "references", RETURN),
        (SYMBOLIC, SALE, "references", None),
        (RETURN, ENTRY, "references", None),  # an entry is no sale
        (FREIGHT, SALE, "unknown", None),
    ],
)
def test_who_follows_whom(source: PaperEntry, target: PaperEntry, kind: str, leader: PaperEntry | None) -> None:
    paths = Paths(board(source, target, kind))
    followers = {key: [follower for follower, _ in steps] for key, steps in paths.followers.items()}
    if leader is None:
        assert followers == {}
        return
    follower = source if leader is target else target
    assert followers == {leader.key: [follower.key]}
    assert [key for _, key in paths.leaders(follower.key or "")] == [leader.key]
    assert paths.in_part == set()


def test_what_refers_to_a_document_that_is_not_here_is_here_in_part() -> None:
    gone = made.key_of(99)
    for kind in ("references", "item_references", "prepayment", "carries", "related"):
        assert Paths(board(RETURN, gone, kind)).in_part == {RETURN.key}
    assert Paths(board(FREIGHT, made.key_of(9, model="57"), "complements")).in_part == set()


def test_a_return_goes_to_the_order_of_its_sale_a_little_less_surely() -> None:
    order = made.order(1)
    found = board(RETURN, SALE, "references", (order,))
    found.commit(LinkKind.ORDER_KEY, [Proposal(order, SALE, 90, message("its key"))])
    link_by_reference(found, Paths(found))
    links = {link.key: link for link in found.links()}
    assert links[RETURN.key or ""].kind is LinkKind.REFERENCE
    assert links[RETURN.key or ""].confidence == 85
    assert "NF-e 1/100" in str(links[RETURN.key or ""].evidence[0])


def test_the_way_back_needs_one_order_that_has_no_sale() -> None:
    order, other = made.order(1), made.order(2)
    found = board(RETURN, SALE, "references", (order, other))
    found.commit(LinkKind.QUOTED, [Proposal(order, RETURN, 80, message("quoted"))])
    link_leaders(found, Paths(found))
    assert {link.key: link.confidence for link in found.links()} == {RETURN.key: 80, SALE.key: 75}
    two = board(RETURN, SALE, "references", (order, other))
    two.commit(LinkKind.QUOTED, [Proposal(each, RETURN, 80, message("quoted")) for each in (order, other)])
    link_leaders(two, Paths(two))
    assert {link.key for link in two.links()} == {RETURN.key}
    foreign = made.order(3, buyer=made.buyer(5))
    strange = board(RETURN, SALE, "references", (foreign,))
    strange.commit(LinkKind.QUOTED, [Proposal(foreign, RETURN, 80, message("quoted"))])
    link_leaders(strange, Paths(strange))
    assert {link.key for link in strange.links()} == {RETURN.key}


def test_a_return_of_a_sale_that_is_not_here_goes_to_the_order_that_names_it() -> None:
    gone = made.key_of(99)
    order = made.order(1, invoice_key=gone)
    for source, kind, is_linked in (
        (RETURN, "references", True),
        (FREIGHT, "carries", True),
        (FREIGHT, "references", False),
        (OTHER, "references", False),
        (made.returned(202, recipient=made.buyer(9)), "references", False),
    ):
        found = board(source, gone, kind, (order,))
        link_to_absent(found)
        assert [(link.order_id, link.key, link.confidence) for link in found.links()] == (
            [(order.hub_id, source.key, 90)] if is_linked else []
        ), (source.number, kind)


def test_how_a_document_is_named() -> None:
    assert [name(paper) for paper in (SALE, FREIGHT, made.note(107, type="nfce"))] == [
        "NF-e 1/100",
        "CT-e 1/900",
        "NFC-e 1/107",
    ]
    assert name(replace(SALE, number=None)) == "NF-e"
    assert name(replace(SALE, series=None)) == "NF-e 0/100"
