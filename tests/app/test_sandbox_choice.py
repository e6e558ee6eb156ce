"""What a sandbox lacks and how it is shaped: said on its command line, seen there, remembered by a demo's account."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from confere.app.context import EMBEDDED, Workspace
from confere.app.sandbox import sandbox, sandbox_accounts
from confere.app.sandbox.sandbox import SandboxChoice
from confere.archive.accounts import accounts
from confere.errors import UsageFault
from tests.callback_receiver import receiving
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
            accounts.learn(transaction, made.id, sandbox_accounts.facts_of(hub))
        again = sandbox_accounts.own_world(archive, SandboxChoice(documents=10, seed=3))
        other = sandbox_accounts.own_world(archive, SandboxChoice(documents=10, seed=4))
    assert (again.orders, again.returns) == (False, False)
    assert (other.orders, other.returns) == (True, True)


def test_shapes_and_strict_bodies_are_remembered(tmp_path: Path) -> None:
    choice = SandboxChoice(documents=10, seed=3, shape="pages-only,full-list", strict_bodies=True)
    with sandbox.running(choice) as hub:
        headers = {"serviceToken": hub.token, "platform": "erp"}
        page = httpx.get(f"{hub.address}/fiscalDocuments", headers=headers, **LOOPBACK).json()
        marked = httpx.put(f"{hub.address}/orders/feeds/batch", headers=headers, **LOOPBACK)
    assert set(page) == {"content", "page"}
    assert page["content"][0]["documents"]
    assert marked.status_code == 400
    assert (hub.choice.shape, hub.choice.strict_bodies) == ("full-list,pages-only", True)
    with Workspace.at(tmp_path).writing("test") as archive:
        with archive.writing() as transaction:
            made = accounts.add(transaction, name="demo", environment=EMBEDDED, address=hub.address, platform="p")
            accounts.learn(transaction, made.id, sandbox_accounts.facts_of(hub))
            older = accounts.add(
                transaction, name="demo-4-10", environment=EMBEDDED, address="http://127.0.0.1:1/v2", platform="p"
            )
        again = sandbox_accounts.own_world(archive, SandboxChoice(documents=10, seed=3, shape="gone"))
        former = sandbox_accounts.own_world(archive, SandboxChoice(documents=10, seed=4, shape="gone"))
    assert (again.shape, again.strict_bodies) == (hub.choice.shape, True)
    assert older.facts == {}
    assert (former.shape, former.strict_bodies) == ("", False)


@pytest.mark.parametrize(
    ("shape", "why"), [("full-list,no-ids", "exclude each other"), ("round-pages", "no shape round-pages")]
)
def test_shapes_that_make_no_sense_are_refused_in_one_sentence(shape: str, why: str) -> None:
    with pytest.raises(UsageFault) as raised, sandbox.running(SandboxChoice(documents=10, shape=shape)):
        pass
    assert why in str(raised.value)


def test_environments_callback_middleware_and_catalog_errors_reach_the_hub(tmp_path: Path) -> None:
    with receiving() as receiver:
        choice = SandboxChoice(
            documents=30,
            seed=3,
            environment="production",
            callback=receiver.address,
            middleware=True,
            catalog_errors=1.0,
        )
        with sandbox.running(choice) as hub:
            control = {"X-Sandbox-Control": "1"}
            panel = hub.address.removesuffix("/v2") + "/sandbox"
            callbacks = httpx.get(f"{panel}/callbacks", headers=control, **LOOPBACK).json()
            body = {"skuPartnerId": "SKU-0001", "marketplace": "LOJA_VERDE"}
            publication = httpx.post(f"{panel}/publications", headers=control, json=body, **LOOPBACK).json()
            info = httpx.get(f"{panel}/info", headers=control, **LOOPBACK).json()
    assert callbacks["production"]["url"] == receiver.address
    assert callbacks["sandbox"]["url"] is None
    assert publication["hooks"][0]["delivered"] is True
    assert (info["environments"], info["catalog_errors"]) == (["production"], 1.0)
    assert hub.choice.catalog_errors == 1.0
    with Workspace.at(tmp_path).writing("test") as archive:
        with archive.writing() as transaction:
            made = accounts.add(transaction, name="demo", environment=EMBEDDED, address=hub.address, platform="p")
            accounts.learn(transaction, made.id, sandbox_accounts.facts_of(hub))
        again = sandbox_accounts.own_world(archive, SandboxChoice(documents=hub.choice.documents, seed=3))
    assert again.catalog_errors == 1.0
