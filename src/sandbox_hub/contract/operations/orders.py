"""Orders and returns: lists, one order, and its moves."""

from __future__ import annotations

from collections.abc import Mapping

from sandbox_hub.contract.operation import Operation
from sandbox_hub.contract.operations.parameters import filter_by, first_moment, last_moment, path_id
from sandbox_hub.contract.schema_parts import WHOLE, refer
from sandbox_hub.contract.schemas.common import page_of
from sandbox_hub.contract.schemas.orders import STATUSES
from sandbox_hub.contract.words import Words

_TAG = "orders"
_CREATED = (
    first_moment("createdAfter", Words("Criado a partir de.", "Created from.", "Creado desde.")),
    last_moment("createdBefore", Words("Criado até.", "Created until.", "Creado hasta.")),
)
_MARKETPLACE = filter_by("marketplace", Words("Marketplace.", "Marketplace.", "Marketplace."))
_SHIPPED = {
    "order_id": "10000123",
    "status": "PAID_WAITING_DELIVERY",
    "tracking": {"shippedDate": "2026-07-15T12:00:00Z", "carrier": "Rápida", "number": "BR00010000123"},
}
_INVOICED = {
    "order_id": "10000123",
    "status": "INVOICED",
    "invoice": {
        "series": "1",
        "number": "6539",
        "accessKey": "35260712345678000195550010000065391123456786",
        "date": "2026-07-14T09:30:00Z",
    },
}

LIST = Operation(
    id="listOrders",
    method="GET",
    path="/orders",
    tag=_TAG,
    summary=Words("Listar pedidos", "List orders", "Listar pedidos"),
    query=(
        *_CREATED,
        filter_by("status", Words("Situação.", "Status.", "Estado."), {"type": "string", "enum": STATUSES}),
        _MARKETPLACE,
        filter_by(
            "marketplaceId", Words("Número no marketplace.", "The marketplace's number.", "Número del marketplace.")
        ),
        filter_by(
            "sort",
            Words(
                "Ordem; do mais antigo ao mais novo.", "Order; oldest first.", "Orden; del más antiguo al más nuevo."
            ),
            {"type": "string", "enum": ["createdAt", "createdAt,asc", "-createdAt", "createdAt,desc"]},
        ),
    ),
    paged=True,
    answer=page_of("Order"),
    refusals=(400, 422),
    own_choice=True,
)
CREATE = Operation(
    id="createOrder",
    method="POST",
    path="/orders",
    tag=_TAG,
    summary=Words("Criar um pedido", "Create an order", "Crear un pedido"),
    description=Words(
        "Como um marketplace cria: fica em PENDING, ou na situação dita, e reserva o estoque dos seus itens.",
        "As a marketplace does: it is PENDING, or in the status that is said, and reserves the stock of its items.",
        "Como lo hace un marketplace: queda en PENDING, o en el estado dicho, y reserva el stock de sus ítems.",
    ),
    body=refer("NewOrder"),
    examples={
        "smallest": {"items": [{"sku": {"partnerId": "SKU-0001"}, "amount": 1}]},
        "paid": {
            "status": "PAID_WAITING_SHIP",
            "marketPlace": "LOJA_VERDE",
            "marketPlaceId": "LV-2026-0001",
            "freight": 15.5,
            "buyer": {
                "name": "Ana Conceição",
                "document": "52998224725",
                "documentType": "CPF",
                "email": "ana@correio.example",
                "phone": "11912345678",
            },
            "shipping": {
                "city": "Campinas",
                "state": "SP",
                "country": "BR",
                "address": "Rua das Acácias, 12 - Centro",
                "zipCode": "13010000",
            },
            "payments": [{"method": "PIX", "status": "PAID", "value": 135.3}],
            "items": [{"sku": {"partnerId": "SKU-0002"}, "amount": 2, "unit": 59.9}],
        },
    },
    status=201,
    answer=refer("Order"),
    refusals=(400, 422),
)
GET = Operation(
    id="getOrder",
    method="GET",
    path="/orders/{id}",
    tag=_TAG,
    summary=Words("Consultar um pedido", "Read an order", "Consultar un pedido"),
    path_parameters=(path_id(),),
    answer=refer("Order"),
    refusals=(400, 404),
)
MOVE = Operation(
    id="updateOrder",
    method="PUT",
    path="/orders/{id}",
    tag=_TAG,
    summary=Words("Mudar a situação de um pedido", "Move an order", "Cambiar el estado de un pedido"),
    description=Words(
        "PAID_WAITING_SHIP, INVOICED com invoice, PAID_WAITING_DELIVERY com tracking, CONCLUDED, CANCELED, ou "
        "deliveryStatus SHIP_CONFIRMED para antecipar o envio.",
        "PAID_WAITING_SHIP, INVOICED with invoice, PAID_WAITING_DELIVERY with tracking, CONCLUDED, CANCELED, or "
        "deliveryStatus SHIP_CONFIRMED for an early shipment.",
        "PAID_WAITING_SHIP, INVOICED con invoice, PAID_WAITING_DELIVERY con tracking, CONCLUDED, CANCELED, o "
        "deliveryStatus SHIP_CONFIRMED para anticipar el envío.",
    ),
    path_parameters=(path_id(),),
    body=refer("OrderChange"),
    examples={
        "invoiced": _INVOICED,
        "shipped": _SHIPPED,
        "concluded": {"order_id": "10000123", "status": "CONCLUDED"},
        "early-shipment": {"order_id": "10000123", "deliveryStatus": "SHIP_CONFIRMED"},
    },
    answer=refer("Order"),
    refusals=(400, 404, 422),
)


def _named_move(name: str, summary: Words, example: Mapping[str, object]) -> Operation:
    return Operation(
        id=f"updateOrder/{name}",
        method="PUT",
        path=f"/orders/{{id}}/{name}",
        tag=_TAG,
        summary=summary,
        path_parameters=(path_id(),),
        body=refer("OrderChange"),
        examples={name: {field: value for field, value in example.items() if field != "status"}},
        answer=refer("Order"),
        refusals=(400, 404, 422),
        own_choice=True,
    )


INVOICED = _named_move("faturado", Words("Pedido faturado", "Order invoiced", "Pedido facturado"), _INVOICED)
SHIPPED = _named_move("enviado", Words("Pedido enviado", "Order shipped", "Pedido enviado"), _SHIPPED)
CONCLUDED = _named_move(
    "concluido", Words("Pedido concluído", "Order concluded", "Pedido concluido"), {"order_id": "10000123"}
)
CANCELED = _named_move(
    "cancelado", Words("Pedido cancelado", "Order cancelled", "Pedido cancelado"), {"order_id": "10000123"}
)
RESERVATION = Operation(
    id="getReservation",
    method="GET",
    path="/reservations/{id}",
    tag="stock",
    summary=Words("Consultar uma reserva", "Read a reservation", "Consultar una reserva"),
    description=Words("Tem o id do seu pedido.", "It has the id of its order.", "Tiene el id de su pedido."),
    path_parameters=(path_id(),),
    answer=refer("Reservation"),
    refusals=(400, 404),
    own_choice=True,
)
RETURNS = Operation(
    id="listReturns",
    method="GET",
    path="/returns",
    tag="returns",
    summary=Words("Listar devoluções", "List returns", "Listar devoluciones"),
    query=(
        *_CREATED,
        filter_by("orderId", Words("Número do pedido.", "The order's number.", "Número del pedido."), WHOLE),
        _MARKETPLACE,
    ),
    paged=True,
    answer=page_of("Return"),
    refusals=(400, 422),
    own_choice=True,
)
