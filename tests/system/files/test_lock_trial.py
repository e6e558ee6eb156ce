"""Locks that do nothing are noticed: in a process whose locks the kernel grants without taking them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from confere.archive.store import Archive
from confere.system.files import lock_trial
from tests.system.files.no_locks import PRELUDE


def test_on_this_disk_they_hold_and_nothing_stays(tmp_path: Path) -> None:
    assert not lock_trial.locks_do_nothing(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["flock", "fcntl", "both"])
def test_an_archive_is_not_written_where_locks_do_nothing(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "archive.sqlite3"
    Archive.to_write(path, "test").close()
    before = path.read_bytes()
    code = f"""{PRELUDE}
grant_locks_without_taking_them({kind!r})
from pathlib import Path
from confere.archive.store import Archive
from confere.errors import ArchiveWithoutLocks
path = Path(sys.argv[1])
try:
    Archive.to_write(path, "test")
except ArchiveWithoutLocks as error:
    print(error)
Archive.to_read(path).close()
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True, timeout=60
    )
    assert "Locks on files do nothing" in done.stdout
    assert str(tmp_path) in done.stdout
    assert path.read_bytes() == before
    assert not path.with_name("archive.sqlite3.holder").exists()


def test_a_file_system_without_locks_is_refused_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import errno
    import fcntl

    def none(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", none)
    assert lock_trial.locks_do_nothing(tmp_path)
