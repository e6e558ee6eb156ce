"""The board: orders, papers and the links found so far; every kind of evidence reads it and proposes more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final, NamedTuple

from confere.errors import Message, message
from confere.fiscal.model import IN_EFFECT
from confere.fiscal.operations import Operation
from confere.reconcile import evidence_text
from confere.reconcile.linking.likeness import one_buyer, same_buyer
from confere.reconcile.totals import may_agree, sides, together
from confere.sales.links import CONTRADICTED, Decision, Link, LinkKind, PersonsWord, Tie
from confere.sales.reconciliation_input import Ledger, OrderEntry, PaperEntry
from confere.sales.terms import Terms

NOTES: Final = frozenset({"nfe", "nfce"})
FREIGHT: Final = frozenset({"cte", "cteos"})
RETURNS: Final = frozenset({Operation.SALE_RETURN.value, Operation.DEVOLUTION.value})
_STANDING: Final = frozenset(state.value for state in IN_EFFECT)
_MOST_EVIDENCE: Final = 4  # reasons kept of one link: who doubts it reads the first
_SALE: Final = Operation.SALE.value


def is_sale(paper: PaperEntry) -> bool:
    """A note by which something is sold, whatever became of it."""
    return paper.operation == _SALE and paper.type in NOTES and paper.direction != "0"


def stands(paper: PaperEntry) -> bool:
    """Authorized, and nothing took its effect away."""
    return paper.state in _STANDING


Pair = tuple[str, str]
"""An order's id at the hub, and a document's key."""


class Proposal(NamedTuple):
    """A pair that some evidence speaks for, and what more there is to say of it."""

    order: OrderEntry
    paper: PaperEntry
    confidence: int
    evidence: Message
    remark: Message | None = None


@dataclass(slots=True)
class _AcceptedLink:
    kind: LinkKind
    confidence: int
    evidence: list[Message]


@dataclass(slots=True)
class Board:
    """What is known of one account's pairs. Kinds of evidence are committed strongest first."""

    ledger: Ledger
    terms: Terms
    decisions: Sequence[Decision] = ()
    orders: dict[str, OrderEntry] = field(init=False)
    papers: dict[str, PaperEntry] = field(init=False)
    sales: dict[str, PaperEntry] = field(init=False)
    tied_orders: set[str] = field(default_factory=set)
    tied_keys: set[str] = field(default_factory=set)
    _ties: dict[tuple[tuple[str, ...], tuple[str, ...], LinkKind], Tie] = field(default_factory=dict)
    _doubted: list[tuple[LinkKind, Proposal]] = field(default_factory=list)
    _accepted: dict[Pair, _AcceptedLink] = field(default_factory=dict)
    _orders_of: dict[str, list[str]] = field(default_factory=dict)
    _sales_of: dict[str, list[str]] = field(default_factory=dict)
    _apart: set[Pair] = field(default_factory=set)
    _against: dict[Pair, dict[str, Message]] = field(default_factory=dict)  # what contradicts a person's link
    _by_hand: dict[str, list[Pair]] = field(default_factory=dict)  # by order and by key: a person's links of sales

    def __post_init__(self) -> None:
        self.orders = {order.hub_id: order for order in self.ledger.orders}
        self.papers = {paper.key: paper for paper in self.ledger.papers if paper.key is not None}
        self.sales = {key: paper for key, paper in self.papers.items() if is_sale(paper)}
        self._decide()

    def orders_of(self, key: str) -> Sequence[str]:
        """The hub's ids of the orders that a document is linked to."""
        return self._orders_of.get(key, ())

    def sales_of(self, order_id: str) -> Sequence[str]:
        """The keys of the sales that an order is linked to."""
        return self._sales_of.get(order_id, ())

    def linked(self, order_id: str, key: str) -> bool:
        return (order_id, key) in self._accepted

    def kind_of(self, order_id: str, key: str) -> LinkKind:
        return self._accepted[order_id, key].kind

    def confidence_of(self, order_id: str, key: str) -> int:
        return self._accepted[order_id, key].confidence

    def kept_apart(self, order_id: str, key: str) -> bool:
        """Whether a person decided that this order and this document do not belong together."""
        return (order_id, key) in self._apart

    @property
    def parted(self) -> Set[Pair]:
        """Every pair (order, key) that a person kept apart, of orders and documents that the archive may lack."""
        return self._apart

    def commit(self, kind: LinkKind, proposals: Iterable[Proposal]) -> None:
        """Add what one kind of evidence says, all of it at once.

        It gives way where stronger evidence contradicts it: an order that has its sale and a sale that has its
        order are not joined by anything weaker. Pairs that are linked already get the evidence as one more reason.
        """
        for proposal in [candidate for candidate in proposals if self._is_open(candidate, kind)]:
            self._add(proposal, kind)

    def accept(self, kind: LinkKind, proposal: Proposal) -> bool:
        """Add one pair, as `commit` would; whether it is a new link."""
        fresh = (
            self._is_open(proposal, kind) and (proposal.order.hub_id, proposal.paper.key or "") not in self._accepted
        )
        if fresh:
            self._add(proposal, kind)
        return fresh

    def doubtful(self, orders: Sequence[OrderEntry], paper: PaperEntry) -> list[OrderEntry]:
        """Of the orders that name a sale as theirs, those of another buyer and of another total.

        Such a name may be mistyped. Orders that come to the sale's total together are a cart, and none is doubtful.
        """
        strange = [
            order
            for order in orders
            if paper.key in self.sales
            and same_buyer(order, paper) is False
            and not may_agree(order, paper, self.terms.tolerance)
        ]
        return [] if strange and may_agree(together(orders), paper, self.terms.tolerance) else strange

    def doubt(self, kind: LinkKind, proposal: Proposal) -> None:
        """Keep a doubtful pair for `commit_doubted`, after all other evidence."""
        self._doubted.append((kind, proposal._replace(remark=message("buyer and total are not the order's"))))

    def doubted(self) -> set[str]:
        """The orders that name as their invoice what seems to be another one's."""
        return {proposal.order.hub_id for _, proposal in self._doubted}

    def commit_doubted(self) -> None:
        """Link the doubtful pairs where neither the order nor the sale was linked otherwise."""
        left = [
            (kind, proposal)
            for kind, proposal in self._doubted
            if proposal.paper.key not in self.tied_keys and not self._has_another_sale(proposal)
        ]
        for kind in sorted({kind for kind, _ in left}):
            self.commit(kind, [proposal for of, proposal in left if of is kind])

    def tie(self, kind: LinkKind, orders: Iterable[str], keys: Iterable[str], reason: Message) -> None:
        """Record that these orders and keys fit in more than one way, so that a person decides."""
        tie = Tie(tuple(sorted(set(orders))), tuple(sorted(set(keys))), kind, reason)
        if tie.keys and tie.orders:
            self._ties.setdefault((tie.orders, tie.keys, kind), tie)

    def settle_ties(self) -> None:
        """Drop the ties that evidence of another kind has settled; of the others neither side is tried further."""
        self._ties = {name: tie for name, tie in self._ties.items() if not self._is_settled(tie)}
        self.tied_orders = {order_id for tie in self._ties.values() for order_id in tie.orders}
        self.tied_keys = {key for tie in self._ties.values() for key in tie.keys}

    def ties(self) -> tuple[Tie, ...]:
        """Every tie that is open, by orders and keys."""
        return tuple(tie for _, tie in sorted(self._ties.items(), key=itemgetter(0)))

    def links(self) -> tuple[Link, ...]:
        """Every link, by order and key."""
        return tuple(
            Link(*pair, accepted.kind, accepted.confidence, (*accepted.evidence, *self._contradictions(pair)))
            for pair, accepted in sorted(self._accepted.items(), key=itemgetter(0))
        )

    def _contradictions(self, pair: Pair) -> list[Message]:
        return [contradiction for _, contradiction in sorted(self._against.get(pair, {}).items())]

    def _is_open(self, proposal: Proposal, kind: LinkKind) -> bool:
        """Whether the pair may become a link; one that is a link already takes the evidence as one more reason."""
        pair = (proposal.order.hub_id, proposal.paper.key or "")
        known = self._accepted.get(pair)
        if known is not None:
            _strengthen(known, kind, proposal)
            return False
        if pair in self._apart:
            return False
        against = self._against_a_person(proposal) if self._by_hand and kind < LinkKind.REFERENCE else ()
        for other in against:
            contradiction = _contradiction(proposal)
            self._against.setdefault(other, {})[str(contradiction)] = contradiction
        return not against and not self._contradicted(proposal, kind)

    def _against_a_person(self, proposal: Proposal) -> list[Pair]:
        """The links by hand that the pair cannot stand beside: together they would come to another total.

        More packages of an order, and more orders of a cart, stand beside each other.
        """
        order, paper = proposal.order, proposal.paper
        if paper.key not in self.sales or not stands(paper):
            return []
        tolerance = self.terms.tolerance
        of_order = [pair for pair in self._by_hand.get(order.hub_id, ()) if stands(self.papers[pair[1]])]
        of_paper = self._by_hand.get(paper.key, [])
        packages = sides((order,), (paper, *(self.papers[key] for _, key in of_order)))
        cart = sides((order, *(self.orders[order_id] for order_id, _ in of_paper)), (paper,))
        rivals = [] if packages is not None and packages.may_agree(tolerance) else of_order
        return rivals if cart is not None and cart.may_agree(tolerance) else [*rivals, *of_paper]

    def _contradicted(self, proposal: Proposal, kind: LinkKind) -> bool:
        order, paper = proposal.order, proposal.paper
        known = self._orders_of.get(paper.key or "")
        if not known or kind is LinkKind.REFERENCE or paper.key not in self.sales:
            return False
        if order.hub_id in self._sales_of:
            return True
        # One more order on a sale makes a cart of it: of one buyer, and not beyond what is the whole of it already.
        cart = [self.orders[order_id] for order_id in known]
        if same_buyer(order, paper) is False and not any(one_buyer(order, other) for other in cart):
            return True
        return order.total != 0 and may_agree(together(cart), paper, self.terms.tolerance)

    def _has_another_sale(self, proposal: Proposal) -> bool:
        return any(key != proposal.paper.key for key in self.sales_of(proposal.order.hub_id))

    def _is_settled(self, tie: Tie) -> bool:
        if tie.kind is LinkKind.QUOTED:  # of one document
            return any(key in self._orders_of for key in tie.keys)
        orders = set(tie.orders)
        return any(not orders.isdisjoint(self.orders_of(key)) for key in tie.keys)

    def _add(self, proposal: Proposal, kind: LinkKind) -> None:
        order_id, key = pair = proposal.order.hub_id, proposal.paper.key or ""
        known = self._accepted.get(pair)
        if known is not None:  # twice in one kind: by two numbers that it quotes
            _strengthen(known, kind, proposal)
            return
        sentences = [proposal.evidence] if proposal.remark is None else [proposal.evidence, proposal.remark]
        self._accepted[pair] = _AcceptedLink(kind, proposal.confidence, sentences)
        self._orders_of.setdefault(key, []).append(order_id)
        if key in self.sales:
            self._sales_of.setdefault(order_id, []).append(key)

    def _decide(self) -> None:
        """A person's newest word about each pair comes before all evidence, whatever later runs find."""
        newest = {(decision.order_id, decision.key): decision.word for decision in self.decisions}
        for (order_id, key), word in newest.items():
            if word is PersonsWord.UNLINK:
                self._apart.add((order_id, key))
            elif order_id in self.orders and key in self.papers:
                sentence = (
                    message("a person linked them") if word is PersonsWord.LINK else message("a person confirmed it")
                )
                self._add(Proposal(self.orders[order_id], self.papers[key], 100, sentence), LinkKind.PERSON)
                if key in self.sales:
                    self._by_hand.setdefault(order_id, []).append((order_id, key))
                    self._by_hand.setdefault(key, []).append((order_id, key))


def _strengthen(known: _AcceptedLink, kind: LinkKind, proposal: Proposal) -> None:
    """One more reason for a link; a stronger one, which was put off, comes first."""
    if proposal.evidence in known.evidence:
        return
    if kind < known.kind:
        known.kind, known.confidence = kind, max(known.confidence, proposal.confidence)
        known.evidence.insert(0, proposal.evidence)
    elif len(known.evidence) < _MOST_EVIDENCE:
        known.evidence.append(proposal.evidence)


def _contradiction(proposal: Proposal) -> Message:
    """What speaks against a link that a person made."""
    facts = {"evidence": proposal.evidence, "order": proposal.order.hub_id, "name": evidence_text.named(proposal.paper)}
    return Message(CONTRADICTED, facts)
