"""What each order holds: buyer, lines, discounts, freight; and how they fall on its papers."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple, Protocol

from sandbox_hub.world.parties.buyers import BUYERS, Buyers
from sandbox_hub.world.parties.products import Product, catalogue
from sandbox_hub.world.parties.tax_ids import ean13
from sandbox_hub.world.schedule import Deck, Seat
from sandbox_hub.world.seeded_random import Die

_REMEMBERED = 4_096
_REGULAR_CUSTOMERS = 4  # companies that sign manifestations, each with a certificate of its own
SPARE = 2  # pieces of each product sent to a warehouse beyond what is sold from there


class StoryAnomalies(Protocol):
    """Which anomaly each story carries."""

    def of(self, story: int, cycle: int) -> str:
        """Its name, empty where it carries none."""
        ...


class OrderLine(NamedTuple):
    """Some pieces of one product; amounts in centavos."""

    product: Product
    quantity: int
    unit_cents: int
    discount_cents: int

    @property
    def gross_cents(self) -> int:
        return self.quantity * self.unit_cents

    @property
    def total_cents(self) -> int:
        return self.gross_cents - self.discount_cents


class Basket(NamedTuple):
    """What one order holds."""

    lines: tuple[OrderLine, ...]
    freight_cents: int

    @property
    def gross_cents(self) -> int:
        return sum(line.gross_cents for line in self.lines)

    @property
    def discount_cents(self) -> int:
        return sum(line.discount_cents for line in self.lines)

    @property
    def total_cents(self) -> int:
        return self.gross_cents - self.discount_cents + self.freight_cents

    @property
    def weight(self) -> Decimal:
        return sum((line.product.weight * line.quantity for line in self.lines), Decimal(0))


class Goods:
    """Baskets by order: `cycle` is always the story's, `seat` the order's."""

    def __init__(self, seed: int, deck: Deck, lies: StoryAnomalies | None = None) -> None:
        self._lies = lies
        self.products = catalogue(seed)
        self.buyers = Buyers(seed)
        self._deck = deck
        self._die = Die(seed, "baskets")
        self._who = Die(seed, "who buys")
        self._stories = 1 + max(seat.story for seat in deck.seats)
        self.basket = lru_cache(_REMEMBERED)(self._basket)
        self.buyer = lru_cache(BUYERS)(self.buyers.buyer)

    def buyer_number(self, seat: Seat, cycle: int) -> int:
        """Who placed the order."""
        throw = self._who((cycle * self._stories + seat.story) * 16 + seat.buyer_slot)
        to_company = seat.to_company or (self._lies is not None and self._lies.of(seat.story, cycle) == "R24")
        return throw % (_REGULAR_CUSTOMERS if to_company else BUYERS)

    def first_product(self, seat: Seat, cycle: int, part: int) -> Product:
        """The first product of package `part`, without making the basket."""
        return self._die.pick(self._start(seat, cycle) + 8 + 4 * part, self.products)

    def package(self, seat: Seat, cycle: int, part: int, parts: int) -> Basket:
        """Package `part` of `parts`: one line each, the last takes the rest, the first carries the freight."""
        basket = self.basket(seat, cycle)
        end = len(basket.lines) if part == parts - 1 else part + 1
        return Basket(basket.lines[part:end], 0 if part else basket.freight_cents)

    def sent_to_warehouse(self, seats: tuple[Seat, ...], cycle: int) -> tuple[tuple[Product, int], ...]:
        """Products and pieces that a story's `seats` sell from a warehouse, with the spare ones."""
        pieces: dict[str, tuple[Product, int]] = {}
        for seat in seats:
            for line in self.basket(seat, cycle).lines:
                product, count = pieces.get(line.product.code, (line.product, SPARE))
                pieces[product.code] = (product, count + line.quantity)
        return tuple(pieces.values())

    def _start(self, seat: Seat, cycle: int) -> int:
        return (cycle * len(self._deck.seats) + seat.like) * 64

    def _basket(self, seat: Seat, cycle: int) -> Basket:
        basket = self._thrown(seat, cycle)
        if self._lies is None or not self._lies.of(seat.story, cycle).startswith("R16"):
            return basket
        # An item of its own: what is told of it is not made up for by what other stories have in the warehouse.
        serial = cycle * self._stories + seat.story
        return basket._replace(lines=tuple(line._replace(product=_own(line.product, serial)) for line in basket.lines))

    def _thrown(self, seat: Seat, cycle: int) -> Basket:
        die, start = self._die, self._start(seat, cycle)
        count = max(1, len(seat.invoices)) + (1, 0, 0, 2)[die.below(start, 4)]
        lines = []
        for k in range(count):
            n = start + 8 + 4 * k
            product = die.pick(n, self.products)
            quantity = (1, 1, 1, 2, 1, 3)[die.below(n + 1, 6)]
            unit = product.price_cents * die.between(n + 2, 95, 105) // 100
            discount = quantity * unit // 10 if die.below(n + 3, 5) == 0 else 0
            lines.append(OrderLine(product, quantity, unit, discount))
        charged = seat.has_freight or die.below(start + 1, 2) == 0
        return Basket(tuple(lines), die.between(start + 2, 990, 6_990) if charged else 0)


def _own(product: Product, serial: int) -> Product:
    """The same product as an item that only one story knows."""
    return product._replace(
        code=f"{product.code}-{serial}",
        description=f"{product.description} lote {serial}",
        ean=ean13(500_000_000 + int(product.code[-4:]) * 1_000 + serial),
    )


def warehouse_price(product: Product) -> int:
    """Centavos at which a product moves to and from a warehouse."""
    return product.price_cents * 6 // 10
