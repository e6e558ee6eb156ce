"""POST /orders: what is taken and refused, and where the order is found afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.callback_receiver import eventually
from tests.sandbox_hub.web.client import Client, error_of, sandbox
from tests.sandbox_hub.web.orders.posted import BUYER, move, moved, order_body, posted

KEY = "35260712345678000195550010000065391123456786"
ITEM = {"sku": {"partnerId": "SKU-0002"}, "amount": 2, "unit": 60}


@pytest.fixture(scope="module")
def client() -> Any:
    with sandbox(documents=150, seed=9) as found:
        yield found


def test_what_is_not_said_is_worked_out(client: Client) -> None:
    response = client.post("/orders", {"items": [{"sku": {"partnerId": "SKU-0001"}, "amount": 1.5}]})
    assert response.status_code == 201
    order = response.json()
    price = client.ok("/prices", partnerId="SKU-0001")["content"][0]["price"]
    assert (order["status"], order["createdAt"]) == ("PENDING", "2026-11-01T03:00:00Z")
    (item,) = order["items"]
    assert (item["amount"], item["unit"]) == (1.5, price)
    assert order["total"] == item["total"] == pytest.approx(1.5 * price, abs=0.006)
    assert client.ok(f"/orders/{order['id']}") == order


def test_it_stands_in_list_filters_and_feed(client: Client) -> None:
    order = posted(client, marketPlace="FEIRA_DIGITAL", marketPlaceId="FD-1", freight=9.9, partnerId="PV-1")
    assert order["total"] == 129.9
    everything = client.all("/orders")
    assert everything[-1] == order
    assert [entry["createdAt"] for entry in everything] == sorted(entry["createdAt"] for entry in everything)
    assert client.ok("/orders", sort="-createdAt")["content"][0] == order
    assert client.ok("/orders", marketplaceId="FD-1")["content"] == [order]
    assert client.ok("/orders", marketplaceId="FD-1", marketplace="LOJA_VERDE")["content"] == []
    assert order in client.all("/orders", status="PAID_WAITING_SHIP", marketplace="FEIRA_DIGITAL")
    assert order not in client.all("/orders", status="PENDING")
    assert order not in client.all("/orders", createdBefore="2026-10-01")
    (fed,) = (item for item in client.ok("/orders/feeds") if item["id"] == order["id"])
    assert client.put(f"/orders/feeds/{order['id']}", {"token": fed["token"]}).status_code == 200
    assert order["id"] not in {item["id"] for item in client.ok("/orders/feeds")}
    moved(client, order["id"], status="CANCELED")
    assert order["id"] in {item["id"] for item in client.ok("/orders/feeds")}


def test_its_place_in_the_list_is_that_of_its_creation(client: Client) -> None:
    old = posted(client, createdAt="2026-03-01T12:00:00-03:00", marketPlaceId="OLD-1")
    assert old["createdAt"] == "2026-03-01T15:00:00Z"
    everything = client.all("/orders")
    created = [entry["createdAt"] for entry in everything]
    assert created == sorted(created)
    place = [entry["id"] for entry in everything].index(old["id"])
    assert 0 < place < len(everything) - 20
    page = client.ok("/orders", limit=7, offset=place - 3)["content"]
    assert [entry["id"] for entry in page] == [entry["id"] for entry in everything[place - 3 : place + 4]]
    assert client.ok("/orders", marketplaceId="OLD-1")["content"] == [old]
    backwards = client.all("/orders", sort="-createdAt")
    assert [entry["id"] for entry in backwards] == [entry["id"] for entry in everything][::-1]


def test_an_order_as_it_was_read_is_taken(client: Client) -> None:
    for order in client.ok("/orders", status="CONCLUDED", limit=20)["content"]:
        again = {name: value for name, value in order.items() if name != "id"}
        again["marketPlaceId"] = again["marketPlaceNumber"] = f"again-{order['id']}"
        response = client.post("/orders", again)
        if "invoice" not in order:  # evidence of it is lost: the hub asks for it
            assert response.status_code == 400
            continue
        assert response.status_code == 201, response.text
        new = response.json()
        assert {**new, "id": 0, "lastUpdate": ""} == {**again, "id": 0, "lastUpdate": ""}


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {}),
        (400, []),
        (400, {"items": [{"amount": 1}]}),
        (400, {"items": [{"sku": {"partnerId": "SKU-0001"}}]}),
        (400, {"items": [{"sku": {"code": "SKU-0001"}, "amount": 1}]}),
        (400, order_body(marketplace="LOJA_VERDE")),
        (400, order_body(buyer={"nome": "Ana"})),
        (400, order_body(payments=[{"amount": 1}])),
        (400, order_body(status="INVOICED")),
        (400, order_body(invoice={"series": "1"})),
        (422, {"items": []}),
        (422, {"items": [{"sku": {"partnerId": "SKU-9999"}, "amount": 1}]}),
        (422, {"items": [{"sku": {"partnerId": "SKU-0001"}, "amount": 0}]}),
        (422, {"items": [{"sku": {"partnerId": "SKU-0001"}, "amount": 0.00001}]}),
        (422, {"items": [{"sku": {"partnerId": "SKU-0001"}, "amount": "1"}]}),
        (422, {"items": [{**ITEM, "unit": -1}]}),
        (422, {"items": [{**ITEM, "discount": 120.01}]}),
        (422, {"items": [{**ITEM, "gross": 119}]}),
        (422, {"items": [{**ITEM, "total": 119.98}]}),
        (422, {"items": [{**ITEM, "amount": 1_000_000, "unit": 1_000_000}]}),
        (422, order_body(id=7)),
        (422, order_body(status="SHIPPED")),
        (422, order_body(total=100)),
        (422, order_body(gross=100)),
        (422, order_body(discount=120.01)),
        (422, order_body(items=[{**ITEM, "discount": 5}], discount=4)),
        (422, order_body(marketPlace="OUTRO")),
        (422, order_body(marketPlaceId="a", marketPlaceNumber="b")),
        (422, order_body(createdAt="2026-11-03T00:00:00Z")),
        (422, order_body(createdAt="yesterday")),
        (422, order_body(buyer={**BUYER, "document": "52998224724"})),
        (422, order_body(invoice={"accessKey": KEY[:-1] + str((int(KEY[-1]) + 1) % 10)})),
        (422, order_body(tracking={"shippedDate": "soon"})),
    ],
)
def test_what_is_wrong_is_refused_and_leaves_nothing(client: Client, status: int, body: Any) -> None:
    before = client.ok("/orders")["page"]["totalElements"]
    response = client.post("/orders", body)
    assert response.status_code == status, response.text
    error_of(response)
    assert client.ok("/orders")["page"]["totalElements"] == before


def test_a_marketplaces_number_is_taken_once(client: Client) -> None:
    posted(client, marketPlaceId="ONCE")
    assert client.post("/orders", order_body(marketPlaceId="ONCE")).status_code == 422
    posted(client, marketPlaceId="ONCE", marketPlace="LOJA_VERDE")
    taken = client.ok("/orders", marketplace="LOJA_VERDE")["content"][0]["marketPlaceId"]
    body = order_body(marketPlaceId=taken, marketPlace="LOJA_VERDE")
    assert client.post("/orders", body).status_code == 422


def test_every_move_of_the_specification(client: Client) -> None:
    order = posted(client, status="PENDING")
    order_id, ready = order["id"], order["tracking"]
    assert set(ready) == {"bufferingDate"}
    assert moved(client, order_id, status="PAID_WAITING_SHIP")["status"] == "PAID_WAITING_SHIP"
    told = {"series": "1", "number": "6539", "accessKey": KEY, "date": "2026-07-14T09:30:00Z"}
    assert moved(client, order_id, status="INVOICED", invoice=told)["invoice"] == told
    shipped = {"shippedDate": "2026-10-31T10:00:00Z", "estimateDate": "2026-11-05T10:00:00Z"}
    assert moved(client, order_id, status="PAID_WAITING_DELIVERY", tracking=shipped)["tracking"] == shipped | ready
    delivered = {"deliveredDate": "2026-11-01T01:00:00Z"}
    order = moved(client, order_id, status="PAID_WAITING_DELIVERY", tracking=delivered)
    assert order["tracking"] == shipped | ready | delivered
    assert moved(client, order_id, status="CONCLUDED")["status"] == "CONCLUDED"
    assert move(client, order_id, status="PENDING").status_code == 422
    other = posted(client, status="PENDING")["id"]
    assert move(client, other, status="INVOICED", invoice=told).status_code == 422
    assert moved(client, other, status="CANCELED")["status"] == "CANCELED"


def test_an_early_shipment_that_fails_is_asked_for_again_and_succeeds(client: Client) -> None:
    told = {"series": "1", "number": "6539", "date": "2026-07-14T09:30:00Z"}
    failed = 0
    while not failed:
        order_id = posted(client)["id"]
        assert move(client, order_id, deliveryStatus="SHIP_CONFIRMED").status_code == 422  # no invoice yet
        moved(client, order_id, status="INVOICED", invoice=told)
        for _ in range(30):
            order = moved(client, order_id, deliveryStatus="SHIP_CONFIRMED")
            assert order["status"] == "INVOICED"
            assert eventually(lambda: _has_ended(client, order_id))  # noqa: B023 - called at once
            order = client.ok(f"/orders/{order_id}")
            if order["status"] == "PAID_WAITING_DELIVERY":
                break
            assert (order["status"], order["transmissionStatus"]) == ("INVOICED", "ERROR")
            assert order["transmissionMessage"]
            failed += 1
        assert order["status"] == "PAID_WAITING_DELIVERY"
        assert order["tracking"]["shippedDate"] == "2026-11-01T03:00:00Z"
        assert "transmissionMessage" not in order


def _has_ended(client: Client, order_id: int) -> bool:
    """Whether something came of the early shipment: the order or its message changed."""
    order = client.ok(f"/orders/{order_id}")
    return order["status"] != "INVOICED" or order["transmissionStatus"] == "ERROR"


def test_orders_survive_a_restart_and_are_not_there_before_they_came(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with sandbox(documents=60, state_file=state) as client:
        order = posted(client, tracking={"bufferingDate": "2026-11-04T10:00:00Z"})
        moved(client, order["id"], status="CANCELED")
        order = client.ok(f"/orders/{order['id']}")
    with sandbox(documents=60, state_file=state) as client:
        assert client.ok(f"/orders/{order['id']}") == order
        assert posted(client)["id"] == order["id"] + 1
        client.move_clock("2026-10-01T00:00:00-03:00")
        assert client.get(f"/orders/{order['id']}").status_code == 404
        assert order["id"] not in {entry["id"] for entry in client.all("/orders")}
        assert order["id"] not in {item["id"] for item in client.ok("/orders/feeds")}
        client.move_clock("2026-12-05T00:00:00-03:00")
        assert client.ok(f"/orders/{order['id']}") == order
        assert order["id"] not in {item["id"] for item in client.ok("/orders/feeds")}  # older than thirty days
