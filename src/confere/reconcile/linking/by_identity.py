"""Kinds 1 and 2: the order names the document's key, or the hub's record of the document names the order."""

from __future__ import annotations

from collections.abc import Iterator

from confere.errors import message
from confere.reconcile.linking.matching_state import Board, Proposal
from confere.sales.links import LinkKind
from confere.sales.reconciliation_input import OrderEntry

_CONFIDENCE_KEY = 100
_CONFIDENCE_RECORD = 99
_CONFIDENCE_DOUBTED = 75

Numbers = tuple[dict[str, list[OrderEntry]], dict[str, list[OrderEntry]], dict[str, list[OrderEntry]]]


def link_by_key(board: Board) -> None:
    """The access key in the order's invoice; one that is not in the archive says nothing.

    One that leads to another buyer's note of another total may be mistyped: it is put off until all else is said,
    unless the hub's own record of the note agrees with it.

    Source: reconciliation rules, Links, 1 (the order's `invoice.accessKey`).
    """
    evidence = message("the order names the document's access key")
    named: dict[str, list[OrderEntry]] = {}
    for order in board.ledger.orders:
        if order.invoice_key in board.papers and order.invoice_key is not None:
            named.setdefault(order.invoice_key, []).append(order)
    proposals: list[Proposal] = []
    for key, orders in named.items():
        paper = board.papers[key]
        strange = [order for order in board.doubtful(orders, paper) if order.hub_id != paper.order_id]
        for order in orders:
            proposal = Proposal(order, paper, _CONFIDENCE_KEY, evidence)
            if order in strange:
                board.doubt(LinkKind.ORDER_KEY, proposal._replace(confidence=_CONFIDENCE_DOUBTED))
            else:
                proposals.append(proposal)
    board.commit(LinkKind.ORDER_KEY, proposals)


def link_by_record(board: Board) -> None:
    """The order id in the hub's record of a document.

    Source: reconciliation rules, Links, 2 (the document's order id).
    """
    board.commit(LinkKind.DOCUMENT_ORDER, _by_record(board))


def _by_record(board: Board) -> Iterator[Proposal]:
    numbers: Numbers | None = None
    evidence = message("the hub's record of the document names the order")
    for paper in board.papers.values():
        if not paper.order_id:
            continue
        order = board.orders.get(paper.order_id)
        if order is None:  # some hubs put the marketplace's number or the seller's own there
            numbers = numbers if numbers is not None else _by_number(board)
            named = next((named for kind in numbers if (named := kind.get(paper.order_id))), [])
            order = named[0] if len(named) == 1 else None
        if order is not None:
            yield Proposal(order, paper, _CONFIDENCE_RECORD, evidence)


def _by_number(board: Board) -> Numbers:
    """Orders by the marketplace's id, by the number that it shows, and by the seller's own: the first that fits."""
    numbers: Numbers = ({}, {}, {})
    for order in board.ledger.orders:
        names = (order.marketplace_id, order.marketplace_number, order.partner_id)
        for kind, name in zip(numbers, names, strict=True):
            if name:
                kind.setdefault(name, []).append(order)
    return numbers
