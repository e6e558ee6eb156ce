"""Everything that rules look at, with the indexes they share, built once for a run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from operator import itemgetter
from typing import Final

from confere.fiscal import access_keys
from confere.fiscal.references import RelationKind as Kind
from confere.reconcile import predicates
from confere.reconcile.coverage import listed_periods
from confere.reconcile.coverage.known_periods import KnownPeriods
from confere.reconcile.graph.order_groups import OrderGroup, components
from confere.reconcile.graph.references import References
from confere.reconcile.undecided_reasons import Reason
from confere.sales.declarations import Declaration, Declared
from confere.sales.links import Linked, Tie
from confere.sales.reconciliation_input import DocumentEvent, Ledger, OrderEntry, PaperEntry
from confere.sales.terms import Terms

REFERRING: Final = frozenset({Kind.REFERENCES.value, Kind.ITEM_REFERENCES.value, Kind.PREPAYMENT.value})
"""How notes name notes."""
_MODELS_OF_NOTES: Final = frozenset({"55", "65"})
MODELS_OF_FREIGHT: Final = frozenset({"57", "67"})

NumberLine = tuple[str | None, str | None, int | None]
"""A sequence of numbers: emitter, model, series."""


class View:
    """A ledger with its links, the terms and the run's "now" (seconds of UTC), ready to be asked.

    Orders are named by the hub's id, papers by their key; what has no key (a voiding) is in `ledger.papers` alone.
    """

    def __init__(self, ledger: Ledger, linked: Linked, terms: Terms, now: datetime) -> None:
        self.ledger = ledger
        self.linked = linked
        self.terms = terms
        self.now = listed_periods.utc(now)
        self.this_month = listed_periods.local_month(self.now)
        self.orders: dict[str, OrderEntry] = {order.hub_id: order for order in ledger.orders}
        self.papers: dict[str, PaperEntry] = {paper.key: paper for paper in ledger.papers if paper.key is not None}
        self.documents_listed = KnownPeriods(ledger.documents_listed, _of(ledger, Declared.DOCUMENTS))
        self.orders_listed = KnownPeriods(ledger.orders_listed, _of(ledger, Declared.ORDERS))
        self.tied_orders: dict[str, Tie] = {order: tie for tie in linked.ties for order in tie.orders}
        self.tied_keys: dict[str, Tie] = {key: tie for tie in linked.ties for key in tie.keys}
        self.near_of = {name: near for near in linked.suggestions for name in (near.order_id, near.key)}
        self._papers_of: dict[str, list[PaperEntry]] = defaultdict(list)
        self._orders_of: dict[str, list[OrderEntry]] = defaultdict(list)
        for link in linked.links:
            order, paper = self.orders.get(link.order_id), self.papers.get(link.key)
            if order is not None and paper is not None:
                self._papers_of[order.hub_id].append(paper)
                self._orders_of[link.key].append(order)

    # -- links -------------------------------------------------------------------------------------------

    def papers_of(self, order_id: str) -> Sequence[PaperEntry]:
        """What is linked to an order, of whatever kind and state."""
        return self._papers_of.get(order_id, ())

    def orders_of(self, key: str | None) -> Sequence[OrderEntry]:
        """The orders that a document is linked to."""
        return self._orders_of.get(key or "", ())

    def sales_of(self, order_id: str) -> Sequence[PaperEntry]:
        """The authorized sales that are linked to an order."""
        return self._sales_of.get(order_id, ())

    @cached_property
    def _sales_of(self) -> dict[str, list[PaperEntry]]:
        standing = {sale.key for sale in self.sales}
        sales_by_order: dict[str, list[PaperEntry]] = {}
        for order_id, papers in self._papers_of.items():
            sales = [paper for paper in papers if paper.key in standing]
            if sales:
                sales_by_order[order_id] = sales
        return sales_by_order

    # -- kinds of papers ---------------------------------------------------------------------------------

    @cached_property
    def sold(self) -> tuple[PaperEntry, ...]:
        """All notes by which an establishment of the account sells, whatever became of them."""
        own = self.ledger.own
        return tuple([paper for paper in self.papers.values() if predicates.is_sale(paper, own)])

    @cached_property
    def _sold_keys(self) -> frozenset[str | None]:
        return frozenset([paper.key for paper in self.sold])

    def is_sale(self, paper: PaperEntry) -> bool:
        """Whether a paper of the archive is one of `sold`."""
        return paper.key in self._sold_keys

    @cached_property
    def sales(self) -> tuple[PaperEntry, ...]:
        """All authorized sales of the account."""
        return tuple([paper for paper in self.sold if predicates.effective(paper)])

    @cached_property
    def freights(self) -> tuple[PaperEntry, ...]:
        """All CT-e and CT-e OS."""
        return tuple([paper for paper in self.papers.values() if paper.type in predicates.FREIGHTS])

    # -- groups ------------------------------------------------------------------------------------------

    @cached_property
    def groups(self) -> tuple[OrderGroup, ...]:
        """Orders and authorized sales that hang together, where there are both; by the first sale of each."""
        numbered: list[tuple[int, OrderGroup]] = []
        pairs: list[tuple[str, str]] = []
        places: dict[str, int] = {}
        for place, sale in enumerate(self.sales):
            orders, key = self.orders_of(sale.key), sale.key or ""
            if len(orders) == len(self.sales_of(orders[0].hub_id) if orders else ()) == 1:  # as most are
                numbered.append((place, self._group(orders, [sale])))
            else:
                places[key] = place
                pairs += ((order.hub_id, key) for order in orders)
        for order_ids, sale_keys in components(pairs):
            group = self._group([self.orders[name] for name in order_ids], [self.papers[key] for key in sale_keys])
            numbered.append((places[sale_keys[0]], group))
        numbered.sort(key=itemgetter(0))
        return tuple([group for _, group in numbered])

    @cached_property
    def group_of(self) -> dict[str, OrderGroup]:
        """By the key of a sale."""
        return {sale.key or "": group for group in self.groups for sale in group.sales}

    def _group(self, orders: Sequence[OrderEntry], sales: Sequence[PaperEntry]) -> OrderGroup:
        is_none = self._complemented.isdisjoint
        if is_none([order.hub_id for order in orders]) and is_none([sale.key for sale in sales]):
            return OrderGroup(tuple(orders), tuple(sales))
        candidates = {paper.key: paper for sale in sales for paper in self.referring_to(sale.key)}
        candidates |= {paper.key: paper for order in orders for paper in self.papers_of(order.hub_id)}
        return OrderGroup(
            tuple(orders), tuple(sales), tuple(paper for key, paper in candidates.items() if key in self.complements)
        )

    @cached_property
    def complements(self) -> frozenset[str]:
        """The notes in effect that add value to others: few accounts have any."""
        own = self.ledger.own
        return frozenset(
            key
            for key, paper in self.papers.items()
            if predicates.complements_sale(paper, own) and predicates.effective(paper)
        )

    @cached_property
    def _complemented(self) -> frozenset[str | None]:
        """The orders and keys to which any of these belongs."""
        keys = {key for name in self.complements for key in self.targets(name, REFERRING)}
        return frozenset(keys | {order.hub_id for name in self.complements for order in self.orders_of(name)})

    @cached_property
    def own_numbers(self) -> frozenset[tuple[int | None, int | None]]:
        """Series and number of every note that an establishment of the account issued."""
        own = self.ledger.own
        return frozenset(
            (paper.series, paper.number)
            for paper in self.papers.values()
            if paper.type in predicates.NOTES and paper.emitter in own
        )

    # -- references --------------------------------------------------------------------------------------

    @cached_property
    def _references(self) -> References:
        return References(self.ledger.relations, self.papers)

    def targets(self, key: str | None, kinds: frozenset[str]) -> Sequence[str]:
        """The keys that a document names in one of these ways, each once."""
        return self._references.targets(key or "", kinds)

    def sources(self, key: str | None, kinds: frozenset[str]) -> Sequence[PaperEntry]:
        """The archive's documents that name this one in one of these ways, each once."""
        return self._references.sources(key or "", kinds)

    def referring_to(self, key: str | None) -> Sequence[PaperEntry]:
        """The archive's notes that refer to this one."""
        return self.sources(key, REFERRING)

    def taken_back_by(self, sale: PaperEntry) -> list[PaperEntry]:
        """The returns and reversals in effect that refer to a sale."""
        naming = self.referring_to(sale.key)
        return (
            [paper for paper in naming if predicates.effective(paper) and predicates.takes_back(paper)]
            if naming
            else []
        )

    def sold_by(self, paper: PaperEntry) -> list[str]:
        """The keys of the archive's sales that a note refers to."""
        named = self.targets(paper.key, REFERRING)
        return [key for key in named if key in self.papers and self.is_sale(self.papers[key])]

    @cached_property
    def happenings(self) -> dict[str, list[DocumentEvent]]:
        """The events of documents by access key, in the order of the ledger."""
        events_by_key: dict[str, list[DocumentEvent]] = defaultdict(list)
        for happening in self.ledger.happenings:
            events_by_key[happening.key].append(happening)
        return events_by_key

    # -- what can be called missing ----------------------------------------------------------------------

    @cached_property
    def begins(self) -> float | None:
        """When the first document that the archive holds was issued; nothing before it is known."""
        first = min((paper for paper in self.papers.values() if paper.issued_on), key=_by_issue, default=None)
        return None if first is None else listed_periods.issued(first)

    @cached_property
    def _first_numbers(self) -> dict[NumberLine, int]:
        first_numbers: dict[NumberLine, int] = {}
        for paper in self.papers.values():
            if paper.number is not None:
                line = (paper.emitter, paper.model, paper.series)
                known = first_numbers.get(line)
                if known is None or paper.number < known:
                    first_numbers[line] = paper.number
        return first_numbers

    @cached_property
    def undownloaded_months(self) -> tuple[frozenset[str], frozenset[str]]:
        """The months of keys without XML: of notes that the account may have issued, and of CT-e."""
        notes: set[str] = set()
        freights: set[str] = set()
        for parts in filter(None, map(access_keys.parse, self.ledger.undownloaded)):
            if parts.model in _MODELS_OF_NOTES:
                notes.add(parts.period)
            elif parts.model in MODELS_OF_FREIGHT:
                freights.add(parts.period)
        return frozenset(notes), frozenset(freights)

    def why_absent(self, key: str, until: float | None) -> Reason | None:
        """Why a key that is not here cannot be called missing; None: it can.

        `until` is when the document that names it was issued.
        """
        if key in self.ledger.undownloaded:
            return Reason.NOT_DOWNLOADED
        parts = access_keys.parse(key)
        begins, ends = (None, None) if parts is None else (
            listed_periods.day_begins(parts.period), listed_periods.month_ends(parts.period)
        )  # fmt: skip
        if parts is None or begins is None or ends is None:
            return None  # no document can have such a key
        if until is not None and until >= begins:
            ends = min(ends, until)
        first = self._first_numbers.get((parts.emitter, parts.model, parts.series))
        is_before = first is None and self.begins is not None and begins <= self.begins
        reason = None
        if is_before or (first is not None and parts.number < first):
            reason = Reason.BEFORE_ARCHIVE
        elif not self.documents_listed.cover(begins, ends):
            reason = Reason.DOCUMENTS_NOT_LISTED
        # A month that a person declared complete has no "before the archive".
        return None if reason is None or self.documents_listed.declare(begins, ends) else reason

    @cached_property
    def lately(self) -> float:
        """Up to when documents have to be listed for "none came since": a day before orders were last seen.

        Where that is long ago, one may have come since: then up to a week before now.
        """
        return max(
            min(self.now, self.orders_listed.last or self.now) - listed_periods.DAY, self.now - 7 * listed_periods.DAY
        )

    def why_no_documents(self, start: float, end: float) -> Reason | None:
        """Why a document that should have been issued between two moments cannot be called missing."""
        end = min(end, self.now)
        if self.begins is not None and start < self.begins:
            return None if self.documents_listed.declare(start, end) else Reason.BEFORE_ARCHIVE
        return None if self.documents_listed.cover(start, end) else Reason.DOCUMENTS_NOT_LISTED

    def why_none_since(self, start: float) -> Reason | None:
        """Why it cannot be said that no document was issued since a moment.

        Of a month that a person declared complete it is said up to the end of what is declared.
        """
        reason = self.why_no_documents(start, max(start, self.lately))
        if reason is None:
            return None
        until = self.documents_listed.until(start)
        return reason if until is None else self.why_no_documents(start, until)


def _of(ledger: Ledger, what: Declared) -> tuple[Declaration, ...]:
    return tuple(declaration for declaration in ledger.declared if declaration.what is what)


def _by_issue(paper: PaperEntry) -> tuple[str, str]:
    return paper.issued_on, paper.issued_at or ""
