"""The facts of each NF-e of the world: parties, lines, references and what it quotes of its order."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal

from sandbox_hub.paper.facts import NoteFacts, SaleItem, Taxpayer
from sandbox_hub.world.catalogue import Product
from sandbox_hub.world.companies import Marketplace
from sandbox_hub.world.deck import Place
from sandbox_hub.world.goods import SPARE, Line, warehouse_price
from sandbox_hub.world.operations import cfop, incoming, operation
from sandbox_hub.world.order_codes import order_code
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.world import OrderRef, World

_DEPOSIT = "LOJA_VERDE"  # its warehouse is a general deposit
_RETURNS = (Subtype.SALE_RETURN, Subtype.DEVOLUTION)
_WITH_BUYER = (Subtype.SALE, *_RETURNS, Subtype.FREIGHT)
_PAYMENTS = ("03", "17", "03", "15", "03", "17")
_BARE_EXTERNAL_ID = 12  # one note in so many names its order by the bare number


def first_cfop(world: World, index: int) -> str:
    """The CFOP of the first line, without making the note; of freight, the only one."""
    place = world.place(index)
    if place.subtype not in _WITH_BUYER:
        return _cfop(world, place, world.goods.products[0])
    seat = world.deck.seats[place.orders[0]]
    cycle = world.story_cycle(index)
    buyer = world.goods.buyer_number(seat, cycle)
    return cfop(
        place.subtype,
        world.goods.first_product(seat, cycle, place.part).taxing,
        far=world.goods.buyers.uf(buyer) != _company(world, place).address.uf,
        contributor=world.goods.buyers.company(buyer),
        fulfilment=place.fulfilment,
    )


def sale_lines(world: World, index: int) -> list[Line]:
    """What a sale (or its return) holds, over all its orders."""
    place = world.place(index)
    cycle = world.story_cycle(index)
    lines: list[Line] = []
    for rank in place.orders:
        lines += world.goods.package(world.deck.seats[rank], cycle, place.part, place.parts).lines
    return lines


def sale_freight_cents(world: World, index: int) -> int:
    """Freight that a sale charges."""
    place = world.place(index)
    cycle = world.story_cycle(index)
    seats = (world.deck.seats[rank] for rank in place.orders)
    return sum(world.goods.package(seat, cycle, place.part, place.parts).freight_cents for seat in seats)


def sale_total_cents(world: World, index: int) -> int:
    """vNF of a sale."""
    return sum(line.total_cents for line in sale_lines(world, index)) + sale_freight_cents(world, index)


def protocol(world: World, index: int, ordinal: int = 0) -> str:
    """nProt of the document's authorization (ordinal 0) or of one of its events; never the same twice."""
    serial = (index - world.deck.first_cycle * world.deck.width) * 8 + ordinal
    emitter = world.numbering.emitters[world.place(index).line.emitter]
    year = world.numbering.issued_at(index).year % 100
    return f"1{emitter.address.uf_code}{year:02d}{serial:010d}"


def code_of(world: World, order: OrderRef) -> str:
    """The order's number at its marketplace."""
    return order_code(order.seat.marketplace, world.order_id(order))


def buyer_of(world: World, order: OrderRef) -> Taxpayer:
    """Who placed the order."""
    return world.goods.buyer(world.goods.buyer_number(order.seat, order.story_cycle)).taxpayer


def recipient_of(world: World, index: int) -> Taxpayer:
    """The other party of a note or of freight: the buyer, or the marketplace's warehouse."""
    place = world.place(index)
    if place.subtype in _WITH_BUYER:
        return buyer_of(world, world.orders_of(index)[0])
    warehouse = _marketplace(world, place).warehouse
    assert warehouse is not None
    return warehouse


