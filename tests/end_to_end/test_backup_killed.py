"""Killed just before a file gets its name: two moments of `python -m tests.backup_kill`."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.app.context import Workspace
from tests.backup_kill import Scene


def test_a_backup_and_a_restore_that_are_killed_leave_nothing_half(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    # A copy is about to get its name; the archive to get its second one, before the new file gets the first.
    for command, act in (("backup", "os.rename"), ("restore", "os.link")):
        killing = scene.killed_before(command, act, again=command == "restore")
        assert not killing.ended
        assert killing.wrong == ()


def left_by_kills(tmp_path: Path, *moments: float | str) -> set[str]:
    """Kill an encrypted backup before acts on files, by name or as a share of all; the plain copies that were left."""
    scene, words = Scene(tmp_path), tmp_path / "words"
    words.write_text("three ravens at the table")
    words.chmod(0o600)
    arguments = ("backup", "--encrypt", f"--passphrase-file={words}")
    acts, plain = 0, set()
    for moment in moments:
        if isinstance(moment, float) and not acts:
            acts = int(scene.run(scene.home(), *arguments).stderr.rpartition("events ")[2])
        home = scene.home()
        at = moment if isinstance(moment, str) else str(int(acts * moment))
        assert scene.run(home, *arguments, kill_at=at).returncode == -9
        assert not [path for path in home.joinpath("backups").iterdir() if path.read_bytes().startswith(b"SQLite")]
        left = home.glob(".confere-scratch-*/*")
        plain.update(path.name for path in left if path.read_bytes().startswith(b"SQLite"))
        with Workspace.at(home).writing("test"):
            pass
        assert not list(home.glob(".confere-scratch-*"))
    return plain


def test_an_encrypted_backup_that_is_killed_leaves_nothing_plain(tmp_path: Path) -> None:
    """The plain copy lies in a folder of its own, never among the backups, until the next command that writes."""
    assert left_by_kills(tmp_path, "os.rename") == {"archive.sqlite3.partial"}


@pytest.mark.exhaustive
def test_nor_at_any_later_moment(tmp_path: Path) -> None:
    assert "archive.sqlite3" in left_by_kills(tmp_path, *(share / 20 for share in range(8, 20)))
