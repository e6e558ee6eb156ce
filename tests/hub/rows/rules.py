"""What holds for every interface: addresses, credentials, errors, limits, versions."""

from __future__ import annotations

import json

from tests.hub.rows import catalog, order_moves
from tests.hub.rows.bench import ACCOUNT, Bench, Call
from tests.hub.rows.catalog_bodies import CatalogBodies
from tests.hub.rows.contract import client_manifest_nine, hub_manifest_nine, specs
from tests.hub.rows.doors import ClientDoor, Door, HubDoor
from tests.hub.rows.feeds import client_feed_rule, hub_feed_rule
from tests.hub.rows.forwarding import Sent, forwarding
from tests.hub.rows.orders import posted
from tests.hub.rows.probes import at_client, at_hub

_SHORT = 5


@at_hub
def hub_address(bench: Bench, subject: str) -> None:
    hub = bench.hub
    if subject == "two":
        both = bench.beside("both", environment="both").hub
        assert _root(both.address) != _root(both.production_address)
        assert _status(bench, both.address, serviceToken=both.token, platform="rows") == 200
        assert _status(bench, both.production_address, serviceToken=both.production_token, platform="rows") == 200
        assert _status(bench, both.production_address, serviceToken=both.token, platform="rows") == 401
        assert _status(bench, both.address, serviceToken=both.production_token, platform="rows") == 401
        return
    if subject == "site-root":
        root = hub.address.removesuffix("/v2")
        assert bench.request("GET", f"{root}/specs/index.json").status_code == 200
        assert bench.ask("GET", "/specs/index.json").status_code == 404
        return
    address, token = {
        "sandbox": (hub.address, hub.token),
        "production": (hub.production_address, hub.production_token),
    }[subject]
    assert address.endswith("/v2")
    assert _status(bench, address, serviceToken=token, platform="rows") == 200
    assert _status(bench, address.removesuffix("/v2"), serviceToken=token, platform="rows") == 404


@at_client
def client_address(bench: Bench, subject: str) -> None:
    hub = bench.beside("both", environment="both").hub if subject == "two" else bench.hub
    if subject == "two":
        home = bench.folder()
        bench.add_account(home, hub.address, hub.token)
        assert bench.command(home, "account", "test", ACCOUNT).code == 0
        bench.command(home, "account", "change", ACCOUNT, "--address", hub.production_address)
        assert bench.command(home, "account", "test", ACCOUNT).code != 0
        return
    if subject == "site-root":
        assert bench.confere("hub", "operations")["operations"]  # asked for at the root, and not below /v2
        return
    address, token = {
        "sandbox": (hub.address, hub.token),
        "production": (hub.production_address, hub.production_token),
    }[subject]
    home = bench.folder()
    bench.add_account(home, address.removesuffix("/v2"), token)  # the client knows that it ends so
    tested = bench.command(home, "account", "test", ACCOUNT, "--json")
    assert tested.code == 0, tested.err
    [account] = bench.command(home, "account", "list", "--json").json["accounts"]
    assert account["address"] == address


@at_hub
def hub_authentication(bench: Bench, subject: str) -> None:
    hub = bench.hub
    both = {"serviceToken": hub.token, "platform": "rows"}
    if subject == "both":
        assert _status(bench, hub.address, **both) == 200
    elif subject in both:
        assert _status(bench, hub.address, **{name: value for name, value in both.items() if name != subject}) == 401
    elif subject == "sandbox-in-production":
        assert _status(bench, hub.production_address, **both) == 401
    else:
        assert _status(bench, hub.address, **{**both, "serviceToken": hub.production_token}) == 401


@at_client
def client_authentication(bench: Bench, subject: str) -> None:
    hub = bench.hub
    if subject in ("both", "serviceToken", "platform"):
        for request in _asked(bench, "account", "test", ACCOUNT):
            assert request.headers["servicetoken"]
            assert request.headers["platform"] == "rows"
        return
    pairs = {
        "sandbox-in-production": (hub.production_address, hub.token),
        "production-in-sandbox": (hub.address, hub.production_token),
    }
    home = bench.folder()
    bench.add_account(home, *pairs[subject])
    ran = bench.command(home, "account", "test", ACCOUNT, "--json")
    assert ran.code != 0
    assert ran.json["error"]["status"] == 401 if "status" in ran.json["error"] else "401" in json.dumps(ran.json)


@at_hub
def hub_error(bench: Bench, subject: str) -> None:
    _error(HubDoor(bench), subject)


@at_client
def client_error(bench: Bench, subject: str) -> None:
    _error(ClientDoor(bench), subject)


