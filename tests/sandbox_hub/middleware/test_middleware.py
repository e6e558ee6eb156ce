"""The middleware's own door: only signed hooks, and a panel for programs alone."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from sandbox_hub.errors import SandboxError
from sandbox_hub.options import SandboxOptions
from sandbox_hub.publications.signed_token import sign
from sandbox_hub.server import running
from tests.sandbox_hub.publications.seller import Seller, shop
from tests.sandbox_hub.web.client import CONTROL, error_of

SECRET = "shared"


@pytest.fixture(scope="module")
def seller() -> Iterator[Seller]:
    with shop(hook_secret=SECRET) as found:
        yield found


def call(seller: Seller, path: str, content: Any, *, method: str = "POST", **signing: Any) -> httpx.Response:
    content = content if isinstance(content, bytes) else json.dumps(content).encode()
    facts = {"secret": SECRET, "issuer": "sandbox", "hook": path, "body": content, "now": int(time.time())} | signing
    headers = {"Authorization": f"Bearer {sign(**facts)}"}
    return seller.plain.request(method, f"{seller.hub.middleware}{path}", content=content, headers=headers)


def test_a_signed_hook_is_answered(seller: Seller) -> None:
    response = call(seller, "/canSave", {"id": 1})
    assert (response.status_code, response.json()) == (200, True)
    gone = {"idSkuMarketplace": 1, "status": "ACTIVE"}
    assert call(seller, "/sendProduct", gone).status_code == 200  # the hub has no such publication: nothing to do
    assert call(seller, "/deletePublication", {"idSkuMarketplace": 1}, method="DELETE").status_code == 200
    assert seller.middleware()["ads"] == []


def test_an_unsigned_hook_is_refused(seller: Seller) -> None:
    before = seller.middleware()
    for hook, method in (("/canSave", "POST"), ("/sendProduct", "POST"), ("/deletePublication", "DELETE")):
        for signing in (
            {"secret": "other"},
            {"issuer": "elsewhere"},
            {"hook": "/other"},
            {"body": b"{}"},
            {"now": int(time.time()) - 3_600},
        ):
            response = call(seller, hook, {"idSkuMarketplace": 1}, method=method, **signing)
            assert (response.status_code, error_of(response)["code"]) == (401, "UNAUTHORIZED")
        for headers in ({}, {"Authorization": "Bearer"}, {"Authorization": f"Basic {SECRET}"}):
            address = f"{seller.hub.middleware}{hook}"
            assert seller.plain.request(method, address, headers=headers, json={}).status_code == 401
    assert seller.middleware() == before


@pytest.mark.parametrize(
    ("hook", "body", "status"),
    [
        ("/canSave", b"{", 400),
        ("/canSave", [], 400),
        ("/canSave", b"[" * 50_000, 400),
        ("/canSave", b" " * 100_001, 400),
        ("/sendProduct", {}, 422),
        ("/sendProduct", {"idSkuMarketplace": "1", "status": "ACTIVE"}, 422),
        ("/sendProduct", {"idSkuMarketplace": True, "status": "ACTIVE"}, 422),
        ("/sendProduct", {"idSkuMarketplace": -1, "status": "ACTIVE"}, 422),
        ("/sendProduct", {"idSkuMarketplace": 1}, 422),
    ],
)
def test_a_malformed_hook_is_refused(seller: Seller, hook: str, body: Any, status: int) -> None:
    response = call(seller, hook, body)
    assert response.status_code == status
    error_of(response)


def test_only_its_own_paths_and_methods(seller: Seller) -> None:
    for method, path in (("GET", "/canSave"), ("POST", "/deletePublication"), ("GET", "/"), ("GET", "/docs")):
        assert seller.plain.request(method, f"{seller.hub.middleware}{path}").status_code == 404


@pytest.mark.parametrize(
    "headers",
    [{}, {"X-Sandbox-Control": "0"}, {**CONTROL, "Origin": "http://a.example"}, {**CONTROL, "Host": "a.example"}],
)
def test_its_panel_is_not_for_browsers(seller: Seller, headers: dict[str, str]) -> None:
    for method, path in (("GET", "/panel"), ("POST", "/panel"), ("POST", "/panel/report")):
        response = seller.plain.request(method, f"{seller.hub.middleware}{path}", headers=headers, json={})
        assert response.status_code == 403


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ([], 400),
        ({"cansave": "yes"}, 400),
        ({"canSave": "maybe"}, 422),
        ({"sendProduct": None}, 422),
        ({"status": ""}, 422),
        ({"reason": 5}, 422),
        ({"seconds": -1}, 422),
        ({"seconds": 61}, 422),
        ({"seconds": True}, 422),
        ({"status": "In cataloging", "seconds": "x"}, 422),
    ],
)
def test_its_panel_changes_nothing_where_it_refuses(seller: Seller, body: Any, status: int) -> None:
    before = seller.middleware()
    response = seller.http.post(f"{seller.hub.middleware}/panel", headers=CONTROL, json=body)
    assert response.status_code == status
    error_of(response)
    assert seller.middleware() == before


def test_a_report_by_hand_needs_an_ad(seller: Seller) -> None:
    def report(body: dict[str, Any]) -> httpx.Response:
        return seller.http.post(f"{seller.hub.middleware}/panel/report", headers=CONTROL, json=body)

    item = seller.published("SKU-0005")
    good = {"environment": "sandbox", "id": item["id"], "status": "Active"}
    assert report(good).status_code == 200
    assert report({**good, "more": 1}).status_code == 400
    assert report({**good, "id": 1}).status_code == 404
    assert report({**good, "environment": "production"}).status_code == 404
    assert report({**good, "status": ""}).status_code == 422
    seller.remove(item["id"])
    seller.settled(item["id"])
    assert report(good).status_code == 422  # the hub says that it is gone


@pytest.mark.parametrize(
    "options",
    [
        {"hooks": "http://192.0.2.1:80"},
        {"hooks": "https://127.0.0.1:80"},
        {"hooks": "http://user@127.0.0.1:80"},
        {"hooks": "http://127.0.0.1:99999"},
        {"hooks": "127.0.0.1:80"},
        {"hooks": "http://127.0.0.1:80", "middleware": True},
        {"hook_timeout": 0},
        {"hook_timeout": float("nan")},
        {"app_token": "same", "production_app_token": "same"},
    ],
)
def test_a_start_that_makes_no_sense_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(SandboxError), running(SandboxOptions(documents=10, **options)):
        pass


def test_without_the_option_there_is_no_middleware() -> None:
    with shop(middleware=False) as seller:
        assert seller.hub.middleware is None
