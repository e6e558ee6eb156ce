"""All orders of an environment, those of its world and those that were posted, under one numbering."""

from __future__ import annotations

from dataclasses import replace

from sandbox_hub.posted.posted_orders import FIRST_POSTED, PostedOrder, PostedOrders
from sandbox_hub.world.filters import OrderQuery
from sandbox_hub.world.orders.early_shipments import early_shipment, made_on_demand
from sandbox_hub.world.orders.order_changes import Change, Standing
from sandbox_hub.world.orders.order_numbers import order_id_of
from sandbox_hub.world.selection import Handful, Indexes, Interleaved
from sandbox_hub.world.world import OrderRef, World

Order = OrderRef | PostedOrder


class OrderBook:
    """`select` gives numbers, as the world does; `at` and `id_of` lead on from there."""

    def __init__(self, world: World, posted: PostedOrders | None = None) -> None:
        self.world = world
        self.posted = PostedOrders(world, {}) if posted is None else posted

    def select(self, query: OrderQuery) -> Indexes:
        """Numbers of the orders that meet `query`, oldest first."""
        world = self.world
        base = world.select_orders(query)
        if query.marketplace_id is not None:
            number = world.order_number(order_id_of(query.marketplace_id))
            there = number is not None and base.rank(number) < base.rank(number + 1)
            base = Handful((number,) if number is not None and there else ())
        posted = self.posted.select(query)
        if not posted:
            return base
        return Interleaved(
            base, [(self._before(base, query, order.created), self.number_of(order)) for order in posted]
        )

    def _before(self, base: Indexes, query: OrderQuery, created: int) -> int:
        """How many of the world's orders in `base` were placed by then."""
        if created >= self.world.now:
            return len(base)
        if query.marketplace_id is None:
            return len(self.world.select_orders(replace(query, created_to=created)))
        orders = [self.world.order_at(number) for number in base.page(0, len(base))]
        return sum(self.world.lives.created(order.seat, order.cycle) <= created for order in orders)

    def number_of(self, order: Order) -> int:
        """Its number among all orders."""
        number = self.world.order_number(self.id_of(order))
        assert number is not None
        return number

    def at(self, number: int) -> Order:
        """The order of a member of `select`."""
        found = self.posted.order(self.id_at(number))
        return self.world.order_at(number) if found is None else found

    def id_at(self, number: int) -> int:
        """The id of the order of a member of `select`."""
        first = self.world.order_number(0)
        assert first is not None
        return number - first

    def id_of(self, order: Order) -> int:
        """The hub's id of the order."""
        return order.id if isinstance(order, PostedOrder) else self.world.order_id(order)

    def order(self, order_id: int) -> Order | None:
        """The order of that id, if the hub has it by now."""
        return self.posted.order(order_id) if order_id >= FIRST_POSTED else self.world.order(order_id)

    def standing(self, order: Order) -> Standing:
        """What the order is by now."""
        return self.posted.standing(order) if isinstance(order, PostedOrder) else self.world.standing(order)

    def placed(self, order: Order) -> int:
        """When the hub came to have the order, in seconds."""
        return order.posted if isinstance(order, PostedOrder) else self.world.lives.created(order.seat, order.cycle)

    def write(self, order_id: int, change: Change) -> None:
        """Change an order, which exists, as a client asked for."""
        if order_id >= FIRST_POSTED:
            self.posted.write(order_id, change)
        else:
            self.world.write(order_id, change)

    def pieces(self, order: Order) -> list[tuple[str, str]]:
        """What the order takes from the stock: codes of SKUs, and how much of each, as text."""
        if isinstance(order, PostedOrder):
            return [(item.code, item.amount) for item in order.items]
        basket = self.world.goods.basket(order.seat, order.story_cycle)
        return [(line.product.code, str(line.quantity)) for line in basket.lines]

    def is_on_demand(self, order: Order) -> bool:
        """Whether it holds a product that is only made when it is ordered."""
        return any(made_on_demand(code) for code, _ in self.pieces(order))

    def early_shipment(self, order: Order) -> Change:
        """What comes of the early shipment that an order waits for."""
        marketplace = order.marketplace if isinstance(order, PostedOrder) else order.seat.marketplace
        return early_shipment(self.world, marketplace, self.id_of(order), self.standing(order).stage)
