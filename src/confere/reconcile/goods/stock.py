"""Goods at the marketplace (R16): what was sent there, what left, what stands there, with the documents behind it.

A symbolic return and the sale that it makes room for are one movement: what left counts by the symbolic return. Only a
sale that has none (R15) counts by itself. A sale return moves nothing: the symbolic remessa after it does.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final, NamedTuple

from confere.fiscal.operations import Operation
from confere.reconcile import predicates
from confere.reconcile.context import REFERRING, View
from confere.reconcile.coverage import listed_periods
from confere.reconcile.goods import fulfilment
from confere.sales.reconciliation_input import ItemQuantity, PaperEntry
from confere.sales.slotted_records import record

_NONE: Final = Decimal(0)


class Move(StrEnum):
    """Why pieces came or left."""

    SENT = "sent"  # remessa
    SENT_SYMBOLICALLY = "sent_symbolically"  # remessa simbólica, after a customer's return
    SOLD = "sold"  # retorno simbólico with its sale, or a sale that has none
    REMOVED = "removed"  # retorno simbólico without a sale
    RETURNED = "returned"  # retorno: they came back
    LOST = "lost"  # debit note of type 07: they went out of stock, and nobody bought them


@record
class Movement:
    """Pieces of one item on one document. `quantity` is negative for what left; `value` in centavos.

    `counted` is False for pieces that left out of a remessa from before the archive begins: nobody knows what else
    it held. `balance` is what stood there afterwards.
    """

    key: str
    on: str
    at: float
    move: Move
    quantity: Decimal
    value: int
    counted: bool
    balance: Decimal
    description: str | None


@dataclass(frozen=True, slots=True)
class StockLine:
    """One item of one establishment at one marketplace. Quantities are pieces, `value` centavos.

    `negative`: the movement at which the balance first fell below zero, `lowest` how far it fell at the worst.
    `standing_since`: the day of the oldest pieces still there; `standing_old` are those older than the term allows,
    `standing_value` what they were sent for.
    """

    emitter: str
    marketplace: str
    code: str
    description: str | None
    sent: Decimal
    sent_symbolically: Decimal
    sold: Decimal
    removed: Decimal
    returned: Decimal
    balance: Decimal
    lowest: Decimal
    lowest_value: int
    negative: Movement | None
    standing_since: str
    standing_old: Decimal
    standing_value: int
    movements: tuple[Movement, ...]
    lost: Decimal = _NONE

    @property
    def subject(self) -> str:
        return f"{self.emitter}/{self.marketplace}/{self.code}"


class _Item(NamedTuple):
    emitter: str
    marketplace: str
    code: str


class _Entry(NamedTuple):
    """A line that moves pieces, before the balance is known."""

    at: float
    leaves: bool
    paper: PaperEntry
    move: Move
    quantity: Decimal
    line: ItemQuantity
    counted: bool


class _Layer(NamedTuple):
    """Pieces that came together and still stand."""

    on: str
    at: float
    quantity: Decimal
    unit: Decimal


_MOVES: Final = {
    Operation.INBOUND.value: Move.SENT,
    Operation.SYMBOLIC_INBOUND.value: Move.SENT_SYMBOLICALLY,
    Operation.INBOUND_RETURN.value: Move.RETURNED,
}
_LOSS: Final = Operation.STOCK_LOSS.value
_COMING: Final = frozenset({Move.SENT, Move.SENT_SYMBOLICALLY})
_LEAVING: Final = frozenset(Move) - _COMING


def table(view: View) -> tuple[StockLine, ...]:
    """All items that ever stood at a marketplace, by establishment, marketplace and code.

    Source: reconciliation rules, R16, and "Inventory".
    """
    moved: dict[_Item, list[_Entry]] = defaultdict(list)
    markets = _markets(view)
    keeping = fulfilment.keepers(view)
    for paper in view.papers.values():
        move = _move(view, paper, keeping)
        if move is None:
            continue
        at, owner = listed_periods.issued(paper), fulfilment.owner(view, paper)
        if at is None or owner is None:
            continue
        market = _market(view, paper, markets)
        counted = move in _COMING or not _from_before(view, paper, at)
        sign = 1 if move in _COMING else -1
        for line in paper.lines:
            code = line.code or line.ean
            if code is not None and line.quantity is not None:
                movement = _Entry(at, move in _LEAVING, paper, move, sign * line.quantity, line, counted)
                moved[_Item(owner, market, code)].append(movement)
    return tuple(_line(item, movements, view) for item, movements in sorted(moved.items()))


def _move(view: View, paper: PaperEntry, keeping: frozenset[str]) -> Move | None:
    if not predicates.effective(paper) or paper.type not in predicates.NOTES:
        return None
    if paper.operation == fulfilment.SYMBOLIC_RETURN:
        return Move.SOLD if _has_sale(view, paper) else Move.REMOVED
    if view.is_sale(paper):
        return Move.SOLD if fulfilment.is_fulfilled(view, paper, keeping) and not _has_return(view, paper) else None
    if paper.operation == _LOSS:
        return Move.LOST if fulfilment.is_kept_away(view, paper) else None
    return _MOVES.get(paper.operation)


def _has_return(view: View, sale: PaperEntry) -> bool:
    return bool(fulfilment.symbolic_returns_named(view, sale) or fulfilment.symbolic_returns_of_orders(view, sale))


def _has_sale(view: View, paper: PaperEntry) -> bool:
    if fulfilment.sales_naming(view, paper):
        return True
    return any(view.sales_of(order.hub_id) for order in view.orders_of(paper.key))


def _from_before(view: View, paper: PaperEntry, at: float) -> bool:
    """Whether what left refers to a remessa that is not here for a reason that says nothing about the stock."""
    absent = [key for key in view.targets(paper.key, REFERRING) if key not in view.papers]
    return any(view.why_absent(key, at) is not None for key in absent)


def _markets(view: View) -> dict[str, str]:
    """The marketplace of each warehouse, as some paper's record names it; else as the orders of what it sold do."""
    markets: dict[str, str] = {}
    for paper in view.papers.values():
        if paper.marketplace and paper.recipient and paper.operation in _MOVES:
            markets.setdefault(paper.recipient, paper.marketplace)
    for paper in view.papers.values():  # files alone name no marketplace
        if paper.operation == fulfilment.SYMBOLIC_RETURN and (warehouse := _other_party(view, paper)):
            sold = (order for sale in fulfilment.sales_naming(view, paper) for order in view.orders_of(sale.key))
            name = next((order.marketplace for order in sold if order.marketplace), None)
            if name is not None:
                markets.setdefault(warehouse, name)
    return markets


