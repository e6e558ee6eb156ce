"""What a client sees of orders and documents, and which sale can be which order's by that alone."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

from sandbox_hub.world.timeline import DAY

_EARLIEST, _LATEST = -1, 10  # days from an order to its sale
_TOLERANCE = 1  # centavo
_VISIBLE = {11: slice(3, 9), 14: slice(2, 8)}  # what a masked tax id always shows


class SeenAmounts(NamedTuple):
    """Centavos; `goods` are the pieces of each code, sorted. `other` is what a sale adds besides."""

    total: int
    discount: int
    freight: int
    other: int
    goods: str


class SeenOrder(NamedTuple):
    """What an order shows. `day` is local, as an ordinal; `buyer` without punctuation, hidden characters are `*`.

    `key`, `number` (series and number) and `invoiced_at` (seconds) are what is left of its invoice.
    """

    id: int
    code: str
    day: int
    buyer: str
    amounts: SeenAmounts
    key: str | None = None
    number: tuple[str, str] | None = None
    invoiced_at: int | None = None


class SeenPaper(NamedTuple):
    """What a document shows: the hub's record of it and its XML. All from `order_code` on only of sales.

    `order_id` is the record's, `external_id` and `order_code` (xPed) the XML's, `remarks` its infCpl or xObs.
    """

    key: str
    refers: tuple[str, ...]
    order_id: int | None = None
    external_id: str | None = None
    remarks: str = ""
    order_code: str | None = None
    number: tuple[str, str] = ("", "")
    issued_at: int = 0
    day: int = 0
    buyer: str = ""
    amounts: SeenAmounts | None = None


class Shelves:
    """Sales by what every tax id shows of itself, in order of day: so that an order looks at few of them."""

    def __init__(self, papers: Iterable[SeenPaper]) -> None:
        self._shelves: defaultdict[str, list[SeenPaper]] = defaultdict(list)
        for paper in sorted(papers, key=lambda paper: (paper.day, paper.key)):
            self._shelves[_shown(paper.buyer)].append(paper)

    def near(self, order: SeenOrder) -> Sequence[SeenPaper]:
        shelf = self._shelves.get(_shown(order.buyer), [])
        first = bisect_left(shelf, order.day + _EARLIEST, key=lambda paper: paper.day)
        return shelf[first : bisect_right(shelf, order.day + _LATEST, key=lambda paper: paper.day)]


def _shown(tax_id: str) -> str:
    return tax_id[_VISIBLE.get(len(tax_id), slice(None))]


def fits(order: SeenOrder, paper: SeenPaper) -> bool:
    """Whether a sale can be the order's: its buyer, a day near it, the same goods, a total that can be explained."""
    mine, its = order.amounts, paper.amounts
    if its is None or mine.goods != its.goods or not _same_buyer(order.buyer, paper.buyer) or not _near(order, paper):
        return False
    freight = {0, -mine.freight if not its.freight else 0, its.freight if not mine.freight else 0}
    discount = {0, mine.discount if not its.discount else 0, -its.discount if not mine.discount else 0}
    explained = product(freight, discount, {0, its.other})
    return any(abs(its.total - mine.total - sum(amounts)) <= _TOLERANCE for amounts in explained)


def is_of_number(order: SeenOrder, paper: SeenPaper) -> bool:
    """Whether a sale of the number that the order tells is that order's: another company's may have the same."""
    if not _same_buyer(order.buyer, paper.buyer):
        return False
    return _near(order, paper) if order.invoiced_at is None else abs(order.invoiced_at - paper.issued_at) < DAY


def _near(order: SeenOrder, paper: SeenPaper) -> bool:
    return _EARLIEST <= paper.day - order.day <= _LATEST


def _same_buyer(shown: str, tax_id: str) -> bool:
    return len(shown) == len(tax_id) and all(a in ("*", b) for a, b in zip(shown, tax_id, strict=True))
