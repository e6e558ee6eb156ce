"""Which orders and notes can belong together by buyer, total, day and items: found by blocks, never pair by pair."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import Enum
from itertools import islice, product
from typing import Final, NamedTuple

from confere.reconcile.linking.likeness import (
    EARLIEST,
    HIDDEN,
    by_code,
    by_ean,
    day_of,
    days_between,
    in_window,
    known_tax_id,
    plain_name,
    same_buyer,
    same_items,
    shows_enough,
)
from confere.reconcile.linking.matching_state import Board
from confere.reconcile.totals import may_agree, note_amounts, order_amounts, subset_sums
from confere.sales.reconciliation_input import ItemQuantity, OrderEntry, PaperEntry

_LETTER: Final = re.compile(r"[^*]")
_STRETCH: Final = re.compile(r"\*+|x+")
_FEW: Final = 64  # pairs of one buyer that are compared one by one
_MOST_COMPARED: Final = 200_000  # of one buyer, of which many agree in everything: more is a crowd
_MOST_MASKS: Final = 16  # ways of hiding a tax id that an account's orders may show
_FULL: Final = 90
_EXPLAINED: Final = 6
_NO_ITEMS: Final = 10


class BuyerComparison(Enum):
    """By what a buyer was compared."""

    TAX_ID = "tax id"
    MASKED = "masked tax id"
    NAME = "name"


_LESS: Final = {BuyerComparison.TAX_ID: 0, BuyerComparison.MASKED: 8, BuyerComparison.NAME: 12}  # of confidence


Ids = tuple[str, ...]
Mask = str
"""Where tax ids are hidden: `***xxx**`."""


class FittingGroup(NamedTuple):
    """Orders that are alike and notes that are alike, of which each fits each."""

    orders: Ids
    keys: Ids
    confidence: int
    exact: bool  # in total: nothing has to explain a difference
    items: bool  # could be compared
    buyer: BuyerComparison

    @property
    def pairs(self) -> int:
        return len(self.orders) * len(self.keys)


@dataclass(slots=True)
class Candidates:
    """Every fit; `crowds` are orders and notes of one buyer that are too many and too much alike to be told apart."""

    fits: list[FittingGroup] = field(default_factory=list)
    crowds: list[tuple[Ids, Ids]] = field(default_factory=list)


def candidates(board: Board, orders: Sequence[OrderEntry], notes: Sequence[PaperEntry]) -> Candidates:
    """Every pair that agrees in buyer, total, day and items, and that no person has parted."""
    result = Candidates()
    for some, others in blocks(orders, notes):
        pairs: Iterable[tuple[Ids, Ids]]
        if len(some) * len(others) <= _FEW:
            pairs = (((order.hub_id,), (note.key or "",)) for order in some for note in others)
        else:
            alike = _alike(some, {order_id for order_id, _ in board.parted})
            billed = _alike(others, {key for _, key in board.parted})
            near = list(islice(_near(board, alike, billed), _MOST_COMPARED + 1))
            if len(near) > _MOST_COMPARED:
                result.crowds.append((tuple(order.hub_id for order in some), tuple(note.key or "" for note in others)))
                continue
            pairs = ((alike[one], billed[other]) for one, other in set(near))
        result.fits += (fit for pair in pairs if (fit := _fit(board, *pair)) is not None)
    return result


def blocks(
    orders: Sequence[OrderEntry], notes: Sequence[PaperEntry]
) -> Iterator[tuple[list[OrderEntry], list[PaperEntry]]]:
    """Orders and notes of one buyer: by tax id, by each of the ways in which the orders mask it, else by name."""
    masks = Counter(_mask(order.buyer) for order in orders if order.buyer and HIDDEN in order.buyer)
    telling = sorted((mask for mask in masks if mask.strip(HIDDEN)), key=lambda mask: (-masks[mask], mask))
    usual = {mask: _pieces(mask) for mask in telling[:_MOST_MASKS]}
    unnumbered = any(note.recipient is None for note in notes)
    ordered: dict[str, list[OrderEntry]] = defaultdict(list)
    for order in orders:
        for who in _who(order, usual, unnumbered):
            ordered[who].append(order)
    billed: dict[str, list[PaperEntry]] = defaultdict(list)
    for note in notes:
        for who in _shown(note, usual):
            if who in ordered:
                billed[who].append(note)
    return ((ordered[who], some) for who, some in billed.items())


def _who(order: OrderEntry, usual: Collection[Mask], unnumbered: bool) -> Iterator[str]:
    buyer = known_tax_id(order.buyer)
    numbered = buyer is not None and (HIDDEN not in buyer or (shows_enough(buyer) and _mask(buyer) in usual))
    if numbered:
        yield buyer or ""
    if order.buyer_name and (unnumbered or not numbered):
        yield f"name:{plain_name(order.buyer_name)}"


def _shown(note: PaperEntry, usual: Mapping[Mask, Sequence[str | slice]]) -> Iterator[str]:
    """The recipient as an order may show it."""
    recipient = note.recipient
    if recipient:
        yield recipient
        for mask, pieces in usual.items():
            if len(mask) == len(recipient):
                yield "".join([piece if isinstance(piece, str) else recipient[piece] for piece in pieces])
    if note.recipient_name:
        yield f"name:{plain_name(note.recipient_name)}"


def _mask(buyer: str) -> Mask:
    return _LETTER.sub("x", buyer)


def _pieces(mask: Mask) -> list[str | slice]:
    """What is hidden as it stands, and which part of a tax id is shown."""
    return [match[0] if match[0].startswith(HIDDEN) else slice(*match.span()) for match in _STRETCH.finditer(mask)]


def _near(board: Board, alike: Sequence[Ids], billed: Sequence[Ids]) -> Iterator[tuple[int, int]]:
    """Places of the orders and notes of one buyer that meet in items, in an amount and in the window.

    An order's total, with each of its own amounts in or out, meets a note's with each of its: else nothing explains
    their difference. Amounts are rounded to the tolerance, so those a step apart are looked at too.
    """
    terms, step = board.terms, 2 * board.terms.tolerance + 1
    places: dict[tuple[object, ...], list[tuple[int, int]]] = defaultdict(list)  # of notes: day, place
    for place, keys in enumerate(billed):
        note = board.papers[keys[0]]
        day = day_of(note.issued_on)
        if day is not None and note.total is not None:
            amounts = {amount // step for amount in subset_sums(note.total, note_amounts(note))}
            for name in product(amounts, _names(note.lines)):
                places[name].append((day, place))
    for entries in places.values():
        entries.sort()
    for place, ids in enumerate(alike):
        order = board.orders[ids[0]]
        day = day_of(order.created_on)
        if day is None or order.total is None:
            continue
        amounts = {
            amount // step + near for amount in subset_sums(order.total, order_amounts(order)) for near in (-1, 0, 1)
        }
        for name in product(amounts, _sought(order.lines)):
            entries = places.get(name, [])
            first = bisect_left(entries, (day + EARLIEST, 0))
            last = bisect_left(entries, (day + terms.scored_days + 1, 0))
            yield from ((place, other) for _, other in entries[first:last])


def _alike(entries: Sequence[OrderEntry] | Sequence[PaperEntry], spoken_of: Set[str]) -> list[Ids]:
    """Ids of those that agree in everything that is compared; one that a person decided about stays alone."""
    by_features: dict[tuple[object, ...], list[str]] = {}
    for side in entries:
        own: tuple[object, ...]
        if isinstance(side, OrderEntry):
            name = side.hub_id
            own = side.created_on, side.gross, side.interest, side.buyer, side.buyer_name
        else:
            name = side.key or ""
            added = side.other, side.insurance, side.ipi, side.icms_st
            own = side.issued_on, added, side.recipient, side.recipient_name
        common = side.uf, side.total, side.discount, side.freight, by_code(side.lines), by_ean(side.lines)
        by_features.setdefault((own, common, name if name in spoken_of else None), []).append(name)
    return [tuple(names) for names in by_features.values()]


def _names(lines: Sequence[ItemQuantity]) -> list[tuple[str, object]]:
    """By what an order of the same pieces finds a note: by code, by EAN; any order where its codes are unknown."""
    codes, eans = by_code(lines), by_ean(lines)
    names: list[tuple[str, object]] = [("all", None), ("code", codes) if codes else ("uncoded", None)]
    return [*names, ("ean", eans)] if eans else names


def _sought(lines: Sequence[ItemQuantity]) -> list[tuple[str, object]]:
    codes, eans = by_code(lines), by_ean(lines)
    names: list[tuple[str, object]] = [("uncoded", None), ("code", codes) if codes else ("all", None)]
    return [*names, ("ean", eans)] if eans else names


def _fit(board: Board, ids: Ids, keys: Ids) -> FittingGroup | None:
    order, note, terms = board.orders[ids[0]], board.papers[keys[0]], board.terms
    days = days_between(order, note)
    if days is None or order.total is None or note.total is None or not in_window(days, terms.scored_days):
        return None
    exact = abs(note.total - order.total) <= terms.tolerance
    if not (exact or may_agree(order, note, terms.tolerance)):
        return None
    items = same_items(order, note)
    if items is False or not same_buyer(order, note) or board.kept_apart(ids[0], keys[0]):
        return None
    buyer = compared_by(order, note)
    if items is None and (buyer is not BuyerComparison.TAX_ID or not exact):
        return None  # too little agrees
    if buyer is BuyerComparison.NAME and not (exact and order.uf and order.uf == note.uf):
        return None  # a name alone is no evidence: homonyms live everywhere
    less = abs(days) + _LESS[buyer]
    less += (0 if exact else _EXPLAINED) + (_NO_ITEMS if items is None else 0)
    return FittingGroup(ids, keys, _FULL - less, exact, items is True, buyer)


def compared_by(order: OrderEntry, note: PaperEntry) -> BuyerComparison:
    """What there is to compare the buyer by; a mask that shows too little is no tax id."""
    shown = known_tax_id(order.buyer)
    if shown is None or known_tax_id(note.recipient) is None or not shows_enough(shown):
        return BuyerComparison.NAME
    return BuyerComparison.MASKED if HIDDEN in shown else BuyerComparison.TAX_ID
