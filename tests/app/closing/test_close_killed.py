"""One kill in the middle of a closing; `python -m tests.close_kill` has twenty."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests import close_kill


def test_killed_in_the_middle_a_closing_leaves_nothing_half_done(tmp_path: Path) -> None:
    home = close_kill.made(tmp_path / "home")
    count = close_kill.statements(shutil.copytree(home, tmp_path / "whole"))
    assert count > 4
    assert not close_kill.killed_at(home, count // 2)
