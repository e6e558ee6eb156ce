"""The feeds at both ends: what comes into each, marking one and many, and how long it stays."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.hub.rows.bench import ACCOUNT, NOW, Bench
from tests.hub.rows.doors import ClientDoor, Door, HubDoor
from tests.hub.rows.orders import posted
from tests.hub.rows.probes import at_both, at_client, at_hub

_PATIENCE = 30.0  # seconds until a hook of the hub's must have been answered
_MOST = 100
_PLACES = ("LOJA_VERDE", "MERCADO_AZUL", "FEIRA_DIGITAL")


def _bench(bench: Bench) -> Bench:
    """A hub of few orders: its feeds are read to their end in one request."""
    return bench.beside("feeds", clock=NOW, middleware=True)


def _door(door: Door) -> Door:
    beside = _bench(door.bench)
    return HubDoor(beside) if isinstance(door, HubDoor) else ClientDoor(beside)


def changed(bench: Bench, domain: str) -> int:
    """Change something of a domain; the id with which it must be in its feed."""
    if domain == "orders":
        return int(posted(bench)["id"])
    number = bench.number()
    if domain == "products":
        product = bench.done("GET", "/products", limit=100)["content"][number % 50]
        bench.done("PUT", f"/products/{product['id']}", {"model": f"Modelo {number}"})
        return int(product["id"])
    if domain == "reservations":
        item = {"sku": {"partnerId": "SKU-0003"}, "amount": 1}
        return int(bench.done("POST", "/orders", {"items": [item], "status": "PAID_WAITING_SHIP"}, 201)["id"])
    return published(bench)["id"]


def published(bench: Bench, *, send: bool = True, **terms: Any) -> Any:
    """A new publication of a SKU that has none, once no hook of it waits."""
    number = bench.number()
    body = {
        "skuPartnerId": f"SKU-{number % 200 + 1:04d}",
        "marketplace": _PLACES[number % len(_PLACES)],
        "send": send,
        **terms,
    }
    return settled(bench, bench.panel("POST", "/publications", body)["id"])


def settled(bench: Bench, publication_id: int) -> Any:
    """The publication as the seller's screen shows it when no hook of it waits."""
    end = time.monotonic() + _PATIENCE
    while True:
        content = bench.panel("GET", "/publications")["content"]
        shown = next(each for each in content if each["id"] == publication_id)
        if not shown["waiting"]:
            return shown
        assert time.monotonic() < end, "a hook was not answered"
        time.sleep(0.02)


def drained(bench: Bench, domain: str) -> None:
    """Mark everything that is in a feed."""
    while items := bench.done("GET", f"/{domain}/feeds", limit=_MOST):
        bench.done("PUT", f"/{domain}/feeds/batch", items)


@at_both
def feed_read(door: Door, subject: str) -> None:
    door = _door(door)
    drained(door.bench, subject)
    item_id = changed(door.bench, subject)
    items = door.read(f"/{subject}/feeds")
    assert item_id in [item["id"] for item in items], items


@at_both
def feed_mark_one(door: Door, subject: str) -> None:
    door = _door(door)
    drained(door.bench, subject)
    item_id = changed(door.bench, subject)
    items = {item["id"]: item for item in door.read(f"/{subject}/feeds")}
    door.write("PUT", f"/{subject}/feeds/{{id}}", {"token": items[item_id]["token"]}, id=item_id)
    after = {item["id"]: item for item in door.bench.done("GET", f"/{subject}/feeds")}
    assert after == {name: item for name, item in items.items() if name != item_id}


@at_both
def feed_mark_batch(door: Door, subject: str) -> None:
    door = _door(door)
    drained(door.bench, subject)
    for _ in range(2):
        changed(door.bench, subject)
    items = door.read(f"/{subject}/feeds", limit=_MOST)
    assert items
    answer = door.write("PUT", f"/{subject}/feeds/batch", items)
    assert answer == {"marked": len(items)}
    assert door.bench.done("GET", f"/{subject}/feeds") == []


@at_hub
def hub_feed_rule(bench: Bench, subject: str) -> None:
    if subject == "thirty-days":
        _thirty_days(bench)
    else:
        _rule(HubDoor(_bench(bench)), subject)


