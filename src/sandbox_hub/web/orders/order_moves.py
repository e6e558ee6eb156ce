"""PUT /orders/{id} and its kin: the specification's moves of an order, and from which status each is possible.

Two profiles: `strict_bodies` takes the specification's bodies and moves and nothing else; otherwise orders are moved
as public clients move them (whole orders written back, states skipped, a concluded order cancelled).
The specification does not show the source states, the answer's body, nor what the paths /faturado, /enviado,
/concluido and /cancelado hang from: the tables below, the order in full as the answer, and /orders/{id} are this
sandbox's own choice. Repeating a move that has been made changes nothing and is no error.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from starlette.responses import Response

from sandbox_hub.environment import Environment
from sandbox_hub.posted.order_book import Order
from sandbox_hub.web.orders.order_bodies import Move, read_move
from sandbox_hub.web.orders.order_updates import read_written_back
from sandbox_hub.web.orders.order_views import order_view
from sandbox_hub.web.query import whole_number
from sandbox_hub.web.request_handling import Call
from sandbox_hub.web.responses import answer, bad_request, bad_value, not_found
from sandbox_hub.world.orders.order_changes import Change, Standing
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.timeline import utc_time
from sandbox_hub.world.world import World

SHIPMENT_SECONDS = 0.3  # how long an early shipment is on its way to the marketplace
_FROM = {
    Status.PAID_WAITING_SHIP: {Status.PENDING, Status.PAID_WAITING_SHIP},
    Status.INVOICED: {Status.PAID_WAITING_SHIP, Status.INVOICED},
    Status.PAID_WAITING_DELIVERY: {Status.INVOICED, Status.PAID_WAITING_DELIVERY},
    Status.CONCLUDED: {Status.PAID_WAITING_DELIVERY, Status.CONCLUDED},
    Status.CANCELED: {*Status} - {Status.CONCLUDED},
}
# What public clients do: states are skipped, and what is concluded can still be cancelled.
_FROM_LENIENT = {
    Status.PENDING: {Status.PENDING},
    Status.PAID_WAITING_SHIP: {Status.PENDING, Status.PAID_WAITING_SHIP},
    Status.INVOICED: {Status.PAID_WAITING_SHIP, Status.INVOICED},
    Status.PAID_WAITING_DELIVERY: {Status.PAID_WAITING_SHIP, Status.INVOICED, Status.PAID_WAITING_DELIVERY},
    Status.CONCLUDED: {*Status} - {Status.PENDING, Status.CANCELED},
    Status.CANCELED: {*Status},
}


@dataclass(frozen=True, slots=True)
class MoveOrder:
    """The endpoint; `status` is set where the path names the move."""

    status: Status | None = None

    async def __call__(self, call: Call) -> Response:
        call.query()
        environment = call.environment
        world = environment.world
        order_id = whole_number(call.request.path_params["id"])
        orders = environment.orders
        if order_id is None or orders.order(order_id) is None:
            raise not_found("Pedido não encontrado.")
        body = await call.json_body()
        order = orders.order(order_id)
        if order is None:  # the clock was moved back while the body came
            raise not_found("Pedido não encontrado.")
        strict = environment.strict_bodies
        if strict:
            move = read_move(body, order_id, world.now, self.status)
        else:
            move = read_written_back(body, order_id, world.now, self.status, orders.standing(order).status)
        change = _change(environment, order, move, strict=strict)
        if change is not None:
            environment.write(order_id, change)
            environment.save()
            if change.early_shipment:
                asyncio.get_running_loop().call_later(SHIPMENT_SECONDS, _settle, call, order_id)
        return answer(order_view(environment, order))


def _settle(call: Call, order_id: int) -> None:
    call.environment.settle_shipment(order_id)
    call.environment.save()


def _change(environment: Environment, order: Order, move: Move, *, strict: bool) -> Change | None:
    """The change that a move comes to; None where it has been made. A move that is not possible is a 422."""
    world = environment.world
    found = environment.orders.standing(order)
    if move.status is None:
        return _early_shipment(environment, order, found)
    origins = (_FROM if strict else _FROM_LENIENT)[move.status]
    if found.status not in origins:
        raise bad_value(
            f"O pedido está em {found.status} e não pode passar para {move.status}.",
            "Possível a partir de: " + ", ".join(status for status in Status if status in origins),
        )
    record = order_view(environment, order)
    if move.status is Status.INVOICED and move.invoice is None and "invoice" not in record:
        raise bad_request("O campo invoice é obrigatório na mudança para INVOICED.")
    if move.status is Status.PAID_WAITING_DELIVERY and not strict:
        move = _shipped(world, move, record.get("tracking", {}))
    if move.status is Status.PAID_WAITING_DELIVERY:
        _check_tracking({**record.get("tracking", {}), **move.tracking})
    same_invoice = move.invoice is None or move.invoice == record.get("invoice")
    same_tracking = move.tracking.items() <= record.get("tracking", {}).items()
    if found.status is move.status and same_invoice and same_tracking:
        return None
    return Change(world.now, move.status, move.invoice, move.tracking)


def _early_shipment(environment: Environment, order: Order, found: Standing) -> Change | None:
    if found.waits_for_shipment:
        return None
    if found.status is not Status.INVOICED:
        raise bad_value(f"O pedido está em {found.status}: só um pedido em INVOICED pode ter o envio antecipado.")
    if not environment.orders.is_on_demand(order):
        raise bad_value("O pedido não tem produto fabricado sob encomenda: não há envio a antecipar.")
    return Change(environment.world.now, early_shipment=True)


def _shipped(world: World, move: Move, told: dict[str, str]) -> Move:
    """A move to shipped that says when: where nothing tells it, it has left by now."""
    if "shippedDate" in move.tracking or "shippedDate" in told:
        return move
    shipped = move.tracking.get("date") or move.tracking.get("deliveredDate") or utc_time(world.now)
    return replace(move, tracking={**move.tracking, "shippedDate": shipped})


def _check_tracking(tracking: dict[str, str]) -> None:
    if "shippedDate" not in tracking:
        raise bad_value("O pedido ainda não foi enviado: informe tracking.shippedDate antes de deliveredDate.")
    if tracking.get("deliveredDate", tracking["shippedDate"]) < tracking["shippedDate"]:
        raise bad_value("O campo tracking.deliveredDate é anterior a tracking.shippedDate.")
