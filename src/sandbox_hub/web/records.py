"""The hub's JSON of documents and orders."""

from __future__ import annotations

from typing import Any

from sandbox_hub.environment import Environment
from sandbox_hub.faults.plan import Fault
from sandbox_hub.world.deck import VOIDED_NUMBERS
from sandbox_hub.world.lives import Status
from sandbox_hub.world.notes import buyer_of, code_of, first_cfop, protocol
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.timeline import hub_time, utc_time
from sandbox_hub.world.world import Occurrence, OrderRef, World

_EVENTS = {
    "110110": ("CORRECTED", "CORRECTION"),
    "110111": ("CANCELLED", "CANCELLATION"),
    "210200": ("CONFIRMED", "MANIFESTATION"),
    "610110": ("DISAGREED", "DISAGREEMENT"),
}
_WITHOUT_DOCUMENTS = (Subtype.INBOUND,)
_WITHOUT_ID = (Subtype.INBOUND_RETURN,)
_WITHOUT_ORDER = (Subtype.SYMBOLIC_INBOUND,)
_MARKETPLACE_STATUS = {
    Status.PENDING: ("payment_pending", "pending"),
    Status.PAID_WAITING_SHIP: ("approved", "pending"),
    Status.INVOICED: ("invoiced", "ready_to_ship"),
    Status.PAID_WAITING_DELIVERY: ("shipped", "shipped"),
    Status.CONCLUDED: ("finished", "delivered"),
    Status.CANCELED: ("cancelled", "cancelled"),
}
_DELIVERY_TERM = 12 * 86_400
_PACKING_TERM = 2 * 86_400


def document_record(environment: Environment, index: int) -> dict[str, Any]:
    """A fiscal document, complete."""
    world = environment.world
    place = world.place(index)
    line = place.line
    kind = "CTE" if line.model == "57" else "NFE"
    voiding = place.subtype is Subtype.VOIDING
    marketplace = world.marketplaces[place.marketplace]
    occurrences = world.occurrences(index)
    number = world.numbering.number(index)
    metadata: dict[str, Any] = {
        "documentTypeValue": place.subtype.value,
        "marketplace": marketplace,
        "type": kind,
        "emitter": world.numbering.emitters[line.emitter].tax_id,
        "series": line.series,
        "number": number,
    }
    if voiding:
        metadata["lastNumber"] = number + VOIDED_NUMBERS - 1
    record: dict[str, Any] = {"id": world.document_id(index)}
    if not voiding:
        record["documentKey"] = world.numbering.key(index)
    record["type"] = kind
    record["subtype"] = place.subtype.value
    if not voiding:
        record["cfop"] = first_cfop(world, index)
    record["createdAt"] = hub_time(occurrences[0].at)
    record["lastUpdate"] = hub_time(occurrences[-1].at)
    record["marketplace"] = marketplace
    if place.orders:
        record["orderId"] = world.order_id(world.orders_of(index)[0])
    record["metadata"] = metadata
    history, documents = [], []
    for occurrence in occurrences:
        item_id = world.item_id(index, occurrence.ordinal)
        status, item_type = _named(occurrence, voiding)
        history.append(
            {
                "status": status,
                "date": hub_time(occurrence.at),
                "protocol": protocol(world, index, occurrence.ordinal),
                "links": [{"rel": "download", "href": f"{environment.prefix}/fiscalDocuments/download/{item_id}"}],
            }
        )
        documents.append({"type": item_type, "path": {"document_item_id": item_id}})
    relation = "TRANSPORTED" if place.subtype is Subtype.FREIGHT else "REFERENCED"
    record["history"] = history
    record["relatedDocuments"] = [
        {"documentKey": world.numbering.key(other), "type": "NFE", "relation": relation}
        for other in world.related(index)
    ]
    record["documents"] = documents
    return record


