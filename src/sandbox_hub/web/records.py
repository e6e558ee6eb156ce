"""The hub's JSON of documents and orders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sandbox_hub.environment import Environment
from sandbox_hub.faults.plan import Fault
from sandbox_hub.paper.facts import Taxpayer
from sandbox_hub.posted.invoice_facts import protocol as invoice_protocol
from sandbox_hub.posted.invoices import Invoice
from sandbox_hub.posted.posted_orders import PostedOrder
from sandbox_hub.shapes.names import Shape
from sandbox_hub.world.documents.credit_notes import hub_word
from sandbox_hub.world.documents.nfe_facts import buyer_of, code_of, first_cfop, protocol
from sandbox_hub.world.hub_ids import document_id, item_id
from sandbox_hub.world.orders.early_shipments import made_on_demand
from sandbox_hub.world.orders.order_changes import Standing
from sandbox_hub.world.orders.order_contents import OrderLine
from sandbox_hub.world.orders.order_lifecycle import Status
from sandbox_hub.world.orders.surviving_evidence import masked
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.timeline import hub_time, utc_time
from sandbox_hub.world.world import Occurrence, OrderRef, World

_EVENTS = {
    "110110": ("CORRECTED", "CORRECTION"),
    "110111": ("CANCELLED", "CANCELLATION"),
    "110190": ("NOT_DELIVERED", "FAILED_DELIVERY"),
    "110192": ("NOT_DELIVERED", "FAILED_DELIVERY"),
    "210200": ("CONFIRMED", "MANIFESTATION"),
    "210240": ("NOT_CARRIED_OUT", "MANIFESTATION"),
    "610110": ("DISAGREED", "DISAGREEMENT"),
    "610111": ("AGREED", "AGREEMENT"),
}
_WITHOUT_ORDER = (Subtype.SYMBOLIC_INBOUND.value,)
MARKETPLACE_STATUS = {
    Status.PENDING: ("payment_pending", "pending"),
    Status.PAID_WAITING_SHIP: ("approved", "pending"),
    Status.INVOICED: ("invoiced", "ready_to_ship"),
    Status.PAID_WAITING_DELIVERY: ("shipped", "shipped"),
    Status.CONCLUDED: ("finished", "delivered"),
    Status.CANCELED: ("cancelled", "cancelled"),
}
_DELIVERY_TERM = 12 * 86_400
_PACKING_TERM = 2 * 86_400
_MARKETPLACE_FEE = (145, 120, 160)  # per mille of what is paid, by marketplace
_CARD_FEE = 25


class _Described(NamedTuple):
    """What a record says of a document beyond its id and its events; `word` is what the hub calls it."""

    key: str | None
    word: str | None
    cfop: str | None
    marketplace: str
    order_id: int | None
    metadata: dict[str, Any]
    related: tuple[dict[str, str], ...] = ()


class _Event(NamedTuple):
    """An event of a document with its file; `at` in seconds."""

    at: int
    status: str
    protocol: str
    ordinal: int
    file_type: str


def document_record(environment: Environment, index: int) -> dict[str, Any]:
    """A fiscal document, complete, as the plain hub tells it."""
    posted = environment.documents.invoice(index)
    if posted is not None:
        return _invoice_record(environment, *posted)
    world = environment.world
    place = world.place(index)
    line = place.line
    kind = "CTE" if line.model == "57" else "NFE"
    voiding = place.subtype is Subtype.VOIDING
    marketplace = world.marketplaces[place.marketplace]
    occurrences = world.occurrences(index)
    number = world.numbering.number(index)
    metadata: dict[str, Any] = {
        "documentTypeValue": hub_word(world, index),
        "marketplace": marketplace,
        "type": kind,
        "emitter": world.numbering.emitters[line.emitter].tax_id,
        "series": line.series,
        "number": number,
    }
    if voiding:
        metadata["lastNumber"] = number + world.planted.voided_numbers(index) - 1
    relation = "TRANSPORTED" if place.subtype is Subtype.FREIGHT else "REFERENCED"
    described = _Described(
        key=None if voiding else world.numbering.key(index),
        word=hub_word(world, index),
        cfop=None if voiding else first_cfop(world, index),
        marketplace=marketplace,
        order_id=world.order_named(index),
        metadata=metadata,
        related=tuple(
            {"documentKey": key, "type": "CTE" if key[20:22] == "57" else "NFE", "relation": relation}
            for key in world.references(index)
        ),
    )
    denied = world.planted.denied(index)
    events = [
        _event(occurrence, protocol(world, index, occurrence.ordinal), voiding=voiding, denied=denied)
        for occurrence in occurrences
    ]
    return _record(environment, index, described, events, [copy.ordinal for copy in world.copies(index)])


def _invoice_record(environment: Environment, invoice: Invoice, order: PostedOrder) -> dict[str, Any]:
    """The invoice of a posted order, which names that order."""
    world, invoices = environment.world, environment.invoices
    marketplace = world.marketplaces[order.marketplace]
    numbered = invoice.numbered
    described = _Described(
        key=invoices.key(invoice),
        word=Subtype.SALE.value,
        cfop=invoice.items[0].cfop,
        marketplace=marketplace,
        order_id=order.id,
        metadata={
            "documentTypeValue": Subtype.SALE.value,
            "marketplace": marketplace,
            "type": "NFE",
            "emitter": world.cast.companies[numbered.company].tax_id,
            "series": numbered.series,
            "number": numbered.number,
        },
    )
    events = [
        _event(occurrence, invoice_protocol(world, invoice, occurrence.ordinal))
        for occurrence in invoices.occurrences(invoice)
    ]
    return _record(environment, invoice.index, described, events)


def _event(occurrence: Occurrence, number: str, *, voiding: bool = False, denied: bool = False) -> _Event:
    status, file_type = _named(occurrence, voiding, denied)
    return _Event(occurrence.at, status, number, occurrence.ordinal, file_type)


def _record(
    environment: Environment, index: int, document: _Described, events: list[_Event], copies: Sequence[int] = ()
) -> dict[str, Any]:
    """The record of a document; `copies` are the ordinals of what the hub holds a second time."""
    world = environment.world
    record: dict[str, Any] = {"id": document_id(world, index)}
    if document.key is not None:
        record["documentKey"] = document.key
    record["type"] = document.metadata["type"]
    record["subtype"] = document.word
    if document.cfop is not None:
        record["cfop"] = document.cfop
    silent = Shape.SILENT_EVENTS in environment.shapes
    record["createdAt"] = hub_time(events[0].at)
    record["lastUpdate"] = hub_time(events[0 if silent else -1].at)
    record["marketplace"] = document.marketplace
    if document.order_id is not None:
        record["orderId"] = document.order_id
    record["metadata"] = document.metadata
    items = [item_id(world, index, event.ordinal) for event in events]
    download = f"{environment.prefix}/fiscalDocuments/download"
    record["history"] = [
        {
            "status": event.status,
            "date": hub_time(event.at),
            "protocol": event.protocol,
            "links": [{"rel": "download", "href": f"{download}/{item}"}],
        }
        for event, item in zip(events, items, strict=True)
    ]
    record["relatedDocuments"] = list(document.related)
    record["documents"] = [
        {"type": event.file_type, "path": {"document_item_id": item}} for event, item in zip(events, items, strict=True)
    ]
    for ordinal in copies:
        file = {"document_item_id": item_id(world, index, ordinal)}
        record["documents"].append({"type": "AUTHORIZATION", "path": file})
    return record


def list_item(environment: Environment, index: int) -> dict[str, Any]:
    """A fiscal document as the list shows it; some subtypes lack the order id, which their detail has."""
    whole = document_record(environment, index)
    if Shape.NO_IDS not in environment.shapes and environment.faults.shows(Fault.NO_ID, index):
        # What cannot be asked for by its id tells its files at once.
        record = {name: value for name, value in environment.files.whole(whole).items() if name != "id"}
    else:
        record = environment.files.listed(whole)
    if whole["subtype"] in _WITHOUT_ORDER:
        record.pop("orderId", None)
    if environment.faults.shows(Fault.NO_DATES, index):
        del record["createdAt"], record["lastUpdate"]
        record["history"] = [
            {name: value for name, value in event.items() if name != "date"} for event in record["history"]
        ]
    return record


def _named(occurrence: Occurrence, voiding: bool, denied: bool) -> tuple[str, str]:
    if occurrence.happening is not None:
        status, item_type = _EVENTS[occurrence.happening.code]
        return (status if occurrence.happening.registered else "EVENT_REFUSED"), item_type
    if denied:
        return "DENIED", "DENIAL"
    return ("VOIDED", "VOIDING") if voiding else ("AUTHORIZED", "AUTHORIZATION")


def order_record(world: World, order: OrderRef) -> dict[str, Any]:
    """An order of the specification."""
    seat = order.seat
    found = world.standing(order)
    reached, status = found.lived, found.status
    at_marketplace, shipment = MARKETPLACE_STATUS[status]
    buyer = buyer_of(world, order)
    home = buyer.address
    basket = world.goods.basket(seat, order.story_cycle)
    number = world.goods.buyer_number(seat, order.story_cycle)
    on_card = number % 3 != 0
    paid = Status.PAID_WAITING_SHIP in found.passed
    placed = reached[Status.PENDING]
    record: dict[str, Any] = {
        "id": world.order_id(order),
        "partnerId": f"PV-{world.order_id(order) * 3 + 11}",  # the seller's own number, which no paper quotes
        "createdAt": utc_time(placed),
        "lastUpdate": utc_time(found.changed),
        "status": status.value,
        "marketPlace": world.marketplaces[seat.marketplace],
        "marketPlaceStatus": at_marketplace,
        "marketPlaceId": code_of(world, order),
        "marketPlaceNumber": code_of(world, order),
        "marketPlaceShipmentStatus": shipment,
        "transmissionStatus": "ERROR" if found.failure else "OK",
        "fulfillment": any(world.deck.places[place].fulfilment for place in seat.invoices),
        "discount": money(basket.discount_cents),
        "freight": money(basket.freight_cents),
        "interestValue": 0.0,  # interest that a sale adds is told on the sale alone (see `Left.interest_cents`)
        "gross": money(basket.gross_cents),
        "total": money(basket.total_cents),
        "shipping": {
            "city": home.city,
            "state": home.uf,
            "country": "BR",
            "address": f"{home.street}, {home.number} - {home.district}",
            "zipCode": home.postal_code,
        },
        "buyer": {
            "id": str(number),
            "name": buyer.name,
            "email": buyer.email,
            "document": told_tax_id(world, order, buyer),
            "documentType": "CNPJ" if len(buyer.tax_id) == 14 else "CPF",
            "phone": home.phone,
        },
        "payments": [
            {
                "method": "CREDIT_CARD" if on_card else "PIX",
                "status": "PAID" if paid else ("PENDING" if status is Status.PENDING else "CANCELED"),
                "value": money(basket.total_cents),
                "marketplaceFee": money(basket.total_cents * _MARKETPLACE_FEE[seat.marketplace] // 1000),
                "gatewayFee": money(basket.total_cents * _CARD_FEE // 1000 if on_card else 0),
            }
        ],
        "items": [item_record(line) for line in basket.lines],
    }
    if found.failure:
        record["transmissionMessage"] = found.failure
    invoice = told_invoice(world, order, found)
    if invoice:
        record["invoice"] = invoice
    if Status.PAID_WAITING_DELIVERY in reached:
        record["tracking"] = _tracking(world, order, reached)
    elif status is not Status.CANCELED and any(made_on_demand(line.product.code) for line in basket.lines):
        record["tracking"] = {"bufferingDate": ready_by(placed)}
    if found.tracking:
        record["tracking"] = {**record.get("tracking", {}), **found.tracking}
    return record


def item_record(line: OrderLine) -> dict[str, Any]:
    """A line of an order, or of what comes back of it."""
    return {
        "sku": {"partnerId": line.product.code},
        "amount": line.quantity,
        "unit": money(line.unit_cents),
        "price": money(line.unit_cents),
        "discount": money(line.discount_cents),
        "gross": money(line.gross_cents),
        "total": money(line.total_cents),
    }


def told_tax_id(world: World, order: OrderRef, buyer: Taxpayer) -> str:
    """The buyer's tax id as the order shows it."""
    return masked(buyer.tax_id) if world.left(order).masked else buyer.tax_id


