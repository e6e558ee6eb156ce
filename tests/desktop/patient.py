"""Waiting for the window as long as a machine under load may take: a bound, not an expectation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pytestqt.qtbot import QtBot

LONG = 120_000  # ms


class PatientBot(QtBot):
    """pytest-qt's bot, which by itself gives up after five seconds."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = LONG) -> None:
        super().waitUntil(callback, timeout=timeout)

    def waitSignal(self, signal: Any, *, timeout: int = LONG, **options: Any) -> Any:
        return super().waitSignal(signal, timeout=timeout, **options)

    def waitExposed(self, widget: Any, *, timeout: int = LONG) -> Any:
        return super().waitExposed(widget, timeout=timeout)
