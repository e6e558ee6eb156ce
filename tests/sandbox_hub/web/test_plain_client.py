"""A plain HTTP client, written from the specification and the field notes alone, walks the hub and is refused nothing.

It knows neither confere nor the sandbox: the standard library, two headers and the paths of the specification.
"""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from typing import Any
from urllib.parse import quote, urlencode, urlsplit
from xml.etree import ElementTree

import pytest


class PlainClient:
    """Every answer must be a success."""

    def __init__(self, address: str, token: str) -> None:
        where = urlsplit(address)
        assert where.hostname is not None
        self._root = where.path
        self._connection = http.client.HTTPConnection(where.hostname, where.port, timeout=60)
        self._headers = {"serviceToken": token, "platform": "plain"}

    def close(self) -> None:
        self._connection.close()

    def ask(self, method: str, path: str, body: bytes | None = None) -> bytes:
        headers = {**self._headers, "Content-Type": "application/json"} if body is not None else self._headers
        self._connection.request(method, self._root + path, body, headers)
        answer = self._connection.getresponse()
        content = answer.read()
        assert 200 <= answer.status < 300, (method, path, body, answer.status, content)
        return content

    def get(self, path: str, **query: object) -> Any:
        return json.loads(self.ask("GET", f"{path}?{urlencode(query)}" if query else path))

    def put(self, path: str, body: object) -> Any:
        return json.loads(self.ask("PUT", path, json.dumps(body).encode()))

    def listed(self, path: str, **query: object) -> list[dict[str, Any]]:
        """Every item of a list: `page.totalPages` and `page.number` are what the specification names."""
        items: list[dict[str, Any]] = []
        while True:
            page = self.get(path, limit=100, offset=len(items), **query)
            items += page["content"]
            if not page["content"] or page["page"]["number"] + 1 >= page["page"]["totalPages"]:
                return items


