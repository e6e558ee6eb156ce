"""A plain client of the sandbox for these tests: httpx and the two headers, nothing of confere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx

from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.loopback import LOOPBACK

CONTROL = {"X-Sandbox-Control": "1"}


class Client:
    """Talks to one running sandbox."""

    def __init__(self, hub: RunningHub, *, production: bool = False) -> None:
        self.hub = hub
        self.address = hub.production_address if production else hub.address
        token = hub.production_token if production else hub.token
        self.http = httpx.Client(headers={"serviceToken": token, "platform": "tests"}, **LOOPBACK)

    def get(self, path: str, **query: Any) -> httpx.Response:
        return self.http.get(self.address + path, params=query)

    def put(self, path: str, body: Any) -> httpx.Response:
        return self.http.put(self.address + path, json=body)

    def post(self, path: str, body: Any) -> httpx.Response:
        return self.http.post(self.address + path, json=body)

    def ok(self, path: str, **query: Any) -> Any:
        """The JSON of an answer that must be 200."""
        response = self.get(path, **query)
        assert response.status_code == 200, response.text
        return response.json()

    def all(self, path: str, **query: Any) -> list[dict[str, Any]]:
        """Every item of a list, page by page along its `next` links."""
        items: list[dict[str, Any]] = []
        page = self.ok(path, limit=100, **query)
        while True:
            items += page["content"]
            following = [link["href"] for link in page["links"] if link["rel"] == "next"]
            if not following:
                assert len(items) == page["page"]["totalElements"]
                return items
            response = self.http.get(following[0])
            assert response.status_code == 200, response.text
            page = response.json()

    def detail(self, item: dict[str, Any]) -> dict[str, Any]:
        """The whole record of a list's item."""
        found: dict[str, Any] = self.ok(f"/fiscalDocuments/{item['id']}")
        return found

    def panel(self, path: str, **query: Any) -> Any:
        """What the panel answers there."""
        response = self.http.get(f"{self.hub.panel}/{path}", headers=CONTROL, params=query)
        assert response.status_code == 200, response.text
        return response.json()

    def info(self) -> dict[str, Any]:
        found: dict[str, Any] = self.panel("info")
        return found

    def forget(self, *ids: str) -> httpx.Response:
        return self.http.post(f"{self.hub.panel}/forget", headers=CONTROL, json={"ids": list(ids)})

    def move_clock(self, now: str) -> None:
        response = self.http.post(f"{self.hub.panel}/clock", headers=CONTROL, json={"now": now})
        assert response.status_code == 200, response.text

    def cancel(self, key: str, **more: str) -> httpx.Response:
        return self.http.post(f"{self.hub.panel}/cancel", headers=CONTROL, json={"documentKey": key, **more})


@contextmanager
def sandbox(**options: Any) -> Iterator[Client]:
    """A running sandbox and its client."""
    with running(SandboxOptions(**options)) as hub:
        client = Client(hub)
        with client.http:
            yield client


def name_of(item: dict[str, Any]) -> str:
    """What tells a document from every other, present in the list and in the detail."""
    metadata = item["metadata"]
    return item.get("documentKey") or f"{metadata['emitter']}-{metadata['series']}-{metadata['number']}"


def error_of(response: httpx.Response) -> dict[str, Any]:
    """The error body, checked for its shape."""
    assert response.headers["content-type"] == "application/json"
    body: dict[str, Any] = response.json()
    assert set(body) == {"code", "message", "details", "resources"}
    assert body["resources"] is None
    assert body["message"].endswith(".")
    return body
