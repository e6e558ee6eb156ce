"""What a seller tells an order at the hub, as values: it is paid, has its invoice, was shipped, arrived, is over.

Source: the hub's specification, States and transitions.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from confere.sales.order import OrderInvoice, OrderStatus, Tracking


class OrderMoveKind(StrEnum):
    """The moves of the specification, in the words that a person types."""

    PAID = "paid"
    INVOICED = "invoiced"
    SHIPPED = "shipped"
    DELIVERED = "delivered"
    CONCLUDED = "concluded"
    CANCELLED = "cancelled"
    EARLY_SHIPMENT = "early-shipment"


TARGETS: Final = {
    OrderMoveKind.PAID: OrderStatus.PAID_WAITING_SHIP,
    OrderMoveKind.INVOICED: OrderStatus.INVOICED,
    OrderMoveKind.SHIPPED: OrderStatus.PAID_WAITING_DELIVERY,
    OrderMoveKind.DELIVERED: OrderStatus.PAID_WAITING_DELIVERY,
    OrderMoveKind.CONCLUDED: OrderStatus.CONCLUDED,
    OrderMoveKind.CANCELLED: OrderStatus.CANCELED,
}
"""The status that each leads to; an early shipment names none, the hub chooses it."""


@dataclass(frozen=True, slots=True)
class OrderMove:
    """One move; `invoice` belongs to INVOICED, `tracking` to SHIPPED and DELIVERED, times in it ISO 8601 with zone."""

    kind: OrderMoveKind
    invoice: OrderInvoice | None = None
    tracking: Tracking | None = None

    @property
    def is_asynchronous(self) -> bool:
        """Whether the hub accepts it before it knows what comes of it."""
        return self.kind is OrderMoveKind.EARLY_SHIPMENT
