"""An order as it is answered, whether it is the world's or was posted."""

from __future__ import annotations

from typing import Any

from sandbox_hub.environment import Environment
from sandbox_hub.posted.order_book import Order
from sandbox_hub.posted.posted_orders import PostedItem, PostedOrder
from sandbox_hub.web.records import MARKETPLACE_STATUS, money, order_record, ready_by
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.timeline import utc_time

_MARKETPLACES_WORDS = ("marketPlaceStatus", "marketPlaceShipmentStatus")


def order_view(environment: Environment, order: Order) -> dict[str, Any]:
    """The order of the specification, in full."""
    if isinstance(order, PostedOrder):
        return _posted(environment, order)
    return order_record(environment.world, order)


def _posted(environment: Environment, order: PostedOrder) -> dict[str, Any]:
    """What was posted, with what was written to it since; what was not said is left out."""
    found = environment.orders.standing(order)
    at_marketplace, shipment = MARKETPLACE_STATUS[found.status]
    record: dict[str, Any] = {
        "id": order.id,
        "createdAt": utc_time(order.created),
        "lastUpdate": utc_time(found.changed),
        "status": found.status.value,
        "marketPlace": environment.world.marketplaces[order.marketplace],
        "marketPlaceStatus": at_marketplace,
        "marketPlaceId": order.code,
        "marketPlaceNumber": order.code,
        "marketPlaceShipmentStatus": shipment,
        "transmissionStatus": "ERROR" if found.failure else "OK",
        "fulfillment": order.fulfilment,
        "discount": money(order.discount_cents),
        "freight": money(order.freight_cents),
        "interestValue": money(order.interest_cents),
        "gross": money(order.gross_cents),
        "total": money(order.total_cents),
        "shipping": dict(order.shipping),
        "buyer": dict(order.buyer),
        "payments": [dict(payment) for payment in order.payments],
        "items": [_item(item) for item in order.items],
    }
    if "partnerId" in order.texts:
        record["partnerId"] = order.texts["partnerId"]
    if found.status is order.status:  # what the marketplace said when it was posted, until it is moved
        for name in _MARKETPLACES_WORDS:
            record[name] = order.texts.get(name, record[name])
    if found.failure:
        record["transmissionMessage"] = found.failure
    if found.invoice:
        record["invoice"] = dict(found.invoice)
    tracking = dict(found.tracking)
    if found.status is not Status.CANCELED and environment.orders.is_on_demand(order):
        tracking.setdefault("bufferingDate", ready_by(order.created))
    if tracking:
        record["tracking"] = tracking
    return record


def _item(item: PostedItem) -> dict[str, Any]:
    return {
        "sku": {"partnerId": item.code},
        "amount": float(item.amount) if "." in item.amount else int(item.amount),
        "unit": money(item.unit_cents),
        "price": money(item.unit_cents),
        "discount": money(item.discount_cents),
        "gross": money(item.gross_cents),
        "total": money(item.total_cents),
    }
