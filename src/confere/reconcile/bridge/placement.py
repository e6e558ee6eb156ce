"""Every order and every note of an account in its place, of all months: what the pages of the bridge are made of.

Orders and sales that are linked to each other stand as one group, over carts, packages, months and marketplaces. The
differences of a group stand on its oldest invoice (`pieces.spread`), so in the month in which R3 reports them; what
is left of each invoice is divided over the orders (`pieces.pour`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from confere.errors import N_, Message
from confere.fiscal import access_keys
from confere.reconcile import predicates
from confere.reconcile.bridge import pieces
from confere.reconcile.bridge.group_difference import difference_of
from confere.reconcile.bridge.unlinked import place_of_order, place_of_sale
from confere.reconcile.context import REFERRING, View
from confere.reconcile.graph.order_groups import OrderGroup, in_time
from confere.reconcile.rules.orders import r05_cancelled_order
from confere.reconcile.rules.orders.r02_no_order import anybodys
from confere.reconcile.undecided_reasons import Reason
from confere.sales.bridge import NO_MARKETPLACE, BridgeCode, BridgePart
from confere.sales.order import OrderStatus
from confere.sales.reconciliation_input import OrderEntry, PaperEntry
from confere.sales.slotted_records import record

_COMPLEMENTS_NOTHING_HERE: Final = N_("It complements a sale that is not among these invoices.")


@record
class BridgeOwner:
    """Where an order or a note belongs: month, establishment (None: nobody can tell) and marketplace."""

    period: str
    company: str | None
    marketplace: str


@record
class BridgePiece:
    """An amount of an order, a note, or of both.

    Without `code` it is what the note bills of the order: the page decides by the month and place of each. With one
    it stands in that line, on the page of the note where the line is among the invoices or beside the sum, else on
    that of the order.
    """

    order: OrderEntry | None
    note: PaperEntry | None
    amount: int
    code: BridgeCode | None = None
    reason: Message | None = None


class Placement:
    """All pieces of a ledger. `orders` and `notes` say where each order and each note of the company's issue belongs.

    `invoices` are the authorized sales with the notes that complement them: what the bridge leads to. A sale is what
    R1 to R5 take for one (`predicates.is_sale`): transfers, symbolic returns and remittances, returns and the
    company's own notes of entry are none. A sale whose tpNF says entry counts only where an order is linked to it, as
    in R2. Without establishments of the account everybody's sales stand here, none of them checked.
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.orders: dict[str, BridgeOwner] = {}
        self.notes: dict[str, BridgeOwner] = {}
        self.invoices: dict[str, PaperEntry] = {}
        self.pieces: dict[str, list[BridgePiece]] = defaultdict(list)
        self._sole_company = next(iter(view.ledger.own)) if len(view.ledger.own) == 1 else None
        self._named_by: dict[str, set[str]] = defaultdict(set)
        for group in view.groups:
            self._place_group(self._without_known(group))
        for order in view.ledger.orders:
            if order.hub_id not in self.orders:
                self._place_order(order)
        self._place_unlinked()
        self._place_others()

    @property
    def months(self) -> tuple[str, ...]:
        """The months that have anything, newest first."""
        return tuple(sorted(filter(None, self.pieces), reverse=True))

    # -- groups ------------------------------------------------------------------------------------------

    def _without_known(self, group: OrderGroup) -> OrderGroup:
        """A group without what an earlier one has: a note may complement the sales of several."""
        if not group.complements:
            return group
        rest = tuple(paper for paper in group.complements if paper.key not in self.invoices)
        return OrderGroup(group.orders, group.sales, rest)

    def _place_group(self, group: OrderGroup) -> None:
        orders = sorted(group.orders, key=_when) if len(group.orders) > 1 else group.orders
        papers = in_time(group.papers) if len(group.papers) > 1 else group.papers
        self._own_group(orders, papers)
        if group.is_pair and orders[0].total == papers[0].total and (papers[0].total or -1) > 0:  # as most are
            self._billed(orders[0], papers[0], papers[0].total or 0)
            return
        compared = difference_of(self.view, group)
        if compared is None:
            self._unchecked_group(orders, papers)
            return
        for order in compared.left_out:
            self._add(BridgePiece(order, None, -(order.total or 0), BridgeCode.CANCELLED))
        for paper, code in compared.apart:
            self._add(BridgePiece(self._first_order(paper, orders), paper, paper.total or 0, code))
        apart = {paper.key for paper, _ in compared.apart}
        gone = {order.hub_id for order in compared.left_out}
        orders = [order for order in orders if order.hub_id not in gone]
        papers = [paper for paper in papers if paper.key not in apart]
        differences = pieces.spread(compared.parts, [paper.total or 0 for paper in papers])
        rooms = []
        for paper, parts in zip(papers, differences, strict=True):
            rooms.append((paper.total or 0) - sum(amount for _, amount in parts))
            for code, amount in parts:
                reason = compared.reason if code is BridgeCode.UNCHECKED_INVOICES else None
                self._add(BridgePiece(self._first_order(paper, orders), paper, amount, code, reason))
        self._pour(orders, papers, rooms, [bool(parts) for parts in differences])

    def _pour(
        self, orders: Sequence[OrderEntry], papers: Sequence[PaperEntry], rooms: Sequence[int], seen: list[bool]
    ) -> None:
        places = {order.hub_id: place for place, order in enumerate(orders)}
        linked = {
            (places[order.hub_id], place)
            for place, paper in enumerate(papers)
            for order in self.view.orders_of(paper.key)
            if order.hub_id in places
        }
        billed = set()
        for one, other, amount in pieces.pour([order.total or 0 for order in orders], rooms, linked):
            self._billed(orders[one], papers[other], amount)
            billed.add(one)
            seen[other] = True
        first_of = dict(sorted(linked, reverse=True))
        for one, order in enumerate(orders):
            if one not in billed:  # of no amount
                other = first_of.get(one, 0)
                self._billed(order, papers[other], 0)
                seen[other] = True
        for other, paper in enumerate(papers):
            if not seen[other]:
                self._billed(self._first_order(paper, orders), paper, 0)

    def _billed(self, order: OrderEntry, paper: PaperEntry, amount: int) -> None:
        if order.status != OrderStatus.CANCELED:
            self._add(BridgePiece(order, paper, amount))
            return
        self._add(BridgePiece(order, paper, -amount, BridgeCode.CANCELLED))
        if self.view.taken_back_by(paper):
            self._add(BridgePiece(order, paper, amount, BridgeCode.ORDER_RETURNED))
            return
        reason = r05_cancelled_order.why_undecided(self.view, order, paper)
        if reason is None:
            self._add(BridgePiece(order, paper, amount, BridgeCode.ORDER_CANCELLED))
        else:
            self._add(BridgePiece(order, paper, amount, BridgeCode.UNCHECKED_INVOICES, Message(reason.value)))

    def _unchecked_group(self, orders: Iterable[OrderEntry], papers: Iterable[PaperEntry]) -> None:
        reason = Message(Reason.NO_TOTAL.value)
        for order in orders:
            self._add(BridgePiece(order, None, -(order.total or 0), BridgeCode.UNCHECKED_ORDERS, reason))
        for paper in papers:
            self._add(BridgePiece(None, paper, paper.total or 0, BridgeCode.UNCHECKED_INVOICES, reason))

    def _first_order(self, paper: PaperEntry, orders: Sequence[OrderEntry]) -> OrderEntry:
        linked = {order.hub_id for order in self.view.orders_of(paper.key)}
        return next((order for order in orders if order.hub_id in linked), orders[0])

    # -- what stands alone -------------------------------------------------------------------------------

    def _place_order(self, order: OrderEntry) -> None:
        self.orders[order.hub_id] = BridgeOwner(
            order.period or self.view.this_month, self._company_of(order), order.marketplace or NO_MARKETPLACE
        )
        code, reason = place_of_order(self.view, order)
        self._add(BridgePiece(order, None, -(order.total or 0), code, reason))

    def _place_unlinked(self) -> None:
        view = self.view
        sales = view.sales if view.ledger.own else tuple(anybodys(view))
        places = {}
        for sale in sales:
            if sale.key not in self.invoices and sale.direction != "0":
                places[sale.key] = place_of_sale(view, sale)
                self._place_invoice(sale, *places[sale.key])
        for key in sorted(view.complements - self.invoices.keys()):
            paper = view.papers[key]
            if paper.direction != "0":
                followed = [places[name] for name in view.targets(key, REFERRING) if name in places]
                place = (BridgeCode.UNCHECKED_INVOICES, Message(_COMPLEMENTS_NOTHING_HERE))
                self._place_invoice(paper, *(followed[0] if followed else place))

    def _place_invoice(self, paper: PaperEntry, code: BridgeCode, reason: Message | None) -> None:
        self.invoices[paper.key or ""] = paper
        self.notes[paper.key or ""] = self._owner_of_note(paper)
        self._add(BridgePiece(None, paper, paper.total or 0, code, reason))

    def _place_others(self) -> None:
        """The account's own notes that the bridge does not lead to, beside the sum."""
        own = self.view.ledger.own
        for key, paper in self.view.papers.items():
            if key in self.invoices or paper.type not in predicates.NOTES or paper.emitter not in own:
                continue
            code = BridgeCode.NO_SALES
            if self.view.is_sale(paper) and not predicates.effective(paper):
                is_cancelled = paper.state in predicates.CANCELLED_STATES
                code = BridgeCode.CANCELLED_INVOICES if is_cancelled else BridgeCode.VOID_INVOICES
            elif predicates.takes_back(paper):
                code = BridgeCode.RETURNS
            orders = self.view.orders_of(key)
            self.notes[key] = self._owner_of_note(paper, orders[0].marketplace if orders else None)
            self._add(BridgePiece(None, paper, paper.total or 0, code))

    # -- where it belongs --------------------------------------------------------------------------------

    def _own_group(self, orders: Sequence[OrderEntry], papers: Sequence[PaperEntry]) -> None:
        oldest = papers[0]
        for order in orders:
            self.orders[order.hub_id] = BridgeOwner(
                order.period or _month_of(oldest) or self.view.this_month,
                oldest.emitter,
                order.marketplace or NO_MARKETPLACE,
            )
        for paper in papers:
            order = self._first_order(paper, orders)
            self.invoices[paper.key or ""] = paper
            self.notes[paper.key or ""] = self._owner_of_note(paper, order.marketplace or NO_MARKETPLACE)
            if paper.intermediary and order.marketplace:
                self._named_by[paper.intermediary].add(order.marketplace)

    def _company_of(self, order: OrderEntry) -> str | None:
        """That of its sale, else of whatever else is linked to it, else of the invoice that it names."""
        papers = [paper for paper in self.view.papers_of(order.hub_id) if paper.emitter in self.view.ledger.own]
        told = in_time([paper for paper in papers if self.view.is_sale(paper)] or papers)
        if told:
            return told[0].emitter
        parts = access_keys.parse(order.invoice_key) if order.invoice_key else None
        return parts.emitter if parts is not None and parts.emitter in self.view.ledger.own else self._sole_company

    def _owner_of_note(self, paper: PaperEntry, marketplace: str | None = None) -> BridgeOwner:
        """A note is of its order's marketplace, else the one that the hub names, else the one that its intermediary
        stands for on every other note."""
        if marketplace is None:
            named = self._named_by.get(paper.intermediary or "", ())
            marketplace = paper.marketplace or (next(iter(named)) if len(named) == 1 else NO_MARKETPLACE)
        return BridgeOwner(_month_of(paper), paper.emitter, marketplace)

    def _add(self, piece: BridgePiece) -> None:
        for period in self._periods(piece):
            self.pieces[period].append(piece)

    def _periods(self, piece: BridgePiece) -> Iterable[str]:
        if piece.code is None and piece.order is not None and piece.note is not None:
            return {self.orders[piece.order.hub_id].period, self.notes[piece.note.key or ""].period}
        return (self.owner(piece).period,)

    def owner(self, piece: BridgePiece) -> BridgeOwner:
        """Where a piece that has a line belongs."""
        if piece.order is not None and (piece.code is None or piece.code.part is BridgePart.ORDERS):
            return self.orders[piece.order.hub_id]
        assert piece.note is not None
        return self.notes[piece.note.key or ""]


def _when(order: OrderEntry) -> tuple[str, str, str]:
    return order.created_on, order.created_at or "", order.hub_id


def _month_of(paper: PaperEntry) -> str:
    """The local month of dhEmi as written; of a note that does not say it, the month in its key (AAMM).

    Source: reconciliation rules, Period; MOC 7.0, annex I, B09 (`dhEmi`) and the access key's AAMM.
    """
    if paper.issued_on:
        return paper.period
    parts = access_keys.parse(paper.key or "")
    return "" if parts is None else parts.period
