"""A seller at the hub's screens and the marketplace's middleware beside it, for the tests of publications."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.loopback import LOOPBACK
from tests.sandbox_hub.web.client import CONTROL, Client

PATIENCE = 60.0  # seconds until what is waited for must have come


class Seller(Client):
    """Creates and changes publications, looks into the middleware, and calls the hub in its place."""

    def __init__(self, hub: RunningHub) -> None:
        super().__init__(hub)
        self.plain = httpx.Client(**LOOPBACK)  # without the seller's own headers

    def publish(self, sku: str = "SKU-0001", marketplace: str = "LOJA_VERDE", **fields: Any) -> dict[str, Any]:
        """A new publication as the panel shows it."""
        body = {"skuPartnerId": sku, "marketplace": marketplace, **fields}
        return self.done(self.screen("POST", "", body))

    def published(self, sku: str = "SKU-0001", **fields: Any) -> dict[str, Any]:
        """A new publication that the marketplace has reported on."""
        return self.settled(self.publish(sku, send=True, **fields)["id"])

    def send(self, publication_id: int, body: Any = None) -> dict[str, Any]:
        return self.done(self.screen("POST", f"/{publication_id}/send", body))

    def update(self, publication_id: int, **fields: Any) -> dict[str, Any]:
        """The publication once its hook has been called."""
        self.done(self.screen("POST", f"/{publication_id}", fields))
        return self.settled(publication_id)

    def remove(self, publication_id: int) -> httpx.Response:
        return self.screen("DELETE", f"/{publication_id}")

    def screen(self, method: str, path: str, body: Any = None, **query: str) -> httpx.Response:
        address = f"{self.hub.panel}/publications{path}"
        content = {} if body is None else {"json": body}
        return self.http.request(method, address, headers=CONTROL, params=query, **content)

    def shown(self, publication_id: int, **query: str) -> dict[str, Any]:
        content = self.done(self.screen("GET", "", **query))["content"]
        return next(item for item in content if item["id"] == publication_id)

    def settled(self, publication_id: int, **query: str) -> dict[str, Any]:
        """The publication when no hook of it waits."""
        deadline = time.monotonic() + PATIENCE
        while (item := self.shown(publication_id, **query))["waiting"]:
            assert time.monotonic() < deadline
            time.sleep(0.02)
        return item

    def marketplace(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        """A call of the middleware's to the hub; a header that is empty is left out."""
        access = self.hub.marketplace
        named = {"appId": access.app_id, "token": access.token} | headers
        sent = {name: value for name, value in named.items() if value}
        content = {} if body is None else {"json": body}
        return self.plain.request(method, access.address + path, headers=sent, **content)

    def behave(self, **settings: Any) -> None:
        """Have the middleware behave like this."""
        self.done(self.http.post(f"{self.hub.middleware}/panel", headers=CONTROL, json=settings))

    def middleware(self) -> dict[str, Any]:
        return self.done(self.http.get(f"{self.hub.middleware}/panel", headers=CONTROL))

    def events(self, hook: str = "/sendProduct") -> list[dict[str, Any]]:
        """The bodies of a hook's calls, oldest first."""
        return [call["body"] for call in self.middleware()["calls"] if call["hook"] == hook]

    def feed_ids(self, domain: str) -> list[int]:
        """What is new in a feed, which is then marked as read."""
        items = self.ok(f"/{domain}/feeds")
        assert self.put(f"/{domain}/feeds/batch", items).status_code == 200
        return [item["id"] for item in items]

    def done(self, response: httpx.Response) -> dict[str, Any]:
        assert response.status_code == 200, response.text
        content: dict[str, Any] = response.json()
        return content


@contextmanager
def shop(**options: Any) -> Iterator[Seller]:
    """A hub with a middleware (unless it says otherwise) and its seller."""
    with running(SandboxOptions(**{"documents": 40, "middleware": True, **options})) as hub:
        seller = Seller(hub)
        with seller.http, seller.plain:
            yield seller


def nobody() -> str:
    """An address at which nothing listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{listener.getsockname()[1]}"
