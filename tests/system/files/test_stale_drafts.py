"""What killed processes left is swept: our own names only, old, and held by nobody."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from confere.system.files import stale_drafts
from confere.system.files.atomic_file import atomic_file, write_bytes, write_new
from confere.system.files.stale_drafts import OLD_SECONDS, sweep, sweep_once

OURS = (
    ".confere-0123456789ab.tmp",
    "32268.zip.0a1b2c3d.partial",
    "archive-0007-20261101T000000Z.sqlite3.partial",
    "archive-copy-20261101T000000000000Z.sqlite3.partial-journal",
    "archive-copy-20261101T000000000000Z.sqlite3.partial-wal",
)
OTHERS = (
    ".confere-notes.tmp", "my.partial", "archive.sqlite3-journal", "archive.sqlite3-wal", "thesis.tmp",
    "archive-copy-20261101T000000000000Z.sqlite3",
)  # fmt: skip
HOLD = """
import sys, time
from pathlib import Path
from confere.system.files.atomic_file import atomic_file
with atomic_file(Path(sys.argv[1])) as file:
    file.write(b"half")
    print("open", flush=True)
    sys.stdin.read()
"""


def aged(path: Path) -> Path:
    path.touch()
    long_ago = time.time() - OLD_SECONDS - 60
    os.utime(path, (long_ago, long_ago))
    return path


def test_our_own_names_go_and_all_others_stay(tmp_path: Path) -> None:
    for name in (*OURS, *OTHERS):
        aged(tmp_path / name)
    (tmp_path / "sub").mkdir()
    aged(tmp_path / "sub" / OURS[0])
    sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted((*OTHERS, "sub"))
    assert (tmp_path / "sub" / OURS[0]).exists()


def test_what_is_young_stays(tmp_path: Path) -> None:
    (tmp_path / OURS[0]).touch()
    sweep(tmp_path)
    assert (tmp_path / OURS[0]).exists()


def test_a_folder_of_our_name_and_a_missing_folder_are_no_trouble(tmp_path: Path) -> None:
    (tmp_path / OURS[0]).mkdir()
    sweep(tmp_path)
    sweep(tmp_path / "nowhere")
    assert (tmp_path / OURS[0]).is_dir()


def test_what_a_living_process_writes_stays_and_a_killed_ones_goes(tmp_path: Path) -> None:
    target = tmp_path / "result.xml"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(target)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdin and holder.stdout and holder.stdout.readline() == "open\n"
    (draft,) = tmp_path.iterdir()
    aged(draft)
    sweep(tmp_path)
    assert draft.exists()
    holder.kill()
    holder.wait()
    holder.stdin.close()
    holder.stdout.close()
    sweep(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_whoever_writes_into_a_folder_sweeps_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stale_drafts, "_swept", set())
    aged(tmp_path / OURS[0])
    write_bytes(tmp_path / "a", b"a")
    assert not (tmp_path / OURS[0]).exists()
    aged(tmp_path / OURS[0])
    sweep_once(tmp_path)
    assert (tmp_path / OURS[0]).exists()


def test_a_new_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    write_new(tmp_path / "new", b"all of it")
    assert (tmp_path / "new").read_bytes() == b"all of it"
    with pytest.raises(FileExistsError):
        write_new(tmp_path / "new", b"another")
    assert (tmp_path / "new").read_bytes() == b"all of it"
    with pytest.raises(FileExistsError), atomic_file(tmp_path / "late", replace=False) as file:
        file.write(b"mine")
        (tmp_path / "late").write_bytes(b"faster")
    assert (tmp_path / "late").read_bytes() == b"faster"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["late", "new"]
