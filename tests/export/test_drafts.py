"""A file appears whole or not at all, and a killed writer's leavings go with the next one."""

from __future__ import annotations

import errno
import hashlib
import subprocess
import sys
from io import FileIO
from pathlib import Path
from typing import Any

import pytest

from confere.errors import DiskFull, EnvironmentFault, ExportRefused
from confere.export import drafts
from confere.export.drafts import Draft


def test_nothing_stands_at_the_place_until_it_is_settled(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.zip"
    draft = Draft(path)
    draft.write(b"one")
    draft.write(b"two" * 400_000)
    draft.seal()
    assert not path.exists() and [entry.suffix for entry in path.parent.iterdir()] == [".partial"]
    draft.settle(replace=False)
    data = b"one" + b"two" * 400_000
    assert path.read_bytes() == data
    assert (draft.size, draft.sha256) == (len(data), hashlib.sha256(data).hexdigest())
    assert list(path.parent.iterdir()) == [path]
    draft.discard()
    assert path.read_bytes() == data


def test_a_file_in_the_way_stays_unless_replacing_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(b"old")
    for replace in (False, True):
        draft = Draft(path)
        draft.write(b"new")
        draft.seal()
        if replace:
            draft.settle(replace=True)
        else:
            with pytest.raises(ExportRefused, match=r"a\.zip exists already"):
                draft.settle(replace=False)
            assert path.read_bytes() == b"old"
        draft.discard()
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


class FullDisk(FileIO):
    """A file on a disk that takes 700,000 bytes and half of a write that goes beyond."""

    room = 700_000

    def write(self, data: Any, /) -> int:
        if self.room <= 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        taken = super().write(bytes(data)[: self.room])
        self.room -= taken
        return taken


def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drafts, "_create", lambda path: FullDisk(path, "x"))
    draft = Draft(tmp_path / "a.zip")
    with pytest.raises(DiskFull, match=r"a\.zip"):
        for _ in range(4):
            draft.write(b"x" * 300_000)
        draft.seal()
    draft.discard()
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(EnvironmentFault, match=r"a\.zip"):
        Draft(tmp_path / "file" / "a.zip")


def test_what_a_killed_writer_left_goes_and_what_another_writes_stays(tmp_path: Path) -> None:
    path = tmp_path / "a[1].zip"
    code = (
        "import sys, pathlib; from confere.export.drafts import Draft\n"
        "d = Draft(pathlib.Path(sys.argv[1])); d.write(b'x' * 2_000_000); print('ready', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None and writer.stdout.readline().strip() == b"ready"
        (live,) = tmp_path.iterdir()
        drafts.sweep(path)
        assert live.exists(), "a draft that is being written was taken away"
        drafts.sweep(tmp_path / "a1.zip")
        writer.kill()
        writer.wait()
    assert live.stat().st_size > 0
    drafts.sweep(tmp_path / "b.zip")
    assert live.exists()
    draft = Draft(path)
    assert not live.exists()
    draft.discard()
    assert list(tmp_path.iterdir()) == []
