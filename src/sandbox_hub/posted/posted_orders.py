"""Orders that a client posted, as a marketplace would: beside those of the world, with ids far above theirs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple

from sandbox_hub.world.filters import OrderQuery
from sandbox_hub.world.orders.order_changes import Change, Standing, standing
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.orders.order_numbers import order_code
from sandbox_hub.world.world import World

FIRST_POSTED = 500_000_000  # a number of nine digits, as the marketplaces' own forms of an order's number hold


class PostedItem(NamedTuple):
    """A line; `amount` in pieces, as text, with at most four decimals; money in centavos."""

    code: str
    amount: str
    unit_cents: int
    discount_cents: int

    @property
    def gross_cents(self) -> int:
        return int((Decimal(self.amount) * self.unit_cents).quantize(Decimal(1), ROUND_HALF_UP))

    @property
    def total_cents(self) -> int:
        return self.gross_cents - self.discount_cents


@dataclass(frozen=True, slots=True)
class PostedOrder:
    """An order as it was posted: `posted` and `created` in seconds, money in centavos.

    `discount_cents` is all of it, that of the lines included. `texts`, `buyer`, `shipping` and `payments` are as they
    were written, without what was null.
    """

    id: int
    posted: int
    created: int
    status: Status
    marketplace: int
    items: tuple[PostedItem, ...]
    discount_cents: int = 0
    freight_cents: int = 0
    interest_cents: int = 0
    fulfilment: bool = False
    texts: dict[str, str] = field(default_factory=dict)
    buyer: dict[str, str] = field(default_factory=dict)
    shipping: dict[str, str] = field(default_factory=dict)
    payments: tuple[dict[str, Any], ...] = ()

    @property
    def gross_cents(self) -> int:
        return sum(item.gross_cents for item in self.items)

    @property
    def total_cents(self) -> int:
        return self.gross_cents - self.discount_cents + self.freight_cents + self.interest_cents

    @property
    def code(self) -> str:
        """The order's number at its marketplace: as it was written, else in the marketplace's own form."""
        return self.texts.get("marketPlaceId") or order_code(self.marketplace, self.id)

    def as_json(self) -> dict[str, Any]:
        """As the state file keeps it, under its id."""
        names = [name for name in self.__dataclass_fields__ if name != "id"]
        return {name: getattr(self, name) for name in names}

    @classmethod
    def from_json(cls, order_id: int, kept: dict[str, Any]) -> PostedOrder:
        read = {
            **kept,
            "status": Status(kept["status"]),
            "items": tuple(PostedItem(*item) for item in kept["items"]),
            "payments": tuple(kept["payments"]),
        }
        return cls(id=order_id, **read)


class PostedOrders:
    """`kept` belongs to the owner, who keeps it: each order by its id, as text."""

    def __init__(self, world: World, kept: dict[str, dict[str, Any]]) -> None:
        self._world = world
        self._kept = kept
        self._orders = {int(name): PostedOrder.from_json(int(name), order) for name, order in kept.items()}
        self._changes: dict[int, list[Change]] = {}

    def next_id(self) -> int:
        """The id of the next order."""
        return max(self._orders, default=FIRST_POSTED - 1) + 1

    def add(self, order: PostedOrder) -> None:
        """Keep a new order."""
        self._orders[order.id] = order
        self._kept[str(order.id)] = order.as_json()

    def write(self, order_id: int, change: Change) -> None:
        """Change an order as a client asked for."""
        self._changes.setdefault(order_id, []).append(change)

    def order(self, order_id: int) -> PostedOrder | None:
        """The order of that id, if it has been posted by now."""
        order = self._orders.get(order_id)
        return order if order is not None and order.posted <= self._world.now else None

    def standing(self, order: PostedOrder) -> Standing:
        """What the order is by now."""
        return standing([(order.status, order.posted)], self._changes.get(order.id, ()), self._world.now)

    def of_code(self, marketplace: int, code: str) -> PostedOrder | None:
        """The order with this number at the marketplace, whenever it was posted."""
        return next((o for o in self._orders.values() if (o.marketplace, o.code) == (marketplace, code)), None)

    def all(self) -> Iterator[PostedOrder]:
        """Every order that has been posted by now, in the order of their ids."""
        return (order for order in self._orders.values() if order.posted <= self._world.now)

    def select(self, query: OrderQuery) -> list[PostedOrder]:
        """Those that meet `query`, its marketplace's number too."""
        return [order for order in self.all() if self._meets(order, query)]

    def _meets(self, order: PostedOrder, query: OrderQuery) -> bool:
        named = query.marketplace in (None, self._world.marketplaces[order.marketplace])
        if not named or query.marketplace_id not in (None, order.code):
            return False
        found = self.standing(order)
        return (
            query.status in (None, found.status)
            and (query.created_from is None or order.created >= query.created_from)
            and (query.created_to is None or order.created <= query.created_to)
            and (query.changed_from is None or found.changed >= query.changed_from)
        )
