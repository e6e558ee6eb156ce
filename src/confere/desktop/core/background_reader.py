"""Asks and writes the archive in threads beside the window; answers come back on the window's own thread."""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from typing import Final, NamedTuple

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal

from confere.desktop.core.reader_topics import Question, Questions, When

_log = logging.getLogger(__name__)
_THREADS = 2
_PAINTED: Final = QEvent.Type(QEvent.registerEventType())
_BEHIND_PAINTING: Final = Qt.EventPriority.LowEventPriority.value - 1  # Qt's own updates of a window are of the low one


class _Open(NamedTuple):
    """What was asked and not answered yet; nothing but a question has a topic."""

    topic: str | None
    question: Question


class BackgroundReader(QObject, Questions):
    """Runs questions that take longer than a frame.

    A question has a topic ("the list's ids"): asking again under the same topic makes the earlier answer worthless,
    so it is dropped, and if it was not begun it never is. Callbacks stay on this side: no object of the window is
    ever held by a worker thread.

    What is to be written is no question: it has a thread of its own, is done in the order in which it was asked for,
    and is never dropped, not even when the window closes.
    """

    _answered = Signal(int, object, object)
    idle = Signal()  # nothing is being asked any more

    def __init__(self, failed: Callable[[Exception], None], parent: QObject | None = None) -> None:
        """`failed` takes what no question's own `failed` took."""
        super().__init__(parent)
        self._failed = failed
        self._pool = ThreadPoolExecutor(_THREADS, thread_name_prefix="reader")
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="writer")
        self._writes: dict[int, Future[bool]] = {}  # whose answers were not taken yet; whether each went well
        self._tickets = itertools.count(1)
        self._open: dict[int, _Open] = {}
        self._later: dict[str, Question] = {}  # by topic, in the order in which they were asked
        self._newest: dict[str, int] = {}
        self._lock = threading.Lock()  # of `_newest`, which the workers look at
        self._closed = False
        self._unpainted: list[Callable[[], None]] = []
        self._layouts = QTimer(self, singleShot=True, interval=0)  # behind those by which views lay themselves out
        self._layouts.timeout.connect(lambda: QCoreApplication.postEvent(self, QEvent(_PAINTED), _BEHIND_PAINTING))
        self._answered.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        return bool(self._open or self._later)

    def put(self, topic: str, question: Question, when: When) -> None:
        """As `ask`. What is asked later waits until nothing else is being asked."""
        if self._closed:
            return
        if when is When.LATER:
            with self._lock:
                self._newest.pop(topic, None)
            self._later[topic] = question
            QTimer.singleShot(0, self, self._ask_waiting)
            return
        self._later.pop(topic, None)
        ticket = next(self._tickets)
        self._open[ticket] = _Open(topic, question)
        with self._lock:
            self._newest[topic] = ticket
        if when is When.PAINTED:
            self._unpainted.append(partial(self._begin, ticket, topic, question.work))
            self._layouts.start()
        else:
            self._begin(ticket, topic, question.work)

    def put_write(self, question: Question) -> None:
        """As `write`."""
        if self._closed:
            return
        ticket = next(self._tickets)
        self._open[ticket] = _Open(None, question)
        self._writes[ticket] = self._writer.submit(self._write, ticket, question.work)

    def finish_writes(self, most_seconds: float) -> bool:
        """Wait until everything is written that was asked for, and take the answers; whether nothing of it failed.

        What takes longer than `most_seconds` goes on, and counts as gone well: `close` waits for it.
        """
        until, went_well = time.monotonic() + most_seconds, True
        while self._writes:
            answered = wait(self._writes.values(), max(0.0, until - time.monotonic()))
            went_well = went_well and all(future.result() for future in answered.done)
            QCoreApplication.sendPostedEvents(self, QEvent.Type.MetaCall)  # an answer may ask for more to be written
            if answered.not_done or any(future in answered.done for future in self._writes.values()):
                break
        return went_well

    def forget(self, topic: str) -> None:
        """The answer is of no use any more."""
        self._later.pop(topic, None)
        with self._lock:
            self._newest.pop(topic, None)

    def close(self) -> None:
        """Take no more questions; what runs, and all that is to be written, is waited for, its answer dropped."""
        self._closed = True
        with self._lock:
            self._newest.clear()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._writer.shutdown(wait=True)
        self._writes.clear()
        self._open.clear()
        self._later.clear()

    def customEvent(self, event: QEvent) -> None:
        """Begin what was asked for after painting."""
        if event.type() == _PAINTED:
            waiting, self._unpainted = self._unpainted, []
            for begin in waiting:
                begin()

    def _ask_waiting(self) -> None:
        if self._open:
            return  # the last of these comes here again
        waiting, self._later = self._later, {}
        for topic, question in waiting.items():
            self.put(topic, question, When.NOW)

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

    def _write(self, ticket: int, work: Callable[[], object]) -> bool:
        answer: object = None
        error: Exception | None = None
        try:
            answer = work()
        except Exception as found:
            error = found
        if not self._closed:
            self._answered.emit(ticket, answer, error)
        elif error is not None:
            _log.error("Not written as the window closed", exc_info=error)
        return error is None

    def _deliver(self, ticket: int, answer: object, error: Exception | None) -> None:
        asked = self._open.pop(ticket, None)
        self._writes.pop(ticket, None)
        if asked is None or self._closed:
            return
        topic, question = asked.topic, asked.question
        failed = question.failed or self._failed
        try:
            if topic is None or self._is_wanted(ticket, topic):
                if topic is not None:
                    with self._lock:
                        self._newest.pop(topic, None)
                if error is None and _is_alive(question.then):
                    question.then(answer)
                elif error is not None and _is_alive(failed):
                    failed(error)
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
