"""What CT-e bill for the orders whose goods they carry: groups of both, and each CT-e's total over its notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import combinations
from typing import Final

from confere.fiscal.references import RelationKind
from confere.reconcile import predicates
from confere.reconcile.context import View
from confere.reconcile.graph.order_groups import components, in_time
from confere.sales.reconciliation_input import OrderEntry, PaperEntry
from confere.sales.slotted_records import record

CARRIES: Final = frozenset({RelationKind.CARRIES.value})
CARRYING: Final = frozenset({None, "", "0", "3", "5", "6"})
"""tpCTe that carry goods: normal, substitution, and both of the simplified one; others change another CT-e."""
COMPLEMENT: Final = "1"
_COMPLEMENTS: Final = frozenset({RelationKind.COMPLEMENTS.value})
_REPLACES: Final = frozenset({RelationKind.REPLACES.value})
_CONTINUES: Final = frozenset({RelationKind.CONTINUES.value})


@record
class Haul:
    """CT-e in effect that share notes or orders. `carried` are keys, here or not; `twice` bill one leg together."""

    freights: tuple[PaperEntry, ...]
    complements: tuple[PaperEntry, ...]
    carried: tuple[str, ...]
    orders: tuple[OrderEntry, ...]
    twice: tuple[PaperEntry, ...]

    @property
    def papers(self) -> list[PaperEntry]:
        return in_time((*self.freights, *self.complements))

    @property
    def billed(self) -> int:
        """What they come to, in centavos."""
        return sum([paper.total or 0 for paper in (*self.freights, *self.complements)])


def carrying_in_effect(paper: PaperEntry) -> bool:
    """Whether it is a CT-e in effect that carries goods by its nature."""
    return paper.type == "cte" and paper.purpose in CARRYING and predicates.effective(paper)


def hauls(view: View) -> Iterator[Haul]:
    """All groups of CT-e that the account pays for; what is replaced, cancelled or annulled does not count.

    Source: reconciliation rules, R10 and R11.
    """
    carried_by: dict[str, Sequence[str]] = {}
    pairs: list[tuple[str, str]] = []
    for paper in view.freights:
        if not carrying_in_effect(paper) or not _is_ours(view, paper):
            continue
        key = paper.key or ""
        carried = carried_by[key] = _carried(view, paper)
        for note in carried:
            pairs.append((key, note))
            pairs += [(key, f"order {order.hub_id}") for order in view.orders_of(note)]
    for freight_keys, _ in components(pairs):
        yield _haul(view, [view.papers[key] for key in freight_keys], carried_by)


def allocated(total: int, notes: Sequence[PaperEntry]) -> list[int]:
    """A CT-e's total over the notes that it carries: by value, else by weight, else equally; it adds up exactly.

    Source: reconciliation rules, R10 (by value, weight or equally).
    """
    weights: list[Decimal] = [Decimal(note.total or 0) for note in notes]
    if not all(weights):
        weights = [note.weight or Decimal(0) for note in notes]
    if not all(weights):
        weights = [Decimal(1) for _ in notes]
    whole, given, before = sum(weights), 0, Decimal(0)
    shares = []
    for weight in weights:
        before += weight
        upto = int((total * before / whole).to_integral_value())
        shares.append(upto - given)
        given = upto
    return shares


def _is_ours(view: View, paper: PaperEntry) -> bool:
    return paper.taker is None or paper.taker in view.ledger.own


def _carried(view: View, paper: PaperEntry) -> Sequence[str]:
    """What it carries; a substitute that names nothing carries what the one in its place did."""
    keys = view.targets(paper.key, CARRIES)
    if keys:
        return keys
    return [key for replaced in view.targets(paper.key, _REPLACES) for key in view.targets(replaced, CARRIES)]


def _haul(view: View, freights: list[PaperEntry], carried_by: dict[str, Sequence[str]]) -> Haul:
    by_note: dict[str, list[PaperEntry]] = {}
    for freight in freights:
        for note in carried_by[freight.key or ""]:
            by_note.setdefault(note, []).append(freight)
    complements = {
        paper.key or "": paper
        for freight in freights
        for paper in view.sources(freight.key, _COMPLEMENTS)
        if paper.purpose == COMPLEMENT and predicates.effective(paper)
    }
    twice: dict[str, PaperEntry] = {}
    for sharing in by_note.values() if len(freights) > 1 else ():
        for one, other in combinations(sharing, 2):
            if _same_leg(view, one, other):
                twice |= {one.key or "": one, other.key or "": other}
    orders = {order.hub_id: order for note in by_note for order in view.orders_of(note)}
    return Haul(
        tuple(freights),
        tuple(complements.values()),
        tuple(by_note),
        tuple(orders.values()),
        tuple(in_time(twice.values())),
    )


def _same_leg(view: View, one: PaperEntry, other: PaperEntry) -> bool:
    """Same recipient and taker, and neither takes the load over from the other."""
    if one.recipient != other.recipient or one.taker != other.taker:
        return False
    return other.key not in view.targets(one.key, _CONTINUES) and one.key not in view.targets(other.key, _CONTINUES)
