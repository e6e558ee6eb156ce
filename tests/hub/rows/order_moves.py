"""The moves of orders: at the hub by PUT, at the client by `confere orders move` and `orders invoice`."""

from __future__ import annotations

import json
import time
from hashlib import blake2b
from typing import Any

from tests.hub.rows.bench import Bench
from tests.hub.rows.orders import invoiced, issued, moved, posted, synced_order
from tests.hub.rows.probes import at_client, at_hub

_PATIENCE = 30.0  # seconds until an early shipment must have ended
_MOST_TRIES = 40  # orders and repetitions until one has failed and one succeeded
_SHIPPED = {"shippedDate": "2026-07-15T10:00:00Z", "estimateDate": "2026-07-20T00:00:00Z"}
_DELIVERED = {"deliveredDate": "2026-07-15T14:00:00Z"}
Life = dict[str, dict[str, Any]]


@at_hub
def hub_order_move(bench: Bench, subject: str) -> None:
    if subject == "order_id":
        order = posted(bench)
        path, body = f"/orders/{order['id']}", {"status": "CANCELED"}
        bench.done("PUT", path, {**body, "order_id": "1"}, 422)
        bench.done("PUT", path, {**body, "order_id": str(order["id"])})
        return

    def make() -> Life:
        order = posted(bench)
        life: Life = {"pending": order, "paid": moved(bench, order, status="PAID_WAITING_SHIP")}
        invoice = issued(bench, order)
        life["invoiced"] = moved(bench, order, status="INVOICED", invoice=invoice)
        life["invoice"] = invoice
        life["shipped"] = moved(bench, order, status="PAID_WAITING_DELIVERY", tracking=_SHIPPED)
        life["delivered"] = moved(bench, order, status="PAID_WAITING_DELIVERY", tracking=_DELIVERED)
        life["concluded"] = moved(bench, order, status="CONCLUDED")
        life["cancelled"] = moved(bench, posted(bench), status="CANCELED")
        return life

    _check(bench.once("hub life", make), subject)


@at_client
def client_order_move(bench: Bench, subject: str) -> None:
    def make() -> Life:
        order, other = posted(bench), posted(bench)
        name = str(order["id"])
        synced_order(bench, order["id"])
        life: Life = {"pending": order}

        def move(to: str, *arguments: str, of: str = name) -> None:
            bench.confere("orders", "move", of, "--account", "shop", "--to", to, *arguments, "--yes")
            life[to] = bench.done("GET", f"/orders/{of}")

        move("paid")
        life["invoice"] = issued(bench, order)
        bench.confere("sync", "--order", name)
        bench.confere("reconcile", "--account", "shop", "--all", "--summary", "--as-of", "2026-07-15T12:00:00-03:00")
        bench.confere("orders", "invoice", name, "--account", "shop", "--yes")
        life["invoiced"] = bench.done("GET", f"/orders/{name}")
        shipped = ("--shipped-date", "15/07/2026 07:00", "--estimate-date", "19/07/2026 21:00")
        life["preview"] = bench.confere(
            "orders", "move", name, "--account", "shop", "--to", "shipped", *shipped, "--preview"
        )
        move("shipped", *shipped)
        move("delivered", "--delivered-date", "15/07/2026 11:00")
        move("concluded")
        move("cancelled", of=str(other["id"]))
        return life

    life = bench.once("client life", make)
    if subject == "order_id":
        [request] = life["preview"]["requests"]
        assert json.loads(request["body"])["order_id"] == str(life["pending"]["id"])
        return
    _check(life, subject)


def _check(life: Life, subject: str) -> None:
    """What the hub shows after each move."""
    status = {
        "paid": "PAID_WAITING_SHIP",
        "invoiced": "INVOICED",
        "shipped": "PAID_WAITING_DELIVERY",
        "estimateDate": "PAID_WAITING_DELIVERY",
        "delivered": "PAID_WAITING_DELIVERY",
        "concluded": "CONCLUDED",
        "cancelled": "CANCELED",
    }[subject]
    assert life["pending"]["status"] == "PENDING"
    shown = life["shipped" if subject == "estimateDate" else subject]
    assert shown["status"] == status, f"{subject} led to {shown['status']}"
    if subject == "invoiced":
        assert shown["invoice"] == life["invoice"]
    elif subject == "shipped":
        assert shown["tracking"]["shippedDate"] == _SHIPPED["shippedDate"]
    elif subject == "estimateDate":
        assert shown["tracking"]["estimateDate"] == _SHIPPED["estimateDate"]
    elif subject == "delivered":
        assert shown["tracking"] == {**life["shipped"]["tracking"], **_DELIVERED}


@at_hub
def hub_invoice_needed(bench: Bench, subject: str) -> None:
    order = posted(bench, "PAID_WAITING_SHIP")
    path = f"/orders/{order['id']}"
    refused = bench.done("PUT", path, {"order_id": str(order["id"]), "status": "INVOICED"}, 400)
    assert "invoice" in refused["message"]
    assert bench.done("GET", path)["status"] == "PAID_WAITING_SHIP"


