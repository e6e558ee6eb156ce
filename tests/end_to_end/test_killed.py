"""Killed at any moment, under every fault of the hub, a sync goes on and ends with the undisturbed archive."""

from __future__ import annotations

import random
import subprocess
import time
from pathlib import Path

import pytest

from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.end_to_end.confere import ENVIRONMENT, add_account, command, confere, contents, told

DOCUMENTS = 300
KILLS = 5
# Each at a rate that hurts and lets a run end; what a deployment does for good is tested elsewhere.
FAULTS = "rate429=0.02,error5xx=0.03,slow=0.02,reset=0.02,truncated=0.03,html=0.02,shift=0.2"


@pytest.mark.exhaustive
def test_kill_after_kill_under_faults_change_nothing(tmp_path: Path) -> None:
    calm, rough = tmp_path / "calm", tmp_path / "rough"
    with running(SandboxOptions(documents=DOCUMENTS, seed=41)) as hub:
        add_account(calm, "hub", hub.address, hub.token)
        assert confere(calm, "sync").code == 0

    chance = random.Random()
    seed = chance.randrange(2**32)
    print(f"kills drawn from {seed}")
    chance.seed(seed)
    killed = 0
    with running(SandboxOptions(documents=DOCUMENTS, seed=41, faults=FAULTS)) as hub:
        add_account(rough, "hub", hub.address, hub.token)
        while killed < KILLS:
            process = subprocess.Popen(
                command(rough, "sync", "--json"),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=ENVIRONMENT,
            )
            assert process.stderr
            # Counted at the hub, not timed: on a machine under load too it dies in the middle of its work.
            last_answer = told(hub)["counts"].get("requests", 0) + chance.randrange(1, DOCUMENTS // 2)
            while process.poll() is None and told(hub)["counts"].get("requests", 0) < last_answer:
                time.sleep(0.1)
            rough_done = process.poll() is not None
            if rough_done:
                assert process.returncode in (0, 1), process.stderr.read()
                # Finished before its time: a fresh start is the harder test than killing idle runs.
                _forget_half(rough)
            else:
                process.kill()  # SIGKILL; TerminateProcess on Windows
                process.wait()
                killed += 1
            process.stderr.close()
        for turn in range(10):
            # A file in whose middle two kills fell is set aside until it is asked for.
            last = confere(rough, "sync", *(["--retry"] if turn % 2 else []))
            assert last.code in (0, 1), last
            if last.code == 0:
                break
            time.sleep(0.1)
    assert last.json["sync"]["failed"] == 0
    assert contents(rough) == contents(calm)


def _forget_half(home: Path) -> None:
    """Put every second download back into the queue and forget what was listed, so that there is work again."""
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(home / "archive.sqlite3")) as database, database:
        database.execute("DELETE FROM coverage")
        database.execute("UPDATE download SET state = 'waiting' WHERE id % 2")
