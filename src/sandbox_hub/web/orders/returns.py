"""GET /returns: the returns that the hub has booked.

The specification names the domain and shows neither paths nor fields: this list is the sandbox's own choice, made
like the list of orders, and a hub may well be without it (`--no-returns`).
"""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from sandbox_hub.web.paging import list_answer, shifted_page
from sandbox_hub.web.records import item_record, money, told_note
from sandbox_hub.web.request_handling import Call
from sandbox_hub.world.filters import DocumentQuery
from sandbox_hub.world.orders.returns import Return, return_at, select_returns
from sandbox_hub.world.timeline import utc_time
from sandbox_hub.world.world import World

_FILTERS = ("createdAfter", "createdBefore", "orderId", "marketplace")


async def list_returns(call: Call) -> Response:
    """Oldest first."""
    world = call.environment.world
    query = call.query(_FILTERS, paged=True)
    paging = query.paging()
    wanted = DocumentQuery(
        order_id=query.order_id("orderId"),
        marketplace=query.values.get("marketplace"),
        created_from=query.first_second("createdAfter"),
        created_to=query.last_second("createdBefore"),
    )
    numbers, total = shifted_page(select_returns(world, wanted), paging, call.shift)
    content = [return_record(world, return_at(world, number)) for number in numbers]
    return list_answer(call, "/returns", query, paging, total, content)


def return_record(world: World, found: Return) -> dict[str, Any]:
    """A return, in the terms of an order."""
    record: dict[str, Any] = {
        "id": found.id,
        "orderId": world.order_id(found.order),
        "marketPlace": world.marketplaces[found.order.seat.marketplace],
        "type": found.kind,
        "status": "RECEIVED",
        "createdAt": utc_time(found.at),
        "total": money(found.total_cents),
        "items": [item_record(line) for line in found.lines],
    }
    if found.index is not None:
        invoice = told_note(world, found.order, found.index)
        if invoice:
            record["invoice"] = invoice
    return record
