"""The facts of each NF-e of the world: parties, lines, references and what it quotes of its order."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal

from sandbox_hub.paper.facts import NoteFacts, SaleItem, Taxpayer
from sandbox_hub.world.anomalies.misstatements import told_buyer_number, told_lines, told_stock
from sandbox_hub.world.documents.credit_notes import Meaning, adjusted_lines, adjusts, is_in_part, meaning, saying
from sandbox_hub.world.documents.operations import cfop, incoming, operation, other_side
from sandbox_hub.world.orders.order_contents import OrderLine, warehouse_price
from sandbox_hub.world.orders.order_numbers import order_code
from sandbox_hub.world.parties.companies import Marketplace
from sandbox_hub.world.parties.products import Product
from sandbox_hub.world.scenarios import DEBIT, Subtype
from sandbox_hub.world.schedule import Place
from sandbox_hub.world.world import OrderRef, World

_DEPOSIT = "LOJA_VERDE"  # its warehouse is a general deposit
_RETURNS = (Subtype.SALE_RETURN, Subtype.DEVOLUTION)
_WITH_BUYER = (Subtype.SALE, *_RETURNS, Subtype.FREIGHT, Subtype.ADJUSTMENT)
_PAYMENTS = ("03", "17", "03", "15", "03", "17")
_BARE_EXTERNAL_ID = 12  # one note in so many names its order by the bare number


def first_cfop(world: World, index: int) -> str:
    """The CFOP of the first line, without making the note; of freight, the only one."""
    place = world.place(index)
    if place.subtype not in _WITH_BUYER:
        return _adjusting_cfop(world, index) or _cfop(world, place, world.goods.products[0])
    told = _adjusting_cfop(world, index)
    if told is not None:
        return told
    buyer = buyer_number(world, index)
    found = cfop(
        place.subtype,
        _first_product(world, index).taxing,
        far=world.goods.buyers.uf(buyer) != _company(world, place).address.uf,
        contributor=world.goods.buyers.company(buyer),
        fulfilment=_from_warehouse(world, index),
    )
    return other_side(found) if world.planted.tells(index, "R17.cfop", "sale") else found


def sale_lines(world: World, index: int) -> list[OrderLine]:
    """What a sale (or its return) holds, over all its orders."""
    lines: list[OrderLine] = []
    for order in world.orders_of(index):
        own = world.goods.package(order.seat, order.story_cycle, *world.planted.packing(index)).lines
        if world.left(order).discount_left_out:
            own = tuple(line._replace(discount_cents=0) for line in own)
        lines += own
    lines = adjusted_lines(world, index, lines)
    return told_lines(world, index, lines) if world.planted.lie(index) else lines


def sale_freight_cents(world: World, index: int) -> int:
    """Freight that a sale charges."""
    charged = (order for order in world.orders_of(index) if not world.left(order).freight_left_out)
    packages = (world.goods.package(order.seat, order.story_cycle, *world.planted.packing(index)) for order in charged)
    return sum(package.freight_cents for package in packages)


def sale_interest_cents(world: World, index: int) -> int:
    """Interest that a sale adds (vOutro)."""
    return sum(world.left(order).interest_cents for order in world.orders_of(index))


def sale_total_cents(world: World, index: int) -> int:
    """vNF of a sale."""
    goods = sum(line.total_cents for line in sale_lines(world, index))
    return goods + sale_freight_cents(world, index) + sale_interest_cents(world, index)


def protocol(world: World, index: int, ordinal: int = 0) -> str:
    """nProt of the document's authorization (ordinal 0) or of one of its events; never the same twice."""
    serial = (index - world.deck.first_cycle * world.deck.width) * 8 + ordinal
    emitter = world.numbering.emitters[world.place(index).line.emitter]
    year = _registered_in(world, index, ordinal) % 100
    return f"1{emitter.address.uf_code}{year:02d}{serial:010d}"


