"""Feed safety over HTTP: reading takes nothing away, marking only what is kept, a kill between them loses nothing."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from confere.app.accounts import accounts
from confere.app.accounts.accounts import AccountChange, NewAccount
from confere.app.accounts.sync import OrdersResult, SyncRequest, sync_accounts
from confere.app.context import EMBEDDED, Workspace
from confere.archive.orders import order_search
from confere.archive.orders.order_search import OrderQuery
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.end_to_end.confere import ENVIRONMENT

DOCUMENTS = 400
SEED = 41
# The program as it is, but for the moment of its death: the Nth marking kills the process, before or after it is sent.
_DYING = """
import os, signal, sys
from confere.hub.feeds import feed
name = sys.argv.pop(1)
real, left = getattr(feed, name), [int(sys.argv.pop(1))]
after = sys.argv.pop(1) == "after"
def mark(*given, **named):
    left[0] -= 1
    if after:
        real(*given, **named)
    if not left[0]:
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))
    if not after:
        real(*given, **named)
setattr(feed, name, mark)
from confere.cli.main import run
sys.exit(run(sys.argv[1:]))
"""


def ask(hub: RunningHub, method: str, path: str, body: object = None) -> Any:
    """What somebody else's ERP gets by the same token."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{hub.address}{path}", data, method=method)
    for name, value in (("serviceToken", hub.token), ("platform", "erp"), ("Content-Type", "application/json")):
        request.add_header(name, value)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def feed(hub: RunningHub) -> dict[str, str]:
    """Every unread item: at most a hundred, the oldest first."""
    return {str(item["id"]): item["token"] for item in ask(hub, "GET", "/orders/feeds?limit=100")}


def held(workspace: Workspace) -> dict[str, str | None]:
    with workspace.reading() as archive, archive.reading() as transaction:
        return {row.hub_id: row.status for row in order_search.page(transaction, OrderQuery(), -1)}


def orders(workspace: Workspace, **options: bool) -> OrdersResult:
    """Sync the orders alone."""
    found = sync_accounts(workspace, request=SyncRequest(documents=False, **options)).orders
    assert found is not None
    assert found.failed == 0
    return found


def opened(home: Path, hub: RunningHub) -> Workspace:
    workspace = Workspace.at(home)
    accounts.add(workspace, NewAccount("hub", hub.address, "test", EMBEDDED), hub.token)
    return workspace


def die(home: Path, marking: str, calls: int, moment: str) -> None:
    """Sync the orders in a process that is killed at the marking of this number, `before` or `after` it is sent."""
    line = [
        sys.executable,
        "-c",
        _DYING,
        marking,
        str(calls),
        moment,
        "--home",
        str(home),
        "sync",
        "--only-orders",
        "--json",
    ]
    died = subprocess.run(
        line, stdin=subprocess.DEVNULL, capture_output=True, env=ENVIRONMENT, timeout=120, check=False
    )
    assert died.returncode not in (0, 1, 2, 3), died.stderr


def test_any_number_of_syncs_leaves_the_feed_as_it_was(tmp_path: Path) -> None:
    with running(SandboxOptions(documents=DOCUMENTS, seed=SEED)) as hub:
        workspace = opened(tmp_path, hub)
        before = feed(hub)
        assert len(before) > 5
        for options in ({}, {"full": True}, {"only_failed": True}, {}):
            assert orders(workspace, **options).marked == 0
        assert feed(hub) == before
        assert set(before) <= set(held(workspace))


@pytest.mark.exhaustive
def test_killed_between_keeping_and_marking_together_nothing_is_lost(tmp_path: Path) -> None:
    with running(SandboxOptions(documents=DOCUMENTS, seed=SEED)) as hub:
        workspace = opened(tmp_path, hub)
        accounts.change(workspace, "hub", AccountChange(mark_feed=True))
        before = feed(hub)
        die(tmp_path, "mark_together", 1, "before")
        assert feed(hub) == before
        kept = held(workspace)
        assert set(before) <= set(kept)
        # One that was kept, and not marked, changes before the next run: its old token marks nothing of that.
        moved = next(name for name in before if kept[name] not in ("CONCLUDED", "CANCELED"))
        ask(hub, "PUT", f"/orders/{moved}", {"order_id": moved, "status": "CANCELED"})
        die(tmp_path, "mark_together", 1, "after")
        assert feed(hub) == {}
        assert held(workspace)[moved] == "CANCELED"
        assert orders(workspace).marked == 0


def test_killed_between_keeping_and_marking_nothing_is_lost(tmp_path: Path) -> None:
    with running(SandboxOptions(documents=DOCUMENTS, seed=SEED, contract="none")) as hub:  # so it marks one by one
        workspace = opened(tmp_path, hub)
        assert accounts.change(workspace, "hub", AccountChange(mark_feed=True)).preferences.mark_feed
        before = feed(hub)
        die(tmp_path, "mark", 1, "before")
        kept = held(workspace)
        assert (feed(hub), set(before) <= set(kept)) == (before, True)
        alive = [at for at, name in enumerate(before) if kept[name] not in ("CONCLUDED", "CANCELED")]
        assert len(alive) > 1
        die(tmp_path, "mark", alive[0] + 1, "after")
        assert len(feed(hub)) == len(before) - alive[0] - 1
        # One that was marked, and one that was kept but not marked, change before the next run.
        moved = [list(before)[at] for at in alive[:2]]
        for name in moved:
            ask(hub, "PUT", f"/orders/{name}", {"order_id": name, "status": "CANCELED"})
        left = feed(hub)
        assert set(moved) <= set(left)
        assert left[moved[1]] != before[moved[1]]
        assert orders(workspace).marked == len(left)
        assert feed(hub) == {}
        assert {held(workspace)[name] for name in moved} == {"CANCELED"}
        assert set(before) <= set(held(workspace))
        assert orders(workspace).marked == 0
