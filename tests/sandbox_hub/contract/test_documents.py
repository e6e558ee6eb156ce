"""The hub's three documents are OpenAPI, and what is answered about publications is what they declare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from tests.sandbox_hub.publications.seller import Seller, shop

APIS = {"backoffice": "/v2", "marketplace": "/marketplace/v2", "remote": "/"}


@pytest.fixture(scope="module")
def seller() -> Iterator[Seller]:
    with shop() as found:
        yield found


def lookup(seller: Seller, path: str) -> Any:
    return seller.plain.get(seller.hub.address.removesuffix("/v2") + f"/{path}").json()


@pytest.mark.parametrize("language", ["pt-BR", "en", "es"])
@pytest.mark.parametrize("api", APIS)
def test_a_document_is_openapi(seller: Seller, api: str, language: str) -> None:
    document = lookup(seller, f"specs/{api}.{language}.json")
    validate(document)
    assert document["paths"]
    assert document["servers"] == [{"url": APIS[api]}]


def operation(seller: Seller, api: str, name: str) -> Any:
    entries = lookup(seller, f"specs/{api}/pt-BR/operations.json")
    href = next(entry["href"] for entry in entries if entry["operationId"] == name)
    return lookup(seller, href)


def test_the_operations_of_publications_are_declared(seller: Seller) -> None:
    def names(api: str) -> set[str]:
        entries = lookup(seller, f"specs/{api}/pt-BR/operations.json")
        return {f"{entry['method']} {entry['path']}" for entry in entries}

    assert names("marketplace") == {
        "GET /skumarketplace/{id}",
        "PUT /skumarketplace/{id}",
        "PUT /skumarketplace/{id}/priceStock",
    }
    assert names("remote") == {"POST /canSave", "POST /sendProduct", "DELETE /deletePublication"}
    assert names("backoffice") >= {
        "GET /transmissions",
        "GET /transmissions/{id}",
        "PUT /transmissions/{id}",
        "GET /transmissions-price/{id}",
    }


def test_what_the_specification_does_not_show_is_marked(seller: Seller) -> None:
    document = lookup(seller, "specs/backoffice.en.json")
    assert document["paths"]["/transmissions/{id}"]["get"]["x-own-choice"] is True
    assert "x-own-choice" not in document["paths"]["/transmissions/{id}"]["put"]
    remote = lookup(seller, "specs/remote.en.json")
    assert remote["paths"]["/canSave"]["post"]["x-own-choice"] is True
    assert "x-own-choice" not in remote["paths"]["/deletePublication"]["delete"]
    marketplace = lookup(seller, "specs/marketplace.en.json")
    record = marketplace["components"]["schemas"]["PublicationRecord"]["properties"]
    shown = {name for name, schema in record.items() if "x-own-choice" not in schema}
    assert shown == {"id", "skuInMarketplace", "idInMarketplace", "price", "discountPrice", "availableAmount"}


def test_answers_and_hooks_are_as_declared(seller: Seller) -> None:
    seller.behave(status="In cataloging")
    item = seller.published("SKU-0030", onlySync=True, discountPrice=5, price=6, campaign="Semana")
    seller.update(item["id"], price=7)
    number = item["id"]
    for api, name, response in (
        ("backoffice", "listTransmissions", seller.get("/transmissions")),
        ("backoffice", "getTransmission", seller.get(f"/transmissions/{number}")),
        ("backoffice", "getTransmissionPrice", seller.get(f"/transmissions-price/{number}")),
        ("backoffice", "updateTransmission", seller.put(f"/transmissions/{number}", {"publicationStatus": "ACTIVE"})),
        ("marketplace", "getSkuMarketplace", seller.marketplace("GET", f"/skumarketplace/{number}")),
        (
            "marketplace",
            "reportSkuMarketplace",
            seller.marketplace("PUT", f"/skumarketplace/{number}", {"marketplaceStatus": "Active"}),
        ),
        (
            "marketplace",
            "reportSkuMarketplacePriceStock",
            seller.marketplace("PUT", f"/skumarketplace/{number}/priceStock", {"price": 5}),
        ),
    ):
        assert response.status_code == 200, response.text
        schema = operation(seller, api, name)["responses"]["200"]["schema"]
        Draft202012Validator(_closed(schema)).validate(response.json())
    seller.remove(number)
    seller.settled(number)
    for name, hook in (
        ("canSave", "/canSave"),
        ("sendProduct", "/sendProduct"),
        ("deletePublication", "/deletePublication"),
    ):
        schema = operation(seller, "remote", name)["requestBody"]["application/json"]["schema"]
        bodies = seller.events(hook)
        assert bodies
        for body in bodies:
            Draft202012Validator(_closed(schema)).validate(body)


def test_examples_are_taken(seller: Seller) -> None:
    seller.behave(status="Active")
    number = seller.published("SKU-0031", onlySync=True)["id"]

    def examples(api: str, name: str) -> list[Any]:
        body = operation(seller, api, name)["requestBody"]["application/json"]
        values = [example["value"] for example in body["examples"].values()]
        assert values
        for value in values:
            Draft202012Validator(body["schema"]).validate(value)
        return [value | ({"id": number} if "id" in value else {}) for value in values]

    for body in examples("backoffice", "updateTransmission"):
        assert seller.put(f"/transmissions/{number}", body).status_code == 200
    for body in examples("marketplace", "reportSkuMarketplace"):
        assert seller.marketplace("PUT", f"/skumarketplace/{number}", body).status_code == 200
    for body in examples("marketplace", "reportSkuMarketplacePriceStock"):
        assert seller.marketplace("PUT", f"/skumarketplace/{number}/priceStock", body).status_code == 200


def _closed(schema: Any) -> Any:
    """The schema without leave to answer more than it declares."""
    if isinstance(schema, dict):
        closed = {name: _closed(value) for name, value in schema.items()}
        return closed | {"additionalProperties": False} if "properties" in schema else closed
    return [_closed(value) for value in schema] if isinstance(schema, list) else schema
