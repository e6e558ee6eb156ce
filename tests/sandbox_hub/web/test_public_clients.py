"""What public clients of such hubs write is taken, unless the hub takes the specification's bodies alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from tests.sandbox_hub.web.client import Client, error_of, sandbox
from tests.sandbox_hub.web.orders.posted import invoiced, moved, posted

NOW = "2026-07-15T12:00:00-03:00"
SHIPPED = {"shippedDate": "2026-07-15T10:00:00Z"}
Order = dict[str, Any]
Body = dict[str, Any]


class Written:
    """A body that a client writes to an order in `status`, and what the order must then hold."""

    def __init__(self, status: str, body: Callable[[Order, Body], Any], shows: Callable[[Order, Body], bool]) -> None:
        self.status = status
        self.body = body
        self.shows = shows


WRITTEN = {
    "the whole order back, with its new status": Written(
        "INVOICED",
        lambda order, _: {**order, "status": "PAID_WAITING_DELIVERY", "tracking": SHIPPED},
        lambda shown, _: shown["status"] == "PAID_WAITING_DELIVERY" and SHIPPED.items() <= shown["tracking"].items(),
    ),
    "the whole order back, unchanged but for its invoice": Written(
        "PAID_WAITING_SHIP",
        lambda order, invoice: {**order, "status": "INVOICED", "invoice": invoice},
        lambda shown, invoice: shown["status"] == "INVOICED" and shown["invoice"] == invoice,
    ),
    "tracking with CONCLUDED": Written(
        "PAID_WAITING_DELIVERY",
        lambda order, _: {
            "order_id": str(order["id"]),
            "status": "CONCLUDED",
            "tracking": {"deliveredDate": "2026-07-15T14:00:00Z"},
        },
        lambda shown, _: (
            shown["status"] == "CONCLUDED" and shown["tracking"]["deliveredDate"] == "2026-07-15T14:00:00Z"
        ),
    ),
    "an invoice without series and number": Written(
        "PAID_WAITING_SHIP",
        lambda order, invoice: {
            "order_id": str(order["id"]),
            "status": "INVOICED",
            "invoice": {"accessKey": invoice["accessKey"], "date": invoice["date"]},
        },
        lambda shown, invoice: shown["invoice"]["accessKey"] == invoice["accessKey"],
    ),
    "an invoice with its CFOP": Written(
        "PAID_WAITING_SHIP",
        lambda order, invoice: {
            "order_id": str(order["id"]),
            "status": "INVOICED",
            "invoice": {**invoice, "cfop": "5102"},
        },
        lambda shown, _: shown["status"] == "INVOICED",
    ),
    "an invoice with numbers as numbers": Written(
        "PAID_WAITING_SHIP",
        lambda order, invoice: {
            "status": "INVOICED",
            "invoice": {**invoice, "series": int(invoice["series"]), "number": int(invoice["number"])},
        },
        lambda shown, invoice: shown["invoice"] == invoice,
    ),
    "an empty address of the tracking": Written(
        "INVOICED",
        lambda order, _: {
            "order_id": str(order["id"]),
            "status": "PAID_WAITING_DELIVERY",
            "tracking": {**SHIPPED, "carrier": "Rápida", "number": "BR1", "url": ""},
        },
        lambda shown, _: shown["tracking"]["carrier"] == "Rápida" and "url" not in shown["tracking"],
    ),
    "a body without order_id": Written(
        "PAID_WAITING_SHIP", lambda _order, _: {"status": "CANCELED"}, lambda shown, _: shown["status"] == "CANCELED"
    ),
    "order_id as a number": Written(
        "PAID_WAITING_SHIP",
        lambda order, _: {"order_id": order["id"], "status": "CANCELED"},
        lambda shown, _: shown["status"] == "CANCELED",
    ),
    "from paid to shipped": Written(
        "PAID_WAITING_SHIP",
        lambda order, _: {"order_id": str(order["id"]), "status": "PAID_WAITING_DELIVERY", "tracking": SHIPPED},
        lambda shown, _: shown["status"] == "PAID_WAITING_DELIVERY",
    ),
    "from invoiced to concluded": Written(
        "INVOICED",
        lambda order, _: {"order_id": str(order["id"]), "status": "CONCLUDED"},
        lambda shown, _: shown["status"] == "CONCLUDED",
    ),
    "from concluded to cancelled": Written(
        "CONCLUDED",
        lambda order, _: {"order_id": str(order["id"]), "status": "CANCELED"},
        lambda shown, _: shown["status"] == "CANCELED",
    ),
    "what real orders carry beside the specification": Written(
        "INVOICED",
        lambda order, _: {
            "order_id": str(order["id"]),
            "status": "PAID_WAITING_DELIVERY",
            "tracking": SHIPPED,
            "partnerId": "PV-1",
            "marketPlaceNumber": order["marketPlaceId"],
            "interestValue": 1.5,
            "fulfillment": False,
            "lastUpdate": "2026-07-15T10:00:00Z",
            "payments": [{"method": "PIX", "value": 1, "marketplaceFee": 0.1, "gatewayFee": 0.1}],
        },
        lambda shown, _: shown["status"] == "PAID_WAITING_DELIVERY",
    ),
}


@pytest.fixture(scope="module")
def lenient() -> Iterator[Client]:
    with sandbox(documents=40, seed=3, clock=NOW) as client:
        yield client


@pytest.fixture(scope="module")
def strict() -> Iterator[Client]:
    with sandbox(documents=40, seed=3, clock=NOW, strict_bodies=True) as client:
        yield client


def order_in(client: Client, status: str) -> tuple[Order, Body]:
    """A new order that was led to this status by the specification's own moves, and the invoice issued for it."""
    order = posted(client)
    invoice: Body = invoiced(client, order["id"])["invoice"]
    steps: dict[str, Body] = {
        "INVOICED": {"invoice": invoice},
        "PAID_WAITING_DELIVERY": {"tracking": SHIPPED},
        "CONCLUDED": {},
    }
    for step, fields in steps.items():
        if order["status"] == status:
            break
        order = moved(client, order["id"], status=step, **fields)
    assert order["status"] == status
    return order, invoice


