"""A background job gives way: its own priority falls, and not further each time."""

from __future__ import annotations

import subprocess
import sys

LOOK = """
import psutil
from confere.system.processes.priority import give_way
seen = [psutil.Process().nice()]
for _ in range(2):
    give_way()
    seen.append(psutil.Process().nice())
print(*map(int, seen))
"""


def test_a_job_gives_way_once() -> None:
    done = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, timeout=60, check=True)
    before, once, twice = map(int, done.stdout.split())
    assert once == twice
    if sys.platform == "win32":
        assert once == 0x4000
    else:
        assert once == max(before, 5)