def _registered_in(world: World, index: int, ordinal: int) -> int:
    """The year in which the authority gave the number: an event's own, which need not be the document's."""
    zone = world.numbering.issued_at(index).tzinfo
    happened = next((entry.at for entry in world.occurrences(index) if ordinal and entry.ordinal == ordinal), None)
    at = world.timeline.issued(index) if happened is None else happened
    return datetime.fromtimestamp(at, zone).year


def received_at(world: World, index: int) -> datetime:
    """dhRecbto of a note or of freight: seconds after it was made, even where it says that it was made before."""
    made = datetime.fromtimestamp(world.timeline.issued(index), world.numbering.issued_at(index).tzinfo)
    number = world.numbering.number(index)
    freight = world.place(index).subtype is Subtype.FREIGHT
    return made + timedelta(seconds=5 + number % 41 if freight else 4 + number % 37)


def code_of(world: World, order: OrderRef) -> str:
    """The order's number at its marketplace."""
    return order_code(order.seat.marketplace, world.order_id(order))


def buyer_of(world: World, order: OrderRef) -> Taxpayer:
    """Who placed the order."""
    return world.goods.buyer(world.goods.buyer_number(order.seat, order.story_cycle)).taxpayer


def buyer_number(world: World, index: int) -> int:
    """The buyer that a sale, its return or its freight names."""
    told = told_buyer_number(world, index) if world.planted.lie(index) else None
    if told is not None:
        return told
    order = world.orders_of(index)[0]
    return world.goods.buyer_number(order.seat, order.story_cycle)


def recipient_of(world: World, index: int) -> Taxpayer:
    """The other party of a note or of freight: the buyer, or the marketplace's warehouse."""
    place = world.place(index)
    if place.subtype in _WITH_BUYER:
        return world.goods.buyer(buyer_number(world, index)).taxpayer
    if meaning(world, index) is Meaning.LOSS:
        return _company(world, place)
    warehouse = _marketplace(world, place).warehouse
    assert warehouse is not None
    return warehouse


def is_shipped(world: World, index: int) -> bool:
    """Whether the seller has a sale carried (modFrete 0)."""
    return world.deck.seats[world.place(index).orders[0]].has_freight or world.planted.tells(index, "R9", "sale")


def note_facts(world: World, index: int) -> NoteFacts:
    """The facts of document `index`, an NF-e."""
    place = world.place(index)
    issued = world.numbering.issued_at(index)
    subtype = place.subtype
    is_sale = subtype is Subtype.SALE
    number = world.numbering.number(index)
    shipped = is_sale and is_shipped(world, index)
    recipient = recipient_of(world, index)
    lines = sale_lines(world, index) if subtype in _WITH_BUYER else []
    weight = _weight(lines) if shipped else None
    note = adjusts(world, index)
    said = saying(world, index)
    settled = tuple(world.numbering.key(i) for i in world.related(index) if meaning(world, i) is Meaning.PREPAYMENT)
    return NoteFacts(
        series=place.line.series,
        number=number,
        code=f"{world.numbering.code(index):08d}",
        issued_at=issued,
        model=place.line.model,
        operation=operation(subtype) if said is None else said.nature,
        emitter=_company(world, place),
        recipient=recipient,
        items=_items(world, index, place, recipient, lines),
        protocol=protocol(world, index),
        received_at=received_at(world, index),
        purpose=note[0] if note is not None else 4 if subtype in _RETURNS else 1,
        adjustment_type="" if note is None else note[1],
        direction=_direction(world, index),
        destination=_wrong_destination(world, index) if world.planted.tells(index, "R17.destination", "sale") else None,
        freight_cents=sale_freight_cents(world, index) if is_sale else 0,
        other_cents=sale_interest_cents(world, index) if is_sale else 0,
        freight_mode=(0 if shipped else 2) if is_sale and place.line.model == "55" else 9,
        carrier=world.cast.carriers[place.carrier] if shipped else None,
        packages=1 if shipped else None,
        gross_weight=weight,
        net_weight=weight,
        payment=_PAYMENTS[number % len(_PAYMENTS)] if is_sale else "90",
        final_consumer=subtype in _WITH_BUYER and len(recipient.tax_id) == 11,
        presence=(2 if place.line.model == "55" else 4) if is_sale else 0,
        intermediary=_marketplace(world, place).intermediary(_company(world, place))
        if is_sale and not world.planted.tells(index, "R25", "sale")
        else None,
        references=tuple(key for key in world.references(index) if key not in settled),
        prepayments=settled,
        external_id=external_id(world, index),
        order_code=named_code(world, index) if is_sale else None,
        notes=remarks(world, index),
        status=world.planted.authorization(index),
        miscounted_cents=100 + world.planted.throw(index, 900) if world.planted.tells(index, "R18", "sale") else 0,
        signer=_another_company(world, place) if world.planted.tells(index, "R19.signer", "sale") else None,
        tampered=world.planted.tells(index, "R19.tampered", "sale"),
    )


