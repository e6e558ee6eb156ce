"""What an account wants is kept by name, and nonsense is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from confere.app.accounts import preferences
from confere.app.accounts.accounts import NewAccount, add
from confere.app.accounts.preferences import Preferences, Terms
from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
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
    assert preferences.every(opened) == (("loja", Preferences()),)
    wanted = replace(Preferences(), terms=replace(Terms(), tolerance=250, freight_by_cte=False), mark_feed=True)
    assert preferences.keep(workspace, "loja", wanted) == wanted
    assert preferences.every(opened) == (("loja", wanted),)
    opened.close()


def test_nonsense_is_refused_and_changes_nothing(workspace: Workspace) -> None:
    wrong = replace(Preferences(), terms=replace(Terms(), visible_series=("1",)))
    with pytest.raises(UsageFault):
        preferences.keep(workspace, "loja", wrong)
    with pytest.raises(NotInArchive):
        preferences.keep(workspace, "nobody", Preferences())
    opened = OpenArchive(workspace)
    assert preferences.every(opened) == (("loja", Preferences()),)
    opened.close()


def test_without_an_archive_nobody_wants_anything(tmp_path: Path) -> None:
    assert preferences.every(OpenArchive(Workspace.at(tmp_path))) == ()
