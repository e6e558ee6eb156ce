"""Orders at both ends: every field of one order, its operations, and the paths named after its moves."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from tests.hub.rows.bench import Bench
from tests.hub.rows.catalog_bodies import field_of
from tests.hub.rows.doors import Door
from tests.hub.rows.probes import at_both, at_client, at_hub

SKU = "SKU-0001"
_NUMBERS = {"discount", "freight", "gross", "total", "value", "amount", "unit", "price"}
_TRACKING = {
    "date": "2026-07-15T10:30:00Z",
    "shippedDate": "2026-07-15T11:00:00Z",
    "estimateDate": "2026-07-20T00:00:00Z",
    "bufferingDate": "2026-07-16T00:00:00Z",
    "carrier": "Rápida",
    "number": "BR0001",
    "url": "https://rastreio.example/BR0001",
}
_DELIVERED = {"deliveredDate": "2026-07-15T14:00:00Z"}
# What the client calls the fields that it reads of an order; names that it keeps are not here.
_AT_CLIENT = {
    "id": "hub_id",
    "createdAt": "created_at",
    "marketPlaceStatus": "marketplace_status",
    "marketPlaceId": "marketplace_id",
    "marketPlaceShipmentStatus": "shipment_status",
    "transmissionStatus": "transmission_status",
    "shipping.state": "shipping.uf",
    "shipping.zipCode": "shipping.postal_code",
    "buyer.document": "buyer.tax_id",
    "buyer.documentType": "buyer.tax_id_type",
    "payments.value": "payments.amount",
    "items.sku.partnerId": "items.code",
    "items.amount": "items.quantity",
    "items.price": "items.unit",
    "invoice.accessKey": "invoice.access_key",
    "invoice.date": "invoice.issued_at",
    "tracking.date": "tracking.at",
    "tracking.shippedDate": "tracking.shipped_at",
    "tracking.estimateDate": "tracking.estimated_at",
    "tracking.deliveredDate": "tracking.delivered_at",
    "tracking.bufferingDate": "tracking.ready_by",
}


def new_order(number: int, **fields: Any) -> dict[str, Any]:
    """The body of an order with every field that a marketplace writes."""
    return {
        "createdAt": "2026-07-15T10:00:00Z",
        "status": "PENDING",
        "marketPlace": "LOJA_VERDE",
        "marketPlaceId": f"LV-ROWS-{number}",
        "marketPlaceStatus": "approved",
        "marketPlaceShipmentStatus": "pending",
        "discount": 10.0,
        "freight": 15.5,
        "gross": 100.0,
        "total": 105.5,
        "shipping": {
            "city": "Campinas",
            "state": "SP",
            "country": "BR",
            "address": "Rua das Acácias, 12 - Centro",
            "zipCode": "13010000",
        },
        "buyer": {
            "id": f"B{number}",
            "name": "Ana Conceição",
            "email": "ana@correio.example",
            "document": "52998224725",
            "documentType": "CPF",
            "phone": "11912345678",
        },
        "payments": [{"method": "PIX", "status": "PAID", "value": 105.5}],
        "items": [
            {
                "sku": {"partnerId": SKU},
                "amount": 2,
                "unit": 50.0,
                "price": 50.0,
                "discount": 10.0,
                "gross": 100.0,
                "total": 90.0,
            }
        ],
        **fields,
    }


def posted(bench: Bench, status: str = "PENDING", **fields: Any) -> dict[str, Any]:
    """A new order as the hub answered it."""
    order: dict[str, Any] = bench.done("POST", "/orders", new_order(bench.number(), status=status, **fields), 201)
    return order


def moved(bench: Bench, order: dict[str, Any], **body: Any) -> dict[str, Any]:
    """The order as the hub shows it after a PUT of the seller's."""
    path = f"/orders/{order['id']}"
    bench.done("PUT", path, {"order_id": str(order["id"]), **body})
    shown: dict[str, Any] = bench.done("GET", path)
    return shown


def issued(bench: Bench, order: dict[str, Any]) -> dict[str, Any]:
    """The invoice that the sandbox issues for a paid order, as an order says it."""
    invoice: dict[str, Any] = bench.panel("POST", "/invoices", {"orderId": order["id"]})["invoice"]
    return invoice


def invoiced(bench: Bench, **fields: Any) -> dict[str, Any]:
    """A new order that has its invoice."""
    order = posted(bench, "PAID_WAITING_SHIP", **fields)
    return moved(bench, order, status="INVOICED", invoice=issued(bench, order))


