"""Fiscal documents and callbacks: fields, downloads, filters, notifications."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from typing import Any

import httpx

from confere.app.context import Workspace
from tests.app.listening.listening import Listening, listening
from tests.callback_receiver import Received, eventually, receiving
from tests.hub.rows.bench import NOW, Bench, Call
from tests.hub.rows.catalog_bodies import field_of
from tests.hub.rows.doors import Door
from tests.hub.rows.probes import at_both, at_client, at_hub

_TOPICS = ["FISCAL_DOCUMENTS"]
_LATER = "2026-07-25T12:00:00-03:00"


def freight(bench: Bench) -> dict[str, Any]:
    """A CT-e, which names the invoice that it carries, in full."""
    return bench.once("freight", lambda: _detail(bench, type="CTE"))


def cancelled(bench: Bench) -> dict[str, Any]:
    """An invoice with a cancellation, in full."""
    return bench.once("cancelled", lambda: _detail(bench, status="CANCELLED"))


def _detail(bench: Bench, type: str = "NFE", status: str = "AUTHORIZED") -> dict[str, Any]:
    offset = 0
    while content := bench.done("GET", "/fiscalDocuments", limit=100, offset=offset).get("content", []):
        for item in content:
            if item["type"] == type and item["history"][-1]["status"] == status:
                found: dict[str, Any] = bench.done("GET", f"/fiscalDocuments/{item['id']}")
                return found
        offset += 100
    raise AssertionError(f"the hub has no {type} that is {status}")


@at_hub
def hub_document_field(bench: Bench, subject: str) -> None:
    record = freight(bench)
    values = field_of(record, subject)
    assert values
    if subject in ("createdAt", "lastUpdate"):
        assert datetime.fromisoformat(values[0]).utcoffset() is not None
    elif subject == "documentKey":
        assert len(values[0]) == 44
    elif subject == "type":
        assert {values[0], cancelled(bench)["type"]} == {"NFE", "CTE"}
    elif subject == "metadata":
        assert isinstance(values[0], dict)
    elif subject == "history.links":
        assert values[0][0]["href"].rpartition("/")[2] == record["documents"][0]["path"]["document_item_id"]
    elif subject == "relatedDocuments":
        assert [len(each["documentKey"]) for each in values[0]] == [44]
        assert values[0][0]["documentKey"][20:22] == "55"
    else:
        assert all(isinstance(value, str) and value for value in values)


@at_client
def client_document_field(bench: Bench, subject: str) -> None:
    record = freight(bench)
    shown = bench.once("client freight", lambda: bench.confere("show", record["documentKey"]))
    [statement] = shown["hub"]
    items = [each["path"]["document_item_id"] for each in record["documents"]]
    if subject == "documentKey":
        assert shown["access_key"] == record["documentKey"]
    elif subject in ("createdAt", "lastUpdate"):
        seen = statement["created_at" if subject == "createdAt" else "updated_at"]
        assert datetime.fromisoformat(seen) == datetime.fromisoformat(record[subject])
    elif subject == "metadata":
        assert statement["metadata"] == {name: str(value) for name, value in record["metadata"].items()}
    elif subject == "metadata.documentTypeValue":
        assert statement["document_type_value"] == record["metadata"]["documentTypeValue"]
    elif subject == "history.status":
        assert [each["status"] for each in statement["history"]] == [each["status"] for each in record["history"]]
    elif subject in ("history.links", "documents.path.document_item_id"):
        assert [each["item_id"] for each in statement["history"]] == items
        assert shown["sha256"] == sha256(_file(bench, items[0])).hexdigest()
    elif subject == "relatedDocuments":
        keys = {each["access_key"] for each in shown["relations"] if "hub" in each["claimed_by"]}
        assert keys == {each["documentKey"] for each in record["relatedDocuments"]}
    else:
        assert statement[subject] == record[subject]


@at_hub
def hub_document_operation(bench: Bench, subject: str) -> None:
    record = cancelled(bench)
    if subject == "list":
        page = bench.done("GET", "/fiscalDocuments", limit=5)
        assert len(page["content"]) == 5
        assert page["page"]["totalPages"] > 1
        assert all(item["history"] and item["type"] for item in page["content"])
    elif subject == "detail":
        assert (
            bench.request("GET", f"{_root(bench)}/v2/fiscalDocuments/{record['id']}", headers=_headers(bench)).json()
            == record
        )
    elif subject == "flow":
        [notification, *_] = _notified(bench)
        found = bench.beside("callbacks").done("GET", f"/fiscalDocuments/{notification.body['content']['id']}")
        beside = bench.beside("callbacks")
        assert b"<" in _file(beside, found["documents"][-1]["path"]["document_item_id"])
    else:
        number = 0 if subject == "download" else -1
        content = _file(bench, record["documents"][number]["path"]["document_item_id"])
        assert (b"<infNFe" in content) is (subject == "download")
        assert (b"110111" in content) is (subject != "download")
        assert record["documentKey"].encode() in content


@at_client
def client_document_operation(bench: Bench, subject: str) -> None:
    record = cancelled(bench)
    key = record["documentKey"]
    if subject == "list":
        total = bench.done("GET", "/fiscalDocuments", limit=5)["page"]["totalElements"]
        assert bench.confere("sync", "--no-orders", "--full")["sync"]["conservation"]["listed"] >= total
    elif subject == "detail":
        assert bench.call("getFiscalDocument", id=record["id"])["answer"] == record
    elif subject == "flow":
        with _listener(bench, "client flow") as (beside, listener):
            sale = _new_sale(beside)
            beside.panel("POST", "/cancel", {"documentKey": sale["documentKey"]})
            listener.noted("Announced")
            bench.journal.calls.append(_listened(listener))
            assert beside.confere("show", sale["documentKey"])["state"].startswith("cancelled")
    else:
        number = 0 if subject == "download" else -1
        content = _file(bench, record["documents"][number]["path"]["document_item_id"])
        name = key if subject == "download" else bench.confere("show", key)["events"][-1]["sha256"]
        file = bench.folder() / "file.xml"
        ran = bench.command(bench.home, "show", name, "--xml", "--output", str(file))
        assert ran.code == 0, ran.err
        assert file.read_bytes() == content


@at_both
def document_filter(door: Door, subject: str) -> None:
    record = freight(door.bench)
    value = {
        "orderId": record["orderId"],
        "marketplace": record["marketplace"],
        "documentTypeValue": record["metadata"]["documentTypeValue"],
    }.get(subject, record["createdAt"])
    page = door.read("/fiscalDocuments", limit=100, **{subject: value})
    every = door.read("/fiscalDocuments", limit=5)["page"]["totalElements"]
    assert 0 < page["page"]["totalElements"] < every, "the filter was not heeded"
    for item in page["content"]:
        if subject == "orderId":
            assert item.get("orderId", value) == value
        elif subject == "marketplace":
            assert item["marketplace"] == value
        elif subject == "documentTypeValue":
            assert item["metadata"]["documentTypeValue"] == value
        else:
            moment = datetime.fromisoformat(item["createdAt" if subject.startswith("created") else "lastUpdate"])
            limit = datetime.fromisoformat(value)
            assert moment >= limit if subject.endswith("From") else moment <= limit


@at_hub
def hub_callback_field(bench: Bench, subject: str) -> None:
    notification = _notified(bench)[0]
    [value] = field_of(notification.body, subject)
    record = bench.beside("callbacks").done("GET", f"/fiscalDocuments/{notification.body['content']['id']}")
    if subject in ("type", "event"):
        assert value == {"type": "FISCAL_DOCUMENTS", "event": "UPDATE"}[subject]
    elif subject == "content.id":
        assert value == record["id"]
    elif subject == "content.oi":
        assert isinstance(value, str)
        assert value
    else:
        assert [value] == field_of(record, subject.removeprefix("content."))


@at_client
def client_callback_field(bench: Bench, subject: str) -> None:
    """The listener takes what has the field as the specification writes it, and refuses what has it otherwise."""
    with _listener(bench, "client callback") as (_beside, listener):
        body = {"type": "FISCAL_DOCUMENTS", "event": "UPDATE", "content": {"id": "fd-unknown"}}
        wrong: dict[str, Any] = {
            "type": {**body, "type": "ORDERS"},
            "event": {name: value for name, value in body.items() if name != "event"},
            "content.id": {**body, "content": {}},
        }[subject]
        assert _status(bench, listener, body) == 202
        assert _status(bench, listener, wrong) >= 400


@at_hub
def hub_callback_when(bench: Bench, subject: str) -> None:
    beside = bench.beside("callbacks", clock=NOW)
    if subject == "topic":
        with receiving() as receiver:
            beside.panel("POST", "/callbacks", {"url": receiver.address, "topics": []})
            beside.panel("POST", "/cancel", {"documentKey": _new_sale(beside)["documentKey"]})
            assert receiver.received == []
            beside.panel("POST", "/callbacks", {"url": receiver.address, "topics": _TOPICS})
            beside.panel("POST", "/cancel", {"documentKey": _new_sale(beside)["documentKey"]})
            assert eventually(lambda: len(receiver.received) == 1)
            beside.panel("POST", "/callbacks", {"url": None, "topics": []})
    elif subject == "edited":
        assert _notified(bench)
    else:
        fresh = bench.beside("created", documents=200, clock=NOW)
        before = {
            item["id"] for item in fresh.done("GET", "/fiscalDocuments", limit=100, lastUpdateFrom=NOW)["content"]
        }
        with receiving() as receiver:
            fresh.panel("POST", "/callbacks", {"url": receiver.address, "topics": _TOPICS})
            fresh.panel("POST", "/clock", {"now": _LATER})
            page = fresh.done("GET", "/fiscalDocuments", limit=100, createdAtFrom=NOW)
            created = {item["id"] for item in page["content"]} - before
            assert created
            assert eventually(lambda: created <= set(receiver.ids))
            fresh.panel("POST", "/callbacks", {"url": None, "topics": []})
            fresh.panel("POST", "/clock", {"now": NOW})


@at_client
def client_callback_when(bench: Bench, subject: str) -> None:
    with _listener(bench, "client when", documents=200, clock=NOW) as (beside, listener):
        if subject == "topic":
            beside.panel("POST", "/callbacks", {"url": listener.address, "topics": []})
            beside.panel("POST", "/cancel", {"documentKey": _new_sale(beside)["documentKey"]})
            assert not [note for note in listener.notes if str(note).startswith("Announced")]
            return
        if subject == "edited":
            key = _new_sale(beside)["documentKey"]
            beside.panel("POST", "/cancel", {"documentKey": key})
            listener.noted("Announced")
            assert beside.confere("show", key)["state"].startswith("cancelled")
        else:
            beside.panel("POST", "/clock", {"now": _LATER})
            listener.noted("Announced")
            page = beside.done("GET", "/fiscalDocuments", limit=100, createdAtFrom=NOW)
            keys = [item["documentKey"] for item in page["content"] if "documentKey" in item]
            assert eventually(lambda: beside.command(beside.home, "show", keys[0], "--json").code == 0)
            beside.panel("POST", "/clock", {"now": NOW})
        bench.journal.calls.append(_listened(listener))


def _notified(bench: Bench) -> list[Received]:
    """What a receiver got when a document was cancelled by hand."""
    beside = bench.beside("callbacks", clock=NOW)

    def make() -> list[Received]:
        with receiving() as receiver:
            beside.panel("POST", "/callbacks", {"url": receiver.address, "topics": _TOPICS})
            beside.panel("POST", "/cancel", {"documentKey": _new_sale(beside)["documentKey"]})
            assert eventually(lambda: len(receiver.received) == 1), "no notification came"
            beside.panel("POST", "/callbacks", {"url": None, "topics": []})
            [received] = receiver.received
            bench.journal.calls.append(_received(received))
            return list(receiver.received)

    return beside.once("notified", make)


def _received(received: Received) -> Call:
    """The hub's request to a receiver, as a call."""
    return Call(f"POST {received.path}", json.dumps(received.body), "204", "")


