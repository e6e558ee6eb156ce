"""The watch sees a thread that was kept busy, and where."""

from __future__ import annotations

import threading

from pytestqt.qtbot import QtBot

from confere.desktop.core.stall_monitor import StallWatch


def keep_busy(gate: threading.Event) -> None:
    gate.wait(0.2)


def test_a_stall_is_measured_and_placed(qtbot: QtBot) -> None:
    watch = StallWatch()
    watch.start()
    keep_busy(threading.Event())
    qtbot.waitUntil(lambda: bool(watch.stalls))
    watch.stop()
    assert watch.longest >= 0.15
    assert any("keep_busy" in stall.doing for stall in watch.stalls)
    watch.forget()
    assert watch.longest == 0.0