def external_id(world: World, index: int) -> str | None:
    """obsCont external_id: what process at the hub made the document; None where that is lost."""
    place = world.place(index)
    if not world.orders_of(index):
        if place.subtype is Subtype.SALE:
            return None
        return f"INBOUND-{place.subtype}-{world.story_cycle(index) + 90_000}{place.story:02d}-1"
    order = world.orders_of(index)[0]
    if not world.left(order).external_id:
        return None
    order_id = world.order_id(order)
    if world.numbering.code(index) % _BARE_EXTERNAL_ID == 0:
        return str(order_id)
    process = "SALE_RETURN" if place.subtype in (*_RETURNS, Subtype.SYMBOLIC_INBOUND) else "SALE"
    said = saying(world, index)
    return f"{process}-{place.subtype if said is None else said.taken_for}-{order_id}-{place.part + 1}"


def quoted_codes(world: World, index: int) -> list[str]:
    """The orders' numbers at their marketplace that a document's remarks quote."""
    return [code_of(world, order) for order in world.orders_of(index) if world.left(order).quoted]


def named_code(world: World, index: int) -> str | None:
    """xPed of a sale: its first order's number at the marketplace; None where that is lost."""
    for order in world.orders_of(index)[:1]:
        if world.left(order).order_code:
            return code_of(world, order)[:15]
    return None


def remarks(world: World, index: int) -> str:
    """infCpl."""
    place, codes = world.place(index), quoted_codes(world, index)
    name = _marketplace(world, place).name
    if place.orders and not codes:
        return f"Operação realizada no marketplace {name}. Dúvidas: consulte o vendedor."
    if not codes:
        return f"Estoque em poder do marketplace {name}."
    many = "Pedidos" if len(codes) > 1 else "Pedido"
    return f"{many} {', '.join(codes)} no marketplace {name}. Dúvidas: consulte o vendedor."


def _items(world: World, index: int, place: Place, recipient: Taxpayer, lines: list[OrderLine]) -> tuple[SaleItem, ...]:
    """`lines` are what a sale holds, and its return, which takes back the one package that the sale was."""
    if place.subtype in _WITH_BUYER:
        items = tuple(_buyer_item(world, index, place, recipient, line) for line in lines)
        return _by_item(world, index, items) if is_in_part(world, index) else items
    found = warehouse_pieces(world, index)
    told = _adjusting_cfop(world, index)
    return tuple(_warehouse_item(product, pieces, told or _cfop(world, place, product)) for product, pieces in found)


def _by_item(world: World, index: int, items: tuple[SaleItem, ...]) -> tuple[SaleItem, ...]:
    """A partial refusal: what comes back, under a code of its own, names its item; what stays is told beside it."""
    (sale,) = world.references(index)
    back = (replace(item, code=f"R-{item.code}", ean=None, referenced=(sale, n)) for n, item in enumerate(items, 1))
    return (*back, *items)