@at_client
def client_invoice_needed(bench: Bench, subject: str) -> None:
    order = posted(bench, "PAID_WAITING_SHIP")
    synced_order(bench, order["id"])
    plan = bench.confere("orders", "invoice", str(order["id"]), "--account", "shop", "--preview", code=1)
    assert plan["requests"] == []
    assert [left["order"] for left in plan["left_out"]] == [str(order["id"])]


@at_hub
def hub_early_shipment(bench: Bench, subject: str) -> None:
    def ask(order: dict[str, Any]) -> dict[str, Any]:
        path = f"/orders/{order['id']}"
        begun = time.monotonic()
        answer = bench.done("PUT", path, {"order_id": str(order["id"]), "deliveryStatus": "SHIP_CONFIRMED"})
        assert answer["status"] == "INVOICED"
        end = begun + _PATIENCE
        shown = answer
        while shown["status"] == "INVOICED" and "transmissionMessage" not in shown:
            assert time.monotonic() < end, "nothing came of the early shipment"
            time.sleep(0.05)
            shown = bench.done("GET", path)
        return {"answer": answer, "shown": shown}

    facts = bench.once("hub early", lambda: _failed_and_retried(bench, ask))
    if subject == "made-on-demand":
        plain = invoiced(bench, items=_item(on_demand=False))
        body = {"order_id": str(plain["id"]), "deliveryStatus": "SHIP_CONFIRMED"}
        bench.done("PUT", f"/orders/{plain['id']}", body, 422)
        return
    _check_early(facts, subject)


@at_client
def client_early_shipment(bench: Bench, subject: str) -> None:
    def ask(order: dict[str, Any]) -> dict[str, Any]:
        name = str(order["id"])
        synced_order(bench, order["id"])
        ran = bench.command(
            bench.home, "orders", "move", name, "--account", "shop", "--to", "early-shipment", "--yes", "--json"
        )
        [result] = ran.json["results"]
        assert (ran.code, result["outcome"]) in ((0, "written"), (1, "declined")), ran
        shown = bench.confere("orders", "show", name)
        as_hub = {
            "status": shown["order"]["status"],
            "transmissionStatus": shown["order"]["transmission_status"],
            "transmissionMessage": shown["order"]["transmission_message"],
        }
        return {"answer": {"status": "INVOICED"}, "shown": as_hub, "request": ran.json["requests"][0]}

    facts = bench.once("client early", lambda: _failed_and_retried(bench, ask))
    if subject == "deliveryStatus":
        assert json.loads(facts["failed"]["request"]["body"])["deliveryStatus"] == "SHIP_CONFIRMED"
    if subject == "made-on-demand":
        plain = invoiced(bench, items=_item(on_demand=False))
        synced_order(bench, plain["id"])
        sent = bench.confere(
            "orders", "move", str(plain["id"]), "--account", "shop", "--to", "early-shipment", "--yes", code=1
        )
        assert [each["outcome"] for each in sent["results"]] == ["refused"]
        return
    _check_early(facts, subject)


def _failed_and_retried(bench: Bench, ask: Any) -> dict[str, Any]:
    """Orders are asked for until one was refused, which is asked for again until it is shipped."""
    for _ in range(_MOST_TRIES):
        order = invoiced(bench, items=_item(on_demand=True))
        first = ask(order)
        if first["shown"]["status"] == "INVOICED":
            break
    else:
        raise AssertionError("no early shipment was refused")
    for _ in range(_MOST_TRIES):
        last = ask(order)
        if last["shown"]["status"] != "INVOICED":
            return {"failed": first, "retried": last}
    raise AssertionError("no repetition succeeded")


def _check_early(facts: dict[str, Any], subject: str) -> None:
    failed, retried = facts["failed"]["shown"], facts["retried"]["shown"]
    if subject in ("deliveryStatus", "at-once"):
        assert facts["failed"]["answer"]["status"] == "INVOICED"
        assert retried["status"] == "PAID_WAITING_DELIVERY"
    elif subject in ("failed", "read"):
        assert (failed["status"], failed["transmissionStatus"]) == ("INVOICED", "ERROR")
    elif subject == "transmissionMessage":
        assert failed["transmissionMessage"]
        assert not retried.get("transmissionMessage")
    else:
        assert (retried["status"], retried["transmissionStatus"]) == ("PAID_WAITING_DELIVERY", "OK")


def _item(*, on_demand: bool) -> list[dict[str, Any]]:
    """An item of a product that the sandbox makes on demand, or of one that it has on the shelf."""
    codes = (f"SKU-{number:04d}" for number in range(1, 100))
    code = next(code for code in codes if (blake2b(code.encode(), digest_size=1).digest()[0] % 3 == 0) is on_demand)
    return [{"sku": {"partnerId": code}, "amount": 2, "unit": 50.0, "discount": 10.0}]