def note_facts(world: World, index: int) -> NoteFacts:
    """The facts of document `index`, an NF-e."""
    place = world.place(index)
    issued = world.numbering.issued_at(index)
    subtype = place.subtype
    is_sale = subtype is Subtype.SALE
    number = world.numbering.number(index)
    shipped = is_sale and world.deck.seats[place.orders[0]].has_freight
    lines = _items(world, index, place)
    return NoteFacts(
        series=place.line.series,
        number=number,
        code=f"{world.numbering.code(index):08d}",
        issued_at=issued,
        operation=operation(subtype),
        emitter=_company(world, place),
        recipient=recipient_of(world, index),
        items=lines,
        protocol=protocol(world, index),
        received_at=issued + timedelta(seconds=4 + number % 37),
        purpose=4 if subtype in _RETURNS else 1,
        direction=0 if incoming(subtype) else 1,
        freight_cents=sale_freight_cents(world, index) if is_sale else 0,
        freight_mode=(0 if shipped else 2) if is_sale else 9,
        carrier=world.cast.carriers[place.carrier] if shipped else None,
        packages=1 if shipped else None,
        gross_weight=_weight(world, index) if shipped else None,
        net_weight=_weight(world, index) if shipped else None,
        payment=_PAYMENTS[number % len(_PAYMENTS)] if is_sale else "90",
        final_consumer=subtype in _WITH_BUYER and len(recipient_of(world, index).tax_id) == 11,
        presence=2 if is_sale else 0,
        intermediary=_marketplace(world, place).intermediary(_company(world, place)) if is_sale else None,
        references=tuple(world.numbering.key(i) for i in world.related(index)),
        external_id=external_id(world, index),
        order_code=code_of(world, world.orders_of(index)[0])[:15] if is_sale else None,
        notes=_notes(world, index, place),
    )


def external_id(world: World, index: int) -> str:
    """obsCont external_id: what process at the hub made the document."""
    place = world.place(index)
    if not place.orders:
        return f"INBOUND-{place.subtype}-{world.story_cycle(index) + 90_000}{place.story:02d}-1"
    order_id = world.order_id(world.orders_of(index)[0])
    if world.numbering.code(index) % _BARE_EXTERNAL_ID == 0:
        return str(order_id)
    process = "SALE_RETURN" if place.subtype in (*_RETURNS, Subtype.SYMBOLIC_INBOUND) else "SALE"
    return f"{process}-{place.subtype}-{order_id}-{place.part + 1}"


def _notes(world: World, index: int, place: Place) -> str:
    codes = [code_of(world, order) for order in world.orders_of(index)]
    name = _marketplace(world, place).name
    if not codes:
        return f"Estoque em poder do marketplace {name}."
    many = "Pedidos" if len(codes) > 1 else "Pedido"
    return f"{many} {', '.join(codes)} no marketplace {name}. Dúvidas: consulte o vendedor."


def _items(world: World, index: int, place: Place) -> tuple[SaleItem, ...]:
    if place.subtype in _WITH_BUYER:
        # A return takes back the goods of the one package that its sale was.
        return tuple(_buyer_item(world, index, place, line) for line in sale_lines(world, index))
    cycle = world.story_cycle(index)
    if place.subtype in (Subtype.INBOUND, Subtype.INBOUND_RETURN):
        seats = tuple(seat for seat in world.deck.seats if seat.story == place.story)
        sent = world.goods.sent_to_warehouse(seats, cycle)
        if place.subtype is Subtype.INBOUND_RETURN:
            sent = tuple((product, SPARE) for product, _ in sent)
    else:
        sent = tuple((line.product, line.quantity) for line in sale_lines(world, index))
    return tuple(_warehouse_item(world, place, product, pieces) for product, pieces in sent)


def _buyer_item(world: World, index: int, place: Place, line: Line) -> SaleItem:
    buyer = recipient_of(world, index)
    return SaleItem(
        code=line.product.code,
        description=line.product.description,
        ncm=line.product.ncm,
        cfop=cfop(
            place.subtype,
            line.product.taxing,
            far=buyer.address.uf != _company(world, place).address.uf,
            contributor=len(buyer.tax_id) == 14,
            fulfilment=place.fulfilment,
        ),
        quantity=Decimal(line.quantity),
        unit_price_cents=line.unit_cents,
        ean=line.product.ean,
        discount_cents=line.discount_cents,
        cest=line.product.cest,
    )


def _warehouse_item(world: World, place: Place, product: Product, pieces: int) -> SaleItem:
    return SaleItem(
        code=product.code,
        description=product.description,
        ncm=product.ncm,
        cfop=_cfop(world, place, product),
        quantity=Decimal(pieces),
        unit_price_cents=warehouse_price(product),
        ean=product.ean,
        cest=product.cest,
    )


def _cfop(world: World, place: Place, product: Product) -> str:
    market = _marketplace(world, place)
    assert market.warehouse is not None
    far = market.warehouse.address.uf != _company(world, place).address.uf
    return cfop(place.subtype, product.taxing, far=far, deposit=market.name == _DEPOSIT)


def _weight(world: World, index: int) -> Decimal:
    return sum((line.product.weight * line.quantity for line in sale_lines(world, index)), Decimal(0))


def _company(world: World, place: Place) -> Taxpayer:
    return world.cast.companies[place.company]


def _marketplace(world: World, place: Place) -> Marketplace:
    return world.cast.marketplaces[place.marketplace]
