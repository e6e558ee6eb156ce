"""The Spec lookup API: what it answers, and what the client makes of it."""

from __future__ import annotations

import json
from typing import Any

from openapi_spec_validator import validate

from tests.hub.rows.bench import ACCOUNT, Bench
from tests.hub.rows.catalog_bodies import field_of
from tests.hub.rows.documents import client_callback_field
from tests.hub.rows.probes import at_client, at_hub

_APIS = ("backoffice", "marketplace", "remote")
_LANGUAGES = {"pt-BR": "pt_BR", "en": "en", "es": "es"}
_OPERATION = "updateOrder"


def specs(bench: Bench, path: str) -> Any:
    """What the lookup answers below the site's root, without credentials."""
    response = bench.request("GET", f"{bench.hub.address.removesuffix('/v2')}/{path}")
    assert response.status_code == 200, response.text
    return response.json()


def entry_of(bench: Bench, operation: str = _OPERATION, language: str = "en") -> dict[str, Any]:
    """An operation's entry in the list."""
    entries = specs(bench, f"specs/backoffice/{language}/operations.json")
    found: dict[str, Any] = next(entry for entry in entries if entry["operationId"] == operation)
    return found


@at_hub
def hub_manifest_field(bench: Bench, subject: str) -> None:
    index = specs(bench, "specs/index.json")
    entry = next(entry for entry in index if (entry["id"], entry["lang"]) == ("backoffice", "en"))
    entries = specs(bench, "specs/backoffice/en/operations.json")
    if subject == "operations":
        assert entry["operations"] == len(entries)
    elif subject == "operationHrefs":
        assert entry["operationHrefs"] == [each["href"] for each in entries]
    elif subject == "url":
        assert specs(bench, entry["url"])["openapi"]
    else:
        assert field_of(entry, subject) == [{"id": "backoffice", "lang": "en"}[subject]]


@at_hub
def hub_manifest_nine(bench: Bench, subject: str) -> None:
    index = specs(bench, "specs/index.json")
    assert {(entry["id"], entry["lang"]) for entry in index} == {(api, lang) for api in _APIS for lang in _LANGUAGES}
    assert len(index) == 9


@at_client
def client_manifest_nine(bench: Bench, subject: str) -> None:
    titles = set()
    for api in _APIS:
        for language in _LANGUAGES.values():
            shown = bench.confere("hub", "operations", "--api", api, "--lang", language)
            assert shown["operations"]
            titles.add((api, shown["operations"][0]["summary"]))
    assert len(titles) == 9


@at_hub
def hub_operation_entry(bench: Bench, subject: str) -> None:
    entry = entry_of(bench)
    wanted = {"operationId": _OPERATION, "method": "PUT", "path": "/orders/{id}", "tags": ["orders"]}
    [value] = field_of(entry, subject)
    if subject in wanted:
        assert value == wanted[subject]
    elif subject == "summary":
        assert value == "Move an order"
    else:
        assert specs(bench, value)["operationId"] == _OPERATION


@at_client
def client_operation_entry(bench: Bench, subject: str) -> None:
    [entry] = [each for each in bench.confere("hub", "operations")["operations"] if each["id"] == _OPERATION]
    hub = entry_of(bench)
    assert entry["id" if subject == "operationId" else subject] == hub[subject]


@at_hub
def hub_resolved_field(bench: Bench, subject: str) -> None:
    entry = entry_of(bench)
    resolved = specs(bench, entry["href"])
    if subject == "inlined":
        assert '"$ref"' not in json.dumps(resolved)
        assert resolved["requestBody"]["application/json"]["schema"]["properties"]["invoice"]
        return
    [value] = field_of(resolved, subject)
    if subject == "parameters":
        assert [set(parameter) >= {"name", "in", "required", "schema"} for parameter in value] == [True]
        assert (value[0]["name"], value[0]["in"], value[0]["required"]) == ("id", "path", True)
    elif subject == "requestBody":
        assert value["application/json"]["schema"]["type"] == "object"
        assert value["application/json"]["examples"]["concluded"]["value"]["status"] == "CONCLUDED"
    elif subject == "responses":
        assert {"200", "400", "401", "404", "422", "429"} <= set(value)
        assert all(response["schema"] for response in value.values())
    else:
        assert value == entry[subject]


@at_client
def client_resolved_field(bench: Bench, subject: str) -> None:
    shown = bench.confere("hub", "operations", _OPERATION)["operation"]
    hub = specs(bench, entry_of(bench)["href"])
    if subject == "inlined":
        body = json.dumps({"order_id": "1", "status": "INVOICED", "invoice": {"accessKey": 7}})
        words = bench.refused("hub", "call", _OPERATION, "--param", "id=1", "--yes", "--body", "-", text=body)
        assert "invoice.accessKey" in words  # a field behind two references
    elif subject == "parameters":
        [parameter], [wanted] = shown["parameters"], hub["parameters"]
        assert (parameter["name"], parameter["place"], parameter["required"]) == (
            wanted["name"],
            wanted["in"],
            wanted["required"],
        )
        assert parameter["schema"] == wanted["schema"]
    elif subject == "requestBody":
        examples = hub["requestBody"]["application/json"]["examples"]
        assert shown["examples"] == {name: example["value"] for name, example in examples.items()}
    else:
        assert shown["id" if subject == "operationId" else subject] == hub[subject]