def _other_party(view: View, paper: PaperEntry) -> str | None:
    return paper.recipient if paper.emitter in view.ledger.own else paper.emitter


def _market(view: View, paper: PaperEntry, markets: dict[str, str]) -> str:
    if paper.marketplace:
        return paper.marketplace
    ordered = (order.marketplace for order in view.orders_of(paper.key) if order.marketplace)
    marketplace = next(ordered, None) or markets.get(paper.recipient or "")
    if marketplace is None and paper.operation == _LOSS:  # issued to the company itself: what it refers to stood there
        sent = [view.papers[key] for key in view.targets(paper.key, REFERRING) if key in view.papers]
        return next((_market(view, named, markets) for named in sent if named.operation in _MOVES), "?")
    return marketplace or markets.get(_other_party(view, paper) or "") or paper.recipient or "?"


def _line(item: _Item, entries: list[_Entry], view: View) -> StockLine:
    # What came within the same second came first: nobody sells what is not there.
    entries.sort(key=lambda item: (item.at, item.leaves, item.paper.key or ""))
    movements: list[Movement] = []
    sums = dict.fromkeys(Move, _NONE)
    balance = lowest = _NONE
    lowest_value = 0
    negative: Movement | None = None
    for at, _, paper, move, quantity, line, counted in entries:
        if counted:
            balance += quantity
            sums[move] += abs(quantity)
        movement = Movement(
            paper.key or "", paper.issued_on, at, move, quantity, line.total or 0, counted, balance, line.description
        )
        movements.append(movement)
        if balance < lowest:
            lowest, lowest_value = balance, int(_unit(movement) * -balance)
            negative = negative or movement
    layers = _standing(movements)
    oldest = view.now - view.terms.standing_days * listed_periods.DAY
    old = [layer for layer in layers if layer.at < oldest]
    return StockLine(
        emitter=item.emitter,
        marketplace=item.marketplace,
        code=item.code,
        description=next((item.description for item in reversed(movements) if item.description), None),
        sent=sums[Move.SENT],
        sent_symbolically=sums[Move.SENT_SYMBOLICALLY],
        sold=sums[Move.SOLD],
        removed=sums[Move.REMOVED],
        returned=sums[Move.RETURNED],
        balance=balance,
        lowest=lowest,
        lowest_value=lowest_value,
        negative=negative,
        standing_since=layers[0].on if layers else "",
        standing_old=sum((layer.quantity for layer in old), _NONE),
        standing_value=int(sum((layer.quantity * layer.unit for layer in old), _NONE)),
        movements=tuple(movements),
        lost=sums[Move.LOST],
    )


def _unit(movement: Movement) -> Decimal:
    return Decimal(movement.value) / abs(movement.quantity) if movement.quantity else _NONE


def _standing(movements: Sequence[Movement]) -> list[_Layer]:
    """What is left, first in first out; pieces that left before they came are taken from the next to come.

    What does not count in the balance may all the same have taken these pieces: it leaves nothing standing that is not
    certain to stand.
    """
    layers: deque[_Layer] = deque()
    owed = _NONE
    for movement in movements:
        if movement.quantity >= 0:
            settled = min(owed, movement.quantity)
            owed -= settled
            if movement.quantity > settled:
                layers.append(_Layer(movement.on, movement.at, movement.quantity - settled, _unit(movement)))
            continue
        leaving = -movement.quantity
        while leaving and layers:
            first = layers[0]
            taken = min(leaving, first.quantity)
            leaving -= taken
            if taken == first.quantity:
                layers.popleft()
            else:
                layers[0] = first._replace(quantity=first.quantity - taken)
        owed += leaving if movement.counted else _NONE
    return list(layers)
