"""What the hub listed without any XML, by account and key."""

from __future__ import annotations

from pathlib import Path

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.documents.not_offered import NotOffered, not_offered
from tests.app.made import account, fail, named_by_hub, workspace_at
from tests.archive.papers import key


def test_only_what_has_no_file_at_the_hub(tmp_path: Path) -> None:
    workspace = workspace_at(tmp_path / "home")
    with workspace.writing("test") as archive:
        shop, other = account(archive), account(archive, "other")
        named_by_hub(archive, shop, 1, items=())  # here already, from elsewhere
        named_by_hub(archive, shop, 70, items=())
        named_by_hub(archive, shop, 71, items=(), day="2025-03-02")
        named_by_hub(archive, other, 72, items=())
        named_by_hub(archive, shop, 60, items=("fails",))
        fail(archive, shop, "fails")
    opened = OpenArchive(workspace)
    assert not_offered(opened) == (
        NotOffered("other", key(72)),
        NotOffered("shop", key(70)),
        NotOffered("shop", key(71, month="2503")),
    )
    assert len(not_offered(opened, limit=1)) == 2
    opened.close()


def test_where_nothing_was_stored_nothing_lacks(tmp_path: Path) -> None:
    assert not_offered(OpenArchive(Workspace.at(tmp_path / "none"))) == ()
