"""`confere hub`: one operation of every tag is reached by the contract, and nothing is sent that breaks it."""

from __future__ import annotations

import _thread
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.context import SANDBOX, Workspace
from confere.archive.accounts import audit
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.app.accounts.test_hub_calls import TOKEN, CallHub
from tests.cli.running import Call
from tests.intake.served import Answer, serving


@pytest.fixture(scope="module")
def hub() -> Iterator[RunningHub]:
    with running(SandboxOptions(documents=60, seed=3)) as found:
        yield found


@pytest.fixture
def workplace(hub: RunningHub, tmp_path: Path, call: Call) -> Path:
    """A data folder with the account `loja` at the hub."""
    home, token = tmp_path / "home", tmp_path / "token.txt"
    private(token, hub.token)
    added = call(
        "account", "add", "loja", "--address", hub.address, "--platform", "tests", "--environment", "sandbox",
        "--token-file", token, "--home", home,
    )  # fmt: skip
    assert added.code == 0, added.err
    return home


def private(file: Path, text: str) -> None:
    """A file that nobody else can read."""
    file.touch(0o600)
    file.write_text(text, encoding="utf-8")


def first_order(call: Call, home: Path, status: str) -> int:
    listed = call("hub", "call", "listOrders", "--param", f"status={status}", "--json", "--home", home)
    assert listed.code == 0, listed.err
    number = listed.json["result"]["answer"]["content"][0]["id"]
    assert isinstance(number, int)
    return number


def written(tmp_path: Path, body: object) -> Path:
    file = tmp_path / "body.json"
    file.write_text(json.dumps(body), encoding="utf-8")
    return file


def test_the_operations_are_listed_by_tag_and_explained_in_the_readers_language(call: Call, workplace: Path) -> None:
    listed = call("hub", "operations", "--tag", "orders", "--json", "--home", workplace).json
    assert {tag for operation in listed["operations"] for tag in operation["tags"]} == {"orders"}
    assert "fiscal-documents" in listed["tags"]
    spanish = call("hub", "operations", "updateOrder", "--lang", "es", "--home", workplace)
    assert "Cambiar el estado de un pedido" in spanish.out
    assert '"status": "CONCLUDED"' in spanish.out
    unknown = call("hub", "operations", "--tag", "odd", "--home", workplace)
    assert unknown.code == 2
    assert "fiscal-documents" in unknown.err


def test_a_reading_operation_of_every_tag_answers(call: Call, workplace: Path) -> None:
    listed = call("hub", "operations", "--json", "--home", workplace).json
    reached = set()
    for operation in listed["operations"]:
        if not operation["writes"] and "{" not in operation["path"] and not reached >= set(operation["tags"]):
            answered = call("hub", "call", operation["id"], "--json", "--home", workplace)
            assert answered.code == 0, (operation["id"], answered.err)
            assert answered.json["result"]["status"] == 200
            reached |= set(operation["tags"])
    product = call("hub", "call", "listProducts", "--json", "--home", workplace).json["result"]["answer"]["content"][0]
    for name in ("listSkus", "listImages"):
        below = call("hub", "call", name, "--param", f"productId={product['id']}", "--json", "--home", workplace)
        assert below.json["result"]["status"] == 200
    assert reached | {"skus", "images"} == set(listed["tags"])


