"""How a long job is asked to stop: by a signal, by a closed stdin, or by the face that started it."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from confere.errors import Cancelled, Message, message


class Stop:
    """A request to stop, shared by the threads of a job. Once set it stays set."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        """Ask every holder to stop at its next safe place."""
        self._event.set()

    @property
    def is_set(self) -> bool:
        return self._event.is_set()

    def wait(self, seconds: float) -> bool:
        """Sleep for `seconds` or until the request comes; True when it came. For pauses between attempts."""
        return self._event.wait(seconds)

    def check(self, done: Message | None = None) -> None:
        """Raise `Cancelled` when the request came; `done` says what is already safe."""
        if self._event.is_set():
            raise Cancelled(
                done or message("The work was stopped; what was done so far is kept."),
                message("Start it again to go on from there."),
            )


def stop_signals() -> tuple[signal.Signals, ...]:
    """What asks a process to end on this system: Ctrl+C, a scheduler's TERM, Ctrl+Break on Windows."""
    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    return tuple(getattr(signal, name) for name in names if hasattr(signal, name))


@contextmanager
def stop_on_signals(stop: Stop) -> Iterator[None]:
    """Inside the block the first signal sets `stop`; a second one ends the process as it would without us.

    For the main thread (Python delivers signals only there); elsewhere it does nothing. A signal that was
    ignored when we came (`nohup`) stays ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in stop_signals()}
    ours = [number for number, handler in before.items() if handler not in (signal.SIG_IGN, None)]

    def restore() -> None:
        for number in ours:
            signal.signal(number, before[number])

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        stop.set()
        restore()

    for number in ours:
        signal.signal(number, on_signal)
    try:
        yield
    finally:
        restore()


def stop_when_stdin_closes(stop: Stop) -> threading.Thread:
    """Set `stop` when whoever started this process closes its stdin, or dies. What comes in is thrown away.

    For children that were given a pipe: with an empty stdin (`/dev/null`) it stops at once.
    """
    watcher = threading.Thread(target=_watch_stdin, args=(stop,), name="stdin", daemon=True)
    watcher.start()
    return watcher


def _watch_stdin(stop: Stop) -> None:
    _wait_for_end(stop)
    stop.set()


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    def _wait_for_end(stop: Stop) -> None:
        """Look before reading: while a thread waits in a read, Windows blocks every other use of the pipe."""
        kernel = ctypes.WinDLL("kernel32")
        kernel.GetStdHandle.restype = wintypes.HANDLE
        handle = wintypes.HANDLE(kernel.GetStdHandle(wintypes.DWORD(-10 & 0xFFFFFFFF)))  # STD_INPUT_HANDLE
        waiting, taken, buffer = wintypes.DWORD(), wintypes.DWORD(), ctypes.create_string_buffer(4096)
        while not stop.is_set:
            if not kernel.PeekNamedPipe(handle, None, 0, None, ctypes.byref(waiting), None):
                return
            if waiting.value:
                length = wintypes.DWORD(min(waiting.value, len(buffer)))
                kernel.ReadFile(handle, buffer, length, ctypes.byref(taken), None)
            else:
                stop.wait(0.25)

else:

    def _wait_for_end(_stop: Stop) -> None:
        """Read to the end. The descriptor, not sys.stdin: a thread inside that one aborts Python's exit."""
        try:
            while os.read(0, 4096):
                pass
        except OSError:
            return
