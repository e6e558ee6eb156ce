"""Room on the disk is asked for before a file is mapped; reading goes on without any."""

from __future__ import annotations

import errno
import os
import shutil
from collections import namedtuple
from pathlib import Path

import pytest

from confere.archive.maintenance import shared_memory
from confere.archive.store import Archive
from confere.errors import DiskFull
from tests.archive.papers import note, store

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def filled(path: Path) -> Path:
    with Archive.to_write(path, "test") as archive:
        store(archive, note(1))
    return path


def leave(monkeypatch: pytest.MonkeyPatch, free: int) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 10**9 - free, free))


def test_an_archive_is_not_written_on_a_full_disk(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave(monkeypatch, shared_memory.FREE_TO_WRITE - 1)
    with pytest.raises(DiskFull, match="is full"):
        Archive.to_write(filled, "test")
    leave(monkeypatch, shared_memory.FREE_TO_WRITE)
    Archive.to_write(filled, "test").close()


def test_an_archive_is_read_on_a_full_disk_without_a_mapped_file(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leave(monkeypatch, 39_000)
    with Archive.to_read(filled) as archive, archive.reading() as transaction:
        assert transaction.scalar("SELECT count(*) FROM document") == 1
        assert not shared_memory.mapped_file(filled).exists()


def test_what_only_the_log_holds_waits_for_room(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Archive.to_read(filled) as reader, reader.reading() as view:
        view.scalar("SELECT 1 FROM document")
        with Archive.to_write(filled, "test") as archive:
            store(archive, note(2))
        leave(monkeypatch, 39_000)
        with pytest.raises(DiskFull):
            Archive.to_read(filled)


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="Windows gives files their blocks by itself")
def test_the_mapped_file_gets_its_blocks_while_there_are_some(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Archive.to_write(filled, "test"):
        assert shared_memory.mapped_file(filled).stat().st_size >= 256 * 1024

    def refused(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", refused)
    with pytest.raises(DiskFull):
        Archive.to_write(filled, "test")
    monkeypatch.undo()
    Archive.to_write(filled, "test").close()
