"""What orders hold back of the stock: the feed of reservations, the stock itself, and what publications offer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from sandbox_hub.contract.schemas.orders import SCHEMAS
from tests.sandbox_hub.publications.seller import shop
from tests.sandbox_hub.web.client import Client, error_of, sandbox
from tests.sandbox_hub.web.orders.posted import moved, posted

SHIPPED = {"shippedDate": "2026-10-31T10:00:00Z"}
SKU = "SKU-0002"


def line(amount: float, code: str = SKU) -> dict[str, Any]:
    return {"sku": {"partnerId": code}, "amount": amount, "unit": 10}


def stock(client: Client, code: str = SKU) -> tuple[float, float]:
    """What is there of the SKU, and what of it is held back."""
    (item,) = client.ok("/stocks", partnerId=code)["content"]
    return item["quantity"], item.get("reserved", 0)


def reservations(client: Client) -> set[int]:
    """Ids in the feed, which is then marked by an empty body."""
    ids = {item["id"] for item in client.ok("/reservations/feeds")}
    assert client.http.put(client.address + "/reservations/feeds/batch").json() == {"marked": len(ids)}
    return ids


def test_an_order_reserves_until_it_is_shipped_or_cancelled() -> None:
    with sandbox(documents=60) as client:
        while reservations(client):
            pass
        assert client.put("/stocks", [{"partnerId": SKU, "quantity": 20}]).status_code == 200
        products = {item["id"] for item in client.ok("/products/feeds")}
        first = posted(client, items=[line(3), line(2), line(1, "SKU-0003")])["id"]
        second = posted(client, items=[line(1.5)], status="PENDING")["id"]
        assert stock(client) == (20, 6.5)
        assert reservations(client) == {first, second}
        assert client.ok(f"/reservations/{first}")["status"] == "RESERVED"
        moved(client, second, status="PAID_WAITING_SHIP")
        assert reservations(client) == set()  # still held back: nothing new
        moved(client, second, status="CANCELED")
        assert stock(client) == (20, 5)
        assert reservations(client) == {second}
        invoice = {"series": "1", "number": "5", "date": "2026-10-31T09:00:00Z"}
        moved(client, first, status="INVOICED", invoice=invoice)
        moved(client, first, status="PAID_WAITING_DELIVERY", tracking=SHIPPED)
        assert stock(client) == (15, 0)
        assert reservations(client) == {first}
        moved(client, first, status="CONCLUDED")
        assert (stock(client), reservations(client)) == ((15, 0), set())
        assert {item["id"] for item in client.ok("/products/feeds")} > products  # the stock of two has changed
        for order_id, status in ((first, "SHIPPED"), (second, "RELEASED")):
            reservation = client.ok(f"/reservations/{order_id}")
            Draft202012Validator({**SCHEMAS["Reservation"], "additionalProperties": False}).validate(reservation)
            assert reservation["status"] == status
        assert client.get("/reservations/7").status_code == 404
        assert error_of(client.get("/reservations/x"))["code"] == "NOT_FOUND"


def test_more_can_be_sold_than_there_is() -> None:
    with sandbox(documents=60) as client:
        client.put("/stocks", [{"partnerId": SKU, "quantity": 2}])
        order = posted(client, items=[line(5)])["id"]
        assert stock(client) == (2, 5)
        moved(client, order, status="PAID_WAITING_DELIVERY", tracking=SHIPPED)
        assert stock(client) == (0, 0)


def test_publications_offer_what_is_not_held_back() -> None:
    with shop() as seller:
        seller.put("/stocks", [{"partnerId": SKU, "quantity": 9}])
        publication = seller.published(SKU)["id"]
        order = posted(seller, items=[line(4)])["id"]
        seller.settled(publication)
        assert seller.events()[-1]["availableAmount"] == 5
        moved(seller, order, status="CANCELED")
        seller.settled(publication)
        assert seller.events()[-1]["availableAmount"] == 9


def test_reservations_survive_a_restart_and_follow_the_clock(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with sandbox(documents=60, state_file=state) as client:
        client.put("/stocks", [{"partnerId": SKU, "quantity": 9}])
        order = posted(client, items=[line(4)])["id"]
        while reservations(client):
            pass
        moved(client, order, status="CANCELED")
        client.put("/stocks", [{"partnerId": SKU, "quantity": 8}])
    with sandbox(documents=60, state_file=state) as client:
        assert stock(client) == (8, 0)
        posted(client, items=[line(2)])
        assert stock(client) == (8, 2)
        assert order in {item["id"] for item in client.ok("/reservations/feeds")}
        client.move_clock("2026-12-05T00:00:00-03:00")
        assert client.ok("/reservations/feeds") == []  # older than thirty days
        client.move_clock("2026-10-01T00:00:00-03:00")
        assert stock(client) == (8, 0)


@pytest.mark.parametrize("seed", [3, 4])
def test_the_worlds_own_orders_reserve_and_release_as_the_clock_moves(seed: int) -> None:
    with sandbox(documents=400, seed=seed, clock="2026-06-01T00:00:00-03:00") as client:
        while reservations(client):
            pass
        waiting = {o["id"] for o in client.all("/orders") if o["status"] in ("PAID_WAITING_SHIP", "INVOICED")}
        client.move_clock("2026-06-06T00:00:00-03:00")
        changed = reservations(client)
        orders = {order["id"]: order for order in client.all("/orders")}
        placed = {order_id for order_id, order in orders.items() if order["createdAt"] > "2026-06-01T03:00:00Z"}
        gone = {
            order_id
            for order_id in waiting
            if orders[order_id]["status"] in ("PAID_WAITING_DELIVERY", "CONCLUDED", "CANCELED")
        }
        assert placed
        assert gone
        assert placed | gone <= changed
        for order_id in changed:
            assert client.ok(f"/reservations/{order_id}")["orderId"] == order_id


def test_a_product_made_on_demand_says_by_when_it_is_ready() -> None:
    """Before it is shipped; then its early shipment can be asked for, and where it is refused, asked for again."""
    with sandbox(documents=300, seed=3) as client:
        for order in client.all("/orders", status="PAID_WAITING_SHIP") + client.all("/orders", status="INVOICED"):
            assert set(order.get("tracking", {})) <= {"bufferingDate"}
        waiting = client.all("/orders", status="INVOICED") + client.all("/orders", status="PAID_WAITING_SHIP")
        assert 0 < sum("tracking" in order for order in waiting) < len(waiting)
        on_demand = next(order for order in waiting if "tracking" in order)["items"]
        codes = [item["sku"]["partnerId"] for item in on_demand]
        order = posted(client, items=[line(1, code) for code in codes])
        assert order["tracking"] == {"bufferingDate": "2026-11-03T03:00:00Z"}
        given = posted(client, items=[line(1, codes[0])], tracking={"bufferingDate": "2026-11-20T10:00:00Z"})
        assert given["tracking"] == {"bufferingDate": "2026-11-20T10:00:00Z"}
        cancelled = moved(client, given["id"], status="CANCELED")
        assert cancelled["tracking"] == given["tracking"]  # what was said stays said
        assert "tracking" not in moved(client, order["id"], status="CANCELED")
