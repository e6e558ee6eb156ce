"""One world synced many times by eight threads: the archives are equal, whichever download ended first."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.accounts.sync import sync_accounts
from confere.app.context import EMBEDDED, Workspace
from confere.intake.hub_failures import WORKERS
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running

SYNCS = 10
# By what names a paper everywhere: rows are numbered as they come.
_SHOWN = (
    "SELECT d.access_key, hex(c.digest), d.position, d.is_current, d.state, d.state_ground, d.operation, d.hub_subtype"
    " FROM document d JOIN content c ON c.id = d.content_id",
    "SELECT e.access_key, e.code, e.sequence, hex(c.digest), e.position, e.is_current, e.registered FROM event e"
    " JOIN content c ON c.id = e.content_id",
    "SELECT source_key, target_key, kind, claims FROM relation",
    "SELECT b.tax_id, b.issued_on, d.access_key, b.direction FROM belonging b JOIN document d ON d.id = b.document_id",
)


@pytest.mark.exhaustive
def test_ten_syncs_give_equal_archives(tmp_path: Path) -> None:
    assert WORKERS == 8
    shown = []
    with running(SandboxOptions(documents=60, seed=11, anomalies="R7a=0.5")) as hub:
        for number in range(SYNCS):
            workspace = Workspace.at(tmp_path / str(number))
            accounts.add(workspace, NewAccount("world", hub.address, "test", EMBEDDED), hub.token)
            sync_accounts(workspace)
            with closing(sqlite3.connect(workspace.home.archive)) as database:
                shown.append([sorted(database.execute(sql).fetchall(), key=repr) for sql in _SHOWN])
                several = database.execute(
                    "SELECT count(*) FROM (SELECT 1 FROM document GROUP BY access_key HAVING count(*) > 1)"
                ).fetchone()[0]
    assert several >= 5, "no key with several contents: nothing could have raced"
    assert all(entry == shown[0] for entry in shown)