@pytest.mark.parametrize("name", WRITTEN)
def test_what_public_clients_write_to_an_order_is_taken(lenient: Client, name: str) -> None:
    written = WRITTEN[name]
    order, invoice = order_in(lenient, written.status)
    answer = lenient.put(f"/orders/{order['id']}", written.body(order, invoice))
    assert answer.status_code == 200, answer.text
    shown = lenient.ok(f"/orders/{order['id']}")
    assert shown == answer.json()
    assert written.shows(shown, invoice), shown
    kept = ("total", "items", "buyer", "createdAt", "marketPlaceId", "interestValue", "fulfillment")
    assert {field: shown[field] for field in kept} == {field: order[field] for field in kept}


@pytest.mark.parametrize("name", [name for name in WRITTEN if name != "an invoice with numbers as numbers"])
def test_a_strict_hub_takes_none_of_it(strict: Client, name: str) -> None:
    written = WRITTEN[name]
    order, invoice = order_in(strict, written.status)
    answer = strict.put(f"/orders/{order['id']}", written.body(order, invoice))
    assert answer.status_code in (400, 422), answer.text
    error_of(answer)
    assert strict.ok(f"/orders/{order['id']}") == order


def test_a_feed_item_is_marked_with_itself(lenient: Client, strict: Client) -> None:
    for client, status in ((lenient, 200), (strict, 400)):
        item = client.ok("/orders/feeds")[0]
        assert client.put(f"/orders/feeds/{item['id']}", item).status_code == status
        still = {each["id"] for each in client.ok("/orders/feeds", limit=100)}
        assert (item["id"] in still) is (status == 400)


@pytest.mark.parametrize("content", [b"", b"{}", b"null"])
def test_an_empty_batch_marks_what_was_read(lenient: Client, strict: Client, content: bytes) -> None:
    def mark(client: Client) -> httpx.Response:
        headers = {"Content-Type": "application/json"}
        return client.http.put(f"{client.address}/orders/feeds/batch", content=content, headers=headers)

    posted(lenient)
    read = lenient.ok("/orders/feeds", limit=100)
    assert read
    assert mark(lenient).json()["marked"] >= len(read)
    assert not {item["id"] for item in read} & {item["id"] for item in lenient.ok("/orders/feeds", limit=100)}
    assert strict.ok("/orders/feeds", limit=100)
    assert mark(strict).status_code == 400
    assert strict.ok("/orders/feeds", limit=100)


def test_an_order_as_it_was_read_elsewhere_is_posted(lenient: Client) -> None:
    """A marketplace's connector that copies orders from one hub to another writes all that it read."""
    order = lenient.ok("/orders", status="CONCLUDED", limit=5)["content"][0]
    copy = {**json.loads(json.dumps(order)), "id": None, "marketPlaceId": "COPY-1", "marketPlaceNumber": "COPY-1"}
    answer = lenient.post("/orders", copy)
    assert answer.status_code == 201, answer.text
    made = answer.json()
    for field in ("status", "total", "items", "payments", "buyer", "invoice", "tracking"):
        assert made[field] == order[field], field
