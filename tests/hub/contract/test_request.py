"""Requests are checked against the contract before anything is sent: the parameter or the field is named."""

from __future__ import annotations

import json
from typing import Any

import pytest

from confere.errors import UsageFault
from confere.hub.contract.contract import Contract, read_contract
from confere.hub.contract.request import HubRequest, build_request
from confere.hub.contract.validation import faults
from confere.system.messages import render, set_language

SKU = {
    "type": "object",
    "properties": {
        "partnerId": {"type": "string", "minLength": 1},
        "price": {"type": ["number", "string"]},
        "kind": {"enum": ["A", "B"]},
        "factor": {"type": "number", "exclusiveMinimum": 0},
        "parts": {"type": "array", "items": {"$ref": "#/components/schemas/Part"}, "maxItems": 2},
    },
    "required": ["partnerId"],
    "additionalProperties": False,
}
DOCUMENT = {
    "openapi": "3.1.0",
    "info": {"title": "A hub"},
    "paths": {
        "/products/{productId}/skus": {
            "post": {
                "operationId": "createSku",
                "parameters": [
                    {"name": "productId", "in": "path", "required": True, "schema": {"type": "integer"}},
                    {"name": "dry", "in": "query", "schema": {"type": "boolean"}},
                ],
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Sku"}}},
                },
            },
            "get": {"operationId": "listSkus"},
        }
    },
    "components": {
        "schemas": {
            "Sku": SKU,
            "Part": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}},
        }
    },
}


@pytest.fixture
def contract() -> Contract:
    set_language("en")
    return read_contract(json.dumps(DOCUMENT))


def built(contract: Contract, name: str, parameters: dict[str, str], body: Any = ...) -> HubRequest:
    operation = contract.named(name)
    assert operation is not None
    return build_request(contract, operation, parameters, None if body is ... else body, has_body=body is not ...)


def test_a_request_has_its_parameters_where_the_contract_wants_them(contract: Contract) -> None:
    body = {"partnerId": "A-1", "price": "19.90", "parts": [{"id": 1}]}
    request = built(contract, "createSku", {"productId": "7", "dry": "true"}, body)
    assert request == HubRequest("POST", "/products/7/skus", {"dry": "true"}, json.dumps(body).encode())


@pytest.mark.parametrize(
    ("parameters", "words"),
    [
        ({}, "needs productId"),
        ({"productId": "x"}, "productId = x is not what the contract takes: it must be of type integer"),
        ({"productId": "7", "colour": "red"}, "has no parameter colour"),
        ({"productId": "7", "dry": "perhaps"}, "dry = perhaps"),
    ],
)
def test_a_wrong_parameter_is_named(contract: Contract, parameters: dict[str, str], words: str) -> None:
    with pytest.raises(UsageFault) as refused:
        built(contract, "createSku", parameters, {"partnerId": "A"})
    assert words in render(refused.value.what)


@pytest.mark.parametrize(
    ("body", "field", "words"),
    [
        ({}, "partnerId", "it is missing"),
        ({"partnerId": "A", "name": "x"}, "name", "the contract has no such field"),
        ({"partnerId": 1}, "partnerId", "it must be of type string"),
        ({"partnerId": ""}, "partnerId", "it must have at least 1 characters"),
        ({"partnerId": "A", "kind": "C"}, "kind", "it must be one of A, B"),
        ({"partnerId": "A", "factor": 0}, "factor", "it must be more than 0"),
        ({"partnerId": "A", "parts": [{"id": 1}, {}]}, "parts[1].id", "it is missing"),
        ({"partnerId": "A", "parts": [{"id": "x"}]}, "parts[0].id", "it must be of type integer"),
        ({"partnerId": "A", "parts": [{"id": 1}] * 3}, "parts", "it must have at most 2 elements"),
        ([], "", "it must be of type object"),
    ],
)
def test_a_wrong_field_is_named_with_what_it_should_be(contract: Contract, body: Any, field: str, words: str) -> None:
    with pytest.raises(UsageFault) as refused:
        built(contract, "createSku", {"productId": "7"}, body)
    assert f"{field or '(body)'}: {words}" in render(refused.value.what)
    operation = contract.named("createSku")
    assert operation is not None
    assert operation.body is not None
    assert [fault.field for fault in faults(body, operation.body, contract.components)] == [field]


def test_a_body_is_sent_only_where_the_contract_has_one(contract: Contract) -> None:
    with pytest.raises(UsageFault, match="needs a body"):
        built(contract, "createSku", {"productId": "7"})
    with pytest.raises(UsageFault, match="takes no body"):
        built(contract, "listSkus", {}, {})
    assert built(contract, "listSkus", {}).body is None


def test_a_path_cannot_be_left_by_a_parameter() -> None:
    item = {"get": {"parameters": [{"name": "id", "in": "path", "schema": {"type": "string"}}]}}
    contract = read_contract(json.dumps({"paths": {"/orders/{id}": item}}))
    request = build_request(contract, contract.operations[0], {"id": "../../x?y"}, None, has_body=False)
    assert request.path == "/orders/..%2F..%2Fx%3Fy"


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "https://elsewhere.example/schema.json"},
        {"$ref": "#/components/schemas/Nothing"},
        {"type": "odd"},
        {"pattern": "("},
        {"$ref": "#"},
    ],
)
def test_a_schema_that_makes_no_sense_leaves_the_judgement_to_the_hub(schema: dict[str, Any]) -> None:
    assert faults({"a": 1}, schema, {}) == ()
