"""Kind 5: a document belongs to the order of the document that it refers to, carries or is referred to by."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from heapq import heappop, heappush
from typing import Final

from confere.errors import N_, Message
from confere.fiscal.credit_notes import CREDIT, DEBIT, is_adjusting
from confere.fiscal.operations import Operation
from confere.fiscal.references import RelationKind as Kind
from confere.reconcile.linking.likeness import fits_mask, known_tax_id, same_buyer
from confere.reconcile.linking.matching_state import FREIGHT, NOTES, RETURNS, Board, Proposal, is_sale
from confere.sales.links import LinkKind
from confere.sales.reconciliation_input import OrderEntry, PaperEntry

_CARRIES: Final = N_("it carries {name}, which belongs to the order")
_REFERS: Final = N_("it refers to {name}, which belongs to the order")
_REFERRED: Final = N_("{name}, which belongs to the order, refers to it")
_NAMED: Final = N_("it refers to the document that the order names as its invoice, which is not in the archive")
_NAMING: Final = frozenset({Kind.REFERENCES.value, Kind.ITEM_REFERENCES.value, Kind.PREPAYMENT.value})
_FOLLOWING: Final = _NAMING | {Kind.CARRIES.value, Kind.RELATED.value}
_CHANGING: Final = frozenset({Kind.COMPLEMENTS, Kind.REPLACES, Kind.ANNULS, Kind.CONTINUES})
_SYMBOLIC_RETURN: Final = Operation.SYMBOLIC_INBOUND_RETURN.value
_BEFORE_SALE: Final = frozenset({_SYMBOLIC_RETURN, Operation.PREPAYMENT.value})
_SYMBOLIC_INBOUND: Final = Operation.SYMBOLIC_INBOUND.value
_ABSENT: Final = 90
_LESS: Final = 5  # of confidence, for each step away from the order
_CHANGING_PURPOSES: Final = frozenset({"2", CREDIT, DEBIT})  # finNFe
_RETURN_PURPOSE: Final = "4"
_STRONGER: Final = LinkKind.QUOTED

Step = tuple[str, str]
"""The sentence of a step, and the key of the document that it is taken from."""

_Reached = tuple[int, str, str, str, str]  # less the confidence, follower, order, leader, sentence


class Paths:
    """Which documents follow which: the ways that an order's documents hang together."""

    def __init__(self, board: Board) -> None:
        self.followers: dict[str, list[tuple[str, str]]] = defaultdict(list)  # key: (follower, sentence)
        self._sources: dict[str, list[Step]] = defaultdict(list)
        self._gone: set[tuple[str, str]] = set()
        self.joined: set[str] = set()  # followers that take what their leaders have
        self.held: dict[str, list[_Reached]] = defaultdict(list)  # of those that keep to their own orders so far
        self.in_part: set[str] = set()  # what they follow is here in part only
        for relation in board.ledger.relations:
            source, target = board.papers.get(relation.source), board.papers.get(relation.target)
            if source is not None and target is None and relation.kind in _FOLLOWING:
                self.in_part.add(source.key or "")
            if source is None or target is None or source is target:
                continue
            way = _way(source, target, relation.kind)
            if way is not None:
                leader, follower, sentence = way
                self.followers[leader.key or ""].append((follower.key or "", sentence))
                self._sources[follower.key or ""].append((sentence, leader.key or ""))

    def is_new(self, order_id: str, leader: str) -> bool:
        """Whether nobody has gone on yet from this order's link to this document; from now on somebody has."""
        known = len(self._gone)
        self._gone.add((order_id, leader))
        return len(self._gone) > known

    def leaders(self, key: str) -> Iterable[Step]:
        return self._sources.get(key, ())


def link_by_reference(board: Board, paths: Paths) -> None:
    """From every document that has an order to those that follow it, step by step, the surest first.

    A document that already has orders by stronger evidence keeps to them, unless one of them is among the orders
    that the reference leads to (a CT-e of three orders' notes, of which the hub names the first).

    Source: reconciliation rules, Links, 5 (`refNFe` of a return, NF-e carried by a CT-e).
    """
    ahead: list[_Reached] = []

    def go_on(order_id: str, leader: str) -> None:
        if paths.is_new(order_id, leader):
            confidence = max(1, board.confidence_of(order_id, leader) - _LESS)
            for follower, sentence in paths.followers.get(leader, ()):
                heappush(ahead, (-confidence, follower, order_id, leader, sentence))

    for leader in paths.followers:
        for order_id in board.orders_of(leader):
            go_on(order_id, leader)
    while ahead:
        reached = heappop(ahead)
        _, follower, order_id, leader, sentence = reached
        if follower not in paths.joined:
            own = [known for known in board.orders_of(follower) if board.kind_of(known, follower) <= _STRONGER]
            if own and order_id not in own:
                paths.held[follower].append(reached)
                continue
            paths.joined.add(follower)
            for waiting in paths.held.pop(follower, ()):
                heappush(ahead, waiting)
        evidence = Message(sentence, {"name": name(board.papers[leader])})
        proposal = Proposal(board.orders[order_id], board.papers[follower], -reached[0], evidence)
        if board.accept(LinkKind.REFERENCE, proposal):
            go_on(order_id, follower)


