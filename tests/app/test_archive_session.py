"""The archive that a window keeps open: it notices a file that goes, comes back or is another one."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.documents.import_files import import_paths
from confere.archive.lock import WriteLock
from confere.errors import ArchiveCorrupt, ArchiveMissing


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = Workspace.at(tmp_path / "home")
    (tmp_path / "a.xml").write_text("<a/>")
    import_paths(made, [tmp_path / "a.xml"])
    return made


@pytest.fixture
def opened(workspace: Workspace) -> Iterator[OpenArchive]:
    made = OpenArchive(workspace)
    yield made
    made.close()


def contents(opened: OpenArchive) -> int:
    with opened.reading() as transaction:
        return int(transaction.scalar("SELECT count(*) FROM content"))


def test_it_reads_what_others_write(opened: OpenArchive, workspace: Workspace, tmp_path: Path) -> None:
    before, stamp = contents(opened), opened.stamp()
    (tmp_path / "b.xml").write_text("<b/>")
    import_paths(workspace, [tmp_path / "b.xml"])
    assert contents(opened) == before + 1
    assert opened.stamp() != stamp


def test_a_deleted_archive_is_missed_and_seen_again(opened: OpenArchive, workspace: Workspace, tmp_path: Path) -> None:
    before = contents(opened)
    opened.close()
    file = workspace.home.archive
    kept = Path(shutil.move(file, tmp_path / "kept.sqlite3"))
    assert not opened.exists
    assert opened.stamp() == ()
    with pytest.raises(ArchiveMissing):
        contents(opened)
    shutil.move(kept, file)
    assert opened.exists
    assert contents(opened) == before


def test_another_file_in_its_place_is_another_one(opened: OpenArchive, workspace: Workspace, tmp_path: Path) -> None:
    assert contents(opened) == 1
    other = Workspace.at(tmp_path / "other")
    for name in ("c", "d", "e"):
        (tmp_path / f"{name}.xml").write_text(f"<{name}/>")
    import_paths(other, [tmp_path / f"{name}.xml" for name in ("c", "d", "e")])
    shutil.copy(other.home.archive, tmp_path / "copy.sqlite3")
    (tmp_path / "copy.sqlite3").replace(workspace.home.archive)
    assert contents(opened) == 3


def test_what_is_being_made_is_not_there_yet(tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path / "new")
    workspace.home.ensure()
    opened = OpenArchive(workspace)
    assert not opened.exists
    lock = WriteLock(workspace.home.archive, "sync")
    lock.acquire(0)
    workspace.home.archive.touch()
    assert not opened.exists  # its maker is at work
    lock.release()
    assert opened.exists  # nobody is: it was cut off, and asking it says so
    with pytest.raises(ArchiveCorrupt):
        opened.archive()
    opened.close()


def test_many_threads_ask_at_once(opened: OpenArchive) -> None:
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(contents(opened))) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1] * 12
