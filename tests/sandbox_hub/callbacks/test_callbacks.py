"""Callbacks of a running sandbox: what they say, when they are sent, and how they are set up."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from sandbox_hub.callbacks import callbacks
from sandbox_hub.callbacks.sender import CallbackSender
from sandbox_hub.errors import SandboxError
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.callback_receiver import eventually, receiving
from tests.sandbox_hub.web.client import CONTROL, Client, error_of, sandbox

EARLY, LATER = "2026-03-01T00:00:00-03:00", "2026-03-15T00:00:00-03:00"
TOPICS = ["FISCAL_DOCUMENTS"]


def configure(client: Client, body: object) -> httpx.Response:
    return client.http.post(f"{client.hub.panel}/callbacks", headers=CONTROL, json=body)


def counts(client: Client, environment: str = "sandbox") -> Any:
    return client.panel("callbacks")[environment]


def delivered(client: Client) -> int:
    """How many were taken, once none waits."""
    assert eventually(lambda: counts(client)["waiting"] == 0)
    number: int = counts(client)["delivered"]
    return number


def test_moving_the_clock_sends_one_for_each_document_and_event_that_came() -> None:
    with receiving() as receiver:
        with sandbox(documents=600, seed=3, clock=EARLY, callback=receiver.address + "/hook", withhold=0.1) as client:
            before = {item["id"]: item for item in client.all("/fiscalDocuments")}
            client.move_clock(LATER)
            after = client.all("/fiscalDocuments")
            expected = [
                item["id"]
                for item in after
                for _ in range(len(item["history"]) - len(before.get(item["id"], {"history": []})["history"]))
            ]
            assert delivered(client) == len(expected)
            assert any(expected.count(name) > 1 or name in before for name in expected)
            assert any(name not in before for name in expected)
            client.move_clock(EARLY)
            assert counts(client)["waiting"] == 0
            details = {name: client.ok(f"/fiscalDocuments/{name}") for name in before}
        assert sorted(receiver.ids) == sorted(expected)
        for request in receiver.received:
            assert request.path == "/hook"
            assert request.headers["content-type"] == "application/json"
            assert not {"servicetoken", "authorization", "cookie", "platform"} & set(request.headers)
            assert {name: request.body[name] for name in ("type", "event")} == {
                "type": "FISCAL_DOCUMENTS",
                "event": "UPDATE",
            }
            content = request.body["content"]
            assert set(content) == {"id", "oi", "metadata"}
            assert content["oi"].isdigit()
            record = details.get(content["id"])
            if record is not None:
                metadata = {name: record["metadata"][name] for name in ("documentTypeValue", "marketplace", "type")}
                assert content["metadata"] == metadata


def test_a_cancellation_by_hand_is_a_change() -> None:
    with receiving() as receiver, sandbox(documents=60, callback=receiver.address) as client:
        sale = next(
            item
            for item in client.all("/fiscalDocuments", documentTypeValue="sale")
            if [event["status"] for event in item["history"]] == ["AUTHORIZED"]
        )
        assert client.cancel(sale["documentKey"]).status_code == 200
        assert client.cancel(sale["documentKey"]).status_code == 422
        assert client.cancel("3" * 44).status_code == 404
        assert delivered(client) == 1
        assert receiver.ids == [sale["id"]]


def test_each_environment_has_callbacks_of_its_own() -> None:
    with receiving() as receiver, sandbox(documents=60, clock=EARLY) as client:
        body = {"url": receiver.address, "topics": TOPICS, "environment": "production"}
        answer = configure(client, body)
        assert answer.status_code == 200
        assert answer.json() == {
            "url": receiver.address,
            "topics": TOPICS,
            "delivered": 0,
            "retried": 0,
            "given_up": 0,
            "waiting": 0,
        }
        client.move_clock(LATER)
        assert eventually(lambda: counts(client, "production")["waiting"] == 0)
        production = Client(client.hub, production=True)
        with production.http:
            assert receiver.ids
            assert all(production.get(f"/fiscalDocuments/{name}").status_code == 200 for name in receiver.ids)
        assert counts(client) == {"url": None, "topics": []}


def test_turned_off_or_without_the_topic_nothing_is_sent() -> None:
    with receiving() as receiver, sandbox(documents=60, clock=EARLY, callback=receiver.address) as client:
        assert configure(client, {"url": receiver.address, "topics": []}).status_code == 200
        client.move_clock(LATER)
        assert configure(client, {"url": None, "topics": TOPICS}).status_code == 200
        client.move_clock("2026-04-01T00:00:00-03:00")
        assert counts(client) == {"url": None, "topics": []}
    assert receiver.received == []


def test_the_address_is_kept_over_a_restart(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with receiving() as receiver:
        with sandbox(documents=60, clock=EARLY, state_file=state) as client:
            configure(client, {"url": receiver.address, "topics": TOPICS})
        with sandbox(documents=60, state_file=state) as client:
            assert counts(client)["url"] == receiver.address
            client.move_clock(LATER)
            assert delivered(client) > 0


def test_a_leap_of_a_year_does_not_outgrow_the_queue(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sandbox_hub.callbacks.sender.LONGEST_QUEUE", 20)
    with receiving() as receiver:
        with sandbox(documents=300, clock="2025-11-01T00:00:00-03:00", callback=receiver.address) as client:
            client.move_clock("2026-11-01T00:00:00-03:00")
            taken = delivered(client)
            given_up = counts(client)["given_up"]
        assert 20 <= taken == len(receiver.received) < 60
        assert taken + given_up >= 300


@pytest.mark.parametrize(
    "body",
    [
        {"url": "http://192.0.2.1/", "topics": TOPICS},
        {"url": "https://127.0.0.1/", "topics": TOPICS},
        {"url": "http://127.0.0.1.attacker.example/", "topics": TOPICS},
        {"url": "http://user:word@127.0.0.1/", "topics": TOPICS},
        {"url": "http://127.0.0.1:99999/", "topics": TOPICS},
        {"url": "http://[::1", "topics": TOPICS},
        {"url": "", "topics": TOPICS},
        {"url": 5, "topics": TOPICS},
        {"url": "http://127.0.0.1/", "topics": ["ORDERS"]},
        {"url": "http://127.0.0.1/", "topics": [5]},
        {"url": "http://127.0.0.1/", "topics": "FISCAL_DOCUMENTS"},
        {"url": "http://127.0.0.1/", "topics": TOPICS, "environment": "x"},
    ],
)
def test_the_panel_refuses_what_is_not_of_this_machine_or_unknown(client: Client, body: object) -> None:
    assert error_of(configure(client, body))["code"] == "UNPROCESSABLE_ENTITY"
    assert counts(client) == {"url": None, "topics": []}


def test_the_sandbox_does_not_start_with_a_callback_to_another_machine() -> None:
    with pytest.raises(SandboxError, match=r"192\.0\.2\.1"), running(SandboxOptions(callback="http://192.0.2.1/")):
        pass


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000/a", "http://[::1]:8000", "http://localhost/a?b=c"])
def test_addresses_of_this_machine(url: str) -> None:
    callbacks.check_loopback(url)
    CallbackSender(url).close()
