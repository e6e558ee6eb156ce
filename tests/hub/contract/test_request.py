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
            "parameters": [{"name": "productId", "in": "path", "required": True, "schema": {"type": "integer"}}],
            "post": {
                "operationId": "createSku",
                "parameters": [{"name": "dry", "in": "query", "schema": {"type": "boolean"}}],
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
        built(contract, "listSkus", {"productId": "7"}, {})
    assert built(contract, "listSkus", {"productId": "7"}).body is None


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
        {"$ref": "#"},
        {"$id": 5},
        {"properties": {"a": {"multipleOf": 0}}},
        {"propertyNames": {"pattern": "("}},
        {"propertyNames": {"pattern": r"^\p{L}+\d$"}},
        {"patternProperties": {"(": {}}},
    ],
)
def test_a_schema_that_makes_no_sense_leaves_the_judgement_to_the_hub(schema: dict[str, Any]) -> None:
    assert faults({"a": 1}, schema, {}) == ()


def test_a_pattern_of_another_dialect_hides_no_other_fault() -> None:
    properties = {"a": {"pattern": r"^\p{L}+$"}, "b": {"type": "integer"}}
    assert [fault.field for fault in faults({"a": "x", "b": "x"}, {"properties": properties}, {})] == ["b"]


@pytest.mark.parametrize("pattern", ["(a+)+$", "^(a|aa)+$", "((a*)b?)*c", "(a{1,9})*$"])
def test_a_pattern_that_would_take_for_ever_is_left_to_the_hub(pattern: str) -> None:
    assert faults("a" * 60 + "!", {"pattern": pattern}, {}) == ()


@pytest.mark.parametrize(
    ("value", "schema", "words"),
    [
        (None, {"type": "string", "nullable": True}, []),
        (None, {"type": "string"}, ["it must be of type string"]),
        (0.5, {"minimum": 0, "exclusiveMinimum": True}, []),
        (0, {"minimum": 0, "exclusiveMinimum": True}, ["it must be more than 0"]),
        (0, {"minimum": 0, "exclusiveMinimum": False}, []),
        (4, {"maximum": 5, "exclusiveMaximum": True}, []),
        (5, {"maximum": 5, "exclusiveMaximum": True}, ["it must be less than 5"]),
        (5, {"maximum": 5, "exclusiveMaximum": False}, []),
        (0.5, {"exclusiveMinimum": True}, []),
    ],
)
def test_what_openapi_3_0_writes_otherwise_is_understood(value: Any, schema: dict[str, Any], words: list[str]) -> None:
    set_language("en")
    assert [render(fault.what) for fault in faults(value, schema, {})] == words


def one(parameter: dict[str, Any], path: str = "/orders") -> Contract:
    return read_contract(json.dumps({"paths": {path: {"get": {"operationId": "x", "parameters": [parameter]}}}}))


@pytest.mark.parametrize(
    ("schema", "taken", "refused", "words"),
    [
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "5", "x", "of type integer"),
        ({"type": "array", "items": {"enum": ["A", "B"]}}, "A", "C", "one of A, B"),
        ({"type": "array", "items": {"type": "integer"}}, "5", "x", "of type integer"),
        ({"type": "string", "minLength": 2}, "55", "5", "at least 2 characters"),
        ({"type": "number", "maximum": 5}, "4.5", "nan", "of type number"),
        ({"type": "integer"}, "-3", "٣", "of type integer"),
        ({"type": "string"}, "abc", "a\nb", "no address can carry it"),
        ({"type": "string"}, "abc", "a" * 5_000, "no address can carry it"),
        ({"type": "string"}, "abc", "\udce7", "no address can carry it"),
    ],
)
def test_a_parameter_is_read_as_the_schema_means_it(
    schema: dict[str, Any], taken: str, refused: str, words: str
) -> None:
    contract = one({"name": "p", "in": "query", "schema": schema})
    assert built(contract, "x", {"p": taken}).query == {"p": taken}
    with pytest.raises(UsageFault) as fault:
        built(contract, "x", {"p": refused})
    assert words in render(fault.value.what)


@pytest.mark.parametrize("value", ["", ".", ".."])
def test_a_parameter_that_would_change_the_path_is_refused_with_its_name(value: str) -> None:
    contract = one({"name": "id", "in": "path", "schema": {"type": "string"}}, "/orders/{id}")
    with pytest.raises(UsageFault, match="id of x cannot be"):
        built(contract, "x", {"id": value})


def test_a_path_whose_parameter_the_contract_forgot_is_not_called() -> None:
    contract = one({"name": "p", "in": "query", "schema": {}}, "/orders/{id}")
    with pytest.raises(UsageFault, match="does not say what belongs into the path"):
        built(contract, "x", {})


@pytest.mark.parametrize("body", [{"partnerId": "A", "price": float("nan")}, {"partnerId": "\ud800"}])
def test_a_body_that_no_json_can_carry_is_refused(contract: Contract, body: dict[str, Any]) -> None:
    with pytest.raises(UsageFault, match="no JSON can carry"):
        built(contract, "createSku", {"productId": "7"}, body)