@at_client
def client_feed_rule(bench: Bench, subject: str) -> None:
    if subject == "thirty-days":
        thirty_days_at_client(bench)
    elif subject == "pattern":
        beside = _bench(bench)
        drained(beside, "orders")
        order_id = changed(beside, "orders")
        beside.confere("account", "change", ACCOUNT, "--mark-feed")
        beside.confere("sync", "--only-orders")
        beside.confere("account", "change", ACCOUNT, "--no-mark-feed")
        assert beside.done("GET", "/orders/feeds") == []
        assert beside.confere("orders", "show", str(order_id))["order_id"] == str(order_id)
    elif subject == "no-credential":
        beside = _bench(bench)
        changed(beside, "orders")
        token = beside.done("GET", "/orders/feeds")[0]["token"]
        home = beside.folder()
        beside.add_account(home, beside.hub.address, token)
        refused = beside.command(home, "account", "test", ACCOUNT)
        assert refused.code != 0
        assert "401" in refused.err or "token" in refused.err.casefold(), refused.err
    else:
        _rule(ClientDoor(_bench(bench)), subject)


def _rule(door: Door, subject: str) -> None:
    bench = door.bench
    drained(bench, "orders")
    order = posted(bench)
    if subject == "no-credential":
        [item] = door.read("/orders/feeds")
        headers = {"serviceToken": item["token"], "platform": "rows"}
        assert bench.request("GET", f"{bench.hub.address}/orders/feeds", headers=headers).status_code == 401
        return
    [item] = door.read("/orders/feeds")
    assert (item["id"], type(item["id"])) == (order["id"], int)
    assert isinstance(item["token"], str)
    assert item["token"]
    if subject in ("pattern", "changed-again"):
        shown = door.read("/orders/{id}", id=item["id"])
        assert shown["status"] == "PENDING"
        door.write("PUT", "/orders/feeds/{id}", {"token": item["token"]}, id=item["id"])
        assert door.read("/orders/feeds") == []
        bench.done("PUT", f"/orders/{item['id']}", {"order_id": str(item["id"]), "status": "CANCELED"})
        [again] = door.read("/orders/feeds")
        assert again["id"] == item["id"]
        assert again["token"] != item["token"]


def _thirty_days(bench: Bench) -> None:
    beside = bench.beside("thirty days", clock=NOW, middleware=True)
    made = {domain: changed(beside, domain) for domain in ("orders", "products", "transmissions")}
    for days, there in ((29, True), (31, False)):
        moment = (datetime.fromisoformat(NOW) + timedelta(days=days)).isoformat()
        beside.panel("POST", "/clock", {"now": moment})
        for domain, item_id in made.items():
            seen = item_id in _ids(beside, domain)
            assert seen is there, f"{domain} after {days} days: {'there' if seen else 'not there'}"
    beside.panel("POST", "/clock", {"now": NOW})


def _ids(bench: Bench, domain: str) -> list[int]:
    return [item["id"] for item in bench.done("GET", f"/{domain}/feeds", limit=_MOST)]


def thirty_days_at_client(bench: Bench) -> None:
    """The client says it when the feed of orders was read so long ago that items of it are about to be lost."""
    beside = _bench(bench)
    beside.confere("sync", "--only-orders")
    assert _warnings(beside) == []
    for days, words in ((24, None), (26, "before changes are lost")):
        at = (datetime.now(UTC) - timedelta(days=days, minutes=1)).isoformat(timespec="seconds")
        with closing(sqlite3.connect(beside.home / "archive.sqlite3")) as database, database:
            database.execute("UPDATE account SET facts = json_set(facts, '$.feed_read_at', ?)", (at,))
        warnings = _warnings(beside)
        assert len(warnings) == (words is not None), warnings
        assert words is None or words in warnings[0]
    beside.confere("sync", "--only-orders")


def _warnings(bench: Bench) -> list[str]:
    """What doctor says of the feed."""
    ran = bench.command(bench.home, "doctor", "--json")
    return [each["what"] for each in ran.json["findings"] if "feed of changed orders" in each["what"]]