def _error(door: Door, subject: str) -> None:
    bench = door.bench
    if subject == "400-name":
        assert "brandName" in door.refused("POST", "/brands", {"name": "Certa", "brandName": "Errada"}, 400)
    elif subject == "400-missing":
        assert "name" in door.refused("POST", "/brands", {"partnerId": "SEM-NOME"}, 400)
    elif subject == "401":
        if isinstance(door, HubDoor):
            assert _status(bench, bench.hub.address, platform="rows") == 401
        else:
            client_authentication(bench, "sandbox-in-production")
    elif subject == "404":
        assert door.refused("PUT", "/brands/{id}", {"name": "Nenhuma"}, 404, id=99_999_999)
    elif subject == "422-value":
        order = posted(bench)
        body = {"order_id": str(order["id"]), "status": "CONCLUDED"}
        assert "PENDING" in door.refused("PUT", "/orders/{id}", body, 422, id=order["id"])
    elif subject == "422-prerequisite":
        for what in CatalogBodies.words:
            catalog.prerequisite(door, what)
    elif subject == "429":
        _too_many(door)
    elif isinstance(door, HubDoor):
        order_moves.hub_early_shipment(bench, "failed")
        order_moves.hub_early_shipment(bench, "transmissionMessage")
    else:
        order_moves.client_early_shipment(bench, "failed")
        order_moves.client_early_shipment(bench, "transmissionMessage")


def _too_many(door: Door) -> None:
    """The hub answers 429; the client waits, and gets everything all the same."""
    limited = door.bench.beside("limited", rate_limit=20.0, documents=40)
    if isinstance(door, HubDoor):
        statuses = [limited.ask("GET", "/brands").status_code for _ in range(60)]
        assert 429 in statuses
        assert statuses[0] == 200
        return
    synced = limited.command(limited.home, "sync", "--full", "--json")
    assert synced.code == 0, synced.err
    info = limited.panel("GET", "/info")
    assert info["rate_limit"] == 20.0
    assert synced.json["sync"]["failed"] == 0


@at_hub
def hub_limit(bench: Bench, subject: str) -> None:
    _limit(HubDoor(bench), subject)


@at_client
def client_limit(bench: Bench, subject: str) -> None:
    _limit(ClientDoor(bench), subject)


def _limit(door: Door, subject: str) -> None:
    bench = door.bench
    if subject == "feeds":
        (hub_feed_rule if isinstance(door, HubDoor) else client_feed_rule)(bench, "thirty-days")
    elif subject in ("smallest", "largest"):
        good, bad = (5, 4) if subject == "smallest" else (100, 101)
        assert door.read("/orders", limit=good)["page"]["size"] == good
        if isinstance(door, HubDoor):
            assert "limit" in bench.done("GET", "/orders", expect=400, limit=bad)["message"]
        else:
            assert "limit" in bench.refused("hub", "call", "listOrders", "--param", f"limit={bad}")
    elif subject == "every-list":
        for path in _lists(bench):
            assert bench.done("GET", path, expect=400, limit=4)
            assert bench.done("GET", path, expect=400, limit=101)
            assert "page" in door.read(path, limit=100)
    else:
        page = door.read("/orders", limit=_SHORT)["page"]
        total = page["totalElements"]
        assert page["totalPages"] == -(-total // _SHORT)
        assert page["number"] == 0
        last = door.read("/orders", limit=_SHORT, offset=(page["totalPages"] - 1) * _SHORT)["page"]
        assert last["number"] == page["totalPages"] - 1


def _lists(bench: Bench) -> list[str]:
    """Every path of the contract that is read page by page and needs no id."""
    entries = specs(bench, "specs/backoffice.en.json")["paths"]
    return [
        path
        for path, item in entries.items()
        if "{" not in path
        and {"limit", "offset"} <= {each["name"] for each in item.get("get", {}).get("parameters", ())}
    ]


@at_hub
def hub_version(bench: Bench, subject: str) -> None:
    document = specs(bench, "specs/backoffice.en.json")
    if subject == "two":
        assert document["info"]["version"] == "2"
        assert document["servers"][0]["url"].endswith("/v2")
    elif subject == "documents":
        root = bench.hub.address.removesuffix("/v2")
        headers = {"serviceToken": bench.hub.token, "platform": "rows"}
        assert bench.request("GET", f"{root}/v2/fiscalDocuments", headers=headers).status_code == 200
        assert bench.request("GET", f"{root}/fiscalDocuments", headers=headers).status_code == 404
    else:
        hub_manifest_nine(bench, subject)


@at_client
def client_version(bench: Bench, subject: str) -> None:
    if subject == "languages":
        client_manifest_nine(bench, subject)
        return
    documents = subject == "documents"
    sent = _asked(bench, "sync", "--no-orders" if documents else "--only-orders")
    asked = [request.path for request in sent if ("/fiscalDocuments" in request.path) is documents]
    assert asked
    assert all(path.startswith("/v2/") for path in asked), asked


def _asked(bench: Bench, *arguments: str) -> list[Sent]:
    """What a command of a new account asks the backoffice of a small hub for."""
    small = bench.beside("asked")
    with forwarding(small.hub.address.removesuffix("/v2")) as (root, sent):
        home = small.folder()
        small.add_account(home, f"{root}/v2", small.hub.token)
        ran = small.command(home, *arguments)
        assert ran.code == 0, ran.err
    asked = [request for request in sent if not request.path.startswith("/specs/")]
    assert asked
    bench.journal.calls += [Call(f"{request.method} {request.path}", "", "by the client", "") for request in asked[:3]]
    return asked


def _root(address: str) -> str:
    return address.removesuffix("/v2").removesuffix("/production")


def _status(bench: Bench, address: str, **headers: str) -> int:
    return bench.request("GET", f"{address}/orders", headers=headers).status_code
