"""Kind 3: series, number, emitter and day of the invoice that the order names without its key."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from typing import Final

from confere.errors import message
from confere.fiscal.operations import Operation
from confere.reconcile.linking.likeness import days_between, in_window, same_buyer
from confere.reconcile.linking.matching_state import NOTES, Board, Proposal, is_sale
from confere.reconcile.totals import may_agree
from confere.sales.links import LinkKind
from confere.sales.reconciliation_input import OrderEntry, PaperEntry

_CONFIDENCE: Final = 97
_CONFIDENCE_DOUBTED: Final = 70
_APART: Final = 1  # days: the hub writes UTC, the note its own zone
_MOST_NOTES: Final = 30  # of one series, number and day: more tell nothing
_INVOICES: Final = frozenset({Operation.SALE.value, Operation.OTHER.value, Operation.UNKNOWN.value})
"""What an order may call its invoice: a return or a remessa that has the number of another series is none."""


def link_by_number(board: Board) -> None:
    """Only notes that an establishment of the account emitted; several that fit are told apart by buyer and total.

    One of another buyer and another total is put off until all else is said: it may be another establishment's.

    Source: reconciliation rules, Links, 3 (series, number, emitter and date of the order's invoice).
    """
    papers: dict[tuple[int, int], list[PaperEntry]] = defaultdict(list)
    own = board.ledger.own
    for paper in board.papers.values():
        if paper.emitter in own and paper.series is not None and paper.number is not None and _is_invoice(paper):
            papers[paper.series, paper.number].append(paper)
    orders_by_key: dict[str, list[OrderEntry]] = defaultdict(list)
    ties: list[tuple[OrderEntry, Sequence[PaperEntry]]] = []
    for order in board.ledger.orders:
        if order.invoice_number is None or order.invoice_series is None:
            continue
        named = [
            paper
            for paper in papers.get((order.invoice_series, order.invoice_number), ())
            if _same_day(order, paper) and not board.kept_apart(order.hub_id, paper.key or "")
        ]
        certain = _certain(board, order, named) if len(named) <= _MOST_NOTES else ()
        if len(certain) == 1:
            orders_by_key[certain[0].key or ""].append(order)
        elif len(certain) > 1 and not board.sales_of(order.hub_id):
            ties.append((order, certain))
    _commit(board, orders_by_key)
    for order, certain in ties:
        reason = message("several notes of the account have this series, number and day")
        board.tie(LinkKind.INVOICE_NUMBER, [order.hub_id], [paper.key or "" for paper in certain], reason)


def _commit(board: Board, orders_by_key: dict[str, list[OrderEntry]]) -> None:
    proposals: list[Proposal] = []
    for key, orders in orders_by_key.items():
        paper = board.papers[key]
        strange = board.doubtful(orders, paper)
        for order in orders:
            evidence = message("series {series}, number {number} and day of the order's invoice",
                           series=paper.series, number=paper.number)  # fmt: skip
            if order in strange:
                board.doubt(LinkKind.INVOICE_NUMBER, Proposal(order, paper, _CONFIDENCE_DOUBTED, evidence))
            else:
                proposals.append(Proposal(order, paper, _CONFIDENCE, evidence))
    board.commit(LinkKind.INVOICE_NUMBER, proposals)


def _is_invoice(paper: PaperEntry) -> bool:
    return paper.type in NOTES and paper.direction != "0" and paper.operation in _INVOICES


def _certain(board: Board, order: OrderEntry, named: Sequence[PaperEntry]) -> Sequence[PaperEntry]:
    """What is left of several: what stronger evidence chose, else sales of this buyer and total, else all."""
    chosen = [paper for paper in named if board.linked(order.hub_id, paper.key or "")]
    if chosen or len(named) < 2:
        return chosen or named
    sales = [paper for paper in named if is_sale(paper)] or list(named)
    sales = [paper for paper in sales if same_buyer(order, paper) is not False] or sales
    sales = [p for p in sales if in_window(days_between(order, p), board.terms.scored_days)] or sales
    sales = [paper for paper in sales if may_agree(order, paper, board.terms.tolerance)] or sales
    return [paper for paper in sales if not board.orders_of(paper.key or "")] or sales


def _same_day(order: OrderEntry, paper: PaperEntry) -> bool:
    if not order.invoice_on or not paper.issued_on or order.invoice_on == paper.issued_on:
        return True
    try:
        apart = date.fromisoformat(order.invoice_on) - date.fromisoformat(paper.issued_on)
    except ValueError:
        return False
    return abs(apart.days) <= _APART