def list_item(environment: Environment, index: int) -> dict[str, Any]:
    """A fiscal document as the list shows it: some subtypes lack what their detail has."""
    record = document_record(environment, index)
    subtype = environment.world.place(index).subtype
    if subtype in _WITHOUT_DOCUMENTS:
        del record["documents"]
        for entry in record["history"]:
            del entry["links"]
    # An item that can only be read through its detail keeps its id whatever the fault.
    elif subtype in _WITHOUT_ID or environment.faults.shows(Fault.NO_ID, index):
        del record["id"]
    if subtype in _WITHOUT_ORDER:
        record.pop("orderId", None)
    if environment.faults.shows(Fault.NO_DATES, index):
        del record["createdAt"], record["lastUpdate"]
        for entry in record["history"]:
            del entry["date"]
    return record


def _named(occurrence: Occurrence, voiding: bool) -> tuple[str, str]:
    if occurrence.happening is not None:
        return _EVENTS[occurrence.happening.code]
    return ("VOIDED", "VOIDING") if voiding else ("AUTHORIZED", "AUTHORIZATION")


def order_record(world: World, order: OrderRef) -> dict[str, Any]:
    """An order of the specification."""
    seat, cycle = order.seat, order.cycle
    reached = dict(world.lives.reached(seat, cycle, world.now))
    status = list(reached)[-1]
    at_marketplace, shipment = _MARKETPLACE_STATUS[status]
    buyer = buyer_of(world, order)
    home = buyer.address
    basket = world.goods.basket(seat, order.story_cycle)
    number = world.goods.buyer_number(seat, order.story_cycle)
    paid = Status.PAID_WAITING_SHIP in reached
    placed = reached[Status.PENDING]
    record: dict[str, Any] = {
        "id": world.order_id(order),
        "createdAt": utc_time(placed),
        "status": status.value,
        "marketPlace": world.marketplaces[seat.marketplace],
        "marketPlaceStatus": at_marketplace,
        "marketPlaceId": code_of(world, order),
        "marketPlaceShipmentStatus": shipment,
        "transmissionStatus": "OK",
        "discount": _money(basket.discount_cents),
        "freight": _money(basket.freight_cents),
        "gross": _money(basket.gross_cents),
        "total": _money(basket.total_cents),
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
            "document": buyer.tax_id,
            "documentType": "CNPJ" if len(buyer.tax_id) == 14 else "CPF",
            "phone": home.phone,
        },
        "payments": [
            {
                "method": "CREDIT_CARD" if number % 3 else "PIX",
                "status": "PAID" if paid else ("PENDING" if status is Status.PENDING else "CANCELED"),
                "value": _money(basket.total_cents),
            }
        ],
        "items": [
            {
                "sku": {"partnerId": line.product.code},
                "amount": line.quantity,
                "unit": _money(line.unit_cents),
                "price": _money(line.unit_cents),
                "discount": _money(line.discount_cents),
                "gross": _money(line.gross_cents),
                "total": _money(line.total_cents),
            }
            for line in basket.lines
        ],
    }
    if Status.INVOICED in reached:
        invoice = world.invoices_of(order)[0]
        record["invoice"] = {
            "series": str(world.place(invoice).line.series),
            "number": str(world.numbering.number(invoice)),
            "accessKey": world.numbering.key(invoice),
            "date": utc_time(int(world.numbering.issued_at(invoice).timestamp())),
        }
    if Status.PAID_WAITING_DELIVERY in reached:
        record["tracking"] = _tracking(world, order, reached)
    return record


def _tracking(world: World, order: OrderRef, reached: dict[Status, int]) -> dict[str, Any]:
    story_place = world.deck.places[order.seat.invoices[0]]
    carrier = world.cast.carriers[story_place.carrier]
    order_id = world.order_id(order)
    shipped = reached[Status.PAID_WAITING_DELIVERY]
    tracking = {
        "date": utc_time(shipped),
        "shippedDate": utc_time(shipped),
        "estimateDate": utc_time(shipped + _DELIVERY_TERM),
        "bufferingDate": utc_time(reached[Status.PENDING] + _PACKING_TERM),
        "carrier": carrier.trade_name,
        "number": f"BR{order_id:011d}",
        "url": f"https://rastreio.example/BR{order_id:011d}",
    }
    if Status.CONCLUDED in reached:
        tracking["deliveredDate"] = utc_time(reached[Status.CONCLUDED])
    return tracking


def _money(cents: int) -> float:
    return cents / 100