def _listened(listener: Listening) -> Call:
    """What the listener did, as a call."""
    return Call("confere listen", "", str(listener.notes[-1]), "")


def _new_sale(bench: Bench) -> dict[str, Any]:
    """An authorised sale."""
    found = _listed_sales(bench)
    assert found, "no sale is left to be cancelled"
    return found[0]


def _listed_sales(bench: Bench) -> list[dict[str, Any]]:
    content = bench.done("GET", "/fiscalDocuments", limit=100, documentTypeValue="sale")["content"]
    return [item for item in content if [event["status"] for event in item["history"]] == ["AUTHORIZED"]]


@contextmanager
def _listener(bench: Bench, name: str, **options: Any) -> Iterator[tuple[Bench, Listening]]:
    """`confere listen` for an account at a hub of its own, which announces to it."""
    beside = bench.beside(name, **options)
    home = beside.home
    with listening(Workspace.at(home)) as listener:
        beside.panel("POST", "/callbacks", {"url": listener.address, "topics": _TOPICS})
        yield beside, listener
        beside.panel("POST", "/callbacks", {"url": None, "topics": []})


def _status(bench: Bench, listener: Listening, body: dict[str, Any]) -> int:
    response: httpx.Response = bench.request("POST", listener.address, body)
    return response.status_code


def _file(bench: Bench, item_id: str) -> bytes:
    response = bench.ask("GET", f"/fiscalDocuments/download/{item_id}")
    assert response.status_code == 200, response.text
    return response.content


def _root(bench: Bench) -> str:
    return bench.hub.address.removesuffix("/v2")


def _headers(bench: Bench) -> dict[str, str]:
    return {"serviceToken": bench.hub.token, "platform": "rows"}
