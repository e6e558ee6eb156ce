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
from sandbox_hub.contract.schemas.catalog import CODE, MONEY
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


_LINE: Schema = {**TEXT, "maxLength": 300}
_PASSED_OVER = Words(
    "Aceito como foi lido, e ignorado.", "Taken as it was read, and ignored.", "Se acepta como se leyó, y se ignora."
)
_ALL_DIGITS: Schema = {"type": ["string", "integer", "null"], "pattern": "^[0-9]{1,9}$", "minimum": 0, "maximum": 10**9}
_NEEDED = Words(
    "A especificação não mostra quais campos são obrigatórios: aqui, só items. O que falta é calculado; o que é dito "
    "deve conferir com os itens.",
    "The specification does not show which fields are required: here, items alone. What is missing is worked out; what "
    "is said must agree with the items.",
    "La especificación no muestra qué campos son obligatorios: aquí, solo items. Lo que falta se calcula; lo que se "
    "dice debe coincidir con los ítems.",
)


def _lines(*names: str) -> Schema:
    return {**record(dict.fromkeys(names, nullable(_LINE)), closed=True), "type": ["object", "null"]}


_NEW_ITEM = record(
    {
        "sku": record({"partnerId": CODE}, required=("partnerId",), closed=True),
        "amount": {**NUMBER, "exclusiveMinimum": 0, "maximum": 1_000_000},
        **dict.fromkeys(("unit", "price", "discount", "gross", "total"), nullable(MONEY)),
    },
    required=("sku", "amount"),
    closed=True,
)
_NEW_ORDER: dict[str, Schema] = {
    "id": own({"type": "null"}),
    "partnerId": own(nullable(_LINE)),
    "createdAt": nullable(MOMENT),
    "lastUpdate": own(nullable(TEXT), _PASSED_OVER),
    "status": {"type": ["string", "null"], "enum": [*STATUSES, None]},
    "marketPlace": own(nullable(_LINE)),
    "marketPlaceStatus": nullable(_LINE),
    "marketPlaceId": nullable({**_LINE, "maxLength": 60}),
    "marketPlaceNumber": own(nullable(_LINE)),
    "marketPlaceShipmentStatus": nullable(_LINE),
    "transmissionStatus": described(nullable(TEXT), _PASSED_OVER),
    "transmissionMessage": described(nullable(TEXT), _PASSED_OVER),
    "fulfillment": own(
        nullable(TRUTH),
        Words(
            "O marketplace despacha: ele emite a nota assim que o pedido é pago.",
            "The marketplace ships it: it issues the invoice as soon as the order is paid.",
            "El marketplace lo despacha: emite la factura en cuanto se paga el pedido.",
        ),
    ),
    **dict.fromkeys(("discount", "freight", "gross", "total"), nullable(MONEY)),
    "interestValue": own(nullable(MONEY)),
    "shipping": _lines("city", "state", "country", "address", "zipCode"),
    "buyer": _lines("id", "name", "email", "document", "documentType", "phone"),
    "payments": nullable(
        list_of(
            record(
                {
                    "method": nullable(_LINE),
                    "status": nullable(_LINE),
                    "value": nullable(MONEY),
                    "marketplaceFee": own(nullable(MONEY)),
                    "gatewayFee": own(nullable(MONEY)),
                },
                closed=True,
            ),
            maxItems=100,
        )
    ),
    "items": list_of(refer("NewOrderItem"), minItems=1, maxItems=500),
    "invoice": nullable(
        record(
            {
                "series": _ALL_DIGITS,
                "number": _ALL_DIGITS,
                "accessKey": nullable(ACCESS_KEY),
                "date": nullable(MOMENT),
                "cfop": own(nullable(_LINE)),
            },
            closed=True,
        )
    ),
    "tracking": nullable(
        record(
            {name: nullable(_LINE) if schema is TEXT else nullable(schema) for name, schema in _TRACKING.items()},
            closed=True,
        )
    ),
}


SCHEMAS: dict[str, Schema] = {
    "NewOrderItem": _NEW_ITEM,
    "NewOrder": described(record(_NEW_ORDER, required=("items",), closed=True), _NEEDED),
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
    "Reservation": own(
        record(
            {
                "id": WHOLE,
                "orderId": WHOLE,
                "status": one_of_words(("RESERVED", "RELEASED", "SHIPPED")),
                "createdAt": MOMENT,
                "lastUpdate": MOMENT,
                "items": list_of(
                    record(
                        {"sku": record({"partnerId": TEXT}, required=("partnerId",)), "amount": NUMBER},
                        required=("sku", "amount"),
                    )
                ),
            },
            required=("id", "orderId", "status", "createdAt", "lastUpdate", "items"),
        ),
        Words(
            "O que um pedido retém do estoque, do cadastro até o envio ou o cancelamento.",
            "What an order holds back of the stock, from when it is placed until it is shipped or cancelled.",
            "Lo que un pedido retiene del stock, desde que se crea hasta que se envía o se cancela.",
        ),
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
