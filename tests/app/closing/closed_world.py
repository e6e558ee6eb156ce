"""A world whose October is closed, and the same after two cancellations and three late documents of one company."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import pytest

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.accounts.sync import sync_accounts
from confere.app.closing import close_month
from confere.app.closing.close_month import CloseRequest
from confere.app.context import EMBEDDED, Workspace
from confere.hub.sandbox_control import call_panel
from confere.sales.closings import SigningNames
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.desktop.once import made_once

COMPANY: Final = "17192987000196"  # three documents of its month come after the first clock
MONTH: Final = "2026-10"
WORLD: Final = SandboxOptions(documents=120, seed=3, clock="2026-10-20T12:00:00-03:00")
LATER: Final = "2026-10-31T22:00:00-03:00"
NAMES: Final = SigningNames("Ana", "Bia Souza")


def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the data folders `closed` and `later`; tests only read them."""
    return made_once(tmp_path_factory, "closed-month", _make)


def _make(folder: Path) -> None:
    workspace = Workspace.at(folder / "closed")
    with running(WORLD) as hub:
        tax_ids = tuple(company["cnpj"] for company in hub.info["companies"])
        accounts.add(workspace, NewAccount("loja", hub.address, "test", EMBEDDED, tax_ids), hub.token)
        sync_accounts(workspace)
        close_month.close(workspace, CloseRequest(MONTH, names=NAMES))
        later = Workspace.at(shutil.copytree(folder / "closed", folder / "later"))
        for key in _cancellable(later):
            assert call_panel(hub.panel, "POST", "/cancel", {"documentKey": key}).status == 200
        assert call_panel(hub.panel, "POST", "/clock", {"now": LATER}).status == 200
        sync_accounts(later)


def _cancellable(workspace: Workspace) -> list[str]:
    with workspace.reading() as archive, archive.reading() as transaction:
        keys = transaction.column(
            "SELECT d.access_key FROM belonging b JOIN document d ON d.id = b.document_id WHERE b.tax_id = ?"
            " AND b.issued_on LIKE '2026-10-%' AND d.type = 'nfe' AND d.state = 'authorized' AND b.direction = 'out'"
            " ORDER BY d.id LIMIT 2",
            (COMPANY,),
        )
    assert len(keys) == 2
    return keys
