"""Kinds 1 and 2: the order names the document's key, or the hub's record of the document names the order."""

from __future__ import annotations

from collections.abc import Iterator

from confere.errors import message
from confere.fiscal.books.ledger import OrderEntry
from confere.fiscal.books.links import LinkKind
from confere.reconcile.linking.board import Board, Proposal

_CONFIDENCE_KEY = 100
_CONFIDENCE_RECORD = 99
_CONFIDENCE_DOUBTED = 75


def link_by_key(board: Board) -> None:
    """The access key in the order's invoice; one that is not in the archive says nothing.

    One that leads to another buyer's note of another total may be mistyped: it is put off until all else is said,
    unless the hub's own record of the note agrees with it.
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
    """The order id in the hub's record of a document."""
    board.commit(LinkKind.DOCUMENT_ORDER, _by_record(board))


def _by_record(board: Board) -> Iterator[Proposal]:
    numbers: dict[str, list[OrderEntry]] | None = None
    evidence = message("the hub's record of the document names the order")
    for paper in board.papers.values():
        if not paper.order_id:
            continue
        order = board.orders.get(paper.order_id)
        if order is None:  # some hubs put the marketplace's number there
            numbers = numbers if numbers is not None else _by_marketplace_number(board)
            named = numbers.get(paper.order_id, [])
            order = named[0] if len(named) == 1 else None
        if order is not None:
            yield Proposal(order, paper, _CONFIDENCE_RECORD, evidence)


def _by_marketplace_number(board: Board) -> dict[str, list[OrderEntry]]:
    found: dict[str, list[OrderEntry]] = {}
    for order in board.ledger.orders:
        if order.marketplace_id:
            found.setdefault(order.marketplace_id, []).append(order)
    return found
