"""A link, a pipe, a folder or 20 GB under a name of the data folder: a sentence, and nothing foreign is touched."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.app.made import workspace_at
from tests.cli.running import Call
from tests.odd_names import Kind, cases, lay, refuses, seen, wrong


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return workspace_at(tmp_path_factory.mktemp("odd") / "fresh").home.root


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("name", dict.fromkeys(name for name, _ in cases()))
def test_every_name_of_the_data_folder(call: Call, fresh: Path, tmp_path: Path, name: str, kind: Kind) -> None:
    file, foreign = tmp_path / "file.xml", tmp_path / "foreign"
    file.write_bytes(b"<a/>")
    home = Path(shutil.copytree(fresh, tmp_path / "home"))
    path = lay(home, name, kind, foreign)
    before = seen(foreign)
    for command in (("list",), ("import", str(file)), ("doctor",)):
        done = call(*command, "--home", home)
        assert not wrong(home, name, kind, done.code, done.out + done.err)
        if refuses(name, kind):
            assert done.code == 3
            assert str(path) in done.err
    assert seen(foreign) == before


@pytest.mark.parametrize("kind", [Kind.PIPE, Kind.LINK])
def test_a_pipe_in_the_archives_place_hangs_no_process(child: Call, fresh: Path, tmp_path: Path, kind: Kind) -> None:
    home = Path(shutil.copytree(fresh, tmp_path / "home"))
    path = lay(home, "archive.sqlite3-wal", kind, tmp_path / "foreign")
    done = child("list", "--home", home)
    assert (done.code, str(path) in done.err) == (3, True)
