"""An order's JSON as `fiscal.books.order.Order`, whole, from whatever shape a hub gives it.

The specification names the fields; hubs differ in spelling and in types. Several names are tried for each, a value
that cannot be understood is None, and nothing here raises on any JSON. Times come out as ISO 8601 with the offset
that the hub wrote, whatever form they had.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice

from confere.hub.documents.document_record import access_key
from confere.hub.json.json_values import cents, exact, moment, number, objects, pick, text
from confere.sales.order import Buyer, Order, OrderInvoice, OrderItem, OrderPayment, Shipping, Tracking

MOST_LINES = 5000
"""Items or payments of one order that are read; no honest order has as many, and its bytes are kept whole."""

_LARGEST_NUMBER = 999_999_999  # nNF has nine digits, serie three
_SEPARATORS = re.compile(r"[\s.\-/]")
_STATE = re.compile(r"(?:BR[\s-]+)?([A-Z]{2})", re.IGNORECASE)
Source = Mapping[str, object]


def order(source: Source, hub_id: str) -> Order:
    """The order that `source` tells of, under this id."""
    return Order(
        hub_id=hub_id,
        created_at=pick(source, time, "createdAt", "creationDate", "created", "created_at", "date"),
        status=pick(source, text, "status", "orderStatus"),
        marketplace=pick(source, text, "marketplace", "marketPlace", "marketplace.name", "marketPlace.name"),
        marketplace_id=pick(source, text, *_MARKETPLACE_IDS),
        marketplace_status=pick(source, text, "marketPlaceStatus", "marketplaceStatus"),
        shipment_status=pick(source, text, "marketPlaceShipmentStatus", "marketplaceShipmentStatus"),
        transmission_status=pick(source, text, "transmissionStatus"),
        transmission_message=pick(source, text, "transmissionMessage"),
        total_cents=pick(source, cents, "total", "totalAmount"),
        gross_cents=pick(source, cents, "gross"),
        discount_cents=pick(source, cents, "discount"),
        freight_cents=pick(source, cents, "freight", "shipping.freight", "shippingCost"),
        buyer=_buyer(_object(source, "buyer", "customer", "client")),
        shipping=_shipping(_object(source, "shipping", "shippingAddress", "deliveryAddress")),
        invoice=_invoice(_object(source, "invoice", "invoices", "nfe")),
        tracking=_tracking(_object(source, "tracking", "trackings")),
        items=items(source.get("items") or source.get("products")),
        payments=_payments(source.get("payments") or source.get("payment")),
        partner_id=pick(source, text, "partnerId", "partnerID", "partner_id"),
        marketplace_number=pick(source, text, *_MARKETPLACE_NUMBERS),
        interest_cents=pick(source, cents, "interestValue", "interest", "interestAmount"),
        fulfillment=pick(source, _fulfillment, "fulfillment", "fulfilment", "fulfillmentType"),
        updated_at=pick(source, time, "lastUpdate", "updatedAt", "lastUpdated", "updated_at"),
    )


_MARKETPLACE_NUMBERS = ("marketPlaceNumber", "marketplaceNumber")
_MARKETPLACE_IDS = ("marketPlaceId", "marketplaceId", *_MARKETPLACE_NUMBERS)


def items(value: object) -> tuple[OrderItem, ...]:
    """The lines of an order or of a return."""
    return tuple(_item(entry) for entry in islice(objects(value), MOST_LINES))


def time(value: object) -> str | None:
    """A point in time as ISO 8601 with its offset."""
    found = moment(value)
    return None if found is None else found.isoformat()


def tax_id(value: object) -> str | None:
    """A tax id without its punctuation; what a hub hides of it stays `*`."""
    found = text(value)
    return None if found is None else _SEPARATORS.sub("", found).upper() or None


def _item(source: Source) -> OrderItem:
    return OrderItem(
        code=pick(source, text, "sku.partnerId", "sku.sku", "partnerId", "skuPartnerId", "sku", "sku.id"),
        ean=pick(source, text, "sku.ean", "ean", "gtin", "sku.gtin", "barcode"),
        description=pick(source, text, "sku.title", "title", "description", "name", "sku.name", "product.title"),
        quantity=pick(source, exact, "amount", "quantity", "sku.amount", "qty"),
        unit_cents=pick(source, cents, "unit", "price", "unitPrice"),
        discount_cents=pick(source, cents, "discount"),
        gross_cents=pick(source, cents, "gross"),
        total_cents=pick(source, cents, "total"),
    )


# The hub's specification names no fee: these are what public clients of such hubs write.
_MARKETPLACE_FEES = ("marketplaceFee", "marketPlaceFee", "fees.marketplace", "commission", "fee")
_GATEWAY_FEES = ("gatewayFee", "paymentGatewayFee", "fees.gateway", "fees.paymentGateway", "paymentFee")


def _payments(value: object) -> tuple[OrderPayment, ...]:
    return tuple(
        OrderPayment(
            method=pick(entry, text, "method", "type"),
            status=pick(entry, text, "status"),
            amount_cents=pick(entry, cents, "value", "amount", "total"),
            marketplace_fee_cents=pick(entry, cents, *_MARKETPLACE_FEES),
            gateway_fee_cents=pick(entry, cents, *_GATEWAY_FEES),
        )
        for entry in islice(objects(value), MOST_LINES)
    )


def _buyer(source: Source) -> Buyer:
    if not source:
        return Buyer()
    return Buyer(
        id=pick(source, text, "id"),
        name=pick(source, text, "name", "fullName"),
        email=pick(source, text, "email"),
        tax_id=pick(source, tax_id, "document", "documentNumber", "cpf", "cnpj", "taxId"),
        tax_id_type=pick(source, text, "documentType"),
        phone=pick(source, text, "phone", "cellPhone"),
    )


def _shipping(source: Source) -> Shipping:
    if not source:
        return Shipping()
    return Shipping(
        city=pick(source, text, "city"),
        uf=pick(source, _uf, "state", "uf", "stateAcronym"),
        country=pick(source, text, "country"),
        address=pick(source, text, "address", "street"),
        postal_code=pick(source, text, "zipCode", "zipcode", "postalCode", "cep"),
    )


def _invoice(source: Source) -> OrderInvoice | None:
    if not source:
        return None
    found = OrderInvoice(
        series=pick(source, _count, "series", "serie"),
        number=pick(source, _count, "number", "numero"),
        access_key=pick(source, access_key, "accessKey", "key", "documentKey", "chave"),
        issued_at=pick(source, time, "date", "issueDate", "issuedAt", "createdAt"),
    )
    return None if found == OrderInvoice() else found


def _tracking(source: Source) -> Tracking | None:
    if not source:
        return None
    found = Tracking(
        at=pick(source, time, "date"),
        shipped_at=pick(source, time, "shippedDate", "shippedAt"),
        estimated_at=pick(source, time, "estimateDate", "estimatedDate"),
        delivered_at=pick(source, time, "deliveredDate", "deliveredAt"),
        ready_by=pick(source, time, "bufferingDate"),
        carrier=pick(source, text, "carrier", "carrier.name"),
        number=pick(source, text, "number", "code"),
        url=pick(source, text, "url"),
    )
    return None if found == Tracking() else found


def _object(source: Source, *names: str) -> Source:
    """The first of `names` that holds an object, or a list whose first object counts; else an empty one."""
    for name in names:
        value = source.get(name)
        found = value if isinstance(value, dict) else next(objects(value), None)
        if found:
            return found
    return {}


def _fulfillment(value: object) -> str | None:
    """Who ships, as a word; some hubs only say whether the marketplace does."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return pick(value, text, "type", "name", "id", "value")
    return text(value)


def _count(value: object) -> int | None:
    found = number(value)
    return found if found is not None and 0 <= found <= _LARGEST_NUMBER else None


def _uf(value: object) -> str | None:
    found = _STATE.fullmatch(text(value) or "")
    return found[1].upper() if found else None
