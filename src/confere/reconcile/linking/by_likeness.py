"""Kind 6: what is left is compared by buyer, total, day and items, and linked only where it fits in one way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from confere.errors import Message, message
from confere.fiscal.access_keys import is_valid as is_key
from confere.fiscal.model import CANCELLED
from confere.reconcile.linking.candidates import BuyerComparison, FittingGroup, candidates
from confere.reconcile.linking.complete_pairings import forced_pairs
from confere.reconcile.linking.matching_state import Board, Proposal, stands
from confere.sales.links import LinkKind
from confere.sales.order import OrderStatus
from confere.sales.reconciliation_input import OrderEntry, PaperEntry

_UNPAID: Final = OrderStatus.PENDING.value
_CANCELLED: Final = frozenset(state.value for state in CANCELLED)
_MOST_PAIRS: Final = 2_000  # of orders and notes that hang together; more is a tie without a trial
_AMONG_OTHERS: Final = 4  # less of confidence

Component = list[FittingGroup]


def link_by_likeness(board: Board) -> None:
    """First the sales that stand, with the orders that have none; then cancelled ones, with any order.

    What is tied already is compared too: what could be its partner is not sure to be another one's.

    Source: reconciliation rules, Links, 6 (scored), and "A name alone is no evidence".
    """
    open_ = _refuted(board) | board.doubted()
    orders = [
        order
        for order in board.ledger.orders
        if order.status != _UNPAID
        and not board.sales_of(order.hub_id)
        and (order.hub_id in open_ or not names_another(order))
    ]
    proposals: list[Proposal] = []
    for component in _components(board, orders, [paper for paper in left(board) if stands(paper)]):
        proposals += _settled(board, component)
    board.commit(LinkKind.SCORED, proposals)
    board.settle_ties()
    _link_cancelled(board)
    board.settle_ties()


def left(board: Board) -> Iterator[PaperEntry]:
    own = board.ledger.own
    for key, paper in board.sales.items():
        # Where the hub names its order, that one is not here.
        elsewhere = key in board.ledger.elsewhere
        if paper.emitter in own and not board.orders_of(key) and not paper.order_id and not elsewhere:
            yield paper


def names_another(order: OrderEntry) -> bool:
    """The order says which invoice it has, and that one is not here: no other one is its."""
    return order.invoice_number is not None or is_key(order.invoice_key or "")


def _refuted(board: Board) -> set[str]:
    """Orders of which a person has parted the very document that they name as their invoice."""
    refuted: set[str] = set()
    for order_id, key in board.parted:
        order, paper = board.orders.get(order_id), board.papers.get(key)
        if order is not None and paper is not None and paper.number is not None:
            named = order.invoice_series, order.invoice_number
            if order.invoice_key == key or named == (paper.series, paper.number):
                refuted.add(order_id)
    return refuted


def _settled(board: Board, component: Component) -> Iterable[Proposal]:
    """The pairs that are sure; what is left of the component becomes a tie."""
    first, pair = component[0], (component[0].orders[0], component[0].keys[0])
    if len(component) == first.pairs == 1 and pair[0] not in board.tied_orders and pair[1] not in board.tied_keys:
        return [_proposal(board, pair, first, alone=True)]
    orders, keys = _members(component)
    tied = not (board.tied_orders.isdisjoint(orders) and board.tied_keys.isdisjoint(keys))
    if tied or sum(fit.pairs for fit in component) > _MOST_PAIRS:
        _tie(board, component)
        return ()
    single = {(order, key): fit for fit in component for order in fit.orders for key in fit.keys}
    forced = forced_pairs(sorted(single))
    orders -= {order for order, _ in forced}
    keys -= {key for _, key in forced}
    _tie(board, [_one(pair, fit) for pair, fit in single.items() if pair[0] in orders and pair[1] in keys])
    return [_proposal(board, pair, single[pair], alone=False) for pair in forced]


def _members(component: Component) -> tuple[set[str], set[str]]:
    """The component's orders and keys. Those alike are one tuple in many fits: each is looked at once."""
    orders = {id(fit.orders): fit.orders for fit in component}
    keys = {id(fit.keys): fit.keys for fit in component}
    return set(chain.from_iterable(orders.values())), set(chain.from_iterable(keys.values()))


