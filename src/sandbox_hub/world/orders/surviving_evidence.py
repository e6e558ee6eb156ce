"""Which evidence of each order survives: hubs forget, each order in its own way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from sandbox_hub.world.orders.order_contents import Goods
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.schedule import Deck, Seat
from sandbox_hub.world.seeded_random import Die

_REMEMBERED = 4_096
_THROWS = 8  # of each order
_WITHOUT_DATE = 4  # one order in so many shows its invoice's number without the date


class Evidence(StrEnum):
    """The ways in which orders keep evidence of their documents; what is scored remains in all of them."""

    FULL = "full"
    KEY = "key"  # the access key on the order
    ORDER_ID = "order_id"  # the order's id in the hub's record, or in external_id
    NUMBER = "number"  # series and number on the order
    QUOTED = "quoted"  # the marketplace's number in infCpl
    SCORED = "scored"  # buyer, total, date and items alone
    MASKED = "masked"  # the same, with the buyer's tax id masked on the order
    DIFFERS = "differs"  # the same, with an amount that is on one side only
    TWINS = "twins"  # two equal orders of one buyer on one day


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of an order. The first three are shown by the order itself, the next four by its documents.

    `masked`: the order hides most of its buyer's tax id. The last three are amounts on one side only: freight or
    discounts of the order that its sale leaves out, interest (centavos) that the sale adds.
    """

    kind: Evidence
    key: bool = False
    number: bool = False
    date: bool = False
    record: bool = False
    external_id: bool = False
    order_code: bool = False  # xPed
    quoted: bool = False  # infCpl, xObs
    masked: bool = False
    freight_left_out: bool = False
    discount_left_out: bool = False
    interest_cents: int = 0

    @property
    def exact(self) -> bool:
        """Whether something names the order or its document outright."""
        return self.key or self.number or self.record or self.external_id or self.order_code or self.quoted


EVERYTHING = Left(Evidence.FULL, *[True] * 7)
# What an order of one document of its own may keep; more of them, or a share in one, needs what names them all.
_ALONE = tuple(kind for kind in Evidence if kind is not Evidence.TWINS)
_OF_SEVERAL_DOCUMENTS = (Evidence.FULL, Evidence.ORDER_ID, Evidence.QUOTED)
_OF_A_CART = (Evidence.FULL, Evidence.KEY, Evidence.NUMBER, Evidence.QUOTED)
_GIVING_BACK = (Subtype.SALE_RETURN, Subtype.DEVOLUTION)
_KEPT_BY_TWINS = (Evidence.KEY, Evidence.ORDER_ID, Evidence.NUMBER, Evidence.QUOTED)


