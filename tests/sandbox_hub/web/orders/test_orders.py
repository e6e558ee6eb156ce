"""Orders: every filter against brute force, the record against the specification, the feed and its marks."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.sandbox_hub.web.client import Client, error_of, sandbox

STATUSES = ["PENDING", "PAID_WAITING_SHIP", "INVOICED", "PAID_WAITING_DELIVERY", "CONCLUDED", "CANCELED"]


@pytest.fixture(scope="session")
def orders(client: Client) -> list[dict[str, Any]]:
    return client.all("/orders")


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_filters_are_as_brute_force(client: Client, orders: list[dict[str, Any]], data: st.DataObject) -> None:
    picks = st.sampled_from(orders)
    query: dict[str, str] = {}
    expected = orders
    if data.draw(st.booleans()):
        query["status"] = data.draw(st.sampled_from(STATUSES))
        expected = [o for o in expected if o["status"] == query["status"]]
    if data.draw(st.booleans()):
        query["marketplace"] = data.draw(st.sampled_from(["MERCADO_AZUL", "LOJA_VERDE", "FEIRA_DIGITAL"]))
        expected = [o for o in expected if o["marketPlace"] == query["marketplace"]]
    if data.draw(st.booleans()):
        query["createdAfter"] = data.draw(picks)["createdAt"]
        expected = [o for o in expected if moment(o["createdAt"]) >= moment(query["createdAfter"])]
    if data.draw(st.booleans()):
        query["createdBefore"] = data.draw(picks)["createdAt"]
        expected = [o for o in expected if moment(o["createdAt"]) <= moment(query["createdBefore"])]
    if data.draw(st.integers(0, 4)) == 0:
        query["marketplaceId"] = data.draw(st.one_of(picks.map(lambda o: o["marketPlaceId"]), st.text(max_size=9)))
        expected = [o for o in expected if o["marketPlaceId"] == query["marketplaceId"]]
    sort = data.draw(st.sampled_from([None, "createdAt", "createdAt,asc", "-createdAt", "createdAt,desc"]))
    if sort is not None:
        query["sort"] = sort
    if sort in ("-createdAt", "createdAt,desc"):
        expected = expected[::-1]
    offset, limit = data.draw(st.integers(0, 60)), data.draw(st.integers(5, 100))
    page = client.ok("/orders", offset=offset, limit=limit, **query)
    assert page["content"] == expected[offset : offset + limit]
    assert page["page"]["totalElements"] == len(expected)


def test_orders_are_oldest_first_and_read_by_id(client: Client, orders: list[dict[str, Any]]) -> None:
    assert len(orders) > 400
    assert set(STATUSES) - {"PENDING"} <= {order["status"] for order in orders} <= set(STATUSES)
    assert [order["createdAt"] for order in orders] == sorted(order["createdAt"] for order in orders)
    for order in orders[::40]:
        assert client.ok(f"/orders/{order['id']}") == order
    for unknown in ("1", str(orders[-1]["id"] + 1_000), "x", "-1", "9" * 30):
        assert error_of(client.get(f"/orders/{unknown}"))["code"] == "NOT_FOUND"


def test_fields_are_those_of_the_specification(orders: list[dict[str, Any]]) -> None:
    for order in orders:
        assert order["createdAt"].endswith("Z")
        assert isinstance(order["id"], int)
        cents = {name: round(order[name] * 100) for name in ("gross", "discount", "freight", "total")}
        assert cents["total"] == cents["gross"] - cents["discount"] + cents["freight"]
        assert cents["gross"] == sum(round(item["gross"] * 100) for item in order["items"])
        assert cents["discount"] == sum(round(item["discount"] * 100) for item in order["items"])
        for item in order["items"]:
            assert round(item["gross"] * 100) == item["amount"] * round(item["price"] * 100)
            assert round(item["total"] * 100) == round(item["gross"] * 100) - round(item["discount"] * 100)
        assert set(order["shipping"]) == {"city", "state", "country", "address", "zipCode"}
        assert set(order["buyer"]) == {"id", "name", "email", "document", "documentType", "phone"}
        assert sum(payment["value"] for payment in order["payments"]) == order["total"]
        assert ("shippedDate" in order.get("tracking", {})) <= ("invoice" in order)
        if order["status"] in ("INVOICED", "PAID_WAITING_DELIVERY", "CONCLUDED"):
            assert len(order["invoice"]["accessKey"]) == 44
        if order["status"] in ("PENDING", "PAID_WAITING_SHIP"):
            assert "invoice" not in order


def test_invoices_are_documents_of_the_same_value(client: Client, orders: list[dict[str, Any]]) -> None:
    documents = {item["documentKey"]: item for item in client.all("/fiscalDocuments", documentTypeValue="sale")}
    invoiced = [order for order in orders if order.get("invoice", {}).get("accessKey") in documents]
    assert len(invoiced) > 350
    named = {item.get("orderId") for item in documents.values()}
    shared = [order for order in invoiced if order["id"] not in named]
    assert shared  # carts: the record names one of the orders
    keys = [order["invoice"]["accessKey"] for order in invoiced]
    for order in invoiced[:60]:
        key = order["invoice"]["accessKey"]
        assert key[22:25] == f"{int(order['invoice']['series']):03d}"
        assert key[25:34] == f"{int(order['invoice']['number']):09d}"
        item = documents[key]
        assert moment(order["createdAt"]) <= moment(item["createdAt"])
        mine = [d for d in documents.values() if d.get("orderId") == order["id"] and _stands(d)]
        if keys.count(key) == 1 and len(mine) == 1:
            file = client.detail(item)["documents"][0]["path"]["document_item_id"]
            xml = client.get(f"/fiscalDocuments/download/{file}").text
            assert f"<vNF>{order['total']:.2f}</vNF>" in xml


def _stands(document: dict[str, Any]) -> bool:
    return all(entry["status"] != "CANCELLED" for entry in document["history"])


# -- the feed --------------------------------------------------------------------------------------------


def test_feed_is_read_and_marked_for_every_reader() -> None:
    with sandbox(documents=400, seed=5) as client:
        feed = client.ok("/orders/feeds")
        assert all(set(item) == {"id", "token"} for item in feed)
        assert len(feed) > 20
        assert client.ok("/orders/feeds", limit=5) == feed[:5]
        assert client.put(f"/orders/feeds/{feed[0]['id']}", {"token": feed[0]["token"]}).status_code == 200
        assert client.put("/orders/feeds/batch", feed[1:4]).status_code == 200
        tokens = {"tokens": [item["token"] for item in feed[4:6]]}
        assert client.put("/orders/feeds/batch", tokens).json() == {"marked": 2}
        other = Client(client.hub)
        with other.http:
            assert other.ok("/orders/feeds") == feed[6:]
        assert client.put(f"/orders/feeds/{feed[0]['id']}", {"token": feed[0]["token"]}).status_code == 200
        assert client.ok("/orders/feeds") == feed[6:]
        recent = [o for o in client.all("/orders") if o["id"] in {item["id"] for item in feed}]
        assert len(recent) == len(feed)
        last = datetime(2026, 11, 1, 3, tzinfo=UTC) - timedelta(days=30)
        created_lately = {o["id"] for o in client.all("/orders") if moment(o["createdAt"]) > last}
        assert created_lately <= {item["id"] for item in feed}


def test_wrong_marks_change_nothing(strict: Client) -> None:
    client = strict
    first, second = client.ok("/orders/feeds", limit=5)[:2]
    one = f"/orders/feeds/{first['id']}"
    batch = "/orders/feeds/batch"
    for path, body, status in [
        (one, {}, 400),
        (one, {"Token": first["token"]}, 400),
        (one, {"token": first["token"], "more": 1}, 400),
        (one, [first["token"]], 400),
        (one, {"token": 5}, 422),
        (one, {"token": second["token"]}, 422),
        (one, {"token": "x"}, 422),
        ("/orders/feeds/1", {"token": first["token"]}, 404),
        ("/orders/feeds/x", {"token": first["token"]}, 404),
        (batch, {"token": [first["token"]]}, 400),
        (batch, {"tokens": first["token"]}, 422),
        (batch, {"tokens": [first["token"], "x"]}, 422),
        (batch, [first["token"]], 400),
        (batch, [{"id": first["id"]}], 400),
        (batch, [first, {"id": second["id"], "token": "x"}], 422),
        (batch, [{"id": second["id"], "token": first["token"]}], 422),
        (batch, "x", 400),
    ]:
        response = client.put(path, body)
        assert response.status_code == status, (path, body)
        error_of(response)
    for raw in (b"", b"{", b"\xff", b"[" * 100_000):
        response = client.http.put(client.address + one, content=raw)
        assert response.status_code == 400
    large = client.http.put(client.address + batch, content=json.dumps({"tokens": ["x" * 2_000_000]}).encode())
    assert large.status_code == 400
    assert client.ok("/orders/feeds", limit=5)[:2] == [first, second]
