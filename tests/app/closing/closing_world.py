"""A small world with planted gaps, synced, verified and reconciled once; tests change copies of it with SQL."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.accounts.sync import sync_accounts
from confere.app.archive_session import OpenArchive
from confere.app.authenticity.verify import verify
from confere.app.catalog import catalog
from confere.app.context import EMBEDDED, Workspace
from confere.app.reconciliation.reconcile import reconcile
from confere.archive.accounts import preferences
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.desktop.once import made_once

COMPANY, OTHER = "12324979000132", "N3AL4IAV000148"
ACCOUNT = "loja"
GAP_MONTH = "2026-01"
WORLD = SandboxOptions(documents=160, seed=5, forget=True, anomalies="R12=0.3,R19=0.05")


@dataclass(frozen=True)
class ClosingWorld:
    """`home` has the archive; `truth` is what the sandbox says of it."""

    home: Path
    truth: dict[str, Any]

    @property
    def months(self) -> list[str]:
        return list(self.truth["months"])

    def planted(self, rule: str, month: str) -> set[str]:
        """Subjects of gaps, keys of anything else."""
        of_month = [entry for entry in self.truth["anomalies"] if (entry["rule"], entry["period"]) == (rule, month)]
        return {entry["subject"] for entry in of_month} if rule == "R12" else {
            key for entry in of_month for key in entry["keys"]
        }  # fmt: skip

    def changed(self, folder: Path, *statements: str) -> Path:
        """A data folder of one's own, where these SQL statements were run in the archive."""
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(self.home / "archive.sqlite3", folder / "archive.sqlite3")
        with closing(sqlite3.connect(folder / "archive.sqlite3")) as archive, archive:
            for statement in statements:
                assert archive.execute(statement).rowcount != 0, statement
        return folder


def made(tmp_path_factory: pytest.TempPathFactory) -> ClosingWorld:
    """The world; made once for all workers."""
    folder = made_once(tmp_path_factory, "closing-world", _make)
    return ClosingWorld(folder / "home", json.loads((folder / "truth.json").read_text(encoding="utf-8")))


def opened(home: Path) -> OpenArchive:
    return OpenArchive(Workspace.at(home))


def _make(folder: Path) -> None:
    workspace = Workspace.at(folder / "home")
    truth = folder / "truth.json"
    with running(replace(WORLD, truth_file=truth)) as hub:
        accounts.add(workspace, NewAccount(ACCOUNT, hub.address, "test", EMBEDDED, (COMPANY, OTHER)), hub.token)
        sync_accounts(workspace)
        catalog.sync(workspace)
    series = tuple(json.loads(truth.read_text(encoding="utf-8"))["visible_series"])
    with workspace.writing("test") as archive, archive.writing() as transaction:
        number = int(transaction.scalar("SELECT id FROM account"))
        wanted = preferences.get(transaction, number)
        preferences.set(transaction, number, replace(wanted, terms=replace(wanted.terms, visible_series=series)))
    verify(workspace)
    reconcile(workspace)
