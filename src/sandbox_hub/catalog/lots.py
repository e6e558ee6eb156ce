"""The items that only one story of the world sells: lots of a product, each with a code and an EAN of its own."""

from __future__ import annotations

from sandbox_hub.world.parties.products import Product
from sandbox_hub.world.world import World

_WITH_LOTS = "R16"  # the rule whose stories sell items of their own (`Goods.basket`)


def sold_lots(world: World) -> tuple[Product, ...]:
    """Every such item, in the order of its story; the costs grow with the stories that have some."""
    lots: dict[str, Product] = {}
    for cycle, story in sorted((cycle, story) for story, cycle in world.planted.stories_of(_WITH_LOTS)):
        for seat in world.deck.seats_of[story]:
            for line in world.goods.basket(seat, cycle).lines:
                lots.setdefault(line.product.code, line.product)
    return tuple(lots.values())
