"""Sync as a use case: a demo's hub wakes when it is asked, only what is queued is fetched, silence is told."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.accounts.sync import SyncRequest, sync_accounts
from confere.app.context import Workspace
from confere.app.sandbox import demo
from confere.app.sandbox.sandbox import SandboxChoice
from confere.app.sandbox.sandbox_accounts import world_of
from confere.archive.accounts import runs
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.hub_facts import of_feed
from confere.archive.hub import coverage
from confere.errors import HubUnreachable, Message
from confere.hub.retry import liveness
from confere.sales.hub_feeds import HubFeed
from confere.system.progress import Progress
from tests.intake.served import serving
from tests.intake.small_hub import SmallHub


class Notes:
    """A reporter that keeps what was noted."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def progress(self, progress: Progress) -> None:
        """Ignore it."""

    def note(self, note: Message) -> None:
        self.said.append(str(note))


@pytest.fixture
def hub() -> Iterator[SmallHub]:
    with serving(SmallHub()) as small:
        yield small


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workspace:
    monkeypatch.setenv("CONFERE_TOKEN", "token-of-a-test")
    return Workspace.at(tmp_path / "home")


def add(workspace: Workspace, hub: SmallHub) -> Account:
    return accounts.add(workspace, NewAccount("shop", hub.address, "p", "sandbox"), None).account


def test_a_demo_can_be_synced_and_tested_at_any_time(workspace: Workspace) -> None:
    choice = SandboxChoice(documents=60, seed=5, state_file=workspace.home.sandbox_state)
    name = demo.run(workspace, choice).account
    (account,) = accounts.every(workspace)
    assert (account.facts["seed"], account.facts["documents"]) == (5, 60)
    notes = Notes()
    again = sync_accounts(workspace, (name,), SyncRequest(full=True), reporter=notes)
    assert (again.listed, again.new, again.failed) == (60, 0, 0)
    assert notes.said == [f"Starting the sandbox of the account {name}."]
    tested = accounts.test(workspace, name)
    assert (tested.documents, tested.warning) == (60, None)
    (after,) = accounts.every(workspace)
    # Where its hub was for a moment is written nowhere.
    assert facts_beside_feeds(after) == facts_beside_feeds(account)
    assert replace(after, facts={}) == replace(account, facts={})
    assert {of_feed(feed).read_at for feed in HubFeed} <= set(after.facts)


def facts_beside_feeds(account: Account) -> dict[str, object]:
    names = {name for feed in HubFeed for name in of_feed(feed)}
    return {name: value for name, value in account.facts.items() if name not in names}


def test_an_older_demo_tells_its_world_by_its_name(workspace: Workspace) -> None:
    demo.run(workspace, SandboxChoice(documents=40, seed=3))
    with sqlite3.connect(workspace.home.archive) as database:  # as the first version left it
        database.execute("UPDATE account SET facts = ?", (json.dumps({"token": "of-a-hub-that-is-gone"}),))
    database.close()
    assert sync_accounts(workspace, ("demo-3-40",)).failed == 0


@pytest.mark.parametrize(
    ("name", "environment", "facts", "world"),
    [
        ("demo-7-2000", "embedded", {}, (7, 2000)),
        ("mine", "embedded", {"seed": 1, "documents": 5}, (1, 5)),
        ("sandbox-7", "embedded", {}, None),
        ("demo-7-0", "embedded", {}, None),
        ("demo-7-x", "embedded", {"seed": "7"}, None),
        ("demo-7-2000", "production", {"seed": 1, "documents": 5}, None),
    ],
)
def test_whose_hub_is_started(
    name: str, environment: str, facts: dict[str, object], world: tuple[int, int] | None
) -> None:
    assert world_of(Account(1, name, environment, "http://127.0.0.1:9/v2", "p", facts)) == world


def test_a_retry_fetches_the_queue_and_lists_nothing(workspace: Workspace, hub: SmallHub) -> None:
    account = add(workspace, hub)
    for number in (1, 2):
        hub.add(number, number)
    good, hub.files["n2"] = hub.files["n2"], 403
    first = sync_accounts(workspace)
    assert (first.listed, first.downloaded, first.failed) == (2, 1, 1)
    hub.files["n2"] = good
    hub.add(3, 3)
    hub.asked.clear()
    again = sync_accounts(workspace, request=SyncRequest(only_failed=True))
    assert (again.listed, again.downloaded, again.failed) == (0, 1, 0)
    assert [path.rpartition("/")[2] for path in hub.asked] == ["n2"]
    with workspace.reading() as archive, archive.reading() as transaction:
        newest = runs.newest(transaction)[0]
        assert (newest.outcome, newest.parameters["only_failed"]) == ("done", True)
        before = coverage.covered(transaction, account.id, coverage.CREATED)
    assert sync_accounts(workspace, request=SyncRequest(only_failed=True)).requests == 0
    with workspace.reading() as archive, archive.reading() as transaction:
        assert coverage.covered(transaction, account.id, coverage.CREATED) == before
    assert sync_accounts(workspace).new == 1


def test_who_listens_hears_that_the_hub_is_gone(
    workspace: Workspace, hub: SmallHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(liveness, "_SECONDS", 0.1)
    monkeypatch.setattr(liveness, "_LOOK_SECONDS", 0.02)
    accounts.add(workspace, NewAccount("gone", "http://127.0.0.1:9/v2", "p", "sandbox"), None)
    notes = Notes()
    with pytest.raises(HubUnreachable):
        sync_accounts(workspace, reporter=notes)
    assert notes.said == ["The hub does not answer; still trying…"]