def test_a_write_is_shown_confirmed_sent_once_read_back_and_audited(
    call: Call, workplace: Path, tmp_path: Path, hub: RunningHub
) -> None:
    order = first_order(call, workplace, "PAID_WAITING_SHIP")
    body = written(tmp_path, {"order_id": str(order), "status": "CANCELED"})
    arguments = ("hub", "call", "updateOrder", "--param", f"id={order}", "--body", body, "--home", workplace)
    shown = call(*arguments, "--preview")
    assert shown.code == 0
    assert f"PUT /orders/{order}" in shown.out
    assert '"CANCELED"' in shown.out
    assert first_order(call, workplace, "PAID_WAITING_SHIP") == order
    alone = call(*arguments)
    assert alone.code == 2
    assert "--yes" in alone.err
    sent = call(*arguments, "--yes", "--json").json
    assert sent["result"]["outcome"] == "answered"
    assert sent["result"]["read_back"]["status"] == "CANCELED"
    with Workspace.at(workplace).reading() as archive, archive.reading() as transaction:
        lines = [(line.action, line.detail) for line in audit.lines(transaction, 2)]
    assert lines == [("hub call answered", None), ("hub call sent", sent["body"])]
    refused = call(*arguments[:-4], "--body", written(tmp_path, {"order_id": str(order), "status": "INVOICED"}),
                   "--home", workplace, "--yes", "--json")  # fmt: skip
    assert refused.code == 1
    assert refused.json["result"]["outcome"] == "refused"
    assert "CANCELED" in refused.json["result"]["hub_words"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("updateOrder",), "needs id"),
        (("updateOrder", "--param", "id=1"), "needs a body"),
        (("updateOrders",), "updateOrder"),
        (("listOrders", "--param", "limit=4"), "at least 5"),
        (("listOrders", "--param", "limit"), "--param NAME=VALUE"),
        (("listOrders", "--param", "limit=5", "--param", "limit=6"), "twice"),
    ],
)
def test_what_the_contract_does_not_take_is_not_sent(
    call: Call, workplace: Path, arguments: tuple[str, ...], words: str
) -> None:
    refused = call("hub", "call", *arguments, "--home", workplace)
    assert refused.code == 2
    assert words in refused.err


def test_a_body_that_breaks_the_schema_is_refused_with_its_field(call: Call, workplace: Path, tmp_path: Path) -> None:
    body = written(tmp_path, {"order_id": "1", "status": "PAID"})
    refused = call("hub", "call", "updateOrder", "--param", "id=1", "--body", body, "--yes", "--home", workplace)
    assert refused.code == 2
    assert "status: it must be one of PENDING, PAID_WAITING_SHIP" in refused.err
    (tmp_path / "odd.json").write_text("{", encoding="utf-8")
    odd = call("hub", "call", "updateOrder", "--param", "id=1", "--body", tmp_path / "odd.json", "--home", workplace)
    assert odd.code == 2
    assert "JSON" in odd.err


def test_a_hub_without_a_contract_says_so(call: Call, tmp_path: Path) -> None:
    token = tmp_path / "token.txt"
    with running(SandboxOptions(documents=20, contract="none")) as silent:
        private(token, silent.token)
        home = tmp_path / "silent"
        call("account", "add", "muda", "--address", silent.address, "--platform", "t", "--environment", "sandbox",
             "--token-file", token, "--home", home)  # fmt: skip
        refused = call("hub", "operations", "--home", home)
    assert refused.code == 2
    assert "no contract" in refused.err


class Interrupting(CallHub):
    """A hub during whose answer somebody presses Ctrl+C."""

    def answer(self, method: str, path: str, query: dict[str, str], body: bytes) -> Answer:
        if method == "POST":
            _thread.interrupt_main()
        return super().answer(method, path, query, body)


