"""Kills processes that this one starts, as the system does where memory is short: with a real SIGKILL."""

from __future__ import annotations

import multiprocessing.process
import os
import signal

import pytest


class Killer:
    """Kills the first `kills` processes that are started from now on, each as soon as it runs; `begun` counts all."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, kills: int) -> None:
        self.kills = kills
        self.begun = 0
        start = multiprocessing.process.BaseProcess.start

        def started(process: multiprocessing.process.BaseProcess) -> None:
            start(process)
            self.begun += 1
            if self.begun <= self.kills:
                assert process.pid is not None
                os.kill(process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))

        monkeypatch.setattr(multiprocessing.process.BaseProcess, "start", started)
