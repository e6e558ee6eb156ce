"""Early shipments of orders with a product made on demand: which products are, and what comes of it."""

from __future__ import annotations

from hashlib import blake2b

from sandbox_hub.world.orders.order_changes import Change
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.timeline import utc_time
from sandbox_hub.world.world import World

_WITHOUT = 2  # the marketplace that releases no scheduled order early
_REFUSED = 4  # elsewhere one asking in so many is refused, and may be repeated
_ON_DEMAND = 3  # one product in so many


def made_on_demand(code: str) -> bool:
    """Whether the product of this code is only made when it is ordered."""
    return blake2b(code.encode(), digest_size=1).digest()[0] % _ON_DEMAND == 0


def early_shipment(world: World, marketplace: int, order_id: int, stage: int) -> Change:
    """What comes of the early shipment of an order at `stage`: it is shipped, or keeps its status and says why."""
    if marketplace == _WITHOUT:
        name = world.marketplaces[_WITHOUT]
        return Change(
            world.now, failure=f"O marketplace {name} não aceita antecipação de envio de pedidos programados."
        )
    throw = blake2b(f"{world.seed}:early:{order_id}:{stage}".encode(), digest_size=1).digest()[0]
    if throw % _REFUSED == 0:
        return Change(
            world.now, failure="O marketplace recusou a antecipação do envio. Tente de novo ou aguarde o prazo."
        )
    return Change(
        world.now,
        Status.PAID_WAITING_DELIVERY,
        tracking={"date": utc_time(world.now), "shippedDate": utc_time(world.now)},
    )
