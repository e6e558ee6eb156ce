"""Two environments, each at an origin of its own: neither takes what opens the other."""

from __future__ import annotations

import socket
from typing import Any

import httpx
import pytest

from sandbox_hub.errors import SandboxError
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.callback_receiver import eventually, receiving
from tests.loopback import LOOPBACK
from tests.sandbox_hub.web.client import CONTROL, Client, error_of


def asked(address: str, token: str, **more: str) -> httpx.Response:
    return httpx.get(address + "/orders", headers={"serviceToken": token, "platform": "erp", **more}, **LOOPBACK)


def root_of(address: str) -> str:
    return address.removesuffix("/v2")


def test_both_at_two_origins_refuse_each_others_tokens() -> None:
    with running(SandboxOptions(documents=40, environment="both")) as hub:
        assert hub.address != hub.production_address
        assert {address.count("/") for address in (hub.address, hub.production_address)} == {3}
        for address, own, other, name in (
            (hub.address, hub.token, hub.production_token, "production"),
            (hub.production_address, hub.production_token, hub.token, "sandbox"),
        ):
            assert asked(address, own).status_code == 200
            refused = asked(address, other)
            assert refused.status_code == 401
            body = error_of(refused)
            assert body["code"] == "WRONG_ENVIRONMENT"
            assert name in body["message"]
            assert error_of(asked(address, "x"))["code"] == "UNAUTHORIZED"
            assert asked(address, own, platform="").status_code == 401
            assert asked(address.replace("/v2", "/production/v2"), own).status_code == 404
            served = httpx.get(f"{root_of(address)}/specs/backoffice.en.json", **LOOPBACK).json()["servers"]
            assert served == [{"url": "/v2"}]
            for api in (address.replace("/v2", "/marketplace/v2"),):
                headers = {"appId": hub.marketplace.app_id, "token": "x"}
                assert httpx.get(f"{api}/skumarketplace/1", headers=headers, **LOOPBACK).status_code == 401
        assert hub.info["environments"] == ["sandbox", "production"]
        first, second = Client(hub), Client(hub, production=True)
        with first.http, second.http:
            assert first.all("/orders") != second.all("/orders")
            first.move_clock("2026-03-15T12:00:00-03:00")
            assert second.get("/orders").headers["date"] == "Sun, 15 Mar 2026 15:00:00 GMT"


def test_a_middleware_serves_both(free_ports: tuple[int, int]) -> None:
    one, other = free_ports
    options = SandboxOptions(documents=40, environment="both", port=one, production_port=other, middleware=True)
    with running(options) as hub:
        assert hub.address == f"http://127.0.0.1:{one}/v2"
        assert hub.production_address == f"http://127.0.0.1:{other}/v2"
        for environment in ("sandbox", "production"):
            address = f"{hub.panel}/publications?environment={environment}"
            body = {"skuPartnerId": "SKU-0001", "marketplace": "LOJA_VERDE", "send": True}
            httpx.post(address, headers=CONTROL, json=body, **LOOPBACK).raise_for_status()

            def reported(address: str = address) -> bool:
                (item,) = httpx.get(address, headers=CONTROL, **LOOPBACK).json()["content"]
                return item["publicationStatus"] == "ACTIVE"

            assert eventually(reported)


@pytest.mark.parametrize("name", ["sandbox", "production"])
def test_one_alone(name: Any) -> None:
    with (
        receiving() as receiver,
        running(SandboxOptions(documents=40, environment=name, callback=receiver.address)) as hub,
    ):
        both = SandboxOptions(documents=40)
        tokens = {"sandbox": both.sandbox_token, "production": both.token_of_production}
        own = tokens.pop(name)
        assert hub.token == own
        assert asked(hub.address, own).status_code == 200
        assert error_of(asked(hub.address, tokens.popitem()[1]))["code"] == "WRONG_ENVIRONMENT"
        assert hub.production_address == ("" if name == "sandbox" else hub.address)
        assert (hub.production_marketplace.address == "") is (name == "sandbox")
        assert hub.info["environments"] == [name]
        client = Client(hub)
        with client.http:
            client.move_clock("2026-03-15T12:00:00-03:00")
            client.move_clock("2026-06-15T12:00:00-03:00")
            assert eventually(lambda: bool(receiver.ids))
            assert client.get(f"/fiscalDocuments/{receiver.ids[0]}").status_code == 200


def test_ports_that_cannot_be(free_ports: tuple[int, int]) -> None:
    one, other = free_ports
    with pytest.raises(SandboxError, match="choose both"), running(SandboxOptions(documents=5, production_port=other)):
        pass
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", other))
        taken.listen()
        options = SandboxOptions(documents=5, environment="both", port=one, production_port=other)
        with pytest.raises(SandboxError, match="in use"), running(options):
            pass
    with running(options) as hub:  # the first port was given back
        assert isinstance(hub, RunningHub)


@pytest.fixture
def free_ports() -> tuple[int, int]:
    """Two ports at which nothing listens."""
    with socket.socket() as one, socket.socket() as other:
        one.bind(("127.0.0.1", 0))
        other.bind(("127.0.0.1", 0))
        return one.getsockname()[1], other.getsockname()[1]
