"""Links between the orders and the documents of a ledger: six kinds of evidence, the strongest first.

The rule book's order: the key on the order; the order in the hub's record; series, number, emitter and day; numbers
that the document quotes; references between documents; likeness. A person's decisions come before them all. What
fits in more than one way becomes a tie, what nearly fits a suggestion: a person decides both. What an order names by
hand, of another buyer and another total, waits until all the rest is said.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from confere.reconcile.linking.by_identity import link_by_key, link_by_record
from confere.reconcile.linking.by_likeness import link_by_likeness
from confere.reconcile.linking.by_number import link_by_number
from confere.reconcile.linking.by_quote import link_by_quote
from confere.reconcile.linking.by_reference import Paths, link_by_reference, link_leaders, link_to_absent
from confere.reconcile.linking.matching_state import Board
from confere.reconcile.linking.near_misses import suggestions
from confere.sales.links import Decision, Linked
from confere.sales.reconciliation_input import Ledger
from confere.sales.terms import Terms

VERSION = 2
"""Raised when the same ledger would be linked otherwise; kept with each run."""


def link(ledger: Ledger, terms: Terms, decisions: Sequence[Decision] = ()) -> Linked:
    """Every link and every tie of the ledger. Pure; the order of its entries makes no difference.

    `decisions` are in the order in which they were made.

    Source: reconciliation rules, Links (strongest evidence first; a tie is never linked by itself; a person's decision
    is never undone).
    """
    with _collector_at_rest():
        return _linked(ledger, terms, decisions)


def _linked(ledger: Ledger, terms: Terms, decisions: Sequence[Decision]) -> Linked:
    board = Board(ledger, terms, decisions)
    link_by_key(board)
    link_by_record(board)
    link_by_number(board)
    link_by_quote(board)
    board.settle_ties()
    paths = Paths(board)
    link_to_absent(board)
    link_leaders(board, paths)
    link_by_reference(board, paths)
    link_by_likeness(board)
    board.commit_doubted()
    link_by_reference(board, paths)
    board.settle_ties()
    return Linked(board.links(), board.ties(), suggestions(board))


@contextmanager
def _collector_at_rest() -> Iterator[None]:
    """No garbage collection meanwhile: nothing here is circular, and looking through a large ledger again and again
    takes as long as linking it."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
