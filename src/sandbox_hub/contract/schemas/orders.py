"""Orders and returns as they are answered, and the bodies that change an order."""

from __future__ import annotations

from sandbox_hub.contract.schema_parts import (
    ACCESS_KEY,
    MOMENT,
    NUMBER,
    TEXT,
    TRUTH,
    WHOLE,
    Schema,
    described,
    list_of,
    nullable,
    one_of_words,
    own,
    record,
    refer,
)
from sandbox_hub.contract.words import Words
from sandbox_hub.world.orders.order_lifecycle import Status

STATUSES = [status.value for status in Status]
_TRACKING: dict[str, Schema] = {
    "date": MOMENT,
    "shippedDate": MOMENT,
    "estimateDate": MOMENT,
    "deliveredDate": MOMENT,
    "bufferingDate": described(
        MOMENT,
        Words(
            "Prazo para que um produto feito sob encomenda esteja disponível para envio.",
            "The deadline by which a product made on demand must be available for shipping.",
            "Plazo para que un producto hecho por encargo esté disponible para el envío.",
        ),
    ),
    "carrier": TEXT,
    "number": TEXT,
    "url": TEXT,
}
_INVOICE: dict[str, Schema] = {"series": TEXT, "number": TEXT, "accessKey": ACCESS_KEY, "date": MOMENT}
_LOOSE_NUMBER: Schema = {"type": ["string", "integer"]}
_ITEM: dict[str, Schema] = {
    "sku": record({"partnerId": TEXT}, required=("partnerId",)),
    **dict.fromkeys(("amount", "unit", "price", "discount", "gross", "total"), NUMBER),
}
_ORDER: dict[str, Schema] = {
    "id": WHOLE,
    "partnerId": own(TEXT),
    "createdAt": MOMENT,
    "lastUpdate": own(MOMENT),
    "status": one_of_words(STATUSES),
    "marketPlace": own(TEXT),
    "marketPlaceStatus": TEXT,
    "marketPlaceId": TEXT,
    "marketPlaceNumber": own(TEXT),
    "marketPlaceShipmentStatus": TEXT,
    "transmissionStatus": one_of_words(("OK", "ERROR")),
    "transmissionMessage": described(
        TEXT,
        Words(
            "Presente quando transmissionStatus é ERROR.",
            "Present when transmissionStatus is ERROR.",
            "Presente cuando transmissionStatus es ERROR.",
        ),
    ),
    "fulfillment": own(TRUTH),
    "discount": NUMBER,
    "freight": NUMBER,
    "interestValue": own(NUMBER),
    "gross": NUMBER,
    "total": NUMBER,
    "shipping": record(dict.fromkeys(("city", "state", "country", "address", "zipCode"), TEXT)),
    "buyer": record(dict.fromkeys(("id", "name", "email", "document", "documentType", "phone"), TEXT)),
    "payments": list_of(
        record(
            {
                "method": TEXT,
                "status": TEXT,
                "value": NUMBER,
                "marketplaceFee": own(NUMBER),
                "gatewayFee": own(NUMBER),
            }
        )
    ),
    "items": list_of(refer("OrderItem")),
    "invoice": refer("OrderInvoice"),
    "tracking": refer("OrderTracking"),
}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _or_empty(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}, {"const": ""}]}


SCHEMAS: dict[str, Schema] = {
    "OrderItem": record(_ITEM, required=("sku", "amount")),
    "OrderInvoice": record(_INVOICE),
    "OrderTracking": record(_TRACKING),
    "Order": record(_ORDER, required=("id", "createdAt", "status", "total", "items")),
    # What is written may be a whole order that was read: names beyond these, and null and "", are passed over.
    "OrderChange": record(
        {
            "order_id": nullable(_LOOSE_NUMBER),
            "status": _or_null(one_of_words(STATUSES)),
            "deliveryStatus": _or_null(one_of_words(("SHIP_CONFIRMED",))),
            "invoice": nullable(
                record(
                    {
                        "series": nullable(_LOOSE_NUMBER),
                        "number": nullable(_LOOSE_NUMBER),
                        "accessKey": _or_empty(ACCESS_KEY),
                        "date": _or_empty(MOMENT),
                        "cfop": own(nullable(TEXT)),
                    }
                )
            ),
            "tracking": nullable(
                record(
                    {
                        name: nullable(TEXT) if schema is TEXT else _or_empty(schema)
                        for name, schema in _TRACKING.items()
                    }
                )
            ),
        }
    ),
    "Return": own(
        record(
            {
                "id": TEXT,
                "orderId": WHOLE,
                "marketPlace": TEXT,
                "type": TEXT,
                "status": TEXT,
                "createdAt": MOMENT,
                "total": NUMBER,
                "items": list_of(refer("OrderItem")),
                "invoice": refer("OrderInvoice"),
            },
            required=("id", "createdAt", "items"),
        )
    ),
}
