"""Listening as a use case: what a hub announces is archived as a sync archives it, and nothing else changes a thing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.accounts.sync import sync_accounts
from confere.app.context import EMBEDDED, Workspace
from confere.app.listening import listen as use_case
from confere.app.listening.inbox import Inbox
from confere.app.listening.listen import ListenRequest, listen
from confere.archive.accounts import runs
from confere.errors import ConfereError, EnvironmentFault, HubRefusedToken, NotInArchive, UsageFault
from confere.system.processes.cancellation import Stop
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.app.listening.listening import ACCOUNT, PATH, Listening, listening
from tests.app.listening.test_notification import body
from tests.app.sandboxed import dump
from tests.callback_receiver import eventually
from tests.intake.served import Answer, serving
from tests.intake.small_hub import SmallHub
from tests.loopback import LOOPBACK

CLOCK, LATER = "2026-03-01T00:00:00-03:00", "2026-03-04T00:00:00-03:00"
WORLD = SandboxOptions(documents=300, seed=3, clock=CLOCK)
CONTROL = {"X-Sandbox-Control": "1"}


@pytest.fixture
def hub() -> Iterator[RunningHub]:
    with running(WORLD) as hub:
        yield hub


@pytest.fixture
def workspace(tmp_path: Path, hub: RunningHub) -> Workspace:
    return added(tmp_path / "home", hub)


def added(home: Path, hub: RunningHub) -> Workspace:
    workspace = Workspace.at(home)
    accounts.add(workspace, NewAccount(ACCOUNT, hub.address, "test", EMBEDDED), hub.token)
    return workspace


def panel(hub: RunningHub, path: str, fields: dict[str, Any]) -> Any:
    answer = httpx.post(f"{hub.panel}/{path}", headers=CONTROL, json=fields, **LOOPBACK)
    answer.raise_for_status()
    return answer.json()


def call_back(hub: RunningHub, listener: Listening) -> None:
    """The hub announces to this listener what changes from now on."""
    panel(hub, "callbacks", {"url": listener.address, "topics": ["FISCAL_DOCUMENTS"]})


def ids_of(address: str, token: str) -> list[str]:
    headers = {"serviceToken": token, "platform": "x"}
    answer = httpx.get(f"{address}/fiscalDocuments", params={"limit": 100}, headers=headers, **LOOPBACK)
    return [item["id"] for item in answer.json()["content"]]


def kinds(workspace: Workspace) -> list[str]:
    """Of every run, newest first."""
    with workspace.reading() as archive, archive.reading() as transaction:
        return [run.kind for run in runs.newest(transaction)]


def papers(workspace: Workspace) -> dict[str, set[str]]:
    """Documents with their states, events and the SHA-256 of every file."""
    with workspace.reading() as archive, archive.reading() as transaction:
        fetch = transaction.fetch
        return {
            "documents": {repr(row) for row in fetch("SELECT type, access_key, number, state, total FROM document")},
            "events": {repr(row) for row in fetch("SELECT access_key, code, sequence, registered FROM event")},
            "files": {row[0].hex() for row in fetch("SELECT digest FROM content WHERE family = 0")},
            "open": {repr(row) for row in fetch("SELECT item_id FROM download WHERE state != 'done'")},
        }


def test_what_the_hub_announces_is_archived_as_by_sync(workspace: Workspace, hub: RunningHub, tmp_path: Path) -> None:
    with listening(workspace) as listener:
        call_back(hub, listener)
        panel(hub, "clock", {"now": LATER})
        (note,) = listener.noted("Announced")
        sale = _sale(hub)
        panel(hub, "cancel", {"documentKey": sale})
        listener.noted("Announced", 2)
    assert note.params["failed"] == 0
    assert listener.result is not None
    assert (listener.result.new, listener.result.updated, listener.result.unknown) == (2, 2, 0)
    assert listener.result.downloaded == 4
    assert kinds(workspace)[:2] == ["notification", "notification"]
    plain = added(tmp_path / "plain", hub)
    sync_accounts(plain)
    assert papers(workspace) == papers(plain)
    again = sync_accounts(workspace)
    assert (again.new, again.downloaded, again.failed) == (0, 0, 0)
    assert again.conservation.balances
    assert papers(workspace) == papers(plain)


def _sale(hub: RunningHub) -> str:
    headers = {"serviceToken": hub.token, "platform": "x"}
    query = {"documentTypeValue": "sale", "limit": "100"}
    answer = httpx.get(f"{hub.address}/fiscalDocuments", params=query, headers=headers, **LOOPBACK)
    plain = (item["documentKey"] for item in answer.json()["content"] if len(item["history"]) == 1)
    key: str = next(plain)
    return key


def test_what_the_hub_does_not_know_changes_nothing(
    workspace: Workspace, hub: RunningHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(use_case, "_REFUSED_NOTES", 0.0)
    others = ids_of(hub.production_address, hub.production_token)[:20]
    known = ids_of(hub.address, hub.token)[:5]
    with listening(workspace) as listener:
        before, runs_before = dump(workspace.home.root), kinds(workspace)
        for name in (*known * 3, *others, "fd-99999999-0000", "download", "x" * 128):
            assert listener.announce(name) == 202
        assert httpx.post(listener.address, content=body(type="ORDERS"), **LOOPBACK).status_code == 422
        # Asked for in their order: with the last unknown one, the known ones are done too.
        assert eventually(lambda: sum(_unknown(listener)) == 23)
        assert dump(workspace.home.root) == before
        assert kinds(workspace) == runs_before
    assert listener.result is not None
    assert listener.result.unknown == 23
    assert listener.result.unchanged + listener.result.merged == 15
    assert (listener.result.new, listener.result.updated) == (0, 0)
    assert listener.result.refused["other_type"] == 1


def _unknown(listener: Listening) -> list[int]:
    return [int(str(note.params["unknown"])) for note in listener.notes if "unknown" in note.params]


def test_while_another_process_writes_it_waits_and_then_fetches(workspace: Workspace, hub: RunningHub) -> None:
    with listening(workspace) as listener:
        call_back(hub, listener)
        with workspace.writing("sync"):
            panel(hub, "clock", {"now": LATER})
            assert eventually(lambda: _delivered(hub) > 0)
            # A second sync would be refused just the same: neither may be lost.
            assert not listener.noted("Synced", 1)[1:]
        (note,) = listener.noted("Announced")
        assert note.params["new"] == 2
    assert listener.result is not None
    assert listener.result.failed == 0


def _delivered(hub: RunningHub) -> int:
    answer = httpx.get(f"{hub.panel}/callbacks", headers=CONTROL, **LOOPBACK)
    delivered: int = answer.json()["sandbox"]["delivered"]
    return delivered


def test_it_syncs_again_after_the_minutes_given(workspace: Workspace, hub: RunningHub) -> None:
    with listening(workspace, sync_minutes=0.005) as listener:
        panel(hub, "clock", {"now": LATER})  # and nobody announces it
        assert eventually(lambda: any(note.params.get("new") == 2 for note in listener.notes))
    assert listener.result is not None
    assert listener.result.syncs >= 2
    assert "notification" not in kinds(workspace)


def test_a_sync_that_is_refused_at_the_start_for_the_token_ends_it(tmp_path: Path) -> None:
    with running(WORLD) as hub:
        workspace = Workspace.at(tmp_path / "home")
        accounts.add(workspace, NewAccount(ACCOUNT, hub.address, "test", EMBEDDED), "another-token")
        with pytest.raises(HubRefusedToken):
            listen(workspace, ListenRequest(ACCOUNT, port=0, path=PATH), reporter=Listening(), stop=Stop())


# -- a hub that a test changes -----------------------------------------------------------------------------


class MoodyHub(SmallHub):
    """A hub whose single records are answered with `refusal`, where that is set."""

    refusal: Answer | None = None

    def answer(self, method: str, path: str, query: dict[str, str], body: bytes) -> Answer:
        is_record = path.startswith("/v2/fiscalDocuments/fd-")
        return self.refusal if self.refusal and is_record else super().answer(method, path, query, body)


@pytest.fixture
def moody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[MoodyHub, Workspace]]:
    monkeypatch.setenv("CONFERE_TOKEN", "token-of-a-test")
    workspace = Workspace.at(tmp_path / "moody")
    with serving(MoodyHub()) as small:
        accounts.add(workspace, NewAccount(ACCOUNT, small.address, "p", "sandbox"), None)
        small.add(1, 1)
        yield small, workspace


def appears(hub: MoodyHub, number: int, **detail: Any) -> str:
    """A new document at the hub, with its detail; its id."""
    record = hub.add(number, 99)  # a moment before the hub's now
    hub.details[record["id"]] = {**record, **detail}
    return str(record["id"])


def test_where_the_hub_fails_the_list_brings_what_was_announced(
    moody: tuple[MoodyHub, Workspace], monkeypatch: pytest.MonkeyPatch
) -> None:
    hub, workspace = moody
    monkeypatch.setattr(use_case, "_FAILED", (0.01,))
    with listening(workspace) as listener:
        hub.refusal = (401, {})
        assert listener.announce(appears(hub, 2)) == 202
        assert listener.noted("Synced", 2)[1].params["new"] == 1
        assert any("token" in str(note) for note in listener.notes)
        hub.refusal = None
        listener.announce(appears(hub, 3))
        assert listener.noted("Announced")[0].params["new"] == 1
    assert len(papers(workspace)["documents"]) == 3


def test_what_a_flood_crowds_out_is_looked_for_in_the_list(
    moody: tuple[MoodyHub, Workspace], monkeypatch: pytest.MonkeyPatch
) -> None:
    hub, workspace = moody
    monkeypatch.setattr(use_case, "Inbox", lambda: Inbox(rate=0.0, burst=3))
    monkeypatch.setattr(use_case, "_OVERFLOW", 0.0)
    with listening(workspace) as listener:
        assert [listener.announce(f"fd-9{number}") for number in range(3)] == [202] * 3
        real = appears(hub, 2)
        assert listener.announce(real) == 429
        assert listener.noted("Too much was announced")
        assert listener.noted("Synced", 2)[1].params["new"] == 1
    assert listener.result is not None
    assert (listener.result.new, listener.result.syncs) == (0, 2)  # one sync for the whole flood


def test_a_hub_that_announces_a_great_deal_of_what_it_has_is_followed(
    moody: tuple[MoodyHub, Workspace], monkeypatch: pytest.MonkeyPatch
) -> None:
    hub, workspace = moody
    monkeypatch.setattr(use_case, "Inbox", lambda: Inbox(rate=0.0, burst=1))
    with listening(workspace) as listener:
        for number in range(2, 5):
            name = appears(hub, number)
            assert eventually(lambda name=name: listener.announce(name) == 202)  # type: ignore[misc]
            listener.noted("Announced", number - 1)
    assert listener.result is not None
    assert listener.result.new == 3


def test_a_record_that_the_hub_keeps_from_the_token_is_left(
    moody: tuple[MoodyHub, Workspace], monkeypatch: pytest.MonkeyPatch
) -> None:
    hub, workspace = moody
    monkeypatch.setattr(use_case, "_REFUSED_NOTES", 0.0)
    with listening(workspace) as listener:
        hub.refusal = (403, {})
        listener.announce(appears(hub, 2))
        assert eventually(lambda: sum(_unknown(listener)) == 1)
    assert len(papers(workspace)["documents"]) == 1


def test_a_record_that_calls_itself_otherwise_is_left_to_the_list(moody: tuple[MoodyHub, Workspace]) -> None:
    hub, workspace = moody
    with listening(workspace) as listener:
        listener.announce(appears(hub, 2, id="another"))
        listener.announce(appears(hub, 3))
        assert listener.noted("Announced")[0].params["new"] == 1
    assert len(papers(workspace)["documents"]) == 2
    assert sync_accounts(workspace).new == 1
    with workspace.reading() as archive, archive.reading() as transaction:
        assert sorted(row[0] for row in transaction.fetch("SELECT identity FROM hub_document")) == [
            "id:fd-1",
            "id:fd-2",
            "id:fd-3",
        ]


def test_a_file_that_does_not_come_stays_in_the_queue_for_the_next_sync(moody: tuple[MoodyHub, Workspace]) -> None:
    hub, workspace = moody
    with listening(workspace) as listener:
        name = appears(hub, 2)
        good, hub.files["n2"] = hub.files["n2"], 404
        listener.announce(name)
        assert listener.noted("Announced")[0].params["failed"] == 1
        hub.asked.clear()
        listener.announce(appears(hub, 3))
        assert listener.noted("Announced", 2)[1].params["downloaded"] == 1
        assert not [path for path in hub.asked if path.endswith("/n2")]  # only what was announced is fetched
    hub.files["n2"] = good
    with workspace.reading() as archive, archive.reading() as transaction:
        outcomes = [run.outcome for run in runs.newest(transaction) if run.kind == "notification"]
    assert outcomes == ["done", "partial"]
    assert sync_accounts(workspace).downloaded == 1


# -- what cannot begin -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["", "callbacks", "/a b", "/a?b", "/a#b", "/a%20", "/\u00e7", "/a\n"])
def test_a_path_that_no_request_has_is_refused(workspace: Workspace, path: str) -> None:
    refused(workspace, ListenRequest(ACCOUNT, port=0, path=path), UsageFault)


def test_an_account_that_is_not_there_is_refused(workspace: Workspace) -> None:
    refused(workspace, ListenRequest("nobody", port=0), NotInArchive)


def test_a_demonstration_is_refused(workspace: Workspace, hub: RunningHub) -> None:
    accounts.add(workspace, NewAccount("demo-7-20", hub.address, "test", EMBEDDED), hub.token)
    refused(workspace, ListenRequest("demo-7-20", port=0), UsageFault)


def test_an_address_of_another_machine_is_refused(workspace: Workspace) -> None:
    refused(workspace, ListenRequest(ACCOUNT, host="192.0.2.1", port=0), EnvironmentFault)


def refused(workspace: Workspace, request: ListenRequest, error: type[ConfereError]) -> None:
    with pytest.raises(error):
        listen(workspace, request, reporter=Listening(), stop=Stop())


def test_other_machines_and_a_guessable_path_are_warned_about(workspace: Workspace) -> None:
    listener = Listening()
    listener.stop.set()
    listen(workspace, ListenRequest(ACCOUNT, host="0.0.0.0", port=0), reporter=listener, stop=listener.stop)
    assert [str(note).partition(" ")[0] for note in listener.notes] == ["Listening", "0.0.0.0", "Hubs"]
