"""R27 over HTTP: all that the sandbox's catalog states wrongly and that was sold is found, and nothing else is."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.accounts.sync import SyncRequest, sync_accounts
from confere.app.context import EMBEDDED, Workspace
from confere.app.reconciliation.reconcile import reconcile
from confere.archive.accounts import accounts as archived_accounts
from confere.archive.reconciliation import finding_search
from confere.archive.reconciliation.finding_search import FindingFilter
from confere.hub.catalog.catalog_reads import reads_of
from confere.hub.contract.contract import read_contract
from confere.hub.contract.lookup import fetch
from confere.intake.catalog.catalog_sync import sync_catalog
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.breadth import some_of

MISTAKES = {"ncm", "ean", "origin", "unit"}

Told = tuple[str, str]
"""Subject and month of a finding."""


def synced(folder: Path, hub: RunningHub, *, catalog: bool = True) -> Workspace:
    workspace = Workspace.at(folder / "home")
    companies = tuple(company["cnpj"] for company in hub.info["companies"])
    accounts.add(workspace, NewAccount("loja", hub.address, "test", EMBEDDED, companies), hub.token)
    assert sync_accounts(workspace, request=SyncRequest(orders=False)).failed == 0
    if catalog:
        reads = reads_of(read_contract(fetch(hub.address, "en") or ""))
        with workspace.writing("test") as archive:
            with archive.reading() as transaction:
                account = archived_accounts.named(transaction, "loja")
            with workspace.session(archive, account) as session:
                assert sync_catalog(archive, session, account, reads).failed == 0
    return workspace


def found(workspace: Workspace) -> tuple[set[Told], set[Told]]:
    """R27's findings that were checked, and the subjects of those that were not."""
    reconcile(workspace)
    with workspace.reading() as archive, archive.reading() as transaction:
        every = [entry.found for entry in finding_search.page(transaction, 1, FindingFilter(rules=("R27",)), -1)]
    checked = {(entry.subject, entry.period) for entry in every if entry.checked}
    assert len(checked) == sum(entry.checked for entry in every)
    return checked, {(entry.subject, entry.period) for entry in every if not entry.checked}


def expected(truth: Path) -> set[Told]:
    rows: list[dict[str, Any]] = json.loads(truth.read_text("utf-8"))["anomalies"]
    return {(row["subject"], row["period"]) for row in rows if row["rule"] == "R27"}


@pytest.mark.parametrize(
    ("seed", "share", "anomalies"),
    some_of([(11, 0.35, "all"), (3, 0.2, "none"), (23, 0.1, "none"), (5, 1.0, "all")], 1),
)
def test_all_that_is_planted_and_nothing_else(tmp_path: Path, seed: int, share: float, anomalies: str) -> None:
    truth = tmp_path / "truth.json"
    options = SandboxOptions(documents=300, seed=seed, catalog_errors=share, anomalies=anomalies, truth_file=truth)
    with running(options) as hub:
        workspace = synced(tmp_path, hub)
        checked, unchecked = found(workspace)
        wanted = expected(truth)
        assert checked == wanted
        assert not unchecked
        fields = Counter(subject.split("/")[0] for subject, _ in wanted)
        assert set(fields) == MISTAKES
        assert found(workspace) == (checked, unchecked), "and a second run finds the very same"


def test_a_catalog_without_mistakes_finds_nothing(tmp_path: Path) -> None:
    with running(SandboxOptions(documents=150, seed=3, anomalies="all")) as hub:
        assert found(synced(tmp_path, hub)) == (set(), set())


def test_without_a_catalog_nothing_is_checked(tmp_path: Path) -> None:
    with running(SandboxOptions(documents=120, seed=3, catalog_errors=0.5)) as hub:
        checked, unchecked = found(synced(tmp_path, hub, catalog=False))
        assert not checked
        assert unchecked
        assert {subject.partition("/")[2] for subject, _ in unchecked} == {"no_catalog"}
