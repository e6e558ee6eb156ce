"""An archive whose file was cut to nothing: no command begins a new one in its place, and its backup comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.app.context import Workspace
from tests.archive.papers import note, store
from tests.cli.running import Call


@pytest.fixture
def emptied(call: Call, tmp_path: Path) -> Path:
    home = tmp_path / "home"
    with Workspace.at(home).writing("test") as archive:
        store(archive, note(1), note(2))
    assert call("doctor", "--backup", "--home", home).code == 0
    (home / "archive.sqlite3").write_bytes(b"")
    return home


def test_nothing_is_begun_in_its_place(call: Call, emptied: Path, tmp_path: Path) -> None:
    (tmp_path / "new.xml").write_bytes(note(3))
    for command in (
        ("import", tmp_path / "new.xml"),
        ("list", "--all"),
        ("reconcile",),
        ("doctor",),
        ("account", "list"),
    ):
        done = call(*command, "--home", emptied)
        assert done.code in (1, 3), command
        assert "is empty: it was cut off" in done.out + done.err
        assert "doctor --repair" in done.out + done.err
        assert (emptied / "archive.sqlite3").stat().st_size == 0


def test_its_newest_backup_takes_its_place(call: Call, emptied: Path) -> None:
    call("doctor", "--repair", "--home", emptied)
    done = call("list", "--all", "--home", emptied)
    assert done.code == 0
    assert "2 documents" in done.err
    assert call("doctor", "--verify", "--home", emptied).code == 0


def test_without_any_trace_of_contents_an_empty_file_is_begun(call: Call, tmp_path: Path) -> None:
    """As one leaves that was killed before it wrote the first byte."""
    home = tmp_path / "home"
    home.mkdir()
    (home / "archive.sqlite3").touch()
    (tmp_path / "new.xml").write_bytes(note(3))
    assert call("import", tmp_path / "new.xml", "--home", home).code == 0


def test_who_removes_the_file_begins_nothing_in_its_place(call: Call, emptied: Path, tmp_path: Path) -> None:
    (emptied / "archive.sqlite3").unlink()
    (tmp_path / "new.xml").write_bytes(note(3))
    for command in (("import", tmp_path / "new.xml"), ("list",), ("doctor",), ("sync",)):
        done = call(*command, "--home", emptied)
        assert (done.code, "is not in its place" in done.err) == (3, True)
    assert not (emptied / "archive.sqlite3").exists()
    assert call("import", tmp_path / "new.xml", "--home", tmp_path / "new").code == 0
    assert call("doctor", "--repair", "--home", emptied).code in (0, 1)
    assert call("list", "--all", "--home", emptied).code == 0
