"""What a client sees of the world: what orders tell and what papers say, without making either's text.

A test holds it against the served JSON and XML.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from sandbox_hub.oracle.decidable_links import Pair, decided
from sandbox_hub.oracle.fitting_pairs import SeenAmounts, SeenOrder, SeenPaper
from sandbox_hub.web.records import told_invoice, told_tax_id
from sandbox_hub.world.documents.nfe_facts import (
    buyer_of,
    code_of,
    external_id,
    named_code,
    quoted_codes,
    recipient_of,
    remarks,
    sale_freight_cents,
    sale_interest_cents,
    sale_lines,
)
from sandbox_hub.world.filters import OrderQuery
from sandbox_hub.world.orders.order_contents import OrderLine
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.selection import members
from sandbox_hub.world.timeline import HUB_ZONE
from sandbox_hub.world.world import OrderRef, World

_PUNCTUATION = str.maketrans("", "", "./-")


def decided_links(world: World) -> set[Pair]:
    """The links that all this decides, as order id and key; costs as much as reading every document."""
    return decided(seen_orders(world), seen_papers(world))


def seen_orders(world: World) -> Iterator[SeenOrder]:
    """Every order that the hub serves now."""
    for number in members(world.select_orders(OrderQuery())):
        yield _seen_order(world, world.order_at(number))


def seen_papers(world: World) -> Iterator[SeenPaper]:
    """Every document that the hub serves now; voidings, which belong to nobody, are left out."""
    for index in world.all_documents():
        if world.place(index).subtype is not Subtype.VOIDING:
            yield _seen_paper(world, index)


def _seen_order(world: World, order: OrderRef) -> SeenOrder:
    found = world.standing(order)
    basket = world.goods.basket(order.seat, order.story_cycle)
    invoice = told_invoice(world, order, found)
    return SeenOrder(
        id=world.order_id(order),
        code=code_of(world, order),
        day=datetime.fromtimestamp(found.lived[Status.PENDING], HUB_ZONE).toordinal(),
        buyer=told_tax_id(world, order, buyer_of(world, order)).translate(_PUNCTUATION),
        amounts=SeenAmounts(
            total=basket.total_cents,
            discount=basket.discount_cents,
            freight=basket.freight_cents,
            other=0,
            goods=_goods(basket.lines),
        ),
        key=invoice.get("accessKey"),
        number=(invoice["series"], invoice["number"]) if {"series", "number"} <= invoice.keys() else None,
        invoiced_at=int(datetime.fromisoformat(invoice["date"]).timestamp()) if "date" in invoice else None,
    )


def _seen_paper(world: World, index: int) -> SeenPaper:
    """A document: a sale whole, of the others only what leads to an order."""
    key, refers, order_id = world.numbering.key(index), world.references(index), world.order_named(index)
    external = external_id(world, index)
    if world.place(index).subtype is not Subtype.SALE:
        return SeenPaper(key, refers, order_id, external, ", ".join(quoted_codes(world, index)))
    issued = world.numbering.issued_at(index)
    return SeenPaper(
        key,
        refers,
        order_id,
        external,
        remarks(world, index),
        order_code=named_code(world, index),
        number=(str(world.place(index).line.series), str(world.numbering.number(index))),
        issued_at=int(issued.timestamp()),
        day=issued.toordinal(),
        buyer=recipient_of(world, index).tax_id,
        amounts=_of_sale(world, index),
    )


def _of_sale(world: World, index: int) -> SeenAmounts:
    lines = sale_lines(world, index)
    freight, interest = sale_freight_cents(world, index), sale_interest_cents(world, index)
    return SeenAmounts(
        total=sum(line.total_cents for line in lines) + freight + interest,
        discount=sum(line.discount_cents for line in lines),
        freight=freight,
        other=interest,
        goods=_goods(lines),
    )


def _goods(lines: Sequence[OrderLine]) -> str:
    pieces: dict[str, int] = {}
    for line in lines:
        pieces[line.product.code] = pieces.get(line.product.code, 0) + line.quantity
    return " ".join(f"{code}:{pieces[code]}" for code in sorted(pieces))
