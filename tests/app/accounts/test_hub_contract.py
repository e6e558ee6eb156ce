"""The contract of a hub: followed where nothing was learnt, kept for a day, and shown where the hub does otherwise."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path

import pytest

from confere.app.accounts import accounts, hub_contract, hub_traits, sync
from confere.app.accounts.accounts import NewAccount
from confere.app.context import SANDBOX, Workspace
from confere.app.maintenance import doctor
from confere.archive.accounts.accounts import Account
from confere.system.messages import render, set_language
from sandbox_hub.options import ContractKind, SandboxOptions
from sandbox_hub.server import RunningHub, running


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    set_language("en")
    return Workspace.at(tmp_path / "home")


def added(workspace: Workspace, hub: RunningHub, tmp_path: Path) -> Account:
    """The account `loja` at the hub."""
    token = tmp_path / "token.txt"
    token.touch(0o600)
    token.write_text(hub.token, encoding="utf-8")
    new = NewAccount("loja", hub.address, "tests", SANDBOX, token_file=token)
    return accounts.add(workspace, new, hub.token).account


def options(*shape: str, contract: ContractKind = "own", orders: bool = True) -> SandboxOptions:
    return SandboxOptions(documents=130, seed=5, shape=shape, contract=contract, orders=orders)


@pytest.mark.parametrize(
    "shape", [("page-renamed", "pages-only"), ("page-base-1", "bare-list"), ("dates-milliseconds",), ()]
)
def test_a_sync_follows_the_contract_from_its_first_request_on(
    workspace: Workspace, tmp_path: Path, shape: tuple[str, ...]
) -> None:
    with running(options(*shape)) as hub:
        added(workspace, hub, tmp_path)
        result = sync.sync_accounts(workspace, ("loja",))
    assert (result.failed, result.not_understood, result.failures) == (0, 0, [])
    assert result.conservation.archived == result.conservation.listed == 130
    assert not [row for row in hub_traits.contract_beside(workspace, "loja").drift if row.differs]


def test_a_hub_that_does_otherwise_than_its_contract_is_learnt_and_named(workspace: Workspace, tmp_path: Path) -> None:
    with running(options("dates-date-only", "page-base-1", contract="plain", orders=False)) as hub:
        added(workspace, hub, tmp_path)
        first, second = (sync.sync_accounts(workspace, ("loja",)) for _ in range(2))
    assert (first.failed, second.failed, first.conservation.archived) == (0, 0, 130)
    differing = {
        (row.list, row.trait): row for row in hub_traits.contract_beside(workspace, "loja").drift if row.differs
    }
    dates = differing["documents", "dates"]
    assert (dates.declared, dates.seen, dates.used) == ("offset", "date", "date")
    place = differing["documents", "place"]
    assert (place.declared, place.used) == ("offset", "page")
    checks = [check.what for check in doctor.examine(workspace).findings if check.topic == "contract"]
    assert (
        "loja: the hub's contract says form of dates = with offset for its list of documents; its answers show the date"
        " alone, and that is used."
    ) in map(render, checks)
    set_language("pt_BR")
    line = next(line for line in map(render, checks) if "formato das datas" in line and "documentos" in line)
    assert "offset" not in line


def test_an_operation_that_the_contract_lacks_is_named_and_done_without(workspace: Workspace, tmp_path: Path) -> None:
    with running(options(orders=False)) as hub:
        added(workspace, hub, tmp_path)
        result = sync.sync_accounts(workspace, ("loja",))
    assert result.failed == 0
    assert result.orders is not None
    assert result.orders.has_list is False
    assert result.orders.new > 0
    said = [render(check.what) for check in doctor.examine(workspace).findings if check.topic == "contract"]
    assert said == ["loja: the hub's contract has no list of orders; each is asked for in another way, or not at all."]


def test_a_hub_without_a_contract_is_synced_all_the_same(workspace: Workspace, tmp_path: Path) -> None:
    with running(options("page-renamed", contract="none")) as hub:
        added(workspace, hub, tmp_path)
        assert sync.sync_accounts(workspace, ("loja",)).conservation.archived == 130
    view = hub_traits.contract_beside(workspace, "loja")
    assert (view.operations, view.drift, view.missing_lists) == (0, (), ())


def test_a_contract_is_asked_for_once_a_day_and_outlives_a_hub_that_is_away(
    workspace: Workspace, tmp_path: Path
) -> None:
    with running(options()) as hub:
        account = added(workspace, hub, tmp_path)
        first = hub_contract.of_account(workspace.home, account)
        assert first.contract is not None
        assert hub_contract.of_account(workspace.home, account) == first
        again = hub_contract.of_account(workspace.home, account, refresh=True)
        assert again.fetched_at > first.fetched_at
    file = workspace.home.contracts / f"{account.id}.en.json"
    kept = json.loads(file.read_text("utf-8"))
    old = time.time() - 90_000
    file.write_text(json.dumps(kept | {"fetched_at": old, "asked_at": old}), encoding="utf-8")
    away = hub_contract.of_account(workspace.home, account)
    assert (away.contract, away.fetched_at) == (first.contract, old)  # what is kept is as old as it is
    asked = json.loads(file.read_text("utf-8"))["asked_at"]
    assert asked > old
    assert hub_contract.of_account(workspace.home, account) == away  # it is not asked at every turn
    file.write_text(json.dumps(kept | {"fetched_at": old, "asked_at": time.time() - 3_700}), encoding="utf-8")
    assert hub_contract.of_account(workspace.home, account) == away
    assert json.loads(file.read_text("utf-8"))["asked_at"] >= asked  # but within the hour


@pytest.mark.parametrize(
    "damage",
    [{"contract": 3}, {"contract": None}, {"contract": "{}"}, {"fetched_at": 9e99}, {"fetched_at": float("nan")},
     {"asked_at": float("inf")}, {"asked_at": -1}, {"fetched_at": "x"}, {"fetched_at": [1]}, {"hub": "https://x:443"},
     "", "{", "[]", "[" * 100_000, "\x00" * 9],
)  # fmt: skip
def test_what_is_kept_damaged_or_of_another_hub_is_fetched_again(
    workspace: Workspace, tmp_path: Path, damage: dict[str, object] | str
) -> None:
    with running(options()) as hub:
        account = added(workspace, hub, tmp_path)
        first = hub_contract.of_account(workspace.home, account)
        file = workspace.home.contracts / f"{account.id}.en.json"
        kept = json.loads(file.read_text("utf-8"))
        file.write_text(damage if isinstance(damage, str) else json.dumps(kept | damage), encoding="utf-8")
        assert hub_contract.kept(workspace.home, account).contract is None
        assert hub_traits.contract_beside(workspace, "loja").operations == 0
        assert hub_contract.of_account(workspace.home, account).contract == first.contract
        assert json.loads(file.read_text("utf-8"))["hub"] == kept["hub"]


def test_a_contract_is_asked_for_again_after_the_clock_went_back(workspace: Workspace, tmp_path: Path) -> None:
    with running(options()) as hub:
        account = added(workspace, hub, tmp_path)
        hub_contract.of_account(workspace.home, account)
        file = workspace.home.contracts / f"{account.id}.en.json"
        kept, ahead = json.loads(file.read_text("utf-8")), time.time() + 9_000
        file.write_text(json.dumps(kept | {"fetched_at": ahead, "asked_at": ahead}), encoding="utf-8")
        assert hub_contract.of_account(workspace.home, account).fetched_at < ahead


def test_a_contract_that_the_hub_withdraws_counts_no_more(workspace: Workspace, tmp_path: Path) -> None:
    with running(options()) as hub:
        account = added(workspace, hub, tmp_path)
        hub_contract.of_account(workspace.home, account)
    with running(options(contract="none")) as hub:
        again = hub_contract.of_account(workspace.home, account, address=hub.address, refresh=True)
    assert again.contract is None
    assert hub_contract.kept(workspace.home, account) == again  # and when it was asked is known
    assert hub_traits.contract_beside(workspace, "loja").asked_at is not None


def test_the_contract_of_the_hub_that_an_account_left_is_not_used(workspace: Workspace, tmp_path: Path) -> None:
    with running(options()) as hub:
        account = added(workspace, hub, tmp_path)
        hub_contract.of_account(workspace.home, account)
    elsewhere = replace(account, address="https://hub.example/v2")
    assert hub_contract.kept(workspace.home, elsewhere).contract is None
