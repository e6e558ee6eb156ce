"""Goods in the marketplace's warehouse: which sales leave it, and by which symbolic return."""

from __future__ import annotations

from typing import Final

from confere.fiscal.operations import Operation
from confere.reconcile import predicates
from confere.reconcile.context import REFERRING, View
from confere.sales.reconciliation_input import PaperEntry

SYMBOLIC_RETURN: Final = Operation.SYMBOLIC_INBOUND_RETURN.value
_CHAIN: Final = frozenset(
    operation.value
    for operation in (
        Operation.INBOUND,
        Operation.INBOUND_RETURN,
        Operation.SYMBOLIC_INBOUND,
        Operation.SYMBOLIC_INBOUND_RETURN,
    )
)


def keepers(view: View) -> frozenset[str]:
    """The establishments that keep goods at a marketplace: those with papers of such a chain.

    CFOP x.105 and x.106 alone do not say it: they are also those of goods that a supplier ships to the buyer.
    """
    own = view.ledger.own
    owners = {owner(view, paper) for paper in view.papers.values() if paper.operation in _CHAIN}
    return frozenset(tax_id for tax_id in owners if tax_id is not None and tax_id in own)


def owner(view: View, paper: PaperEntry) -> str | None:
    """The establishment whose goods move: a warehouse may issue the note in its place."""
    return paper.emitter if paper.emitter in view.ledger.own else paper.recipient


def is_kept_away(view: View, loss: PaperEntry) -> bool:
    """Whether goods that were lost stood at a marketplace: the note refers to what was sent there, or is to whom."""
    if any(paper.operation in _CHAIN for paper in _named(view, loss)):
        return True
    own = view.ledger.own
    return loss.recipient not in own and loss.recipient in _warehouses(view)


def _warehouses(view: View) -> frozenset[str | None]:
    return frozenset(paper.recipient for paper in view.papers.values() if paper.operation in _CHAIN)


def is_fulfilled(view: View, sale: PaperEntry, keeping: frozenset[str]) -> bool:
    """Whether a sale leaves the marketplace's warehouse: by its CFOP, or by the symbolic return that it refers to."""
    if predicates.from_warehouse(sale) and sale.emitter in keeping:
        return True
    named = _named(view, sale)
    return bool(named) and any(paper.operation == SYMBOLIC_RETURN for paper in named)


def symbolic_returns_named(view: View, sale: PaperEntry) -> list[PaperEntry]:
    """The symbolic returns in effect that a sale refers to."""
    return [paper for paper in _named(view, sale) if paper.operation == SYMBOLIC_RETURN and predicates.effective(paper)]


def symbolic_returns_of_orders(view: View, sale: PaperEntry) -> list[PaperEntry]:
    """The symbolic returns in effect that belong to the orders of a sale."""
    linked = (paper for order in view.orders_of(sale.key) for paper in view.papers_of(order.hub_id))
    return [paper for paper in linked if paper.operation == SYMBOLIC_RETURN and predicates.effective(paper)]


def sales_naming(view: View, symbolic_return: PaperEntry) -> list[PaperEntry]:
    """The sales in effect that refer to a symbolic return."""
    return [
        paper for paper in view.referring_to(symbolic_return.key) if predicates.effective(paper) and view.is_sale(paper)
    ]


def _named(view: View, sale: PaperEntry) -> list[PaperEntry]:
    named = view.targets(sale.key, REFERRING)
    return [view.papers[key] for key in named if key in view.papers] if named else []