def whole_order(bench: Bench) -> tuple[dict[str, Any], dict[str, Any]]:
    """An order that was invoiced, shipped and delivered: what was written to it, and what the hub shows."""

    def make() -> tuple[dict[str, Any], dict[str, Any]]:
        body = new_order(bench.number(), status="PAID_WAITING_SHIP")
        order = bench.done("POST", "/orders", body, 201)
        invoice = issued(bench, order)
        moved(bench, order, status="INVOICED", invoice=invoice)
        moved(bench, order, status="PAID_WAITING_DELIVERY", tracking=_TRACKING)
        shown = moved(bench, order, status="PAID_WAITING_DELIVERY", tracking=_DELIVERED)
        written = {
            **body,
            "id": order["id"],
            "status": "PAID_WAITING_DELIVERY",
            "transmissionStatus": "OK",
            "invoice": invoice,
            "tracking": {**_TRACKING, **_DELIVERED},
        }
        for name in ("marketPlaceStatus", "marketPlaceShipmentStatus"):  # they follow the order's own life
            assert field_of(order, name) == [body[name]]
            written[name] = shown.get(name)
        return written, shown

    return bench.once("whole order", make)


@at_hub
def hub_order_field(bench: Bench, subject: str) -> None:
    written, shown = whole_order(bench)
    seen = field_of(shown, subject)
    assert seen == field_of(written, subject), f"{subject} is {seen!r}"
    assert all(_is_kind(subject, value) for value in seen), f"{subject} is {seen!r}"


@at_client
def client_order_field(bench: Bench, subject: str) -> None:
    written, _shown = whole_order(bench)
    found = bench.once("client whole order", lambda: synced_order(bench, written["id"]))
    seen = field_of(found["order"], _AT_CLIENT.get(subject, subject))
    wanted = field_of(written, subject)
    assert [_plain(value) for value in seen] == [_plain(value) for value in wanted], f"{subject} is {seen!r}"


def synced_order(bench: Bench, order_id: int) -> dict[str, Any]:
    """The order as the client shows it, once it has synced."""
    bench.confere("sync", "--only-orders")
    found: dict[str, Any] = bench.confere("orders", "show", str(order_id))
    return found


@at_hub
def hub_buyer_other(bench: Bench, subject: str) -> None:
    buyer = {"name": "John Doe", "document": "X-998877", "documentType": "OTHER"}
    order = posted(bench, buyer=buyer)
    assert bench.done("GET", f"/orders/{order['id']}")["buyer"]["documentType"] == "OTHER"


@at_client
def client_buyer_other(bench: Bench, subject: str) -> None:
    order = posted(bench, buyer={"name": "John Doe", "document": "X-998877", "documentType": "OTHER"})
    assert synced_order(bench, order["id"])["order"]["buyer"]["tax_id_type"] == "OTHER"


@at_both
def order_operation(door: Door, subject: str) -> None:
    if subject in ("createOrder", "pending"):
        body = new_order(door.bench.number())
        order = door.write("POST", "/orders", body)
        assert order["status"] == "PENDING"
        shown = door.read("/orders/{id}", id=order["id"])
        assert (shown["marketPlaceId"], shown["status"]) == (body["marketPlaceId"], "PENDING")
    elif subject == "getOrder":
        shown = door.read("/orders/{id}", id=whole_order(door.bench)[1]["id"])
        assert shown["tracking"]["carrier"] == _TRACKING["carrier"]
        assert shown["transmissionStatus"] == "OK"
    else:
        order = posted(door.bench)
        door.write("PUT", "/orders/{id}", {"order_id": str(order["id"]), "status": "CANCELED"}, id=order["id"])
        assert door.read("/orders/{id}", id=order["id"])["status"] == "CANCELED"


@at_both
def named_path(door: Door, subject: str) -> None:
    bench = door.bench
    order = invoiced(bench) if subject in ("enviado", "concluido") else posted(bench, "PAID_WAITING_SHIP")
    body: dict[str, Any] = {"order_id": str(order["id"])}
    if subject == "faturado":
        body["invoice"] = issued(bench, order)
    elif subject == "enviado":
        body["tracking"] = {"shippedDate": _TRACKING["shippedDate"]}
    status = {
        "faturado": "INVOICED",
        "enviado": "PAID_WAITING_DELIVERY",
        "concluido": "CONCLUDED",
        "cancelado": "CANCELED",
    }[subject]
    door.write("PUT", f"/orders/{{id}}/{subject}", body, id=order["id"])
    assert bench.done("GET", f"/orders/{order['id']}")["status"] == status
    assert bench.ask("POST", f"/orders/{order['id']}/{subject}", body).status_code in (404, 405)


def _is_kind(path: str, value: Any) -> bool:
    name = path.rpartition(".")[2]
    if name in _NUMBERS:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if path == "id":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "accessKey":
        return isinstance(value, str) and len(value) == 44
    if name in ("date", "createdAt") or name.endswith("Date"):
        return isinstance(value, str) and datetime.fromisoformat(value).utcoffset() is not None and value.endswith("Z")
    return isinstance(value, str) and value != ""


def _plain(value: Any) -> Any:
    """Numbers, amounts and times in one form."""
    text = str(value)
    try:
        return Decimal(text).normalize()
    except ArithmeticError:
        pass
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return text
