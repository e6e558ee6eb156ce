"""What lying papers say: other goods, other parties, other freight than their orders have."""

from __future__ import annotations

from sandbox_hub.world.anomalies.draw import FAR
from sandbox_hub.world.orders.order_contents import SPARE, OrderLine
from sandbox_hub.world.parties.products import Product
from sandbox_hub.world.world import World


def told_lines(world: World, index: int, lines: list[OrderLine]) -> list[OrderLine]:
    """The lines of a sale, or of a return, as the paper has them; `lines` are what its orders hold."""
    if world.planted.tells(index, "R2", "sale1"):
        seat = world.deck.seats[world.place(index).orders[0]]
        return list(world.goods.basket(seat, world.story_cycle(index) + FAR).lines)
    if not lines:
        return lines
    first, rest = lines[0], lines[1:]
    if world.planted.tells(index, "R3", "sale"):
        return [first._replace(unit_cents=first.unit_cents + _wrong_by(world, index)), *rest]
    if world.planted.tells(index, "R13.quantity", "devolution"):
        return [first._replace(quantity=first.quantity + 1), *rest]
    if world.planted.tells(index, "R13.beyond", "part"):
        return [first._replace(quantity=first.quantity + 1)]
    if world.planted.tells(index, "R13.value", "devolution"):
        return [first._replace(unit_cents=first.unit_cents * 23 // 20 + 1), *rest]
    return lines


def told_buyer_number(world: World, index: int) -> int | None:
    """The buyer that a paper names instead of its order's; None: the order's own."""
    if world.planted.tells(index, "R2", "sale1") or world.planted.tells(index, "R14.counterparty", "devolution"):
        seat = world.deck.seats[world.place(index).orders[0]]
        return world.goods.buyer_number(seat, world.story_cycle(index) + FAR)
    return None


def told_stock(world: World, index: int, sent: tuple[tuple[Product, int], ...]) -> tuple[tuple[Product, int], ...]:
    """Products and pieces that a note to or from a warehouse names; `sent` are those of the whole story.

    Oversold: one piece less than was sold of one item came in, and nothing of it is taken home. Standing: nothing of
    the first item is taken home.
    """
    paper = world.paper(index)
    if world.planted.lie(index) == "R16.oversold":
        place = world.place(index)
        last = world.goods.basket(world.deck.seats_of[place.story][-1], world.story_cycle(index)).lines[0].product
        if paper == "home":
            return tuple((product, SPARE) for product, _ in sent if product.code != last.code)
        short = ((product, count - (SPARE + 1) * (product.code == last.code)) for product, count in sent)
        return tuple((product, count) for product, count in short if count)
    if paper == "home":
        kept = sent[1:] if world.planted.lie(index) == "R16.standing" and len(sent) > 1 else sent
        return tuple((product, SPARE) for product, _ in kept)
    return sent


def told_freight_cents(world: World, index: int, agreed: int) -> int:
    """vTPrest; `agreed` is what the orders were charged."""
    lie, paper = world.planted.lie(index), world.paper(index)
    if (lie, paper) == ("R10.total", "freight"):
        return agreed + agreed * (7 + world.planted.throw(index, 20)) // 100 + 37
    if lie == "R11.complement":
        first = agreed * 7 // 10
        return first if paper == "freight" else agreed - first
    if (lie, paper) == ("R11.overcharged", "again"):
        return agreed // 4 + 1
    if (lie, paper) == ("R11.substitution", "freight"):
        return agreed * 13 // 10
    return agreed


def _wrong_by(world: World, index: int) -> int:
    """Centavos by which the unit price is off: a sum that neither freight nor discount nor both explain."""
    (order,) = world.orders_of(index)
    basket = world.goods.basket(order.seat, order.story_cycle)
    off = 211 + world.planted.throw(index, 2_000)
    explained = {basket.freight_cents, basket.discount_cents, abs(basket.freight_cents - basket.discount_cents)}
    while any(abs(off * basket.lines[0].quantity - cents) <= 2 for cents in explained):
        off += 7
    return off
