"""Calls by the contract that go wrong: what was sent and is not known, what a hub answers in bad faith."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from confere.app.accounts import accounts, hub_calls
from confere.app.accounts.accounts import AccountChange, NewAccount
from confere.app.accounts.hub_calls import CallOutcome, CallResult
from confere.app.context import SANDBOX, Workspace
from confere.archive.accounts import audit
from confere.errors import UsageFault
from confere.system.processes.cancellation import Stop
from tests.hub.contract.test_contract import document
from tests.intake.served import Answer, serving
from tests.intake.small_hub import SmallHub

TOKEN = "token-of-a-test-1234"
_ID = {"name": "id", "in": "path", "schema": {"type": "string"}}
_DRY = {"name": "dry", "in": "query", "schema": {"type": "boolean"}}
_BODY = {"content": {"application/json": {"schema": {"type": "object"}}}}
CONTRACT = document(
    {
        "/things": {
            "get": {"operationId": "list"},
            "post": {"operationId": "make", "requestBody": _BODY, "parameters": [_DRY]},
        },
        "/things/{id}": {"get": {"operationId": "read", "parameters": [_ID]}},
    }
)


@dataclass
class CallHub(SmallHub):
    """A hub of one kind of things; `made` is what it answers to a POST, which may stop the client before."""

    made: Answer = (200, {})
    stop: Stop | None = None

    def answer(self, method: str, path: str, query: dict[str, str], body: bytes) -> Answer:
        if path.startswith("/specs/"):
            return 200, json.loads(CONTRACT)
        self.asked.append(f"{method} {path}")
        if method == "POST" and self.stop is not None:
            self.stop.set()
        return self.made if method == "POST" else (200, {"seen": path})


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[CallHub]:
    monkeypatch.setenv("CONFERE_TOKEN", TOKEN)
    with serving(CallHub()) as hub:
        yield hub


@pytest.fixture
def workspace(hub: CallHub, tmp_path: Path) -> Workspace:
    workspace = Workspace.at(tmp_path / "home")
    accounts.add(workspace, NewAccount("shop", hub.address, "p", SANDBOX), None)
    return workspace


def called(workspace: Workspace, stop: Stop | None = None) -> CallResult:
    prepared = hub_calls.prepare(workspace, "shop", "make", {"dry": "false"}, "{}")
    return hub_calls.send(workspace, prepared, stop=stop)


def audited(workspace: Workspace) -> list[tuple[str, str]]:
    with workspace.reading() as archive, archive.reading() as transaction:
        return [(line.action, line.subject) for line in audit.lines(transaction, 2)]


def test_a_write_that_is_stopped_while_its_answer_is_awaited_is_not_known(workspace: Workspace, hub: CallHub) -> None:
    hub.stop, hub.made = Stop(), (500, {})
    result = called(workspace, hub.stop)
    assert result.outcome is CallOutcome.UNKNOWN
    subject = "shop make POST /things?dry=false"
    assert audited(workspace) == [("hub call unknown", subject), ("hub call sent", subject)]


@pytest.mark.parametrize(
    ("made", "segment"), [("../../secrets", "..%2F..%2Fsecrets"), ("a b\nc?d#e", "a%20b%0Ac%3Fd%23e"), (7, "7")]
)
def test_what_was_made_is_read_back_below_its_path_whatever_its_id(
    workspace: Workspace, hub: CallHub, made: object, segment: str
) -> None:
    hub.made = (200, {"id": made})
    result = called(workspace)
    assert (result.outcome, result.read_back) == (CallOutcome.ANSWERED, {"seen": f"/v2/things/{segment}"})


@pytest.mark.parametrize("made", [{"a": 1}, [1], True, "", "..", None])
def test_an_odd_id_reads_nothing_back(workspace: Workspace, hub: CallHub, made: Any) -> None:
    hub.made = (200, {"id": made})
    result = called(workspace)
    assert (result.outcome, result.read_back) == (CallOutcome.ANSWERED, None)


def test_no_answer_shows_the_token(workspace: Workspace, hub: CallHub) -> None:
    hub.made = (200, {"you sent": f"serviceToken: {TOKEN}"})
    assert TOKEN not in repr(called(workspace))
    hub.made = (200, f"<x>{TOKEN}</x>".encode())
    assert TOKEN not in repr(called(workspace))


def test_a_call_is_not_sent_to_a_hub_that_the_account_got_since(workspace: Workspace, hub: CallHub) -> None:
    prepared = hub_calls.prepare(workspace, "shop", "make", {}, "{}")
    with serving(CallHub()) as other:
        accounts.change(workspace, "shop", AccountChange(address=other.address))
        with pytest.raises(UsageFault, match="has another hub since the preview"):
            hub_calls.send(workspace, prepared)
        assert not [asked for asked in (*hub.asked, *other.asked) if asked.startswith("POST")]