class Memory:
    """What is left of every order: a pure function of seed, seat and cycle (the story's own); nothing is stored.

    The kinds are dealt like cards, cycle by cycle, so that each has its share in every world: thrown dice would
    only come near it. One pair of twins in three keeps nothing, the others something on one or both.
    """

    def __init__(self, seed: int, deck: Deck, goods: Goods) -> None:
        self._deck = deck
        self._goods = goods
        self._die = Die(seed, "evidence")
        self._flavour = Die(seed, "flavours of evidence")
        self._seats = len(deck.seats)
        self._alone: list[int] = []
        self._of_several_documents: list[int] = []
        carts: dict[int, list[int]] = {}
        twins: dict[int, list[int]] = {}
        equal = {seat.like for seat in deck.seats if seat.like != seat.rank}
        for seat in deck.seats:
            sales = [place for place in seat.papers if deck.places[place].subtype is Subtype.SALE]
            shared = [place for place in sales if len(deck.places[place].orders) > 1]
            if seat.like in equal:
                twins.setdefault(seat.like, []).append(seat.rank)
            elif shared:
                carts.setdefault(shared[0], []).append(seat.rank)
            elif len(sales) > 1:
                self._of_several_documents.append(seat.rank)
            elif seat.papers:
                self._alone.append(seat.rank)
        self._carts = list(carts.values())
        self._twins = list(twins.values())
        self._dealt = lru_cache(_REMEMBERED)(self._deal)
        self.left = lru_cache(_REMEMBERED)(self._left)

    def _left(self, seat: Seat, cycle: int) -> Left:
        """What is left of the order of `seat` in the story's `cycle`."""
        kind, kept = self._dealt(cycle).get(seat.rank, (Evidence.FULL, Evidence.FULL))
        n = (cycle * self._seats + seat.rank) * _THROWS
        found = self._kept(kept, seat, cycle, n)
        return found if kept is kind else replace(found, kind=kind)

    def _deal(self, cycle: int) -> dict[int, tuple[Evidence, Evidence]]:
        """Each seat's kind in this cycle, and the kind whose evidence it keeps: twins keep that of another, or none."""

        def throw(rank: int) -> int:
            return self._die(cycle * self._seats + rank)

        dealt: dict[int, tuple[Evidence, Evidence]] = {}
        for ranks, kinds in ((self._alone, _ALONE), (self._of_several_documents, _OF_SEVERAL_DOCUMENTS)):
            for n, rank in enumerate(sorted(ranks, key=throw)):
                kind = kinds[(n + cycle) % len(kinds)]
                dealt[rank] = (kind, kind)
        for n, cart in enumerate(sorted(self._carts, key=lambda cart: throw(cart[0]))):
            kind = _OF_A_CART[(n + cycle) % len(_OF_A_CART)]
            dealt |= dict.fromkeys(cart, (kind, kind))
        for n, pair in enumerate(sorted(self._twins, key=lambda pair: throw(pair[0]))):
            first = throw(pair[0]) >> 8
            both = n % 3 == 2 and throw(pair[1]) & 1
            keeping = pair if both else [pair[first % len(pair)]] if n % 3 else []
            for rank in pair:
                kept = _KEPT_BY_TWINS[(throw(rank) >> 16) % len(_KEPT_BY_TWINS)]
                dealt[rank] = (Evidence.TWINS, kept if rank in keeping else Evidence.SCORED)
        return dealt

    def _kept(self, kind: Evidence, seat: Seat, cycle: int, n: int) -> Left:
        throw = self._flavour(n)
        if kind is Evidence.FULL:
            return EVERYTHING
        if kind is Evidence.KEY:
            return Left(kind, key=True)
        if kind is Evidence.NUMBER:
            return Left(kind, number=True, date=throw % _WITHOUT_DATE != 0)
        if kind is Evidence.ORDER_ID:
            return Left(kind, record=throw % 2 == 0, external_id=throw % 2 == 1)
        if kind is Evidence.QUOTED:
            return Left(kind, quoted=True)
        if kind is Evidence.DIFFERS:
            return self._difference(seat, cycle, n)
        return Left(kind, masked=kind is Evidence.MASKED)

    def _difference(self, seat: Seat, cycle: int, n: int) -> Left:
        """One amount of those that the order has; interest is possible always."""
        basket = self._goods.basket(seat, cycle)
        throw = self._flavour.below(n + 1, 3)
        if throw == 0 and basket.freight_cents:
            return Left(Evidence.DIFFERS, freight_left_out=True)
        # A discount is given back as it was given: no order that comes back leaves it out.
        comes_back = any(self._deck.places[place].subtype in _GIVING_BACK for place in seat.papers)
        if throw != 2 and basket.discount_cents and not comes_back:
            return Left(Evidence.DIFFERS, discount_left_out=True)
        # Instalments of a card: one and a half to five percent.
        interest = basket.total_cents * self._flavour.between(n + 2, 15, 50) // 1000
        return Left(Evidence.DIFFERS, interest_cents=max(1, interest))


def masked(tax_id: str) -> str:
    """A tax id as hubs show it that hide it: the middle six digits of a CPF, of a CNPJ those of its root."""
    if len(tax_id) == 11:
        return f"***.{tax_id[3:6]}.{tax_id[6:9]}-**"
    return f"**.{tax_id[2:5]}.{tax_id[5:8]}/****-**"
