"""Bodies of orders for these tests, and the moves that a marketplace makes."""

from __future__ import annotations

from typing import Any

import httpx

from tests.sandbox_hub.web.client import CONTROL, Client

BUYER = {"name": "Ana Conceição", "document": "529.982.247-25", "documentType": "CPF", "phone": "(11) 91234-5678"}
SHIPPING = {
    "city": "Recife",
    "state": "PE",
    "country": "BR",
    "address": "Rua das Acácias, 12 - Boa Vista",
    "zipCode": "50000-000",
}


def order_body(**fields: Any) -> dict[str, Any]:
    """A paid order that can be invoiced, with these fields in place of its own."""
    return {
        "status": "PAID_WAITING_SHIP",
        "buyer": BUYER,
        "shipping": SHIPPING,
        "payments": [{"method": "PIX", "status": "PAID", "value": 120}],
        "items": [{"sku": {"partnerId": "SKU-0002"}, "amount": 2, "unit": 60}],
        **fields,
    }


def posted(client: Client, **fields: Any) -> dict[str, Any]:
    """The order that such a body creates."""
    response = client.post("/orders", order_body(**fields))
    assert response.status_code == 201, response.text
    order: dict[str, Any] = response.json()
    return order


def invoice(client: Client, order_id: int, **more: Any) -> httpx.Response:
    """The marketplace issues the invoice of an order."""
    return client.http.post(f"{client.hub.panel}/invoices", headers=CONTROL, json={"orderId": order_id, **more})


def invoiced(client: Client, order_id: int) -> dict[str, Any]:
    """What the panel says of the invoice that it had issued."""
    response = invoice(client, order_id)
    assert response.status_code == 200, response.text
    content: dict[str, Any] = response.json()
    return content


def move(client: Client, order_id: int, **fields: Any) -> httpx.Response:
    """PUT /orders/{id}."""
    return client.put(f"/orders/{order_id}", {"order_id": str(order_id), **fields})


def moved(client: Client, order_id: int, **fields: Any) -> dict[str, Any]:
    """The order after a move that must be taken."""
    response = move(client, order_id, **fields)
    assert response.status_code == 200, response.text
    order: dict[str, Any] = response.json()
    return order
