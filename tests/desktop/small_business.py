"""Services on the archive of a small business that was reconciled: five notes, four orders, findings made by hand."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from confere.app.context import Workspace
from confere.archive.accounts import accounts, runs
from confere.archive.accounts.accounts import Account
from confere.archive.reconciliation import findings
from confere.archive.store import Archive
from confere.sales.findings import Severity
from tests.app import business
from tests.app.business import a_finding
from tests.archive.papers import key
from tests.desktop.conftest import Made

FOUND = (
    *business.FOUND,
    a_finding("R14", keys=(key(2),), severity=Severity.MEDIUM, amount=None),
    a_finding("R6", keys=(key(1),), severity=Severity.LOW, amount=90_000),
)


def owner_of(archive: Archive) -> Account:
    with archive.reading() as transaction:
        return accounts.named(transaction, business.ACCOUNT)


def reconciled(folder: Path, found: tuple[findings.Finding, ...] = FOUND) -> None:
    """A run of every month that finds this."""
    with Workspace.at(folder).writing("test") as archive:
        business.run(archive, owner_of(archive), found=found)


def came(folder: Path) -> None:
    """A sync that brought a document."""
    with Workspace.at(folder).writing("test") as archive:
        owner = owner_of(archive)
        with archive.writing() as transaction:
            runs.finish(transaction, runs.start(transaction, "sync", owner.id, {}), "done", {"downloaded": 1})


@pytest.fixture(scope="module")
def _bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return business.workspace_at(tmp_path_factory.mktemp("business"), reconciled=False).home.root


@pytest.fixture
def bare_home(_bare: Path, tmp_path: Path) -> Path:
    """Before its first run."""
    return Path(shutil.copytree(_bare, tmp_path / "home"))


@pytest.fixture
def business_home(bare_home: Path) -> Path:
    """After it."""
    reconciled(bare_home)
    return bare_home


@pytest.fixture
def made_business(qapp: QApplication, business_home: Path) -> Iterator[Made]:
    made = Made(qapp, business_home)
    made.services.scope.choose(None, "1999-01")  # chosen once, no newest month is guessed any more
    made.services.scope.choose(None, None)
    yield made
    made.close()