def warehouse_pieces(world: World, index: int) -> tuple[tuple[Product, int], ...]:
    """What a note to or from a warehouse moves."""
    place = world.place(index)
    cycle = world.story_cycle(index)
    if place.subtype in (Subtype.INBOUND, Subtype.INBOUND_RETURN):
        seats = world.deck.seats_in_time(place.story)
        return told_stock(world, index, world.goods.sent_to_warehouse(seats, cycle))
    if not world.orders_of(index):  # a removal of what its order would have taken
        basket = world.goods.basket(world.deck.seats[place.orders[0]], cycle)
        return tuple((line.product, line.quantity) for line in basket.lines)
    return tuple((line.product, line.quantity) for line in sale_lines(world, index))


def _buyer_item(world: World, index: int, place: Place, buyer: Taxpayer, line: OrderLine) -> SaleItem:
    found = cfop(
        place.subtype,
        line.product.taxing,
        far=buyer.address.uf != _company(world, place).address.uf,
        contributor=len(buyer.tax_id) == 14,
        fulfilment=_from_warehouse(world, index),
    )
    return SaleItem(
        code=line.product.code,
        description=line.product.description,
        ncm=line.product.ncm,
        cfop=_adjusting_cfop(world, index)
        or (other_side(found) if world.planted.tells(index, "R17.cfop", "sale") else found),
        quantity=Decimal(line.quantity),
        unit_price_cents=line.unit_cents,
        ean=line.product.ean,
        discount_cents=line.discount_cents,
        cest=line.product.cest,
    )


def _warehouse_item(product: Product, pieces: int, told: str) -> SaleItem:
    return SaleItem(
        code=product.code,
        description=product.description,
        ncm=product.ncm,
        cfop=told,
        quantity=Decimal(pieces),
        unit_price_cents=warehouse_price(product),
        ean=product.ean,
        cest=product.cest,
    )


def _adjusting_cfop(world: World, index: int) -> str | None:
    """The CFOP of all lines of a credit or debit note; None for every other note."""
    said = saying(world, index)
    if said is None:
        return None
    far = recipient_of(world, index).address.uf != _company(world, world.place(index)).address.uf
    outgoing = _direction(world, index)
    return f"{('26' if far else '15')[outgoing]}{said.cfop}"


def _direction(world: World, index: int) -> int:
    """tpNF: a credit note comes in and a debit note goes out."""
    note = adjusts(world, index)
    if note is not None:
        return int(note[0] == DEBIT)
    subtype = world.place(index).subtype
    return 0 if incoming(subtype) and not world.planted.tells(index, "R17.direction", "devolution") else 1


def _cfop(world: World, place: Place, product: Product) -> str:
    market = _marketplace(world, place)
    assert market.warehouse is not None
    far = market.warehouse.address.uf != _company(world, place).address.uf
    return cfop(place.subtype, product.taxing, far=far, deposit=market.name == _DEPOSIT)


def _weight(lines: list[OrderLine]) -> Decimal:
    return sum((line.product.weight * line.quantity for line in lines), Decimal(0))


def _first_product(world: World, index: int) -> Product:
    place, cycle = world.place(index), world.story_cycle(index)
    if world.planted.tells(index, "R2", "sale1"):
        return sale_lines(world, index)[0].product
    seat = world.deck.seats[place.orders[0]]
    return world.goods.first_product(seat, cycle, world.planted.packing(index)[0])


def _from_warehouse(world: World, index: int) -> bool:
    """Whether a sale's goods leave the marketplace's warehouse."""
    return world.place(index).fulfilment and not world.planted.tells(index, "R15.removal", "sale2")


def _wrong_destination(world: World, index: int) -> int:
    """idDest of a sale into the state as if it left it, and the other way round."""
    far = recipient_of(world, index).address.uf != _company(world, world.place(index)).address.uf
    return 1 if far else 2


def _another_company(world: World, place: Place) -> Taxpayer:
    return world.cast.companies[place.company - 1]


def _company(world: World, place: Place) -> Taxpayer:
    return world.cast.companies[place.company]


def _marketplace(world: World, place: Place) -> Marketplace:
    return world.cast.marketplaces[place.marketplace]
