"""A file appears whole or not at all, and a killed writer's leavings go with the next one."""

from __future__ import annotations

import errno
import hashlib
import os
import subprocess
import sys
import threading
from io import FileIO
from pathlib import Path
from typing import Any

import pytest

from confere.errors import DiskFull, EnvironmentFault, ExportRefused
from confere.export.package import atomic_files
from confere.export.package.atomic_files import AtomicFile


def test_nothing_stands_at_the_place_until_it_is_settled(tmp_path: Path) -> None:
    path = tmp_path / "new" / "a.zip"
    draft = AtomicFile(path)
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
        draft = AtomicFile(path)
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
    monkeypatch.setattr(atomic_files, "_create", lambda path: FullDisk(path, "x"))
    draft = AtomicFile(tmp_path / "a.zip")
    with pytest.raises(DiskFull, match=r"a\.zip"):
        for _ in range(4):
            draft.write(b"x" * 300_000)
        draft.seal()
    draft.discard()
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(EnvironmentFault, match=r"a\.zip"):
        AtomicFile(tmp_path / "file" / "a.zip")


def test_what_a_killed_writer_left_goes_and_what_another_writes_stays(tmp_path: Path) -> None:
    path = tmp_path / "a[1].zip"
    code = (
        "import sys, pathlib; from confere.export.package.atomic_files import AtomicFile\n"
        "d = AtomicFile(pathlib.Path(sys.argv[1])); d.write(b'x' * 2_000_000)\n"
        "print('ready', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None and writer.stdout.readline().strip() == b"ready"
        (live,) = tmp_path.iterdir()
        atomic_files.sweep(path)
        assert live.exists(), "a draft that is being written was taken away"
        atomic_files.sweep(tmp_path / "a1.zip")
        writer.kill()
        writer.wait()
    assert live.stat().st_size > 0
    atomic_files.sweep(tmp_path / "b.zip")
    assert live.exists()
    if sys.platform == "win32":  # where only age tells a dead draft from one that is closed and about to be renamed
        atomic_files.sweep(path)
        assert live.exists()
        os.utime(live, (0, 0))
    draft = AtomicFile(path)
    assert not live.exists()
    draft.discard()
    assert list(tmp_path.iterdir()) == []


def test_a_draft_is_not_swept_between_its_seal_and_its_place(tmp_path: Path) -> None:
    first, second = AtomicFile(tmp_path / "a.zip"), AtomicFile(tmp_path / "a.zip")
    first.write(b"first")
    first.seal()
    third = AtomicFile(tmp_path / "a.zip")
    first.settle(replace=False)
    assert (tmp_path / "a.zip").read_bytes() == b"first"
    for draft in (second, third):
        draft.seal()
        draft.settle(replace=True)
    assert [path.name for path in tmp_path.iterdir()] == ["a.zip"]


def test_a_draft_that_was_swept_before_it_was_locked_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    swept: list[Path] = []
    create = atomic_files._create

    def neighboured(path: Path) -> FileIO:
        file = create(path)
        if len(swept) < 3:
            file.close()
            path.unlink()
            swept.append(path)
            return FileIO(os.devnull, "r")
        return file

    monkeypatch.setattr(atomic_files, "_create", neighboured)
    draft = AtomicFile(tmp_path / "a.zip")
    draft.write(b"whole")
    draft.seal()
    draft.settle(replace=False)
    assert len(swept) == 3
    assert (tmp_path / "a.zip").read_bytes() == b"whole"


@pytest.mark.parametrize("links", [True, False])
def test_of_two_that_find_the_place_free_one_gets_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    if not links:  # as on a memory stick

        def refuse(*_: object, **__: object) -> None:
            raise PermissionError(errno.EPERM, "Operation not permitted")

        monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "a.zip"
    refused: list[str] = []

    def race(name: bytes) -> None:
        draft = AtomicFile(path)
        draft.write(name)
        draft.seal()
        ready.wait()
        try:
            draft.settle(replace=False)
        except ExportRefused as error:
            refused.append(str(error))
        finally:
            draft.discard()

    for _ in range(20):
        path.unlink(missing_ok=True)
        refused.clear()
        ready = threading.Barrier(4)
        threads = [threading.Thread(target=race, args=(b"%d" % number * 1000,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(refused) == 3 and all("a.zip exists already" in words for words in refused)
        data = path.read_bytes()
        assert len(data) == 1000 and len(set(data)) == 1
        assert list(tmp_path.iterdir()) == [path]


HAND_OVER = (
    "import sys, pathlib; from confere.export.package.atomic_files import AtomicFile\n"
    "for _ in range(60):\n"
    "    d = AtomicFile(pathlib.Path(sys.argv[1])); d.write(b'x' * 1000); d.seal(); d.settle(replace=True)"
)


def test_neighbours_do_not_take_each_others_drafts(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    writers = [subprocess.Popen([sys.executable, "-c", HAND_OVER, str(path)], stderr=subprocess.PIPE) for _ in range(3)]
    told = [writer.communicate()[1] for writer in writers]
    assert told == [b"", b"", b""]
    assert list(tmp_path.iterdir()) == [path]
