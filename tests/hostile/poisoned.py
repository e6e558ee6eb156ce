"""As `child`, in a program in which reading or judging certain bytes kills the process: for what no bound foresees.

`python -m tests.hostile.poisoned REPORT ARGUMENT…`. Processes that this one starts import it too, so they die likewise.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from confere.app.authenticity import judging, verify
from confere.app.maintenance import reindex
from confere.intake import isolated_reading
from confere.system.processes import worker_pool
from tests.hostile.child import main

POISON = b"<infCpl>poison"
_read, _judge = isolated_reading.read, judging.judge_paper


def _die_of(data: bytes) -> None:
    if POISON in data:
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))


def read(data: bytes, **options: Any) -> Any:
    _die_of(data)
    return _read(data, **options)


def judge_paper(data: bytes, *arguments: Any, **options: Any) -> Any:
    _die_of(data)
    return _judge(data, *arguments, **options)


if __name__ in ("__main__", "__mp_main__"):  # the second is what it is called in a process that this one starts
    isolated_reading.read = read  # type: ignore[assignment]
    judging.judge_paper = judge_paper
    verify.ALONE = reindex.ALONE = int(os.environ.get("POISON_ALONE", "3000"))  # type: ignore[misc]
    worker_pool.cores = lambda: 2

if __name__ == "__main__":
    main(*sys.argv[1:])
