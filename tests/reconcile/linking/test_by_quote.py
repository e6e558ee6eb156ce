"""An order's number that a document quotes: how many orders may have it, and where it stands."""

from __future__ import annotations

import pytest

from confere.reconcile.linking.by_quote import link_by_quote
from confere.reconcile.linking.matching_state import Board
from confere.sales.links import LinkKind
from confere.sales.terms import Terms
from tests.reconcile import made

NUMBER = "MB-20260310-0007"


@pytest.mark.parametrize(("count", "is_tie"), [(2, True), (30, True), (31, False)])
def test_a_number_that_too_many_orders_have_is_no_orders(count: int, is_tie: bool) -> None:
    orders = [made.order(number, marketplace_id=NUMBER) for number in range(1, count + 1)]
    board = Board(made.ledger(orders, [made.note(100, external_id=NUMBER)]), Terms())
    link_by_quote(board)
    assert board.links() == ()
    ties = board.ties()
    assert [len(tie.orders) for tie in ties] == ([count] if is_tie else [])
    assert all(tie.kind is LinkKind.QUOTED for tie in ties)


def test_one_order_with_that_number_is_linked() -> None:
    order, note = made.order(1, marketplace_id=NUMBER), made.note(100, external_id=f" {NUMBER.lower()} ")
    board = Board(made.ledger([order, made.order(2)], [note]), Terms())
    link_by_quote(board)
    ((link,)) = board.links()
    assert (link.order_id, link.key, link.kind) == (order.hub_id, note.key, LinkKind.QUOTED)


def test_a_purchase_of_ones_own_quotes_no_order() -> None:
    order = made.order(1, marketplace_id=NUMBER)
    purchase = made.note(100, external_id=NUMBER, emitter=made.OTHER_COMPANY, recipient=made.OWN)
    board = Board(made.ledger([order], [purchase]), Terms())
    link_by_quote(board)
    assert board.links() == ()
