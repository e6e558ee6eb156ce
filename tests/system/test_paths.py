"""The data folder: which one it is, that it can be used, and that it is closed to others."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import platformdirs
import pytest

from confere.errors import EnvironmentFault
from confere.system.folders import network_share
from confere.system.paths import Home, find_home, share_warning


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_argument_wins_over_the_variable(tmp_path: Path) -> None:
    variables = {"CONFERE_HOME": str(tmp_path / "variable")}
    assert find_home(tmp_path / "argument", variables).root == tmp_path / "argument"
    assert find_home(None, variables).root == tmp_path / "variable"
    assert find_home("", variables).root == tmp_path / "variable"


def test_without_both_it_is_the_systems_place() -> None:
    expected = Path(platformdirs.user_data_dir("Confere", appauthor=False))
    assert find_home(None, {}).root == expected
    assert find_home(None, {"CONFERE_HOME": "  "}).root == expected


def test_the_root_is_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_home("here").root == tmp_path / "here"
    assert find_home("~/there").root == Path.home() / "there"


def test_everything_stands_below_the_root_in_different_places(tmp_path: Path) -> None:
    home = Home(tmp_path)
    places = [home.archive, home.logs, home.settings, home.backups, home.exports, home.sandbox_state]
    assert len(set(places)) == len(places)
    assert all(place.is_relative_to(tmp_path) for place in places)
    assert home.archive.name == "archive.sqlite3"


def test_ensure_makes_private_folders(tmp_path: Path) -> None:
    home = find_home(tmp_path / "deep" / "down" / "Confere").ensure()
    for folder in (home.root, home.root.parent, home.logs, home.backups, home.exports):
        assert folder.is_dir()
        mode = stat.S_IMODE(folder.stat().st_mode)
        assert mode == (0o700 if os.name == "posix" else mode)
    assert names(home.root) == ["backups", "exports", "logs"]
    home.ensure()


def test_ensure_leaves_the_mode_of_a_folder_with_other_things_in_it(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    there.chmod(0o755)
    (there / "photo.jpg").touch()
    before = there.stat().st_mode
    Home(there).ensure()
    assert there.stat().st_mode == before


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    for root in (tmp_path / "taken", tmp_path / "taken" / "below"):
        with pytest.raises(EnvironmentFault) as caught:
            Home(root).ensure()
        assert "taken" in str(caught.value.what)
        assert "--home" in str(caught.value.remedy)
    assert (tmp_path / "taken").read_text() == "mine"


def test_an_ordinary_folder_brings_no_warning_and_a_share_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home(tmp_path)
    monkeypatch.setattr(network_share, "on_network_share", lambda path: False)
    assert share_warning(home) is None
    monkeypatch.setattr(network_share, "on_network_share", lambda path: path == tmp_path)
    warning = share_warning(home)
    assert warning is not None
    assert str(tmp_path) in str(warning)
