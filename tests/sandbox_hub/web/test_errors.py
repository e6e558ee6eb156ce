"""Who may ask, and what the hub says of a wrong request: 401, 400, 422, 404 by its own rules."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.loopback import LOOPBACK
from tests.sandbox_hub.web.client import Client, error_of

PATHS = [
    "/fiscalDocuments",
    "/fiscalDocuments/x",
    "/fiscalDocuments/download/x",
    "/orders",
    "/orders/1",
    "/orders/feeds",
    "/nothing",
    "",
]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("missing", [{"serviceToken"}, {"platform"}, {"serviceToken", "platform"}])
def test_both_headers_are_needed(client: Client, path: str, missing: set[str]) -> None:
    headers = {"serviceToken": client.hub.token, "platform": "tests"}
    kept = {name: value for name, value in headers.items() if name not in missing}
    response = httpx.get(client.address + path, headers=kept, **LOOPBACK)
    assert response.status_code == 401
    assert "serviceToken" in error_of(response)["message"]


@pytest.mark.parametrize("path", PATHS)
def test_environments_refuse_each_other(client: Client, path: str) -> None:
    hub = client.hub
    for address, token, foreign in (
        (hub.address, hub.token, hub.production_token),
        (hub.production_address, hub.production_token, hub.token),
    ):
        own = httpx.get(address + path, headers={"serviceToken": token, "platform": "x"}, **LOOPBACK)
        assert own.status_code in (200, 404)
        other = httpx.get(address + path, headers={"serviceToken": foreign, "platform": "x"}, **LOOPBACK)
        assert other.status_code == 401
        body = error_of(other)
        assert body["code"] == "WRONG_ENVIRONMENT"
        assert "outro ambiente" in body["message"]
        unknown = httpx.get(address + path, headers={"serviceToken": "x", "platform": "x"}, **LOOPBACK)
        assert unknown.status_code == 401
        assert error_of(unknown)["code"] == "UNAUTHORIZED"


def test_environments_are_different_worlds(client: Client) -> None:
    production = Client(client.hub, production=True)
    with production.http:
        page = production.ok("/fiscalDocuments", limit=100)
        assert page["page"]["totalElements"] == 240
        ours = {item.get("documentKey") for item in client.all("/fiscalDocuments")} - {None}
        assert ours.isdisjoint(item.get("documentKey") for item in page["content"])
        assert page["links"][0]["href"].startswith(client.hub.production_address + "/fiscalDocuments?")
        link = production.detail(page["content"][0])["history"][0]["links"][0]["href"]
        origin = client.hub.production_address.removesuffix("/production/v2")
        assert production.http.get(origin + link).status_code == 200


@pytest.mark.parametrize("path", ["/fiscalDocuments", "/orders"])
@pytest.mark.parametrize(
    "query",
    [
        {"limit": "4"},
        {"limit": "0"},
        {"limit": "101"},
        {"limit": "-5"},
        {"limit": "ten"},
        {"limit": ""},
        {"limit": "5.0"},
        {"limit": "٥٠"},
        {"offset": "-1"},
        {"offset": "x"},
        {"offset": ""},
        {"page": "1"},
        {"Limit": "10"},
        {"token": "1"},
    ],
)
def test_wrong_names_and_paging_are_400(strict: Client, path: str, query: dict[str, str]) -> None:
    response = strict.get(path, **query)
    assert response.status_code == 400
    assert error_of(response)["code"] == "BAD_REQUEST"


def test_the_page_size_is_explained_in_portuguese(client: Client) -> None:
    assert "entre 5 e 100" in error_of(client.get("/fiscalDocuments", limit=4))["message"]


@pytest.mark.parametrize("path", ["/fiscalDocuments?limit=5&limit=5", "/orders?status=PENDING&status=PENDING"])
def test_repeated_parameters_are_400(client: Client, path: str) -> None:
    assert client.http.get(client.address + path).status_code == 400


@pytest.mark.parametrize("path", ["/fiscalDocuments/x", "/fiscalDocuments/download/x", "/orders/1", "/orders/feeds"])
def test_parameters_where_none_are_known_are_ignored_but_by_a_strict_hub(
    client: Client, strict: Client, path: str
) -> None:
    plain, more = client.get(path), client.get(path, expand="all")
    assert (more.status_code, more.content) == (plain.status_code, plain.content)
    assert strict.get(path, expand="all").status_code == 400


@pytest.mark.parametrize("query", [{"page": "3"}, {"Limit": "10"}, {"sort": "x"}, {"token": ""}])
def test_unknown_parameters_of_a_list_are_ignored(client: Client, query: dict[str, str]) -> None:
    assert client.ok("/fiscalDocuments", **query) == client.ok("/fiscalDocuments")


def test_marketplaces_are_an_open_list(client: Client) -> None:
    for path in ("/fiscalDocuments", "/orders", "/returns"):
        assert client.ok(path, marketplace="mercado_azul")["content"] == []


WRONG_VALUES: list[tuple[str, dict[str, Any]]] = [
    *(
        ("/fiscalDocuments", {name: value})
        for name in ("createdAtFrom", "createdAtTo", "lastUpdateFrom", "lastUpdateTo")
        for value in ("", "ontem", "2026-13-01", "2026-03-01T10:00:00", "01/03/2026", "9" * 40)
    ),
    ("/fiscalDocuments", {"documentTypeValue": "NFE"}),
    ("/fiscalDocuments", {"documentTypeValue": ""}),
    ("/fiscalDocuments", {"orderId": "abc"}),
    ("/fiscalDocuments", {"orderId": ""}),
    ("/fiscalDocuments", {"orderId": "-1"}),
    ("/fiscalDocuments", {"orderId": "9" * 30}),
    ("/orders", {"status": "SHIPPED"}),
    ("/orders", {"createdAfter": "x"}),
    ("/orders", {"createdBefore": "2026"}),
    ("/orders", {"sort": "total"}),
]


@pytest.mark.parametrize(("path", "query"), WRONG_VALUES)
def test_wrong_values_are_422(client: Client, path: str, query: dict[str, Any]) -> None:
    response = client.get(path, **query)
    assert response.status_code == 422
    assert next(iter(query)) in error_of(response)["message"]


@pytest.mark.parametrize("method", ["POST", "DELETE", "PATCH", "PUT", "OPTIONS", "QUERY"])
def test_what_is_not_there_is_404_in_the_hubs_words(client: Client, method: str) -> None:
    for path in ("/nothing/at/all", "/orders/feeds/1/2", "/fiscalDocuments/"):
        response = client.http.request(method, client.address + path)
        assert response.status_code == 404
        error_of(response)
    other = client.http.request(method, client.address + "/fiscalDocuments")
    assert (other.status_code, other.headers["allow"]) == (405, "GET, HEAD")
    error_of(other)
    outside = client.http.request(method, client.address.removesuffix("/v2") + "/elsewhere")
    assert outside.status_code == 404
    error_of(outside)


def test_far_offsets_and_inverted_windows_are_empty(client: Client) -> None:
    assert client.ok("/fiscalDocuments", offset=10**17)["content"] == []
    page = client.ok("/fiscalDocuments", createdAtFrom="2026-06-01", createdAtTo="2026-01-01")
    assert page["content"] == []
    assert page["page"]["totalElements"] == 0
    assert client.ok("/fiscalDocuments", createdAtTo="1999-01-01")["content"] == []
    assert client.ok("/fiscalDocuments", createdAtFrom="9999-12-31")["content"] == []


def test_answers_are_utf_8_json(client: Client) -> None:
    response = client.get("/orders", limit=100)
    assert response.headers["content-type"] == "application/json"
    names = " ".join(order["buyer"]["name"] for order in response.json()["content"])
    assert any(letter in names for letter in "ãéíçôú")
    assert "\\u" not in response.text
