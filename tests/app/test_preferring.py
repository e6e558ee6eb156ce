"""What an account wants is kept by name, and nonsense is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from confere.app import preferring
from confere.app.accounts import NewAccount, add
from confere.app.open_archive import OpenArchive
from confere.app.preferring import Preferences, Terms
from confere.app.workspace import Workspace
from confere.errors import NotInArchive, UsageFault


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    found = Workspace.at(tmp_path)
    found.home.ensure()
    token = tmp_path / "token"
    token.write_text("secret")
    token.chmod(0o600)
    new = NewAccount("loja", "https://hub.example.com/v2", "plataforma", "production", token_file=token)
    add(found, new, None)
    return found


def test_what_was_kept_is_what_is_wanted(workspace: Workspace) -> None:
    opened = OpenArchive(workspace)
    assert preferring.every(opened) == (("loja", Preferences()),)
    wanted = replace(Preferences(), terms=replace(Terms(), tolerance=250, freight_by_cte=False), mark_feed=True)
    assert preferring.keep(workspace, "loja", wanted) == wanted
    assert preferring.every(opened) == (("loja", wanted),)
    opened.close()


def test_nonsense_is_refused_and_changes_nothing(workspace: Workspace) -> None:
    wrong = replace(Preferences(), terms=replace(Terms(), visible_series=("1",)))
    with pytest.raises(UsageFault):
        preferring.keep(workspace, "loja", wrong)
    with pytest.raises(NotInArchive):
        preferring.keep(workspace, "nobody", Preferences())
    opened = OpenArchive(workspace)
    assert preferring.every(opened) == (("loja", Preferences()),)
    opened.close()


def test_without_an_archive_nobody_wants_anything(tmp_path: Path) -> None:
    assert preferring.every(OpenArchive(Workspace.at(tmp_path))) == ()
