"""Moving orders by PUT, strictly: every row of the specification, refusals, restarts, the feed, early shipments."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.loopback import LOOPBACK
from tests.sandbox_hub.web.client import Client, error_of, sandbox

NOW = "2026-07-15T12:00:00-03:00"
UTC_NOW = "2026-07-15T15:00:00Z"
DATE = "2026-07-14T13:00:00Z"
STATUSES = ["PENDING", "PAID_WAITING_SHIP", "INVOICED", "PAID_WAITING_DELIVERY", "CONCLUDED", "CANCELED"]
SHIPPED = {"shippedDate": "2026-07-15T10:00:00Z"}
WORLD: dict[str, Any] = {
    "documents": 1_500,
    "seed": 3,
    "clock": NOW,
    "shape": ("strict",),
    "strict_bodies": True,
}


@pytest.fixture(scope="module")
def hub() -> Iterator[Client]:
    with sandbox(**WORLD) as client:
        yield client


@pytest.fixture(scope="module")
def sale(hub: Client) -> dict[str, str]:
    """The invoice of some order, as an order's `invoice` says it."""
    page = hub.ok("/orders", status="CONCLUDED", limit=5)
    found: dict[str, str] = page["content"][0]["invoice"]
    return found


def of_status(client: Client, status: str) -> dict[str, Any]:
    """The newest order with this status."""
    found = client.ok("/orders", status=status, sort="-createdAt", limit=5)["content"]
    assert found, status
    order: dict[str, Any] = found[0]
    return order


def move(client: Client, order: dict[str, Any], **body: Any) -> httpx.Response:
    return client.put(f"/orders/{order['id']}", {"order_id": str(order["id"]), **body})


