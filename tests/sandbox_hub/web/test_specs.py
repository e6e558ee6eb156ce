"""The Spec lookup: nine documents that a validator accepts, and operations that say what the hub really serves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from openapi_spec_validator import validate

from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from sandbox_hub.web.routes import BACKOFFICE
from tests.loopback import LOOPBACK

LANGUAGES = ("pt-BR", "en", "es")
IDS = ("backoffice", "marketplace", "remote")


class Site:
    """The root of a hub's site, asked without any credentials."""

    def __init__(self, address: str) -> None:
        self.root = address.removesuffix("/v2")

    def get(self, path: str) -> httpx.Response:
        with httpx.Client(**LOOPBACK) as http:
            return http.get(f"{self.root}/{path}")

    def json(self, path: str) -> Any:
        response = self.get(path)
        assert response.status_code == 200, response.text
        return response.json()


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with running(SandboxOptions(documents=40)) as hub:
        yield Site(hub.address)


def references(content: Any) -> list[str]:
    """Every `$ref` in it."""
    if isinstance(content, dict):
        own = [content["$ref"]] if "$ref" in content else []
        return own + [each for value in content.values() for each in references(value)]
    if isinstance(content, list):
        return [each for value in content for each in references(value)]
    return []


def test_the_index_names_nine_documents_and_each_is_valid(site: Site) -> None:
    index = site.json("specs/index.json")
    assert [(each["id"], each["lang"]) for each in index] == [(name, lang) for name in IDS for lang in LANGUAGES]
    for each in index:
        document = site.json(each["url"])
        validate(document)
        operations = site.json(f"specs/{each['id']}/{each['lang']}/operations.json")
        assert each["operations"] == len(operations) == sum(len(item) for item in document["paths"].values())
        assert each["operationHrefs"] == [operation["href"] for operation in operations]


def test_every_href_leads_to_its_operation_without_a_reference(site: Site) -> None:
    operations = site.json("specs/backoffice/en/operations.json")
    assert {operation["operationId"] for operation in operations} == {route.operation.id for route in BACKOFFICE}
    assert len({operation["href"] for operation in operations}) == len(operations)
    for listed in operations:
        resolved = site.json(listed["href"])
        for name in ("operationId", "method", "path", "summary", "tags"):
            assert resolved[name] == listed[name]
        assert references(resolved) == []
        assert {"401", "429"} <= set(resolved["responses"])
        assert {parameter["in"] for parameter in resolved["parameters"]} <= {"path", "query"}


def test_each_language_has_its_own_words_and_an_unknown_one_is_answered_in_portuguese(site: Site) -> None:
    texts = [json.dumps(site.json(f"specs/backoffice.{language}.json")) for language in LANGUAGES]
    assert len(set(texts)) == 3
    assert site.json("specs/backoffice.fr.json") == site.json("specs/backoffice.pt-BR.json")
    assert site.json("specs/backoffice/fr/operations.json") == site.json("specs/backoffice/pt-BR/operations.json")


@pytest.mark.parametrize(
    "path",
    [
        "specs/orders.en.json",
        "specs/backoffice.json",
        "specs/backoffice/en/operations/nothing.json",
        "specs/backoffice/en/operation.json",
        "specs/other/en/operations.json",
        "specs/backoffice.en",
        "specs/",
    ],
)
def test_what_is_not_there_is_404_with_words(site: Site, path: str) -> None:
    response = site.get(path)
    assert response.status_code == 404
    assert response.json()["message"]


def test_every_route_is_declared_once_and_in_an_order_that_reaches_it() -> None:
    operations = [route.operation for route in BACKOFFICE]
    assert len({(operation.method, operation.path) for operation in operations}) == len(operations)
    assert len({operation.id for operation in operations}) == len({operation.slug for operation in operations})
    for operation in operations:
        assert [parameter.name for parameter in operation.path_parameters] == operation.path_names
    for number, later in enumerate(operations):
        for earlier in operations[:number]:
            assert not covers(earlier.path, later.path) or earlier.method != later.method, (earlier.path, later.path)


def covers(pattern: str, path: str) -> bool:
    """Whether requests to `path` would be taken by `pattern`."""
    ours, theirs = pattern.split("/"), path.split("/")
    return len(ours) == len(theirs) and all(
        one == other or one.startswith("{") for one, other in zip(ours, theirs, strict=True)
    )


def query_of(site: Site, path: str) -> dict[str, Any]:
    operation = site.json("specs/backoffice.en.json")["paths"][path]["get"]
    return {parameter["name"]: parameter["schema"] for parameter in operation["parameters"]}


def test_a_deployment_says_its_own_parameters_unless_it_is_to_say_the_plain_hubs() -> None:
    shape = ("page-base-1", "dates-date-only")
    with running(SandboxOptions(documents=20, shape=shape, orders=False)) as hub:
        site = Site(hub.address)
        own = query_of(site, "/fiscalDocuments")
        assert own["page"]["minimum"] == own["page"]["default"] == 1
        assert own["createdAtFrom"] == {"type": "string", "format": "date"}
        assert "get" not in site.json("specs/backoffice.en.json")["paths"].get("/orders", {})
    with running(SandboxOptions(documents=20, shape=shape, orders=False, contract="plain")) as hub:
        site = Site(hub.address)
        assert query_of(site, "/fiscalDocuments")["offset"]["minimum"] == 0
        assert "status" in query_of(site, "/orders")
    with running(SandboxOptions(documents=20, contract="none")) as hub:
        assert Site(hub.address).get("specs/index.json").status_code == 404


def test_a_renamed_page_parameter_works_as_the_contract_says() -> None:
    with running(SandboxOptions(documents=30, shape=("page-renamed",))) as hub:
        name = next(name for name in query_of(Site(hub.address), "/fiscalDocuments") if name == "pageNumber")
        headers = {"serviceToken": hub.token, "platform": "tests"}
        with httpx.Client(headers=headers, **LOOPBACK) as http:
            first, second = (
                http.get(f"{hub.address}/fiscalDocuments", params={"limit": 5, name: page}).json() for page in (0, 1)
            )
        assert first["page"]["number"] == 0
        assert second["page"]["number"] == 1
        assert not {each["id"] for each in first["content"]} & {each["id"] for each in second["content"]}
