"""Asks the archive in threads beside the window; answers come back on the window's own thread, in its own time."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, QTimer, Signal

T = TypeVar("T")
_THREADS = 2


@dataclass(frozen=True, slots=True)
class _Question:
    topic: str
    then: Callable[[Any], None]
    failed: Callable[[Exception], None]


class BackgroundReader(QObject):
    """Runs questions that take longer than a frame.

    A question has a topic ("the list's ids"): asking again under the same topic makes the earlier answer worthless,
    so it is dropped, and if it was not begun it never is. Callbacks stay on this side: no object of the window is
    ever held by a worker thread.
    """

    _answered = Signal(int, object, object)
    idle = Signal()  # nothing is being asked any more

    def __init__(self, failed: Callable[[Exception], None], parent: QObject | None = None) -> None:
        """`failed` takes what no question's own `failed` took."""
        super().__init__(parent)
        self._failed = failed
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="reader")
        self._tickets = itertools.count(1)
        self._open: dict[int, _Question] = {}
        self._later: dict[str, Callable[[], None]] = {}  # by topic, in the order in which they were asked
        self._newest: dict[str, int] = {}
        self._lock = threading.Lock()  # of `_newest`, which the workers look at
        self._closed = False
        self._answered.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        return bool(self._open or self._later)

    def ask(
        self,
        topic: str,
        work: Callable[[], T],
        then: Callable[[T], None],
        failed: Callable[[Exception], None] | None = None,
        *,
        after_painting: bool = False,
    ) -> None:
        """Run `work` beside the window and `then` with its answer here, unless the topic was asked again meanwhile.

        `after_painting` begins once what was changed until now is painted: two threads of Python hinder each other.
        """
        if self._closed:
            return
        self._later.pop(topic, None)
        ticket = next(self._tickets)
        self._open[ticket] = _Question(topic, then, failed or self._failed)
        with self._lock:
            self._newest[topic] = ticket
        if after_painting:
            QTimer.singleShot(0, self, partial(self._begin, ticket, topic, work))
        else:
            self._begin(ticket, topic, work)

    def ask_later(
        self,
        topic: str,
        work: Callable[[], T],
        then: Callable[[T], None],
        failed: Callable[[Exception], None] | None = None,
    ) -> None:
        """As `ask`, once nothing else is being asked: for what a window shows beside the rows that it opens with."""
        self._later[topic] = partial(self.ask, topic, work, then, failed)
        QTimer.singleShot(0, self, self._ask_waiting)

    def forget(self, topic: str) -> None:
        """The answer is of no use any more."""
        self._later.pop(topic, None)
        with self._lock:
            self._newest.pop(topic, None)

    def close(self) -> None:
        """Take no more questions; what runs is waited for, its answer dropped."""
        self._closed = True
        with self._lock:
            self._newest.clear()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._open.clear()
        self._later.clear()

    def _ask_waiting(self) -> None:
        if self._open:
            return  # the last of these comes here again
        waiting, self._later = self._later, {}
        for ask in waiting.values():
            ask()

    def _begin(self, ticket: int, topic: str, work: Callable[[], object]) -> None:
        if not self._closed:
            self._pool.submit(self._work, ticket, topic, work)

    def _is_wanted(self, ticket: int, topic: str) -> bool:
        with self._lock:
            return self._newest.get(topic) == ticket

    def _work(self, ticket: int, topic: str, work: Callable[[], object]) -> None:
        answer: object = None
        error: Exception | None = None
        if self._is_wanted(ticket, topic):
            try:
                answer = work()
            except Exception as found:
                error = found
        if not self._closed:
            self._answered.emit(ticket, answer, error)

    def _deliver(self, ticket: int, answer: object, error: Exception | None) -> None:
        question = self._open.pop(ticket, None)
        if question is None or self._closed:
            return
        try:
            if self._is_wanted(ticket, question.topic):
                with self._lock:
                    self._newest.pop(question.topic, None)
                if error is None and _is_alive(question.then):
                    question.then(answer)
                elif error is not None and _is_alive(question.failed):
                    question.failed(error)
        finally:
            if not self._open:
                self._ask_waiting()
            if not self._open:
                self.idle.emit()


def _is_alive(callback: Callable[..., object]) -> bool:
    """Whether the widget that waits for the answer is still there: windows are closed and made anew."""
    while isinstance(callback, partial):
        callback = callback.func
    owner = getattr(callback, "__self__", None)
    return not isinstance(owner, QObject) or shiboken6.isValid(owner)