def read(client: Client, order: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = client.ok(f"/orders/{order['id']}")
    return found


def body_of(status: str, sale: dict[str, str]) -> dict[str, Any]:
    """A body that moves to `status`."""
    more: dict[str, Any] = {"INVOICED": {"invoice": sale}, "PAID_WAITING_DELIVERY": {"tracking": SHIPPED}}
    return {"status": status, **more.get(status, {})}


def token_of(client: Client, order: dict[str, Any]) -> str | None:
    feed = client.ok("/orders/feeds", limit=100)
    return next((item["token"] for item in feed if item["id"] == order["id"]), None)


# -- the rows of the specification -----------------------------------------------------------------------


def test_an_order_is_led_from_payment_to_its_end_and_every_reader_sees_it(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with sandbox(**WORLD, state_file=state) as client:
        order = of_status(client, "PENDING")
        sale = of_status(client, "CONCLUDED")["invoice"]
        tokens = [token_of(client, order)]
        steps: list[tuple[dict[str, Any], dict[str, Any]]] = [
            ({"status": "PAID_WAITING_SHIP"}, {}),
            ({"status": "INVOICED", "invoice": sale}, {"invoice": sale}),
            (
                {"status": "PAID_WAITING_DELIVERY", "tracking": {**SHIPPED, "estimateDate": "2026-07-20T00:00:00Z"}},
                {"tracking": {**SHIPPED, "estimateDate": "2026-07-20T00:00:00Z"}},
            ),
            (
                {"status": "PAID_WAITING_DELIVERY", "tracking": {"deliveredDate": "2026-07-15T14:00:00Z"}},
                {
                    "tracking": {
                        **SHIPPED,
                        "estimateDate": "2026-07-20T00:00:00Z",
                        "deliveredDate": "2026-07-15T14:00:00Z",
                    }
                },
            ),
            ({"status": "CONCLUDED"}, {}),
        ]
        expected = dict(order)
        for body, more in steps:
            answer = move(client, order, **body)
            assert answer.status_code == 200, answer.text
            found = read(client, order)
            assert answer.json() == found
            expected |= {"status": body["status"], **more}
            if "tracking" in more:  # by when it must be ready stays
                expected["tracking"] = {**order.get("tracking", {}), **more["tracking"]}
            moving = {"lastUpdate", "marketPlaceStatus", "marketPlaceShipmentStatus", "payments"}
            assert {k: v for k, v in found.items() if k not in moving} == {
                k: v for k, v in expected.items() if k not in moving
            }
            assert found["payments"][0]["status"] == "PAID"
            listed = client.all("/orders", status=body["status"])
            assert [entry for entry in listed if entry["id"] == order["id"]] == [found]
            tokens.append(token_of(client, order))
        assert None not in tokens
        assert len(set(tokens)) == len(tokens)
        kept = read(client, order)
        assert order["id"] not in {entry["id"] for entry in client.all("/orders", status="PENDING")}
    with sandbox(**WORLD, state_file=state) as client:
        assert read(client, order) == kept
        assert token_of(client, order) == tokens[-1]
    with sandbox(**WORLD) as client:
        assert read(client, order) == order


@pytest.mark.parametrize(
    ("to", "origins"),
    [
        ("PAID_WAITING_SHIP", {"PENDING", "PAID_WAITING_SHIP"}),
        ("INVOICED", {"PAID_WAITING_SHIP", "INVOICED"}),
        ("PAID_WAITING_DELIVERY", {"INVOICED", "PAID_WAITING_DELIVERY"}),
        ("CONCLUDED", {"PAID_WAITING_DELIVERY", "CONCLUDED"}),
        ("CANCELED", {"PENDING", "PAID_WAITING_SHIP", "INVOICED", "PAID_WAITING_DELIVERY", "CANCELED"}),
    ],
)
def test_each_move_is_possible_from_its_own_statuses_alone(sale: dict[str, str], to: str, origins: set[str]) -> None:
    with sandbox(**WORLD) as client:
        for status in STATUSES:
            order = of_status(client, status)
            token = token_of(client, order)
            answer = move(client, order, **body_of(to, sale))
            if status in origins:
                assert answer.status_code == 200, answer.text
                assert read(client, order)["status"] == to
            else:
                assert answer.status_code == 422
                assert f"O pedido está em {status} e não pode passar para {to}." == error_of(answer)["message"]
                assert read(client, order) == order
                assert token_of(client, order) == token


def test_the_documented_paths_do_the_same(hub: Client, sale: dict[str, str]) -> None:
    order = of_status(hub, "PAID_WAITING_SHIP")
    path = f"/orders/{order['id']}"
    named = {"order_id": str(order["id"])}
    for way, body, status in [
        ("faturado", {"invoice": sale}, "INVOICED"),
        ("enviado", {"status": "PAID_WAITING_DELIVERY", "tracking": SHIPPED}, "PAID_WAITING_DELIVERY"),
        ("concluido", {}, "CONCLUDED"),
    ]:
        assert hub.put(f"{path}/{way}", {**named, **body}).json()["status"] == status
    assert error_of(hub.put(f"{path}/cancelado", named))["code"] == "UNPROCESSABLE_ENTITY"
    other = of_status(hub, "INVOICED")
    assert hub.put(f"/orders/{other['id']}/cancelado", {"order_id": str(other["id"])}).json()["status"] == "CANCELED"
    for way, body, code in [
        ("faturado", {"status": "CANCELED", "invoice": sale}, 422),
        ("concluido", {"deliveryStatus": "SHIP_CONFIRMED"}, 400),
        ("faturado", {}, 400),
        ("entregue", {}, 404),
    ]:
        assert hub.put(f"{path}/{way}", {**named, **body}).status_code == code
    for way in ("faturado", "enviado", "concluido", "cancelado"):
        for method in ("POST", "GET", "PATCH", "DELETE"):
            refused = hub.http.request(method, f"{hub.address}{path}/{way}", json=named)
            assert (refused.status_code, refused.headers["allow"]) == (405, "PUT")
            assert error_of(refused)["code"] == "METHOD_NOT_ALLOWED"
    without = {"serviceToken": "", "platform": ""}
    assert hub.http.post(f"{hub.address}{path}/faturado", headers=without).status_code == 401


def test_repeating_a_move_changes_nothing(hub: Client, sale: dict[str, str]) -> None:
    order = of_status(hub, "INVOICED")
    first = move(hub, order, status="INVOICED", invoice=sale).json()
    assert first["invoice"] == sale
    token = token_of(hub, order)
    again = {**sale, "number": int(sale["number"]), "series": f"00{sale['series']}"[-3:]}
    assert move(hub, order, status="INVOICED", invoice=again).json() == first
    assert token_of(hub, order) == token
    own = of_status(hub, "PAID_WAITING_DELIVERY")
    assert move(hub, own, status="PAID_WAITING_DELIVERY", tracking=own["tracking"]).json() == own
    told = {"carrier": "Outra", "shippedDate": own["tracking"]["shippedDate"]}
    changed = move(hub, own, status="PAID_WAITING_DELIVERY", tracking=told).json()
    assert changed == {**own, "lastUpdate": UTC_NOW, "tracking": {**own["tracking"], "carrier": "Outra"}}


def test_its_own_life_does_not_undo_what_was_written() -> None:
    with sandbox(**WORLD) as client:
        dead, billed = of_status(client, "INVOICED"), of_status(client, "PAID_WAITING_SHIP")
        sale = of_status(client, "CONCLUDED")["invoice"]
        assert move(client, dead, status="CANCELED").status_code == 200
        assert move(client, billed, status="INVOICED", invoice=sale).status_code == 200
        client.move_clock("2026-11-01T00:00:00-03:00")
        assert read(client, dead)["status"] == "CANCELED"
        assert "tracking" not in read(client, dead)
        assert read(client, billed)["invoice"] == sale
        client.move_clock("2026-07-15T11:59:59-03:00")
        assert read(client, billed) == billed


# -- what is refused -------------------------------------------------------------------------------------


def with_invoice(**changes: Any) -> dict[str, Any]:
    """A body whose invoice differs in this; `...` leaves a field out."""
    return {"status": "INVOICED", "invoice": changes}


WRONG: list[tuple[dict[str, Any], int]] = [
    ({}, 400),
    ({"Status": "INVOICED"}, 400),
    ({"status": "INVOICED", "note": {}}, 400),
    ({"status": "INVOICED"}, 400),
    ({"status": "PAID_WAITING_DELIVERY"}, 400),
    ({"status": "CANCELED", "invoice": {}}, 400),
    ({"status": "CANCELED", "tracking": SHIPPED}, 400),
    ({"status": "CANCELED", "deliveryStatus": "SHIP_CONFIRMED"}, 400),
    ({"status": "PENDING"}, 422),
    ({"status": "SHIPPED"}, 422),
    ({"status": None}, 422),
    ({"status": ["CANCELED"]}, 422),
    ({"deliveryStatus": "DELIVERED"}, 422),
    ({"status": "CANCELED", "order_id": "1"}, 422),
    ({"status": "CANCELED", "order_id": None}, 422),
    *((with_invoice(**{name: ...}), 400) for name in ("series", "number", "accessKey", "date")),
    (with_invoice(key="1"), 400),
    *((with_invoice(series=value), 422) for value in ("", "x", -1, 1000, "1.0", True, None, 2)),
    *((with_invoice(number=value), 422) for value in ("", 0, "0", 10**9, [1], 123)),
    *((with_invoice(accessKey=value), 422) for value in ("", "3" * 43, "3" * 44, "é" * 44, None, 35, "flip", "57")),
    *((with_invoice(date=value), 422) for value in ("", "2026-07-14", "ontem", 5, "2026-07-14T13:00:00")),
    *((with_invoice(date=value), 422) for value in ("3026-01-01T00:00:00Z", "1900-01-01T00:00:00Z")),
    (with_invoice(date="2026-07-17T13:00:00Z"), 422),
    *(({"status": "INVOICED", "invoice": value}, 400) for value in ([], "x", None)),
]  # fmt: skip


@pytest.mark.parametrize(("body", "status"), WRONG)
def test_wrong_names_are_400_and_wrong_values_422_and_nothing_changes(
    hub: Client, sale: dict[str, str], body: dict[str, Any], status: int
) -> None:
    order = of_status(hub, "PAID_WAITING_SHIP")
    if isinstance(body.get("invoice"), dict):
        changed = {**sale, **body["invoice"]}
        key = sale["accessKey"]
        if changed["accessKey"] == "flip":
            changed["accessKey"] = key[:43] + str((int(key[43]) + 1) % 10)
        if changed["accessKey"] == "57":
            changed["accessKey"] = freight_key(hub)
        body = {**body, "invoice": {name: value for name, value in changed.items() if value is not ...}}
    answer = move(hub, order, **body)
    assert answer.status_code == status, answer.text
    error_of(answer)
    assert read(hub, order) == order


def freight_key(client: Client) -> str:
    """The key of a CT-e: whole, but of no invoice."""
    found: str = client.ok("/fiscalDocuments", documentTypeValue="freight", limit=5)["content"][0]["documentKey"]
    return found


@pytest.mark.parametrize(
    ("tracking", "status"),
    [
        ({}, 400),
        ({"carrier": "x"}, 400),
        ({**SHIPPED, "weight": "1"}, 400),
        ("x", 400),
        ({"shippedDate": "ontem"}, 422),
        ({"shippedDate": None}, 422),
        ({**SHIPPED, "carrier": ""}, 422),
        ({**SHIPPED, "url": 5}, 422),
        ({**SHIPPED, "number": "9" * 301}, 422),
        ({"deliveredDate": "2026-07-15T11:00:00Z"}, 422),
        ({**SHIPPED, "deliveredDate": "2026-07-15T09:00:00Z"}, 422),
    ],
)
def test_wrong_tracking(hub: Client, tracking: object, status: int) -> None:
    order = of_status(hub, "INVOICED")
    answer = move(hub, order, status="PAID_WAITING_DELIVERY", tracking=tracking)
    assert answer.status_code == status, answer.text
    error_of(answer)
    assert read(hub, order) == order


def test_what_is_no_order_or_no_json_is_refused(hub: Client) -> None:
    for unknown in ("1", "x", "-1", "9" * 30):
        assert error_of(hub.put(f"/orders/{unknown}", {"order_id": unknown}))["code"] == "NOT_FOUND"
    order = of_status(hub, "CONCLUDED")
    path = f"{hub.address}/orders/{order['id']}"
    for raw in (b"", b"{", b"\xff", b"[" * 100_000):
        assert hub.http.put(path, content=raw).status_code == 400
    assert hub.http.put(path, json=[]).status_code == 400
    assert hub.http.put(f"{path}?x=1", json={"order_id": str(order["id"])}).status_code == 400
    assert httpx.put(path, json={}, **LOOPBACK).status_code == 401


# -- early shipments -------------------------------------------------------------------------------------


def settled(client: Client, order: dict[str, Any]) -> dict[str, Any]:
    """The order once something came of its early shipment."""
    for _ in range(400):
        found = read(client, order)
        if found["status"] != "INVOICED" or found["transmissionStatus"] == "ERROR":
            return found
        time.sleep(0.02)
    raise AssertionError(found)


def test_early_shipments_answer_at_once_and_end_later_either_way() -> None:
    with sandbox(**WORLD) as client:
        body = {"deliveryStatus": "SHIP_CONFIRMED"}
        outcomes: dict[bool, dict[str, Any]] = {}
        for order in client.all("/orders", status="INVOICED"):
            token = token_of(client, order)
            answer = move(client, order, **body)
            if answer.status_code == 422:
                assert "sob encomenda" in error_of(answer)["message"]
                assert token_of(client, order) == token
                continue
            assert answer.status_code == 200
            assert answer.json()["status"] == "INVOICED"
            assert move(client, order, **body).status_code == 200  # asked again while it is on its way
            found = settled(client, order)
            assert token_of(client, order) not in (None, token)
            outcomes[found["transmissionStatus"] == "OK"] = found
        accepted, refused = outcomes[True], outcomes[False]
        assert accepted["status"] == "PAID_WAITING_DELIVERY"
        assert accepted["tracking"]["shippedDate"] == UTC_NOW
        assert "transmissionMessage" not in accepted
        assert refused["status"] == "INVOICED"
        assert refused["transmissionMessage"].endswith(".")
        assert read(client, refused) == refused
        moved = move(client, refused, status="PAID_WAITING_DELIVERY", tracking=SHIPPED).json()
        assert moved["transmissionStatus"] == "OK"
        assert "transmissionMessage" not in moved
        late = move(client, of_status(client, "CONCLUDED"), **body)
        assert "CONCLUDED" in error_of(late)["message"]


def test_what_a_stopped_sandbox_left_waiting_ends_at_its_next_start(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with sandbox(**WORLD, state_file=state) as client:
        for order in client.all("/orders", status="INVOICED"):
            if move(client, order, deliveryStatus="SHIP_CONFIRMED").status_code == 200:
                settled(client, order)
                break
    kept = json.loads(state.read_text("utf-8"))
    section = kept["worlds"]["sandbox:3:1500"]
    asked, *_came_of_it = section["orders"][str(order["id"])]
    assert list(asked) == ["at", "earlyShipment"]
    section["orders"] = {str(order["id"]): [asked]}
    state.write_text(json.dumps(kept), "utf-8")
    with sandbox(**WORLD, state_file=state) as client:
        found = read(client, order)
        assert (found["status"] == "PAID_WAITING_DELIVERY") is (found["transmissionStatus"] == "OK")
        assert found["status"] == "PAID_WAITING_DELIVERY" or "transmissionMessage" in found


# -- the feed --------------------------------------------------------------------------------------------


def test_reading_never_empties_the_feed_and_a_write_outlives_an_older_mark(tmp_path: Path) -> None:
    options = {"documents": 400, "seed": 5, "state_file": tmp_path / "state.json"}
    with sandbox(**options) as client:
        feed = client.ok("/orders/feeds")
        for _ in range(20):
            assert client.ok("/orders/feeds") == feed
        order = next(item for item in feed if client.ok(f"/orders/{item['id']}")["status"] == "PAID_WAITING_DELIVERY")
        assert move(client, order, status="CONCLUDED").status_code == 200
        newer = token_of(client, order)
        assert newer not in (None, order["token"])
        assert client.put(f"/orders/feeds/{order['id']}", {"token": order["token"]}).status_code == 200
        assert token_of(client, order) == newer
    with sandbox(**options) as client:
        assert token_of(client, order) == newer
        assert client.put("/orders/feeds/batch", [{"id": order["id"], "token": newer}]).status_code == 200
        assert token_of(client, order) is None
        assert client.put(f"/orders/feeds/{order['id']}", {"token": order["token"]}).status_code == 200
        assert token_of(client, order) is None
