"""Reading a contract: what the embedded hub publishes is understood whole, and what makes no sense is refused."""

from __future__ import annotations

import json
import socket
import threading
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.hub.contract import lookup
from confere.hub.contract.contract import read_contract
from confere.hub.contract.list_terms import declared_traits, missing_lists
from confere.hub.contract.lookup import fetch, site_root
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.intake.served import Answer, serving
from tests.intake.small_hub import SmallHub


def document(paths: dict[str, Any], **more: Any) -> str:
    return json.dumps({"openapi": "3.1.0", "info": {"title": "A hub"}, "paths": paths, **more})


def listing(*parameters: dict[str, Any]) -> dict[str, Any]:
    return {"get": {"operationId": "list", "parameters": list(parameters)}}


def query(name: str, **schema: Any) -> dict[str, Any]:
    return {"name": name, "in": "query", "schema": schema}


def test_what_the_embedded_hub_publishes_is_read_in_the_readers_language() -> None:
    with running(SandboxOptions(documents=20)) as hub:
        texts = {language: fetch(hub.address, language) for language in ("pt_BR", "en", "es")}
    contracts = {language: read_contract(text or "") for language, text in texts.items()}
    moves = {language: contract.named("updateOrder") for language, contract in contracts.items()}
    assert {language: move.summary for language, move in moves.items() if move} == {
        "pt_BR": "Mudar a situação de um pedido",
        "en": "Move an order",
        "es": "Cambiar el estado de un pedido",
    }
    move = moves["en"]
    assert move is not None
    assert (move.method, move.path, move.writes, move.body_required) == ("PUT", "/orders/{id}", True, True)
    assert [(parameter.name, parameter.place, parameter.required) for parameter in move.parameters] == [
        ("id", "path", True)
    ]
    assert move.examples["concluded"] == {"order_id": "10000123", "status": "CONCLUDED"}


def test_a_hub_without_a_contract_gives_none() -> None:
    with running(SandboxOptions(documents=20, contract="none")) as hub:
        assert fetch(hub.address, "en") == ""
    with serving(SmallHub()) as small:
        assert fetch(small.address, "en") == ""
    assert fetch("http://127.0.0.1:9/v2", "en") is None


class SpecHub(SmallHub):
    """A hub whose lookup answers `spec`."""

    spec: Answer = (200, {})

    def answer(self, method: str, path: str, query: dict[str, str], body: bytes) -> Answer:
        return self.spec if path.startswith("/specs/") else super().answer(method, path, query, body)


@pytest.mark.parametrize("spec", [(200, {}), (200, b"<html>"), (200, b"\xff"), (500, {}), (429, {}), (200, [1])])
def test_an_answer_that_is_no_contract_does_not_say_that_there_is_none(spec: Answer) -> None:
    with serving(SpecHub()) as hub:
        hub.spec = spec
        assert fetch(hub.address, "en") is None


def test_a_contract_that_drips_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "_LONGEST", 0.3)
    ended = threading.Event()

    def drip(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        with connection:
            connection.recv(4_096)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
            with suppress(OSError):
                while not ended.wait(0.01):
                    connection.sendall(b" " * 1_000)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=drip, args=(listener,))
        thread.start()
        try:
            assert fetch(f"http://127.0.0.1:{listener.getsockname()[1]}/v2", "en") is None
        finally:
            ended.set()
            thread.join()


@pytest.mark.parametrize(
    ("address", "root"),
    [
        ("https://hub.example/api/v2", "https://hub.example:443"),
        ("http://127.0.0.1:8080/v2", "http://127.0.0.1:8080"),
        ("http://[::1]:8080/v2", "http://[::1]:8080"),
    ],
)
def test_the_lookup_is_at_the_root_of_the_address(address: str, root: str) -> None:
    assert site_root(address) == root


@pytest.mark.parametrize(
    ("shape", "traits"),
    [
        ((), {"place": "offset", "dates": "offset"}),
        (("page-base-1",), {"paging": "page", "place": "page", "base": "1", "dates": "offset"}),
        (("page-base-0",), {"paging": "page", "place": "page", "base": "0", "dates": "offset"}),
        (("page-renamed",), {"paging": "page", "place": "pageNumber", "base": "0", "dates": "offset"}),
        (("dates-date-only",), {"place": "offset", "dates": "date"}),
        (("dates-no-zone",), {"place": "offset", "dates": "no zone"}),
        (("dates-milliseconds",), {"place": "offset", "dates": "milliseconds"}),
        (("dates-refused",), {"place": "offset"}),
    ],
)
def test_what_a_deployment_declares_of_its_lists(shape: tuple[str, ...], traits: dict[str, str]) -> None:
    with running(SandboxOptions(documents=20, shape=shape, returns=False)) as hub:
        contract = read_contract(fetch(hub.address, "en") or "")
    assert declared_traits(contract) == {"documents": traits, "orders": traits}
    assert missing_lists(contract) == ("returns",)


