"""Every operation declares the errors that it can answer with, and marks what the specification does not show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from sandbox_hub.contract.operation import Operation
from sandbox_hub.web.routes import BACKOFFICE, MARKETPLACE
from tests.sandbox_hub.web.client import Client, error_of, sandbox

OPERATIONS = [route.operation for route in (*BACKOFFICE, *MARKETPLACE)]
LISTS = [operation for operation in OPERATIONS if operation.method == "GET" and operation.paged]
LIMITED = [*LISTS, *(operation for operation in OPERATIONS if operation.id.startswith("readFeed/"))]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with sandbox(documents=60) as found:
        yield found


@pytest.fixture(scope="module")
def contract(client: Client) -> dict[str, Any]:
    root = client.hub.panel.removesuffix("/sandbox")
    found: dict[str, Any] = client.http.get(f"{root}/specs/backoffice.en.json").json()
    return found


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_the_errors_that_can_occur_are_declared(operation: Operation) -> None:
    refusals = set(operation.refusals)
    assert 400 in refusals
    assert (404 in refusals) >= bool(operation.path_parameters)
    assert (422 in refusals) >= (operation.body is not None)
    assert refusals <= {400, 404, 422}


def test_every_error_has_a_full_body(contract: dict[str, Any]) -> None:
    for methods in contract["paths"].values():
        for operation in methods.values():
            errors = {status for status in operation["responses"] if status[0] == "4"}
            assert errors >= {"400", "401", "429"}
            for status in errors:
                (content,) = operation["responses"][status]["content"].values()
                assert content["schema"] == {"$ref": "#/components/schemas/Error"}
                assert set(content["example"]) == {"code", "message", "details", "resources"}


def test_an_empty_list_that_is_404_is_declared() -> None:
    with sandbox(documents=20, shape=("empty-404",)) as client:
        root = client.hub.panel.removesuffix("/sandbox")
        paths = client.http.get(f"{root}/specs/backoffice.en.json").json()["paths"]
        for operation in LISTS:
            if operation.path in paths:
                assert "404" in paths[operation.path]["get"]["responses"]


@pytest.mark.parametrize("operation", LIMITED, ids=lambda operation: operation.id)
def test_a_page_has_5_to_100_items(client: Client, operation: Operation) -> None:
    path = operation.path.replace("{productId}", "1001")
    for limit in (5, 100):
        content = client.ok(path, limit=limit)
        assert len(content if isinstance(content, list) else content["content"]) <= limit
    for wrong in (4, 101, 0, -5, "x", ""):
        response = client.get(path, limit=wrong)
        assert response.status_code == 400, wrong
        assert "limit" in error_of(response)["message"]


def test_what_the_specification_does_not_show_is_marked(contract: dict[str, Any]) -> None:
    def parameters(path: str) -> dict[str, bool]:
        return {item["name"]: "x-own-choice" in item for item in contract["paths"][path]["get"]["parameters"]}

    documents = parameters("/fiscalDocuments")
    assert {name for name, own in documents.items() if not own} == {
        *("orderId", "marketplace", "documentTypeValue", "limit"),
    }
    assert parameters("/orders/feeds") == {"limit": True}
    written = {
        (method, path): operation["responses"]
        for path, methods in contract["paths"].items()
        for method, operation in methods.items()
        if method in ("post", "put")
    }
    marks = {
        key: "x-own-choice" in next(answer for status, answer in responses.items() if status[0] == "2")
        for key, responses in written.items()
    }
    assert [key for key, own in marks.items() if not own] == [("post", "/categories")]
    for path in ("/reservations/{id}", "/orders"):
        assert contract["paths"][path]["get"]["x-own-choice"] is True
    assert "x-own-choice" not in contract["paths"]["/orders"]["post"]
