"""What lies in a scratch folder is gone afterwards, also when its process was killed in it."""

from __future__ import annotations

import signal
import stat
import subprocess
import sys
from pathlib import Path

from confere.system.files.scratch import scratch_folder, sweep

HOLDING = """
import sys, time
from pathlib import Path
from confere.system.files.scratch import scratch_folder
with scratch_folder(Path(sys.argv[1])) as folder:
    (folder / "archive.sqlite3").write_bytes(b"plain")
    print(folder, flush=True)
    time.sleep(600)
"""


def test_it_is_closed_to_others_and_gone_afterwards(tmp_path: Path) -> None:
    with scratch_folder(tmp_path) as folder:
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        (folder / "plain").write_bytes(b"x")
        sweep(tmp_path)  # held by us
        assert (folder / "plain").exists()
    assert list(tmp_path.iterdir()) == []


def test_a_killed_one_is_swept_and_one_at_work_is_not(tmp_path: Path) -> None:
    processes = [
        subprocess.Popen([sys.executable, "-c", HOLDING, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    folders = []
    for process in processes:
        assert process.stdout is not None
        with process.stdout as told:
            folders.append(Path(told.readline().strip()))
    processes[0].send_signal(signal.SIGKILL)
    processes[0].wait()
    sweep(tmp_path)
    assert not folders[0].exists()
    assert (folders[1] / "archive.sqlite3").read_bytes() == b"plain"
    processes[1].send_signal(signal.SIGKILL)
    processes[1].wait()
    sweep(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_was_only_made_is_swept(tmp_path: Path) -> None:
    (tmp_path / ".confere-scratch-000000000000").mkdir()
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (tmp_path / ".confere-scratch-000000000001").symlink_to(foreign)
    sweep(tmp_path)
    assert [path.name for path in sorted(tmp_path.iterdir())] == [".confere-scratch-000000000001", "foreign"]
