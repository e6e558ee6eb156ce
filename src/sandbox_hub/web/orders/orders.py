"""The orders interface: list and detail."""

from __future__ import annotations

from starlette.responses import Response

from sandbox_hub.web.paging import list_answer, shifted_page
from sandbox_hub.web.query import whole_number
from sandbox_hub.web.records import order_record
from sandbox_hub.web.request_handling import Call
from sandbox_hub.web.responses import answer, not_found
from sandbox_hub.world.filters import OrderQuery
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.orders.order_numbers import order_id_of
from sandbox_hub.world.selection import Backwards, Handful, Indexes
from sandbox_hub.world.world import World

_FILTERS = ("createdAfter", "createdBefore", "status", "marketplace", "marketplaceId", "sort")
_STATUSES = {status.value: status.value for status in Status}
_NEWEST_FIRST = {"createdAt": False, "createdAt,asc": False, "-createdAt": True, "createdAt,desc": True}


async def list_orders(call: Call) -> Response:
    """GET /orders: oldest first unless sorted otherwise."""
    world = call.environment.world
    query = call.query(_FILTERS, paged=True)
    paging = query.paging()
    wanted = OrderQuery(
        marketplace=query.values.get("marketplace"),
        marketplace_id=query.values.get("marketplaceId"),
        status=query.one_of("status", _STATUSES),
        created_from=query.first_second("createdAfter"),
        created_to=query.last_second("createdBefore"),
    )
    indexes = _with_marketplace_id(world, wanted)
    if query.one_of("sort", _NEWEST_FIRST):
        indexes = Backwards(indexes)
    numbers, total = shifted_page(indexes, paging, call.shift)
    content = [order_record(world, world.order_at(number)) for number in numbers]
    return list_answer(call, "/orders", query, paging, total, content)


async def one_order(call: Call) -> Response:
    """GET /orders/{id}."""
    call.query()
    order_id = whole_number(call.request.path_params["id"])
    order = None if order_id is None else call.environment.world.order(order_id)
    if order is None:
        raise not_found("Pedido não encontrado.")
    return answer(order_record(call.environment.world, order))


def _with_marketplace_id(world: World, wanted: OrderQuery) -> Indexes:
    indexes = world.select_orders(wanted)
    if wanted.marketplace_id is None:
        return indexes
    number = world.order_number(order_id_of(wanted.marketplace_id))
    if number is None or indexes.rank(number) == indexes.rank(number + 1):
        return Handful(())
    return Handful((number,))
