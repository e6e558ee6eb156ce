"""What orders hold back of the stock: from when they are placed until they are shipped or cancelled.

The specification names reservations and shows no field of them: one for each order, with the order's id, is this
sandbox's own choice. Stock that a world's own orders hold back is not counted: its catalog says what is left of it.
"""

from __future__ import annotations

from decimal import Decimal

from sandbox_hub.posted.order_book import Order, OrderBook

RESERVED, RELEASED, SHIPPED = "RESERVED", "RELEASED", "SHIPPED"


class Reservations:
    """Those of posted orders by SKU; `changed` must be called when one of them was posted or moved, or the clock."""

    def __init__(self, orders: OrderBook) -> None:
        self._orders = orders
        self._held: dict[str, Decimal] | None = None

    def changed(self) -> None:
        """Count again when next asked."""
        self._held = None

    def held(self, code: str) -> Decimal:
        """How much of the SKU with this code waits to be shipped."""
        if self._held is None:
            self._held = {}
            for order in self._orders.posted.all():
                if self._orders.standing(order).left_stock is None:
                    for code_held, amount in self._orders.pieces(order):
                        self._held[code_held] = self._held.get(code_held, Decimal(0)) + Decimal(amount)
        return self._held.get(code, Decimal(0))

    def status(self, order: Order) -> str:
        """One of RESERVED, RELEASED, SHIPPED."""
        standing = self._orders.standing(order)
        if standing.left_stock is None:
            return RESERVED
        return SHIPPED if standing.was_shipped else RELEASED