def test_a_smaller_page_and_another_name_of_its_size_are_declared() -> None:
    contract = read_contract(document({"/orders": listing(query("pageSize", type="integer", maximum=50))}))
    assert declared_traits(contract) == {"orders": {"limit": "pageSize", "page_size": "50"}}


@pytest.mark.parametrize(
    ("pattern", "form"),
    [(r"^\d{4}-\d\d-\d\d$", "date"), (r"^\d{4}-\d\d-\d\dT\d\d:\d\d$", "no zone"), ("^[a-z]+$", None)],
)
def test_the_form_of_dates_is_told_by_their_pattern(pattern: str, form: str | None) -> None:
    contract = read_contract(document({"/orders": listing(query("createdAfter", pattern=pattern))}))
    assert declared_traits(contract)["orders"].get("dates") == form


@pytest.mark.parametrize(
    "path",
    ["orders", "/orders?a=1", "/orders#a", "/../orders", "/orders/./x", "/orders/..", "/or ders", "/or\nders", "/o\\x",
     "//elsewhere.example/orders", "/%2e%2e/orders", "/\ud800", "/"],
)  # fmt: skip
def test_an_operation_whose_path_leads_out_of_the_account_is_left_out(path: str) -> None:
    contract = read_contract(document({path: listing(), "/orders/{id}/$x": listing(), "/stocks/": listing()}))
    assert [operation.path for operation in contract.operations] == ["/orders/{id}/$x", "/stocks/"]


def test_an_operations_parameter_takes_the_place_of_that_of_its_path() -> None:
    item = {"parameters": [query("a", type="integer"), query("b")], **listing(query("a", type="string"))}
    (operation,) = read_contract(document({"/orders": item})).operations
    assert [(parameter.name, parameter.schema) for parameter in operation.parameters] == [
        ("a", {"type": "string"}),
        ("b", {}),
    ]


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "application/merge-patch+json", "*/*"])
def test_a_body_is_json_whatever_its_media_type_adds(kind: str) -> None:
    request = {"content": {"application/xml": {"schema": {}}, kind: {"schema": {"type": "object"}}}}
    (operation,) = read_contract(document({"/orders": {"post": {"requestBody": request}}})).operations
    assert operation.body == {"type": "object"}


def test_a_reference_may_lead_through_lists_and_escaped_names() -> None:
    there = listing(query("a"), {"$ref": "#/paths/~1orders/get/parameters/0"}, {"$ref": "#/components/~0b~1c"})
    contract = read_contract(document({"/orders": there}, components={"~b/c": query("d")}))
    assert [parameter.name for parameter in contract.operations[0].parameters] == ["a", "d"]


def test_references_are_followed_within_the_document_and_nowhere_else() -> None:
    parameters = {
        "place": query("page", **{"$ref": "#/components/schemas/Place"}),
        "round": {"$ref": "#/components/parameters/round"},
    }
    contract = read_contract(
        document(
            {
                "/orders": listing(
                    {"$ref": "#/components/parameters/place"},
                    {"$ref": "#/components/parameters/round"},
                    {"$ref": "https://elsewhere.example/parameters.json"},
                )
            },
            components={"parameters": parameters, "schemas": {"Place": {"type": "integer", "minimum": 1}}},
        )
    )
    assert [parameter.name for parameter in contract.operations[0].parameters] == ["page"]
    assert declared_traits(contract)["orders"]["base"] == "1"


DEEP = document({"/orders": {"get": {}}}, x=json.loads("[" * 150 + "]" * 150))


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"paths": []}', document({}), document({"/orders": 1}), "[" * 100_000, "x" * 8_000_001, DEEP],
)
def test_what_is_no_contract_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        read_contract(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(("get", "parameters", "$ref", "schema", "in", "name", "tags", "x")), inner)
    ),
    max_leaves=20,
)


@given(JSON)
def test_no_contract_from_outside_breaks_the_reader(content: Any) -> None:
    try:
        contract = read_contract(document({"/orders": content, "/returns": {"get": content}}))
    except ValueError:
        return
    declared_traits(contract)