def link_leaders(board: Board, paths: Paths) -> None:
    """The way back: a sale without an order, of which the only follower with evidence of its own names just one.

    Source: reconciliation rules, Links, 5, the other way round.
    """
    proposals: list[Proposal] = []
    for leader, followers in paths.followers.items():
        sale = board.sales.get(leader)
        if sale is None or board.orders_of(leader) or leader in board.tied_keys:
            continue
        leaders: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for follower, _ in followers:
            if follower in paths.in_part or len({key for _, key in paths.leaders(follower)}) > 1:
                continue  # it follows other sales too, here or not, and may have its order from them
            for order_id in board.orders_of(follower):
                leaders[order_id].append((-board.confidence_of(order_id, follower), follower))
        if len(leaders) == 1:
            ((order_id, followed),) = leaders.items()
            order, (confidence, follower) = board.orders[order_id], min(followed)
            if same_buyer(order, sale) is not False and not board.sales_of(order_id):
                evidence = Message(_REFERRED, {"name": name(board.papers[follower])})
                proposals.append(Proposal(order, sale, -confidence - _LESS, evidence))
    board.commit(LinkKind.REFERENCE, proposals)


def link_to_absent(board: Board) -> None:
    """A return, or a CT-e, of a sale that is not here: its order is the one that names that sale's key.

    Source: reconciliation rules, Links, 5 (`refNFe` of a return, NF-e carried by a CT-e).
    """
    naming: dict[str, list[OrderEntry]] = defaultdict(list)
    for order in board.ledger.orders:
        key = order.invoice_key
        if key and key not in board.papers and not board.kept_apart(order.hub_id, key):
            naming[key].append(order)
    proposals: list[Proposal] = []
    for relation in board.ledger.relations:
        paper = board.papers.get(relation.source)
        if paper is None or relation.target not in naming or board.orders_of(relation.source):
            continue
        carries = paper.type in FREIGHT and relation.kind == Kind.CARRIES
        named = relation.kind in _NAMING and paper.type in NOTES
        if carries or (named and (_gives_back(paper) or is_adjusting(paper.purpose))):
            orders = [order for order in naming[relation.target] if carries or _is_party(order, paper)]
            proposals += (Proposal(order, paper, _ABSENT, Message(_NAMED, {})) for order in orders)
    board.commit(LinkKind.REFERENCE, proposals)


def name(paper: PaperEntry) -> str:
    """How a sentence names a document: its kind, series and number."""
    kind = "CT-e" if paper.type in FREIGHT else "NFC-e" if paper.type == "nfce" else "NF-e"
    return kind if paper.number is None else f"{kind} {paper.series or 0}/{paper.number}"


def _way(source: PaperEntry, target: PaperEntry, kind: str) -> tuple[PaperEntry, PaperEntry, str] | None:
    """Who leads, who follows, and by which sentence; None where the reference tells nothing of orders."""
    if kind == Kind.CARRIES:
        return (target, source, _CARRIES) if source.type in FREIGHT and target.type in NOTES else None
    if kind in _CHANGING:
        return (target, source, _REFERS) if source.type in FREIGHT and target.type in FREIGHT else None
    if kind == Kind.RELATED and source.type in FREIGHT and target.type in NOTES:
        return target, source, _CARRIES
    if kind not in _NAMING and kind != Kind.RELATED:
        return None
    if source.type not in NOTES or target.type not in NOTES:
        return None
    if is_sale(source) and target.operation in _BEFORE_SALE:
        return source, target, _REFERRED
    if is_sale(target) and (_gives_back(source) or source.purpose in _CHANGING_PURPOSES):
        return (target, source, _REFERS) if _same_counterparty(source, target) else None
    if source.operation == _SYMBOLIC_INBOUND and target.operation in RETURNS:
        return target, source, _REFERS
    return None


def _gives_back(paper: PaperEntry) -> bool:
    return paper.type in NOTES and (paper.operation in RETURNS or paper.purpose == _RETURN_PURPOSE)


def _same_counterparty(source: PaperEntry, target: PaperEntry) -> bool:
    """A return names the buyer of its sale; one to somebody else is a broken reference, and no evidence."""
    parties = {source.emitter, source.recipient}
    if source.emitter == source.recipient == target.emitter and is_adjusting(source.purpose):
        return True  # a company takes goods of its own sale in by a credit note to itself
    return target.recipient is None or target.recipient in parties or None in parties


def _is_party(order: OrderEntry, paper: PaperEntry) -> bool:
    """The same of a sale that is not here: its buyer is the order's."""
    buyer, parties = known_tax_id(order.buyer), (paper.emitter, paper.recipient)
    return buyer is None or None in parties or any(fits_mask(buyer, party or "") for party in parties)
