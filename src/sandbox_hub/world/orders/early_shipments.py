"""Early shipments of orders with a product made on demand: which orders may ask for one, and what comes of it."""

from __future__ import annotations

from hashlib import blake2b

from sandbox_hub.world.orders.order_changes import Change
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.parties.products import Product
from sandbox_hub.world.timeline import utc_time
from sandbox_hub.world.world import OrderRef, World

_WITHOUT = 2  # the marketplace that releases no scheduled order early
_REFUSED = 4  # elsewhere one asking in so many is refused, and may be repeated
_ON_DEMAND = 3  # one product in so many


def made_on_demand(product: Product) -> bool:
    """Whether a product is only made when it is ordered."""
    return blake2b(product.code.encode(), digest_size=1).digest()[0] % _ON_DEMAND == 0


def may_ask(world: World, order: OrderRef) -> bool:
    """Whether an order holds a product made on demand."""
    return any(made_on_demand(line.product) for line in world.goods.basket(order.seat, order.story_cycle).lines)


def early_shipment(world: World, order: OrderRef) -> Change:
    """What comes of the early shipment that an order waits for: it is shipped, or keeps its status and says why."""
    if order.seat.marketplace == _WITHOUT:
        name = world.marketplaces[_WITHOUT]
        return Change(
            world.now, failure=f"O marketplace {name} não aceita antecipação de envio de pedidos programados."
        )
    stage = world.standing(order).stage
    throw = blake2b(f"{world.seed}:early:{world.order_id(order)}:{stage}".encode(), digest_size=1).digest()[0]
    if throw % _REFUSED == 0:
        return Change(
            world.now, failure="O marketplace recusou a antecipação do envio. Tente de novo ou aguarde o prazo."
        )
    return Change(
        world.now,
        Status.PAID_WAITING_DELIVERY,
        tracking={"date": utc_time(world.now), "shippedDate": utc_time(world.now)},
    )