def test_ctrl_c_while_a_writes_answer_is_awaited_says_that_nobody_knows(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONFERE_TOKEN", TOKEN)
    body, home = written(tmp_path, {}), tmp_path / "home"
    with serving(Interrupting(made=(500, {}))) as hub:
        accounts.add(Workspace.at(home), NewAccount("shop", hub.address, "p", SANDBOX), None)
        sent = call("hub", "call", "make", "--body", body, "--yes", "--lang", "en", "--home", home)
    assert sent.code == 1
    assert "Nobody knows whether it arrived" in sent.err
    with Workspace.at(home).reading() as archive, archive.reading() as transaction:
        assert [line.action for line in audit.lines(transaction, 2)] == ["hub call unknown", "hub call sent"]


# -- every operation of the contract --------------------------------------------------------------------------


def examples(call: Call, home: Path) -> list[tuple[str, list[str], str, Any]]:
    """Of every operation that writes: its id, its path's parameters as options, a name and a body of its examples."""
    found = []
    for entry in call("hub", "operations", "--json", "--home", home).json["operations"]:
        if entry["writes"]:
            whole = call("hub", "operations", entry["id"], "--json", "--home", home).json["operation"]
            given = [
                text
                for parameter in whole["parameters"]
                if parameter["place"] == "path"
                for text in ("--param", f"{parameter['name']}={parameter['schema'].get('examples', [1])[0]}")
            ]
            found += [(entry["id"], given, name, body) for name, body in whole["examples"].items()]
    return found


def test_every_writing_operation_is_previewed_and_sends_nothing(call: Call, workplace: Path, tmp_path: Path) -> None:
    every = examples(call, workplace)
    listed = call("hub", "operations", "--json", "--home", workplace).json["operations"]
    assert {name for name, *_ in every} == {entry["id"] for entry in listed if entry["writes"]}
    for name, given, _example, body in every:
        shown = call(
            "hub", "call", name, *given, "--body", written(tmp_path, body), "--preview", "--json", "--home", workplace
        )
        assert shown.code == 0, (name, shown.err)
        assert json.loads(shown.json["body"]) == body
        assert shown.json["result"] is None
        assert "{" not in shown.json["path"]


def test_a_field_of_the_wrong_kind_is_named_whatever_the_operation(call: Call, workplace: Path, tmp_path: Path) -> None:
    checked = set()
    for name, given, _example, body in examples(call, workplace):
        field, broken = broken_body(body)
        if not field:
            continue
        refused = call("hub", "call", name, *given, "--body", written(tmp_path, broken), "--yes", "--home", workplace)
        assert refused.code == 2, (name, refused.err)
        assert field in refused.err, (name, refused.err)
        checked.add(name)
    assert len(checked) > 20


def broken_body(body: Any) -> tuple[str, Any]:
    """The body with its first plain field made a list of lists, which nothing takes, and where that field is."""
    element = body[0] if isinstance(body, list) else body
    name = next((name for name, value in element.items() if not isinstance(value, dict | list)), "")
    broken = {**element, name: [[]]}
    return (f"[0].{name}", [broken]) if isinstance(body, list) else (name, broken)


def test_a_write_of_every_tag_arrives(call: Call, tmp_path: Path) -> None:
    """On a hub of its own: it is written to."""
    with running(SandboxOptions(documents=60, seed=4, middleware=True)) as hub:
        home, token = tmp_path / "written", tmp_path / "own.txt"
        private(token, hub.token)
        added = call("account", "add", "loja", "--address", hub.address, "--platform", "tests", "--environment",
                     "sandbox", "--token-file", token, "--home", home)  # fmt: skip
        assert added.code == 0, added.err
        listed = call("hub", "operations", "--json", "--home", home).json["operations"]
        tags = {tag for entry in listed if entry["writes"] for tag in entry["tags"]}
        of_operation = {entry["id"]: entry["tags"] for entry in listed}
        wanted = [
            "createBrand", "createCategory", "createVariation", "updateProduct", "updateSku", "createImage",
            "updateStocks", "updatePrices", "createCampaign", "createOrder",
        ]  # fmt: skip
        first = {name: (given, body) for name, given, _example, body in reversed(examples(call, home))}
        for name in wanted:
            given, body = first[name]
            sent = call("hub", "call", name, *given, "--body", written(tmp_path, body), "--yes", "--json",
                        "--home", home)  # fmt: skip
            assert (sent.code, sent.json["result"]["outcome"]) == (0, "answered"), (name, sent.err, sent.out)
            tags -= set(of_operation[name])
        marked = call("hub", "call", "markFeed/transmissions", "--yes", "--json", "--home", home)
        assert marked.json["result"]["answer"] == {"marked": 0}
        assert tags - set(of_operation["markFeed/transmissions"]) == set()


def test_the_middlewares_contracts_are_explained_and_not_called(call: Call, workplace: Path) -> None:
    for api, operation in (("marketplace", "getSkuMarketplace"), ("remote", "sendProduct")):
        listed = call("hub", "operations", "--api", api, "--json", "--home", workplace).json
        assert operation in {entry["id"] for entry in listed["operations"]}
        assert operation in call("hub", "operations", operation, "--api", api, "--json", "--home", workplace).out
        refused = call("hub", "call", operation, "--home", workplace)
        assert refused.code == 2
        assert "middleware" in refused.err
        assert f"--api {api}" in refused.err
    assert call("hub", "operations", "--api", "odd", "--home", workplace).code == 2


def test_the_help_speaks_the_language_that_was_asked_for(call: Call, workplace: Path) -> None:
    words = {"pt_BR": "Listar devoluções", "en": "List returns", "es": "Listar devoluciones"}
    for language, summary in words.items():
        listed = call("hub", "operations", "--tag", "returns", "--lang", language, "--json", "--home", workplace).json
        assert [entry["summary"] for entry in listed["operations"]] == [summary]
