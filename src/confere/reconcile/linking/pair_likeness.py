"""What an order and a document have in common, and how near that makes them, for who looks for a partner."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from confere.reconcile.linking.likeness import days_between, in_window, same_buyer, same_items, total_difference
from confere.reconcile.totals import may_agree
from confere.sales.reconciliation_input import OrderEntry, PaperEntry
from confere.sales.terms import Terms

_WEIGHTS = (3, 3, 2, 1)  # buyer, total, items, day


class PairLikeness(NamedTuple):
    """What agrees: True, differs: False, cannot be compared: None.

    `difference` is the document's total less the order's, in centavos; `days` are those from the order to the document.
    `total` is True also where freight, discount, interest or taxes that one side leaves out make up the difference.
    """

    buyer: bool | None
    total: bool | None
    items: bool | None
    day: bool | None
    difference: int | None
    days: int | None

    @property
    def rank(self) -> tuple[int, int, int]:
        """Sorts the nearest first: by what agrees and what differs, then by money, then by days."""
        score = sum(
            weight if agrees else -weight
            for weight, agrees in zip(_WEIGHTS, (self.buyer, self.total, self.items, self.day), strict=True)
            if agrees is not None
        )
        return -score, abs(self.difference or 0), abs(self.days or 0)


def pair_likeness(order: OrderEntry, paper: PaperEntry, terms: Terms) -> PairLikeness:
    """Compare the two by what links of the sixth kind compare: buyer, total, items and day."""
    difference, days = total_difference(order, paper), days_between(order, paper)
    return PairLikeness(
        buyer=same_buyer(order, paper),
        total=None if difference is None else may_agree(order, paper, terms.tolerance),
        items=same_items(order, paper),
        day=None if days is None else in_window(days, terms.scored_days),
        difference=difference,
        days=days,
    )


def in_order(
    orders: Iterable[tuple[str | None, str]], papers: Iterable[tuple[str | None, str]]
) -> Sequence[tuple[str, str]]:
    """The first order with the first document, the second with the second, and so on; what is over stays alone.

    Both are times in UTC with an id; what has no time comes last.
    """

    def by_time(entry: tuple[str | None, str]) -> tuple[bool, str, str]:
        return entry[0] is None, entry[0] or "", entry[1]

    return [
        (order_id, key)
        for (_, order_id), (_, key) in zip(sorted(orders, key=by_time), sorted(papers, key=by_time), strict=False)
    ]
