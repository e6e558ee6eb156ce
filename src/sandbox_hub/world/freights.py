"""The facts of each CT-e of the world: what it carries, for whom, and for how much."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from sandbox_hub.paper.facts import FreightFacts
from sandbox_hub.world.notes import code_of, external_id, first_cfop, protocol, recipient_of, sale_total_cents
from sandbox_hub.world.world import World


def freight_cents(world: World, index: int) -> int:
    """vTPrest: the freight that the carried orders were charged."""
    return sum(world.goods.basket(order.seat, order.story_cycle).freight_cents for order in world.orders_of(index))


def freight_facts(world: World, index: int) -> FreightFacts:
    """The facts of document `index`, a CT-e; the seller, who sends the goods, pays for it."""
    place = world.place(index)
    issued = world.numbering.issued_at(index)
    number = world.numbering.number(index)
    orders = world.orders_of(index)
    baskets = [world.goods.basket(order.seat, order.story_cycle) for order in orders]
    codes = ", ".join(code_of(world, order) for order in orders)
    return FreightFacts(
        series=place.line.series,
        number=number,
        code=f"{world.numbering.code(index):08d}",
        issued_at=issued,
        emitter=world.numbering.emitters[place.line.emitter],
        sender=world.cast.companies[place.company],
        recipient=recipient_of(world, index),
        value_cents=freight_cents(world, index),
        goods_value_cents=sum(sale_total_cents(world, sale) for sale in world.related(index)),
        weight=sum((basket.weight for basket in baskets), Decimal(0)),
        protocol=protocol(world, index),
        received_at=issued + timedelta(seconds=5 + number % 41),
        carried=tuple(world.numbering.key(sale) for sale in world.related(index)),
        cfop=first_cfop(world, index),
        rntrc=f"{10_000_000 + place.carrier * 137_911}",
        external_id=external_id(world, index),
        notes=f"Entrega de pedido {codes} do marketplace {world.marketplaces[place.marketplace]}.",
    )