@pytest.fixture(scope="module")
def client() -> Iterator[PlainClient]:
    command = [sys.executable, "-m", "sandbox_hub", "--documents", "600", "--seed", "5", "--exit-with-stdin"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as hub:
        assert hub.stdout is not None
        assert hub.stdin is not None
        ready = json.loads(hub.stdout.readline())
        with closing(PlainClient(ready["address"], ready["token"])) as found:
            yield found
        hub.stdin.close()


def test_documents_are_listed_read_and_downloaded(client: PlainClient) -> None:
    listed = client.listed("/fiscalDocuments")
    assert len(listed) == 600
    files = 0
    for item in listed[:60]:
        detail = client.get(f"/fiscalDocuments/{quote(item['id'])}")
        assert detail["documentKey"] == item["documentKey"] if "documentKey" in item else True
        assert len(detail["history"]) == len(item["history"]) <= len(detail["documents"])
        for file in detail["documents"]:
            xml = client.ask("GET", f"/fiscalDocuments/download/{quote(file['path']['document_item_id'])}")
            assert detail.get("documentKey", "") in xml.decode()
            ElementTree.fromstring(xml)
            files += 1
    assert files >= 60


def test_every_filter_of_the_specification(client: PlainClient) -> None:
    one = next(item for item in client.listed("/fiscalDocuments") if "orderId" in item)
    for name, value in (
        ("orderId", one["orderId"]),
        ("marketplace", one["marketplace"]),
        ("documentTypeValue", one["metadata"]["documentTypeValue"]),
        ("createdAtFrom", one["createdAt"]),
        ("createdAtTo", one["createdAt"]),
        ("lastUpdateFrom", one["lastUpdate"]),
        ("lastUpdateTo", one["lastUpdate"]),
    ):
        assert one["id"] in {item["id"] for item in client.listed("/fiscalDocuments", **{name: value})}


def test_feeds_are_read_and_marked_in_every_way(client: PlainClient) -> None:
    feed = client.get("/orders/feeds", limit=10)
    client.get(f"/orders/{feed[0]['id']}")
    client.put(f"/orders/feeds/{feed[0]['id']}", {"token": feed[0]["token"]})
    client.put(f"/orders/feeds/{feed[1]['id']}", feed[1])  # the item itself
    client.put("/orders/feeds/batch", feed[2:4])
    left = client.get("/orders/feeds", limit=5)
    assert [item["id"] for item in left] == [item["id"] for item in feed[4:9]]
    client.ask("PUT", "/orders/feeds/batch", b"")  # all that was read
    fresh = {item["id"] for item in client.get("/orders/feeds", limit=100)}
    assert not fresh & {item["id"] for item in feed}
    rest = client.get("/orders/feeds", limit=5)
    client.put("/orders/feeds/batch", {})
    assert not {item["id"] for item in rest} & {item["id"] for item in client.get("/orders/feeds", limit=100)}


def test_orders_are_moved_with_the_bodies_of_public_clients(client: PlainClient) -> None:
    orders = client.listed("/orders")
    key = next(order["invoice"]["accessKey"] for order in orders if "accessKey" in order.get("invoice", {}))
    waiting = [order for order in orders if order["status"] == "PAID_WAITING_SHIP"]
    assert len(waiting) >= 5

    def moved(order: dict[str, Any], body: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = client.put(f"/orders/{order['id']}", body)
        assert client.get(f"/orders/{order['id']}") == answer
        return answer

    # The whole order written back, with an invoice of the key and the CFOP alone; then shipped and concluded.
    first = moved(waiting[0], {**waiting[0], "status": "INVOICED", "invoice": {"accessKey": key, "cfop": "6108"}})
    assert (first["status"], first["invoice"]) == ("INVOICED", {"accessKey": key, "cfop": "6108"})
    dates = {"shippedDate": "2026-10-30T10:00:00Z", "estimateDate": "2026-11-05T10:00:00Z"}
    shipping = {**dates, "carrier": "Transportes", "number": "BR1", "url": ""}
    first = moved(first, {**first, "status": "PAID_WAITING_DELIVERY", "tracking": shipping})
    assert first["tracking"] == {name: value for name, value in shipping.items() if value}
    delivered = {"deliveredDate": "2026-10-31T10:00:00Z"}
    first = moved(first, {"order_id": str(first["id"]), "status": "CONCLUDED", "tracking": delivered})
    assert (first["status"], first["tracking"]["deliveredDate"]) == ("CONCLUDED", delivered["deliveredDate"])
    assert moved(first, {**first, "status": "CANCELED"})["status"] == "CANCELED"
    # Without order_id, states skipped.
    second = moved(waiting[1], {"status": "PAID_WAITING_DELIVERY", "tracking": {"number": "BR2", "url": ""}})
    assert (second["status"], second["tracking"]["number"]) == ("PAID_WAITING_DELIVERY", "BR2")
    assert second["tracking"]["shippedDate"]
    third = moved(waiting[2], {"status": "INVOICED", "invoice": {"accessKey": key, "date": "2026-10-30T10:00:00Z"}})
    assert moved(third, {"status": "CONCLUDED"})["status"] == "CONCLUDED"
    # The bodies of the specification.
    of_key = {"series": str(int(key[22:25])), "number": str(int(key[25:34])), "accessKey": key}
    name = {"order_id": str(waiting[3]["id"])}
    fourth = moved(waiting[3], {**name, "status": "INVOICED", "invoice": {**of_key, "date": "2026-10-30T10:00:00Z"}})
    fourth = moved(fourth, {**name, "status": "PAID_WAITING_DELIVERY", "tracking": dates})
    fourth = moved(fourth, {**name, "status": "PAID_WAITING_DELIVERY", "tracking": delivered})
    assert moved(fourth, {**name, "status": "CONCLUDED"})["status"] == "CONCLUDED"
    # Written back as it is, nothing changes.
    assert moved(waiting[4], waiting[4]) == waiting[4]
