"""The orders interface: list, detail, feed and marking as read."""

from __future__ import annotations

from typing import Any

from starlette.responses import Response

from sandbox_hub.web.paging import list_answer, shifted_page
from sandbox_hub.web.query import LARGEST_PAGE, whole_number
from sandbox_hub.web.records import order_record
from sandbox_hub.web.request_handling import Call
from sandbox_hub.web.responses import answer, bad_request, bad_value, not_found
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


async def read_feed(call: Call) -> Response:
    """GET /orders/feeds: what nobody has marked."""
    limit = call.query(("limit",)).limit(LARGEST_PAGE)
    unread = call.environment.feed.unread(limit)
    return answer([{"id": item.order_id, "token": item.token} for item in unread])


async def mark_one(call: Call) -> Response:
    """PUT /orders/feeds/{id} with {token}, or (unless bodies are strict) with the item itself."""
    call.query()
    order_id = whole_number(call.request.path_params["id"])
    if order_id is None or call.environment.world.order(order_id) is None:
        raise not_found("Item do feed não encontrado.")
    token = _token(call, await call.json_body(), ("token",))
    if call.environment.feed.owner(token) != order_id:
        raise bad_value("O token não pertence a este item do feed.")
    return _mark(call, [token])


async def mark_batch(call: Call) -> Response:
    """PUT /orders/feeds/batch with [{id, token}] or {tokens: […]}: all of them or none.

    Unless bodies are strict, an empty one (none, null, {}) marks what was read and is not marked yet.
    """
    call.query()
    strict = call.environment.strict_bodies
    body = await call.json_body(empty=not strict)
    feed = call.environment.feed
    if body in (None, {}) and not strict:
        return _mark(call, feed.given_out())
    if isinstance(body, dict):
        if set(body) != {"tokens"}:
            raise bad_request("O corpo deve conter apenas o campo tokens.")
        if not isinstance(body["tokens"], list) or not all(isinstance(token, str) for token in body["tokens"]):
            raise bad_value("O campo tokens deve ser uma lista de textos.")
        tokens = body["tokens"]
        owners: list[int | None] = [None] * len(tokens)
    elif isinstance(body, list):
        tokens = [_token(call, entry, ("id", "token")) for entry in body]
        owners = [(whole_number(str(entry["id"])) or -1) if "id" in entry else None for entry in body]
    else:
        raise bad_request("O corpo deve ser uma lista de itens ou um objeto com o campo tokens.")
    for token, owner in zip(tokens, owners, strict=True):
        found = feed.owner(token)
        if found is None or owner not in (None, found):
            raise bad_value("Há um token que não pertence ao feed; nada foi marcado.")
    return _mark(call, tokens)


def _mark(call: Call, tokens: list[str]) -> Response:
    call.environment.mark(tokens)
    call.environment.save()
    return answer({"marked": len(tokens)})


def _token(call: Call, body: Any, fields: tuple[str, ...]) -> str:
    exact = not call.environment.strict_bodies or (isinstance(body, dict) and set(body) == set(fields))
    if not isinstance(body, dict) or "token" not in body or not exact:
        raise bad_request("O corpo deve conter exatamente: " + ", ".join(fields) + ".")
    if not isinstance(body["token"], str):
        raise bad_value("O campo token deve ser um texto.")
    return body["token"]


def _with_marketplace_id(world: World, wanted: OrderQuery) -> Indexes:
    indexes = world.select_orders(wanted)
    if wanted.marketplace_id is None:
        return indexes
    number = world.order_number(order_id_of(wanted.marketplace_id))
    if number is None or indexes.rank(number) == indexes.rank(number + 1):
        return Handful(())
    return Handful((number,))
