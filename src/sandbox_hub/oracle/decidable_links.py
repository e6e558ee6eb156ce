"""Which links the evidence that is left decides: found by brute force over all that a client can see.

Nothing here knows how anyone matches. What names an order or a document outright links it; what remains is tried in
every way that fits, and a link is decided when all of these ways agree on it: what was planted plays no part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from sandbox_hub.oracle.fitting_pairs import SeenOrder, SeenPaper, Shelves, fits, is_of_number

_LARGEST = 6  # orders that are tried together; of larger knots nothing is decided


Pair = tuple[int, str]  # an order's id, a document's key


def decided(orders: Iterable[SeenOrder], papers: Iterable[SeenPaper]) -> set[Pair]:
    """The links that follow from what is seen, and only from that."""
    table = _Table(orders)
    for paper in papers:
        table.lay(paper)
    table.settle()
    return table.pairs


class _Table:
    """Everything laid out: orders first, then the documents one by one."""

    def __init__(self, orders: Iterable[SeenOrder]) -> None:
        self.pairs: set[Pair] = set()
        self._orders = {order.id: order for order in orders}
        self._by_code = {order.code: order.id for order in self._orders.values()}
        self._by_key: defaultdict[str, list[int]] = defaultdict(list)
        for order in self._orders.values():
            if order.key is not None:
                self._by_key[order.key].append(order.id)
        self._numbers = {order.number for order in self._orders.values() if order.number is not None}
        self._numbered: defaultdict[tuple[str, str], list[SeenPaper]] = defaultdict(list)
        self._open: list[SeenPaper] = []  # sales that nothing names
        self._sales: set[str] = set()
        self._others: dict[str, tuple[str, ...]] = {}  # what the other documents refer to
        self._taken_up: defaultdict[str, list[str]] = defaultdict(list)  # from a document to the sales that refer to it

    def lay(self, paper: SeenPaper) -> None:
        """Put a document on the table; what names its orders links it at once."""
        named = set(self._by_key.get(paper.key, ())) | self._named(paper)
        self.pairs.update((order, paper.key) for order in named)
        if paper.amounts is None:
            self._others[paper.key] = paper.refers
            return
        self._sales.add(paper.key)
        for other in paper.refers:
            self._taken_up[other].append(paper.key)
        if paper.number in self._numbers:
            self._numbered[paper.number].append(paper)
        # A name that leads nowhere is a name all the same: it is no other order's.
        if not named and paper.order_id is None and paper.external_id is None and paper.order_code is None:
            self._open.append(paper)

    def settle(self) -> None:
        """Link by number, then by trying, then along the references."""
        linked = {order for order, key in self.pairs if key in self._sales}
        waiting: dict[int, list[SeenPaper]] = {}
        for order in self._orders.values():
            if order.number is not None and order.key is None and order.id not in linked:
                candidates = [paper for paper in self._numbered[order.number] if is_of_number(order, paper)]
                if len(candidates) > 1:
                    candidates = [paper for paper in candidates if fits(order, paper)] or candidates
                if len(candidates) == 1:
                    self.pairs.add((order.id, candidates[0].key))
                else:
                    waiting[order.id] = candidates
        self._try_what_is_open(waiting)
        self._follow_references()

    def _named(self, paper: SeenPaper) -> set[int]:
        named = {paper.order_id} if paper.order_id in self._orders else set()
        for word in (paper.external_id or "").split("-"):
            if word.isdecimal() and int(word) in self._orders:
                named.add(int(word))
        for word in [paper.order_code or "", *paper.remarks.replace(",", " ").split()]:
            if word.strip(".") in self._by_code:
                named.add(self._by_code[word.strip(".")])
        return {order for order in named if order is not None}

    def _try_what_is_open(self, waiting: dict[int, list[SeenPaper]]) -> None:
        taken_orders = {order for order, key in self.pairs if key in self._sales}
        taken_sales = {key for _, key in self.pairs}
        shelves = Shelves(paper for paper in self._open if paper.key not in taken_sales)
        edges: dict[int, list[str]] = {}
        for order in self._orders.values():
            if order.id in taken_orders or order.key is not None:
                continue
            if order.number is not None:
                found = [paper.key for paper in waiting.get(order.id, ()) if paper.key not in taken_sales]
            else:
                found = [paper.key for paper in shelves.near(order) if fits(order, paper)]
            if found:
                edges[order.id] = found
        for knot in _knots(edges):
            self.pairs |= agreed({order: edges[order] for order in knot})

    def _follow_references(self) -> None:
        orders_of: defaultdict[str, list[int]] = defaultdict(list)
        for order, key in self.pairs:
            if key in self._sales:
                orders_of[key].append(order)
        for key in self._others:
            for sale in self._sales_around(key):
                # A sale that is not here is still known by the order that tells its key.
                for order in orders_of[sale] if sale in self._sales else self._by_key.get(sale, ()):
                    self.pairs.add((order, key))

    def _sales_around(self, key: str) -> set[str]:
        """The sales that a document leads to along its references, and those that refer to it."""
        found = set(self._taken_up.get(key, ()))
        seen, ahead = {key}, list(self._others[key])
        while ahead:
            following = ahead.pop()
            if following in seen:
                continue
            seen.add(following)
            if following in self._others:
                ahead += self._others[following]
            else:
                found.add(following)
        return found


def agreed(edges: dict[int, list[str]]) -> set[Pair]:
    """The pairs on which all ways agree to give orders a sale of their own, each leaving as few without as can be."""
    if len(edges) > _LARGEST:
        return set()
    best, common = 0, set[Pair]()
    for way in _ways(list(edges.items()), frozenset()):
        if len(way) > best:
            best, common = len(way), set(way)
        elif len(way) == best:
            common &= way
    return common


def _ways(edges: Sequence[tuple[int, list[str]]], taken: frozenset[str]) -> Iterator[frozenset[Pair]]:
    if not edges:
        yield frozenset()
        return
    (order, sales), rest = edges[0], edges[1:]
    yield from _ways(rest, taken)
    for sale in sales:
        if sale not in taken:
            for way in _ways(rest, taken | {sale}):
                yield way | {(order, sale)}


def _knots(edges: dict[int, list[str]]) -> Iterator[list[int]]:
    """The orders that compete for the same sales, directly or through others."""
    rivals: defaultdict[str, list[int]] = defaultdict(list)
    for order, sales in edges.items():
        for sale in sales:
            rivals[sale].append(order)
    seen: set[int] = set()
    for start in edges:
        knot, ahead = [], [start]
        while ahead:
            order = ahead.pop()
            if order not in seen:
                seen.add(order)
                knot.append(order)
                ahead += [rival for sale in edges[order] for rival in rivals[sale]]
        if knot:
            yield knot
