"""Near misses: an order without invoice and a sale without order that nearly fit, for a person to accept or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from confere.errors import Message, message
from confere.reconcile import evidence_text
from confere.reconcile.linking.by_likeness import left, names_another
from confere.reconcile.linking.candidates import BuyerComparison, blocks, compared_by
from confere.reconcile.linking.likeness import days_between, in_window, same_buyer, same_items
from confere.reconcile.linking.matching_state import Board, stands
from confere.reconcile.totals import may_agree
from confere.sales.links import Suggestion
from confere.sales.order import INVOICED_STATUSES
from confere.sales.reconciliation_input import OrderEntry, PaperEntry

_STATUSES: Final = frozenset(status.value for status in INVOICED_STATUSES)
_WINDOWS: Final = 3  # how many times the window of links the days may be
_MOST_COMPARED: Final = 4_000  # pairs of one buyer: a company that buys every day has no near pair, but many
_AGREED: Final = {
    BuyerComparison.TAX_ID: message("the buyer's tax id"),
    BuyerComparison.MASKED: message("what is shown of the buyer's tax id"),
    BuyerComparison.NAME: message("the buyer's name"),
}


class _Near(NamedTuple):
    """A pair that nearly fits; the first fields sort the nearest first."""

    less: int  # how many of total, items, day and state agree, negative
    apart: int  # centavos
    days: int
    order_id: str
    key: str
    suggestion: Suggestion


def suggestions(board: Board) -> tuple[Suggestion, ...]:
    """The nearest pairs of what is left when all evidence is heard, each order and each sale once.

    The buyer is the same as far as can be told, and beside it the total or the items agree; of a buyer known by name
    only, two of total, items and state.

    Source: reconciliation rules, "Undecidable pairs are shown once, as suggestions".
    """
    orders = [
        order
        for order in board.ledger.orders
        if order.status in _STATUSES
        and order.hub_id not in board.tied_orders
        and not board.sales_of(order.hub_id)
        and not names_another(order)
    ]
    sales = [paper for paper in left(board) if stands(paper) and paper.key not in board.tied_keys]
    taken: set[str] = set()
    near_misses: list[Suggestion] = []
    for near in sorted(_nearest(board, orders, sales), key=lambda near: near[:-1]):
        if near.order_id not in taken and near.key not in taken:
            taken |= {near.order_id, near.key}
            near_misses.append(near.suggestion)
    return tuple(sorted(near_misses, key=lambda suggestion: (suggestion.order_id, suggestion.key)))


def _nearest(board: Board, orders: list[OrderEntry], sales: list[PaperEntry]) -> Iterator[_Near]:
    for some, others in blocks(orders, sales):
        if len(some) * len(others) <= _MOST_COMPARED:
            for order in some:
                for paper in others:
                    near = _near(board, order, paper)
                    if near is not None:
                        yield near


def _near(board: Board, order: OrderEntry, paper: PaperEntry) -> _Near | None:
    key, days = paper.key or "", days_between(order, paper)
    if days is None or not in_window(days, _WINDOWS * board.terms.scored_days):
        return None
    if not same_buyer(order, paper) or board.kept_apart(order.hub_id, key):
        return None
    buyer, items = compared_by(order, paper), same_items(order, paper)
    total = may_agree(order, paper, board.terms.tolerance)
    state = order.uf == paper.uf if order.uf and paper.uf else None
    if (items is True) + total + (buyer is BuyerComparison.NAME and state is True) < (
        2 if buyer is BuyerComparison.NAME else 1
    ):
        return None
    agrees, differs = [_AGREED[buyer]], []
    if buyer is BuyerComparison.NAME:
        differs.append(message("there is no whole tax id to compare"))
    (agrees if total else differs).append(_totals(order, paper, total))
    if items is None:
        differs.append(message("the items cannot be compared"))
    else:
        (agrees if items else differs).append(message("the items") if items else message("the items are others"))
    in_time = in_window(days, board.terms.scored_days)
    (agrees if in_time else differs).append(message("{count} days from the order to the document", count=days))
    if state is None:
        differs.append(message("one of them does not tell the buyer's state"))
    else:
        sentence = message("the state {uf}", uf=order.uf) if state else message(
            "the state: {order} on the order, {document} on the document", order=order.uf, document=paper.uf
        )  # fmt: skip
        (agrees if state else differs).append(sentence)
    apart = abs((paper.total or 0) - (order.total or 0))
    suggestion = Suggestion(order.hub_id, key, tuple(agrees), tuple(differs))
    return _Near(-len(agrees), apart, abs(days), order.hub_id, key, suggestion)


def _totals(order: OrderEntry, paper: PaperEntry, agree: bool) -> Message:
    if agree and order.total == paper.total:
        return message("the total {amount}", amount=evidence_text.money(order.total))
    facts = {"order": evidence_text.money(order.total), "document": evidence_text.money(paper.total)}
    if agree:
        return message("the totals, made up by freight, discount, interest or taxes: {order}, {document}", **facts)
    return message("the total: {order} on the order, {document} on the document", **facts)