def told_invoice(world: World, order: OrderRef, found: Standing) -> dict[str, str]:
    """What an order says of its invoice: what a client wrote, else what is left of its first standing sale."""
    if found.invoice is not None:
        return dict(found.invoice)
    invoices = world.invoices_of(order)[:1] if Status.INVOICED in found.lived else []
    return told_note(world, order, invoices[0]) if invoices else {}


def told_note(world: World, order: OrderRef, index: int) -> dict[str, str]:
    """What an order, or a return of it, still says of its note; nothing where all is forgotten."""
    left = world.left(order)
    told: dict[str, str] = {}
    if left.number:
        told["series"] = str(world.place(index).line.series)
        told["number"] = str(world.numbering.number(index))
    if left.key:
        told["accessKey"] = world.numbering.key(index)
    if left.date:
        told["date"] = utc_time(int(world.numbering.issued_at(index).timestamp()))
    return told


def _tracking(world: World, order: OrderRef, reached: Mapping[Status, int]) -> dict[str, Any]:
    story_place = world.deck.places[order.seat.invoices[0]]
    carrier = world.cast.carriers[story_place.carrier]
    order_id = world.order_id(order)
    shipped = reached[Status.PAID_WAITING_DELIVERY]
    tracking = {
        "date": utc_time(shipped),
        "shippedDate": utc_time(shipped),
        "estimateDate": utc_time(shipped + _DELIVERY_TERM),
        "bufferingDate": ready_by(reached[Status.PENDING]),
        "carrier": carrier.trade_name,
        "number": f"BR{order_id:011d}",
        "url": f"https://rastreio.example/BR{order_id:011d}",
    }
    if Status.CONCLUDED in reached:
        tracking["deliveredDate"] = utc_time(reached[Status.CONCLUDED])
    return tracking


def ready_by(placed: int) -> str:
    """By when a product made on demand must be available for shipping, of an order that was placed then."""
    return utc_time(placed + _PACKING_TERM)


def money(cents: int) -> float:
    """Reais, as the hub writes them."""
    return cents / 100
