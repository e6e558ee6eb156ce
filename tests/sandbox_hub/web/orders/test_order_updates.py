"""The lenient profile: what public clients write is taken, and what is wrong in it is refused all the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.sandbox_hub.web.client import Client, error_of, sandbox

NOW = "2026-07-15T12:00:00-03:00"
UTC_NOW = "2026-07-15T15:00:00Z"
STATUSES = ["PENDING", "PAID_WAITING_SHIP", "INVOICED", "PAID_WAITING_DELIVERY", "CONCLUDED", "CANCELED"]


@pytest.fixture(scope="module")
def hub() -> Iterator[Client]:
    with sandbox(documents=1_500, seed=3, clock=NOW) as client:
        yield client


@pytest.fixture(scope="module")
def key(hub: Client) -> str:
    found: str = hub.ok("/orders", status="CONCLUDED", limit=5)["content"][0]["invoice"]["accessKey"]
    return found


def of_status(client: Client, status: str) -> dict[str, Any]:
    found: dict[str, Any] = client.ok("/orders", status=status, sort="-createdAt", limit=5)["content"][0]
    return found


@pytest.mark.parametrize(
    ("to", "origins"),
    [
        ("PENDING", {"PENDING"}),
        ("PAID_WAITING_SHIP", {"PENDING", "PAID_WAITING_SHIP"}),
        ("INVOICED", {"PAID_WAITING_SHIP", "INVOICED"}),
        ("PAID_WAITING_DELIVERY", {"PAID_WAITING_SHIP", "INVOICED", "PAID_WAITING_DELIVERY"}),
        ("CONCLUDED", {"PAID_WAITING_SHIP", "INVOICED", "PAID_WAITING_DELIVERY", "CONCLUDED"}),
        ("CANCELED", set(STATUSES)),
    ],
)
def test_states_may_be_skipped_and_what_is_concluded_cancelled(key: str, to: str, origins: set[str]) -> None:
    with sandbox(documents=1_500, seed=3, clock=NOW) as client:
        for status in STATUSES:
            order = of_status(client, status)
            body = {"status": to, **({"invoice": {"accessKey": key}} if to == "INVOICED" else {})}
            answer = client.put(f"/orders/{order['id']}", body)
            assert answer.status_code == (200 if status in origins else 422), (status, answer.text)
            if status in origins:
                assert client.ok(f"/orders/{order['id']}")["status"] == to
            else:
                assert client.ok(f"/orders/{order['id']}") == order


def test_what_is_written_is_kept_as_it_was_given(hub: Client, key: str) -> None:
    order = of_status(hub, "PAID_WAITING_SHIP")
    path = f"/orders/{order['id']}"
    assert hub.put(path, {"status": "INVOICED"}).status_code == 400
    written = {**order, "status": "INVOICED", "invoice": {"accessKey": key, "cfop": "5102", "series": "", "date": None}}
    found = hub.put(path, written).json()
    assert found["invoice"] == {"accessKey": key, "cfop": "5102"}
    assert found["lastUpdate"] == UTC_NOW
    assert hub.put(path, found).json() == found
    tracked = {"tracking": {"carrier": "X", "url": "", "weight": 5, "shippedDate": "2026-07-15T08:00:00.000-03:00"}}
    found = hub.put(path, tracked).json()  # no status: it stays
    assert (found["status"], found["tracking"]) == ("INVOICED", {"carrier": "X", "shippedDate": "2026-07-15T11:00:00Z"})
    assert hub.put(f"{path}/concluido", {}).json()["status"] == "CONCLUDED"
    late = {"status": "PAID_WAITING_DELIVERY", "tracking": {"deliveredDate": "2026-07-14T10:00:00Z"}}
    delivered = hub.put(f"/orders/{of_status(hub, 'PAID_WAITING_SHIP')['id']}", late).json()
    assert delivered["tracking"]["shippedDate"] == "2026-07-14T10:00:00Z"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ([], 400),
        ({"status": None}, 200),
        ({"status": "SHIPPED"}, 422),
        ({"status": ["CANCELED"]}, 422),
        ({"order_id": "1", "status": "CANCELED"}, 422),
        ({"deliveryStatus": "DELIVERED"}, 422),
        ({"invoice": "x"}, 400),
        ({"invoice": {"series": "1"}}, 400),
        ({"invoice": {"accessKey": "3" * 44}}, 422),
        ({"invoice": {"number": 0}}, 422),
        ({"invoice": {"number": "1", "date": "ontem"}}, 422),
        ({"invoice": {"number": "1", "date": "3026-01-01T00:00:00Z"}}, 422),
        ({"invoice": {"number": "1", "cfop": 5102}}, 422),
        ({"tracking": []}, 400),
        ({"tracking": {"url": 5}}, 422),
        ({"tracking": {"shippedDate": "ontem"}}, 422),
        ({"tracking": {"number": "9" * 301}}, 422),
        ({"status": "PAID_WAITING_DELIVERY", "tracking": {"shippedDate": UTC_NOW, "deliveredDate": NOW[:10]}}, 422),
    ],
)
def test_what_is_wrong_is_refused_and_changes_nothing(hub: Client, body: Any, status: int) -> None:
    order = of_status(hub, "PAID_WAITING_SHIP")
    answer = hub.put(f"/orders/{order['id']}", body)
    assert answer.status_code == status, answer.text
    if status != 200:
        error_of(answer)
    assert hub.ok(f"/orders/{order['id']}") == order


def test_marks_are_taken_in_any_of_their_forms() -> None:
    with sandbox(documents=400, seed=5) as client:
        feed = client.ok("/orders/feeds", limit=8)
        assert client.put(f"/orders/feeds/{feed[0]['id']}", {**feed[0], "more": 1}).status_code == 200
        assert client.put("/orders/feeds/batch", [{"token": feed[1]["token"]}]).json() == {"marked": 1}
        assert client.put("/orders/feeds/batch", []).json() == {"marked": 0}
        assert client.put("/orders/feeds/batch", [{**feed[2], "token": "x"}]).status_code == 422
        assert client.put("/orders/feeds/batch", {"token": feed[2]["token"]}).status_code == 400
        assert client.ok("/orders/feeds", limit=5) == [*feed[2:7]]
        empty = client.http.put(f"{client.address}/orders/feeds/batch")
        assert empty.json() == {"marked": 6}  # of the 8 that were read, two are marked already
        assert not {item["id"] for item in feed} & {item["id"] for item in client.ok("/orders/feeds", limit=100)}


def test_orders_carry_what_real_ones_carry(hub: Client) -> None:
    orders = hub.ok("/orders", limit=100)["content"]
    assert len({order["partnerId"] for order in orders}) == len(orders)
    for order in orders:
        assert order["marketPlaceNumber"] == order["marketPlaceId"]
        assert order["createdAt"] <= order["lastUpdate"] <= UTC_NOW
        assert order["interestValue"] == 0
        for payment in order["payments"]:
            assert 0 < payment["marketplaceFee"] < payment["value"]
            assert (payment["gatewayFee"] > 0) == (payment["method"] == "CREDIT_CARD")
    assert {order["fulfillment"] for order in orders} == {True, False}
