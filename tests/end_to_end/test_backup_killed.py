"""Killed just before a file gets its name: two moments of `python -m tests.backup_kill`."""

from __future__ import annotations

from pathlib import Path

from tests.backup_kill import Scene


def test_a_backup_and_a_restore_that_are_killed_leave_nothing_half(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    # A copy is about to get its name; the archive to get its second one, before the new file gets the first.
    for command, act in (("backup", "os.rename"), ("restore", "os.link")):
        killing = scene.killed_before(command, act, again=command == "restore")
        assert not killing.ended
        assert killing.wrong == ()
