"""The orders interface: list and detail."""

from __future__ import annotations

from starlette.responses import Response

from sandbox_hub.web.orders.order_views import order_view
from sandbox_hub.web.paging import list_answer, shifted_page
from sandbox_hub.web.query import whole_number
from sandbox_hub.web.request_handling import Call
from sandbox_hub.web.responses import answer, not_found
from sandbox_hub.world.filters import OrderQuery
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.selection import Backwards

_FILTERS = ("createdAfter", "createdBefore", "status", "marketplace", "marketplaceId", "sort")
_STATUSES = {status.value: status.value for status in Status}
_NEWEST_FIRST = {"createdAt": False, "createdAt,asc": False, "-createdAt": True, "createdAt,desc": True}


async def list_orders(call: Call) -> Response:
    """GET /orders: oldest first unless sorted otherwise."""
    orders = call.environment.orders
    query = call.query(_FILTERS, paged=True)
    paging = query.paging()
    wanted = OrderQuery(
        marketplace=query.values.get("marketplace"),
        marketplace_id=query.values.get("marketplaceId"),
        status=query.one_of("status", _STATUSES),
        created_from=query.first_second("createdAfter"),
        created_to=query.last_second("createdBefore"),
    )
    indexes = orders.select(wanted)
    if query.one_of("sort", _NEWEST_FIRST):
        indexes = Backwards(indexes)
    numbers, total = shifted_page(indexes, paging, call.shift)
    content = [order_view(call.environment, orders.at(number)) for number in numbers]
    return list_answer(call, "/orders", query, paging, total, content)


async def one_order(call: Call) -> Response:
    """GET /orders/{id}."""
    call.query()
    order_id = whole_number(call.request.path_params["id"])
    order = None if order_id is None else call.environment.orders.order(order_id)
    if order is None:
        raise not_found("Pedido não encontrado.")
    return answer(order_view(call.environment, order))
