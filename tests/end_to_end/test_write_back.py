"""From a sync to the invoice at the hub: orders that say nothing of their invoice get the one that the archive has."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.context import EMBEDDED, Workspace
from confere.archive.accounts import audit
from confere.archive.orders import orders
from confere.archive.orders.orders import OrderRow
from confere.archive.store import Archive
from confere.cli.main import run
from confere.system import messages
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.end_to_end.confere import Done
from tests.end_to_end.test_changes import move_clock
from tests.loopback import LOOPBACK


def listed(hub: RunningHub, status: str) -> list[dict[str, Any]]:
    """Orders of this status that name no access key."""
    headers = {"serviceToken": hub.token, "platform": "erp"}
    query = {"status": status, "limit": "100", "sort": "-createdAt"}
    page = httpx.get(f"{hub.address}/orders", params=query, headers=headers, **LOOPBACK).json()
    return [order for order in page["content"] if "accessKey" not in order.get("invoice", {})]


def at_hub(hub: RunningHub, order_id: str) -> dict[str, Any]:
    headers = {"serviceToken": hub.token, "platform": "erp"}
    found: dict[str, Any] = httpx.get(f"{hub.address}/orders/{order_id}", headers=headers, **LOOPBACK).json()
    return found


def go_to_a_day_with_gaps(hub: RunningHub) -> None:
    """To the first noon on which at least three invoiced orders say no key."""
    for day in range(8, 31):
        move_clock(hub, f"2025-11-{day:02d}T12:00:00-03:00")
        if len(listed(hub, "INVOICED")) > 2:
            return
    raise AssertionError("no such day")


def here(home: Path, order_id: str) -> OrderRow:
    with Archive.to_read(home / "archive.sqlite3") as archive, archive.reading() as transaction:
        found = orders.one(transaction, 1, order_id)
    assert found is not None
    return found


def trail(home: Path) -> list[tuple[str, str, str | None]]:
    with Archive.to_read(home / "archive.sqlite3") as archive, archive.reading() as transaction:
        lines = audit.lines(transaction)
    return [(line.action, line.subject, line.detail) for line in lines[::-1] if line.action.startswith("order ")]


Line = Callable[..., Done]


@pytest.fixture
def line(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Line:
    """Run a command line with `--json` on a data folder; in this process, since it takes many of them."""
    monkeypatch.setenv("CONFERE_LANGUAGE", "en")
    monkeypatch.setattr(messages._Choice, "code", messages._Choice.code)  # what a command chooses is put back

    def line(*arguments: str) -> Done:
        capsys.readouterr()
        code = run(["--home", str(tmp_path), *arguments, "--json"])
        said = capsys.readouterr()
        return Done(code, json.loads(said.out), said.err)

    return line


def test_the_order_gets_its_invoice_and_a_refusal_is_the_hubs_own(tmp_path: Path, line: Line) -> None:
    with running(SandboxOptions(documents=1_500, seed=23, forget=True)) as hub:
        go_to_a_day_with_gaps(hub)
        accounts.add(Workspace.at(tmp_path), NewAccount("hub", hub.address, "test", EMBEDDED), hub.token)
        assert line("sync", "--type", "sale").code == 0
        assert line("sync", "--only-orders").code == 0
        assert line("reconcile", "--account", "hub", "--all").code == 0
        waiting = {str(order["id"]) for order in listed(hub, "INVOICED")}

        shown = line("orders", "invoice", "--preview").json
        assert {request["order"] for request in shown["requests"]} <= waiting
        request = shown["requests"][0]
        assert trail(tmp_path) == []
        sent = line("orders", "invoice", request["order"], "--yes")
        assert (sent.code, [entry["outcome"] for entry in sent.json["results"]]) == (0, ["written"])
        assert at_hub(hub, request["order"])["invoice"] == json.loads(request["body"])["invoice"]
        assert here(tmp_path, request["order"]).invoice_key == request["key"]
        subject = f"hub {request['order']}"
        assert trail(tmp_path) == [
            ("order invoice", subject, f"PUT {request['path']} {request['body']}"),
            ("order invoice written", subject, request["key"]),
        ]

        names = [str(found["id"]) for found in listed(hub, "CONCLUDED")]
        over = line("orders", "invoice", *names, "--preview").json["requests"]
        assert over
        order_id = over[0]["order"]
        before = here(tmp_path, order_id), at_hub(hub, order_id)
        refused = line("orders", "invoice", order_id, "--yes")
        assert refused.code == 1
        (result,) = refused.json["results"]
        assert result["outcome"] == "refused"
        assert "O pedido está em CONCLUDED e não pode passar para INVOICED." in result["hub_words"]
        assert (here(tmp_path, order_id), at_hub(hub, order_id)) == before
        assert trail(tmp_path)[-1] == ("order invoice refused", f"hub {order_id}", result["hub_words"])
