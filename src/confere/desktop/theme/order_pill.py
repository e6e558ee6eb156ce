"""The kind of pill that an order's status is shown in, the same on every page."""

from __future__ import annotations

from confere.sales.order import OrderStatus

# What asks for something to be done, or is lost, has a pill; the usual way of an order is quiet.
_ORDERS = {
    OrderStatus.PENDING.value: "",
    OrderStatus.PAID_WAITING_SHIP.value: "warn",
    OrderStatus.INVOICED.value: "neutral",
    OrderStatus.PAID_WAITING_DELIVERY.value: "",
    OrderStatus.CONCLUDED.value: "",
    OrderStatus.CANCELED.value: "bad",
}


def kind_of_order(status: str | None) -> str:
    """The kind of pill that an order's status is shown in; none where nobody is waited for, or there is no status."""
    return _ORDERS.get(status, "neutral") if status else ""