@at_hub
def hub_lookup_operation(bench: Bench, subject: str) -> None:
    if subject == "document":
        for api in _APIS:
            for language in _LANGUAGES:
                validate(specs(bench, f"specs/{api}.{language}.json"))
    elif subject == "operations":
        assert len(specs(bench, "specs/backoffice/es/operations.json")) > 50
    elif subject == "operation":
        assert specs(bench, f"specs/backoffice/en/operations/{_slug(bench)}.json")["operationId"] == _OPERATION
    elif subject == "fallback":
        assert specs(bench, "specs/backoffice.fr.json") == specs(bench, "specs/backoffice.pt-BR.json")
        assert specs(bench, "specs/backoffice.fr.json") != specs(bench, "specs/backoffice.en.json")
    elif subject == "href":
        for entry in specs(bench, "specs/backoffice/en/operations.json"):
            assert entry["href"].startswith("specs/")
            assert entry["href"].endswith(".json")
        special = entry_of(bench, "updateOrder/faturado")
        assert specs(bench, special["href"])["operationId"] == "updateOrder/faturado"
    elif subject == "unversioned":
        assert "/v2" not in entry_of(bench)["href"]
        without = bench.beside("no orders list", orders=False)
        operations = specs(without, "specs/backoffice/en/operations.json")
        assert "listOrders" not in [entry["operationId"] for entry in operations]
        assert entry_of(bench, "listOrders")
    else:
        assert specs(bench, "specs/index.json" if subject != "cache" else "specs/backoffice.en.json")


def _slug(bench: Bench) -> str:
    return str(entry_of(bench)["href"].rpartition("/")[2].removesuffix(".json"))


@at_client
def client_lookup_operation(bench: Bench, subject: str) -> None:
    if subject == "fallback":
        portuguese = specs(bench, "specs/backoffice.pt-BR.json")["paths"]["/orders/{id}"]["put"]["summary"]
        shown = bench.confere("hub", "operations", _OPERATION, "--lang", "pt_BR")["operation"]
        assert shown["summary"] == portuguese
    elif subject == "cache":
        fresh = bench.beside("cache")
        home = fresh.home
        kept = list((home / "contracts").iterdir())
        assert kept
        for file in kept:
            content = json.loads(file.read_text(encoding="utf-8"))
            file.write_text(json.dumps({**content, "contract": None, "fetched_at": 0}), encoding="utf-8")
        assert fresh.confere("account", "shape", ACCOUNT)
        assert fresh.confere("hub", "operations")["operations"]
        assert any(json.loads(file.read_text(encoding="utf-8"))["contract"] for file in kept)
    elif subject == "public":
        home = bench.folder()
        bench.add_account(home, bench.hub.address, "a-token-that-opens-nothing")
        ran = bench.command(home, "hub", "operations", "--json")
        assert ran.code == 0, ran.err
        assert ran.json["operations"]
    elif subject == "unversioned":
        without = bench.beside("no orders list", orders=False)
        assert "listOrders" not in [each["id"] for each in without.confere("hub", "operations")["operations"]]
        assert "listOrders" in [each["id"] for each in bench.confere("hub", "operations")["operations"]]
    else:
        shown = bench.confere("hub", "operations")
        assert len(shown["operations"]) == len(specs(bench, "specs/backoffice/en/operations.json"))


@at_hub
def hub_domain(bench: Bench, subject: str) -> None:
    if subject == "callbacks":
        bench.panel("POST", "/callbacks", {"url": "http://127.0.0.1:9/x", "topics": ["FISCAL_DOCUMENTS"]})
        assert bench.panel("GET", "/callbacks")["sandbox"]["topics"] == ["FISCAL_DOCUMENTS"]
        bench.panel("POST", "/callbacks", {"url": None, "topics": []})
        return
    entries = specs(bench, "specs/backoffice/en/operations.json")
    [entry, *_] = [
        each for each in entries if each["tags"] == [subject] and each["method"] == "GET" and "{id}" not in each["path"]
    ]
    assert bench.done("GET", entry["path"].replace("{productId}", _product(bench))) is not None


@at_client
def client_domain(bench: Bench, subject: str) -> None:
    if subject == "callbacks":
        client_callback_field(bench, "content.id")
        return
    shown = bench.confere("hub", "operations", "--tag", subject)["operations"]
    [operation, *_] = [each for each in shown if not each["writes"] and "{id}" not in each["path"]]
    given = {"productId": _product(bench)} if "{productId}" in operation["path"] else {}
    assert bench.call(operation["id"], **given)["status"] == 200


def _product(bench: Bench) -> str:
    return str(bench.done("GET", "/products", limit=5)["content"][0]["id"])
