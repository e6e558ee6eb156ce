"""The catalog's answers against the operations that the Spec lookup resolves, and its bodies against their schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox_hub.contract.operation import Operation
from sandbox_hub.contract.schemas.all_schemas import ALL_SCHEMAS
from sandbox_hub.web.body_check import KEYWORDS, check_body
from sandbox_hub.web.responses import Refusal
from sandbox_hub.web.routes import BACKOFFICE
from tests.sandbox_hub.web.client import Client, sandbox

DOMAINS = (
    *("brands", "categories", "variations", "products", "skus", "images", "stock", "prices", "campaigns"),
    *("monitoring", "users", "roles", "orders", "returns", "fiscal-documents", "listings"),
)
# The price of a publication and the reservation of an order are told where those are tested.
CATALOG = [
    route.operation
    for route in BACKOFFICE
    if route.operation.tag in DOMAINS[:12]
    and route.operation.path not in ("/transmissions-price/{id}", "/reservations/{id}")
]
BODIES = sorted(
    {
        operation.body["$ref"].rsplit("/", 1)[1]
        for operation in CATALOG
        if operation.body and "feeds" not in operation.path
    }
)


@pytest.fixture(scope="module")
def written() -> Iterator[Client]:
    with sandbox(documents=60, seed=9) as client:
        yield client


def resolved(client: Client, operation: Operation, language: str = "en") -> dict[str, Any]:
    root = client.hub.panel.removesuffix("/sandbox")
    listed = client.http.get(f"{root}/specs/backoffice/{language}/operations.json").json()
    (href,) = [entry["href"] for entry in listed if entry["operationId"] == operation.id]
    found: dict[str, Any] = client.http.get(f"{root}/{href}").json()
    return found


def test_every_domain_has_an_operation() -> None:
    assert set(DOMAINS) <= {route.operation.tag for route in BACKOFFICE}


@pytest.mark.parametrize("operation", CATALOG, ids=lambda operation: operation.id)
def test_what_the_contract_shows_works_as_it_says(written: Client, operation: Operation) -> None:
    contract = resolved(written, operation)
    path = contract["path"]
    for parameter in contract["parameters"]:
        if parameter["in"] == "path":
            path = path.replace(f"{{{parameter['name']}}}", str(parameter["schema"].get("examples", [1001])[0]))
    media = (contract["requestBody"] or {}).get("application/json", {})
    assert bool(media) is (operation.method != "GET")
    for example in media.get("examples", {"": {"value": None}}).values():
        if media:
            jsonschema.validate(example["value"], media["schema"])
        response = written.http.request(operation.method, written.address + path, json=example["value"])
        if "feeds" not in path:  # a token cannot be shown beforehand
            assert response.status_code == operation.status, response.text
        told = contract["responses"][str(response.status_code)]
        jsonschema.validate(response.json(), told["schema"], format_checker=jsonschema.FormatChecker())


@pytest.mark.parametrize("name", ["listProducts", "createProduct", "updateStocks", "listPrices"])
def test_what_the_specification_does_not_show_is_marked_in_each_language(written: Client, name: str) -> None:
    (operation,) = [operation for operation in CATALOG if operation.id == name]
    for language, mark in (
        ("pt-BR", "A especificação não mostra"),
        ("en", "The specification does not show"),
        ("es", "La especificación no"),
    ):
        assert mark in json.dumps(resolved(written, operation, language), ensure_ascii=False)
    assert ("x-own-choice" in resolved(written, operation)) or operation.id in ("createProduct", "updateStocks")


def test_every_answer_of_a_list_is_as_the_contract_says(written: Client) -> None:
    for operation in (operation for operation in CATALOG if operation.paged and "{" not in operation.path):
        schema = resolved(written, operation)["responses"]["200"]["schema"]
        for offset in range(0, 260, 100):
            jsonschema.validate(written.ok(operation.path, limit=100, offset=offset), schema)


# -- the check of bodies -----------------------------------------------------------------------------------


def schemas_in(schema: Any) -> Iterator[dict[str, Any]]:
    yield schema
    if "$ref" in schema:
        yield from schemas_in(ALL_SCHEMAS[schema["$ref"].rsplit("/", 1)[1]])
    for below in schema.get("properties", {}).values():
        yield from schemas_in(below)
    for below in (schema.get("items"), schema.get("additionalProperties"), *schema.get("allOf", ())):
        if isinstance(below, dict):
            yield from schemas_in(below)


@pytest.mark.parametrize("name", BODIES)
def test_bodies_use_only_what_the_check_knows(name: str) -> None:
    for schema in schemas_in(ALL_SCHEMAS[name]):
        assert set(schema) <= KEYWORDS, schema
        for part in schema.get("anyOf", ()):
            assert set(part) == {"required"}
            assert len(part["required"]) == 1


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.sampled_from(
        [0, 1, -1, 2.5, 3.0, 10**12, "", "1", "12.50", "x", "x" * 201, "https://i.example/1.jpg", "61091000"]
    ),
    lambda below: (
        st.lists(below, max_size=3) | st.dictionaries(st.sampled_from(["id", "name", "x"]), below, max_size=3)
    ),
    max_leaves=6,
)


@st.composite
def altered(draw: st.DrawFn) -> tuple[str, Any]:
    """An example of the contract with one thing in it that may be wrong, and the name of its schema."""
    operation = draw(st.sampled_from([operation for operation in CATALOG if operation.body and operation.examples]))
    assert operation.body is not None
    body = json.loads(json.dumps(draw(st.sampled_from(list(operation.examples.values())))))
    place = body
    while True:
        names = list(place) if isinstance(place, dict) else list(range(len(place)))
        if isinstance(place, dict):
            names.append(draw(st.sampled_from(["id", "extra", "partnerId"])))
        name = draw(st.sampled_from(names))
        below = place[name] if not isinstance(place, dict) or name in place else None
        if isinstance(below, dict | list) and below and draw(st.booleans()):
            place = below
            continue
        if isinstance(place, dict) and name in place and draw(st.booleans()):
            del place[name]
        else:
            place[name] = draw(VALUES)
        return operation.body["$ref"].rsplit("/", 1)[1], body


@given(altered())
def test_the_check_agrees_with_a_validator_of_json_schema(case: tuple[str, Any]) -> None:
    name, body = case
    if name not in BODIES:
        return
    whole = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": ALL_SCHEMAS}}
    right = jsonschema.Draft202012Validator(whole).is_valid(body)
    try:
        check_body(body, name)
        accepted = True
    except Refusal as refusal:
        accepted = False
        assert refusal.status in (400, 422)
    assert accepted is right
