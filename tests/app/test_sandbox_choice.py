"""What a sandbox lacks: said on its command line, seen at the hub, and remembered by a demonstration's account."""

from __future__ import annotations

from pathlib import Path

import httpx

from confere.app import embedded, sandbox
from confere.app.sandbox import SandboxChoice
from confere.app.workspace import EMBEDDED, Workspace
from confere.archive import accounts
from tests.loopback import LOOPBACK


def test_a_hub_without_lists_of_orders_and_returns(tmp_path: Path) -> None:
    choice = SandboxChoice(documents=10, seed=3, orders=False, returns=False)
    with sandbox.running(choice) as hub:
        headers = {"serviceToken": hub.token, "platform": "erp"}
        answers = {
            path: httpx.get(f"{hub.address}{path}", headers=headers, **LOOPBACK).status_code
            for path in ("/orders", "/returns", "/fiscalDocuments", "/orders/feeds")
        }
    assert answers == {"/orders": 404, "/returns": 404, "/fiscalDocuments": 200, "/orders/feeds": 200}
    with Workspace.at(tmp_path).writing("test") as archive:
        with archive.writing() as transaction:
            made = accounts.add(transaction, name="demo", environment=EMBEDDED, address=hub.address, platform="p")
            accounts.learn(transaction, made.id, embedded.facts_of(hub))
        again = embedded.own_world(archive, SandboxChoice(documents=10, seed=3))
        other = embedded.own_world(archive, SandboxChoice(documents=10, seed=4))
    assert (again.orders, again.returns) == (False, False)
    assert (other.orders, other.returns) == (True, True)
