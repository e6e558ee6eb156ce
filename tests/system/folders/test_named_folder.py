"""A folder that a person named is used only where files can be made in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from confere.errors import EnvironmentFault
from confere.system.folders import named_folder


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs a place where nobody can write")
def test_rights_that_only_a_file_tells_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: True)  # as Windows says of every folder
    with pytest.raises(EnvironmentFault, match="Nothing can be written to"):
        named_folder.require_writable(Path("/proc/self"))


def test_nothing_is_left_in_a_folder_that_can_be_used(tmp_path: Path) -> None:
    named_folder.require_writable(tmp_path)
    named_folder.require_writable(tmp_path / "made" / "later")
    assert list(tmp_path.iterdir()) == []