def _tie(board: Board, fits: Component) -> None:
    reason = message("buyer, total, day and items fit in more than one way")
    for component in connected(fits):
        orders, keys = _members(component)
        if not (orders <= board.tied_orders and keys <= board.tied_keys):
            board.tie(LinkKind.SCORED, orders, keys, reason)


def _link_cancelled(board: Board) -> None:
    """A cancelled note takes no order from another: it is linked to the only order that it fits, or to none."""
    notes = [paper for paper in left(board) if paper.state in _CANCELLED]
    orders = [order for order in board.ledger.orders if order.status != _UNPAID] if notes else []
    proposals: list[Proposal] = []
    for component in _components(board, orders, notes):
        if sum(fit.pairs for fit in component) > _MOST_PAIRS:
            _tie(board, component)
            continue
        fits: dict[str, dict[str, FittingGroup]] = defaultdict(dict)
        for fit in component:
            for key in fit.keys:
                fits[key] |= dict.fromkeys(fit.orders, fit)
        unsure: Component = []
        for key, fitting in fits.items():
            order = next(iter(fitting))
            if len(fitting) > 1 or order in board.tied_orders or key in board.tied_keys:
                unsure += (_one((order, key), fit) for order, fit in fitting.items())
            else:
                proposals.append(_proposal(board, (order, key), fitting[order], alone=True))
        _tie(board, unsure)
    board.commit(LinkKind.SCORED, proposals)


def _components(board: Board, orders: Sequence[OrderEntry], notes: Sequence[PaperEntry]) -> Iterator[Component]:
    alike = candidates(board, orders, notes)
    crowds = [
        FittingGroup(some, keys, 0, exact=False, items=False, buyer=BuyerComparison.NAME) for some, keys in alike.crowds
    ]
    return iter(connected([*alike.fits, *crowds]))


def _one(pair: tuple[str, str], fit: FittingGroup) -> FittingGroup:
    return fit._replace(orders=pair[:1], keys=pair[1:])


def _proposal(board: Board, pair: tuple[str, str], fit: FittingGroup, *, alone: bool) -> Proposal:
    order, paper = board.orders[pair[0]], board.papers[pair[1]]
    if alone:
        confidence, remark = fit.confidence, message("no other order or document fits")
    else:
        confidence, remark = fit.confidence - _AMONG_OTHERS, message("others fit too, but only so each has its own")
    return Proposal(order, paper, confidence, _agreeing(fit), remark)


def _agreeing(fit: FittingGroup) -> Message:
    """What was compared, and what was missing for it."""
    if fit.buyer is BuyerComparison.NAME:
        return message(
            "the buyer's name and state, the total, day and items agree; there is no whole tax id to compare"
        )
    if fit.buyer is BuyerComparison.MASKED:
        if fit.exact:
            return message("what is shown of the buyer's tax id, the total, day and items agree")
        return message(
            "what is shown of the buyer's tax id, the day and items agree; freight, discount, interest or taxes make up"
            " the totals"
        )
    if not fit.items:
        return message("the buyer's tax id, the total and day agree; the items cannot be compared")
    if fit.exact:
        return message("the buyer's tax id, the total, day and items agree")
    return message(
        "the buyer's tax id, the day and items agree; freight, discount, interest or taxes make up the totals"
    )


def connected(fits: Sequence[FittingGroup]) -> list[Component]:
    """The fits cut into groups that share no order and no note."""
    parent: dict[str, str] = {}

    def root(name: str) -> str:
        while (above := parent.setdefault(name, name)) != name:
            parent[name] = parent[above]
            name = parent[name]
        return name

    known: set[int] = set()  # those alike are one tuple in many fits
    for fit in fits:
        first, other = root(f"o{fit.orders[0]}"), root(f"k{fit.keys[0]}")
        parent[other] = first
        for side, mark in ((fit.orders, "o"), (fit.keys, "k")):
            if len(side) > 1 and id(side) not in known:
                known.add(id(side))
                for name in side[1:]:
                    parent[root(mark + name)] = root(mark + side[0])
    groups: dict[str, Component] = defaultdict(list)
    for fit in fits:
        groups[root(f"o{fit.orders[0]}")].append(fit)
    return list(groups.values())
