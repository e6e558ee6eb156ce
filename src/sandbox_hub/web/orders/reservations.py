"""GET /reservations/{id}: what an item of the feed of reservations leads to; the sandbox's own choice."""

from __future__ import annotations

from starlette.responses import Response

from sandbox_hub.web.query import whole_number
from sandbox_hub.web.request_handling import Call
from sandbox_hub.web.responses import answer, not_found
from sandbox_hub.world.timeline import utc_time


async def one_reservation(call: Call) -> Response:
    """The reservation of the order of that id."""
    call.query()
    orders = call.environment.orders
    order_id = whole_number(call.request.path_params["id"])
    order = None if order_id is None else orders.order(order_id)
    if order is None:
        raise not_found("Reserva não encontrada.")
    placed, left = orders.placed(order), orders.standing(order).left_stock
    return answer(
        {
            "id": order_id,
            "orderId": order_id,
            "status": call.environment.reservations.status(order),
            "createdAt": utc_time(placed),
            "lastUpdate": utc_time(placed if left is None else left),
            "items": [{"sku": {"partnerId": code}, "amount": float(amount)} for code, amount in orders.pieces(order)],
        }
    )
