"""Who may read what Confere writes: nobody else, whatever the umask and the mode of the folder before."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from confere.system.files import permissions
from confere.system.paths import Home
from tests.archive.papers import cancellation, key, note
from tests.cli.running import ENVIRONMENT, Call

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="modes say nothing there")

COMMANDS = (
    ("import", "in"),
    ("list", "--all"),
    ("show", key(1)),
    ("show", key(1), "--xml", "--output", "out/one.xml"),
    ("pdf", key(1), "--output", "out/one.pdf"),
    ("verify",),
    ("reindex", "--all"),
    ("export", "--company", "11222333000181", "--month", "2026-10", "--to", "out", "--with-not-authentic"),
    ("demo", "--no-window", "--documents", "20"),
    ("reconcile",),
    ("findings", "list"),
    ("doctor", "--backup", "--verify"),
    ("account", "list"),
)


def modes(folder: Path) -> dict[str, str]:
    """Every file and folder that others may read or enter, by name, with its mode."""
    seen = [folder, *folder.rglob("*")]
    return {str(path): oct(path.stat().st_mode & 0o777) for path in seen if path.stat().st_mode & 0o077}


def run(*arguments: str | Path, within: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "confere", *map(str, arguments)],
        cwd=within, umask=0o022, capture_output=True, encoding="utf-8", check=False,
        env=ENVIRONMENT | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip


@pytest.mark.exhaustive
def test_after_every_command_nobody_else_can_read_what_it_wrote(tmp_path: Path) -> None:
    home, given, out = tmp_path / "home", tmp_path / "in", tmp_path / "out"
    for folder in (home, given, out):
        folder.mkdir()
        folder.chmod(0o755)
    (given / "note.xml").write_bytes(note(1))
    (given / "event.xml").write_bytes(cancellation(1))
    for command in COMMANDS:
        done = run(*command, "--home", home, within=tmp_path)
        assert done.returncode in (0, 1), (command, done.stderr)
        assert modes(home) == {}, command
    written = {path.suffix for path in out.rglob("*") if path.is_file()}
    assert {".xml", ".pdf", ".zip", ".json"} <= written
    assert modes(out) == {str(out): "0o755"}  # the user's own folder, and closed files in it


def test_what_was_open_before_is_closed_and_the_doctor_says_who_can_read(call: Call, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (tmp_path / "a.xml").write_bytes(note(1))
    assert run("import", tmp_path / "a.xml", "--home", home, within=tmp_path).returncode == 0
    for path in (home, home / "logs", home / "archive.sqlite3"):
        path.chmod(0o755 if path.is_dir() else 0o644)
    said = call("doctor", "--home", home)
    assert said.code == 1
    assert "Other users of this machine can read 2 of Confere's files and folders" in said.out
    assert run("import", tmp_path / "a.xml", "--home", home, within=tmp_path).returncode == 0
    assert modes(home) == {}
    assert "Nobody else on this machine can read" in call("doctor", "--home", home).out


def test_a_folder_with_other_things_keeps_its_mode_and_they_keep_theirs(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.root.mkdir()
    other, ours, link = home.root / "photo.jpg", home.root / "archive.sqlite3", home.root / "archive-link"
    other.write_bytes(b"")
    ours.write_bytes(b"")
    link.symlink_to(other)
    for path in (home.root, other, ours):
        path.chmod(0o755)
    home.ensure()
    assert modes(home.root) == {str(home.root): "0o755", str(other): "0o755", str(link): "0o755"}
    assert list(permissions.readable_by_others(home.root)) == [other]
    home.root.chmod(0o700)
    assert list(permissions.readable_by_others(home.root)) == []
    assert stat.S_IMODE(ours.stat().st_mode) == 0o700
