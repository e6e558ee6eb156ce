"""The facts of each CT-e of the world: what it carries, for whom, and for how much."""

from __future__ import annotations

from decimal import Decimal

from sandbox_hub.paper.facts import FreightFacts
from sandbox_hub.world.anomalies.misstatements import told_freight_cents
from sandbox_hub.world.documents.nfe_facts import (
    external_id,
    first_cfop,
    protocol,
    quoted_codes,
    received_at,
    recipient_of,
    sale_total_cents,
)
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.world import World

_COMPLEMENT, _ANNULMENT, _SUBSTITUTION = 1, 2, 3  # tpCTe
_KINDS = {
    "R11.complement": _COMPLEMENT,
    "R11.overcharged": _COMPLEMENT,
    "R11.annulment": _ANNULMENT,
    "R11.substitution": _SUBSTITUTION,
}


def freight_cents(world: World, index: int) -> int:
    """vTPrest: the freight that the carried orders were charged."""
    agreed = sum(world.goods.basket(order.seat, order.story_cycle).freight_cents for order in world.orders_of(index))
    return told_freight_cents(world, index, agreed) if world.planted.lie(index) else agreed


def freight_kind(world: World, index: int) -> int:
    """tpCTe: 0 but for one that adjusts another."""
    return _KINDS.get(world.planted.lie(index), 0) if world.paper(index) == "again" else 0


def carried_by(world: World, index: int) -> list[int]:
    """The notes that a CT-e carries."""
    return [other for other in world.related(index) if world.place(other).subtype is not Subtype.FREIGHT]


def freight_facts(world: World, index: int) -> FreightFacts:
    """The facts of document `index`, a CT-e; the seller, who sends the goods, pays for it."""
    place = world.place(index)
    issued = world.numbering.issued_at(index)
    number = world.numbering.number(index)
    orders = world.orders_of(index)
    kind = freight_kind(world, index)
    adjusted = tuple(key for key in world.references(index) if key[20:22] == "57")
    baskets = [world.goods.basket(order.seat, order.story_cycle) for order in orders]
    codes = "".join(f" {code}" for code in [", ".join(quoted_codes(world, index))] if code)
    return FreightFacts(
        series=place.line.series,
        number=number,
        code=f"{world.numbering.code(index):08d}",
        issued_at=issued,
        emitter=world.numbering.emitters[place.line.emitter],
        sender=world.cast.companies[place.company],
        recipient=recipient_of(world, index),
        value_cents=freight_cents(world, index),
        goods_value_cents=sum(sale_total_cents(world, sale) for sale in carried_by(world, index)),
        weight=sum((basket.weight for basket in baskets), Decimal(0)),
        protocol=protocol(world, index),
        received_at=received_at(world, index),
        carried=tuple(key for key in world.references(index) if key[20:22] == "55"),
        kind=kind,
        complements=adjusted if kind == _COMPLEMENT else (),
        replaces=adjusted[0] if kind == _SUBSTITUTION else None,
        annuls=adjusted[0] if kind == _ANNULMENT else None,
        cfop=first_cfop(world, index),
        rntrc=f"{10_000_000 + place.carrier * 137_911}",
        external_id=external_id(world, index),
        notes=f"Entrega de pedido{codes} do marketplace {world.marketplaces[place.marketplace]}.",
    )
