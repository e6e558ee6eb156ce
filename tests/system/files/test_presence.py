"""Where the system does not let anybody look there is nothing, and nobody is stopped by asking."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.system.files import presence

TOO_LONG = "a" * 300


def test_what_is_there_is_told(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("a", encoding="ascii")
    assert presence.is_there(file) and presence.is_file(file) and not presence.is_folder(file)
    assert presence.is_there(tmp_path) and presence.is_folder(tmp_path) and not presence.is_file(tmp_path)
    for gone in (tmp_path / "b", file / "c"):
        assert not presence.is_there(gone) and not presence.is_hidden(gone)


@pytest.mark.parametrize("name", [TOO_LONG, "a\0b"])
def test_where_nobody_may_look_nothing_is(tmp_path: Path, name: str) -> None:
    for path in (tmp_path / name, tmp_path / name / "archive.sqlite3"):
        assert not presence.is_there(path) and not presence.is_file(path) and not presence.is_folder(path)
        assert presence.is_hidden(path)
