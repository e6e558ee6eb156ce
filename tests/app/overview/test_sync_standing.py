"""What stands under every page about syncs: each thing that is not well, alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.overview.overview import overview
from confere.app.overview.sync_standing import SyncStanding, sync_standing
from confere.archive.accounts.accounts import Account
from confere.archive.store import Archive
from tests.app.made import account, fail, named_by_hub, synced, workspace_at
from tests.desktop.troubled import trouble


def standing(workspace: Workspace) -> SyncStanding:
    opened = OpenArchive(workspace)
    try:
        return sync_standing(opened)
    finally:
        opened.close()


def _waits(archive: Archive, shop: Account) -> None:
    named_by_hub(archive, shop, 50, items=("waits", "waits-too"))


def _failed(archive: Archive, shop: Account) -> None:
    named_by_hub(archive, shop, 50, items=("fails",))
    fail(archive, shop, "fails")


def _sync_failed(archive: Archive, shop: Account) -> None:
    synced(archive, shop, "failed")


@pytest.mark.parametrize(
    ("happens", "failed", "to_download"),
    [
        (lambda _archive, _shop: None, (), 0),
        (_waits, (), 2),
        (_failed, (), 1),
        (_sync_failed, ("shop",), 0),
    ],
)
def test_what_is_not_well_is_known(
    tmp_path: Path, happens: Callable[[Archive, Account], None], failed: tuple[str, ...], to_download: int
) -> None:
    workspace = workspace_at(tmp_path)
    with workspace.writing("test") as archive:
        shop = account(archive)
        synced(archive, shop)
        happens(archive, shop)
    found = standing(workspace)
    assert found.newest is not None
    assert (found.failed, found.to_download, found.is_short) == (failed, to_download, False)


def test_it_counts_what_a_sync_would_bring_as_the_overview_does(tmp_path: Path) -> None:
    workspace = workspace_at(tmp_path)
    trouble(workspace.home.root)
    opened = OpenArchive(workspace)
    try:
        lacks = overview(opened, None, "2026-10").lacks
    finally:
        opened.close()
    assert (lacks.count, lacks.not_offered, lacks.unreadable) == (5, 1, 1)
    assert standing(workspace).to_download == lacks.waiting + lacks.failed == 3


def test_a_failure_that_was_made_good_is_none(tmp_path: Path) -> None:
    workspace = workspace_at(tmp_path)
    with workspace.writing("test") as archive:
        shop = account(archive)
        synced(archive, shop, "failed")
        assert standing(workspace) == SyncStanding(None, ("shop",))
        synced(archive, shop)
    assert standing(workspace).failed == ()


def test_nothing_was_ever_synced(tmp_path: Path) -> None:
    assert standing(Workspace.at(tmp_path / "none")) == SyncStanding()
