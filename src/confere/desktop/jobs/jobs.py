"""The jobs of a window: which run, which wait for the archive, and how each ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from confere.desktop.jobs.job import JobKind, JobOutcome, JobRequest
from confere.desktop.jobs.job_requests import tidy
from confere.errors import Message
from confere.system.paths import Home
from confere.system.progress import Progress

if TYPE_CHECKING:
    from confere.desktop.jobs.child_process import Child

_STOP_PATIENCE_MS = 3000


class Jobs(QObject):
    """Starts orders as child processes. One that writes to the archive waits until the one before it has ended."""

    changed = Signal()  # something began, ended, or was put into the queue
    progressed = Signal(JobRequest, Progress)
    noted = Signal(JobRequest, Message)
    ended = Signal(JobOutcome)
    gave_way = Signal(JobOutcome)  # stopped for what somebody asked for; it goes on afterwards

    def __init__(self, home: Home, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._home = home
        self._running: list[Child] = []
        self._waiting: list[JobRequest] = []
        self._giving_way: set[Child] = set()
        self._is_closing = False

    @property
    def running(self) -> tuple[JobRequest, ...]:
        return tuple(child.order for child in self._running)

    @property
    def waiting(self) -> tuple[JobRequest, ...]:
        return tuple(self._waiting)

    @property
    def busy(self) -> bool:
        return bool(self._running or self._waiting)

    def has(self, kind: JobKind) -> bool:
        """Whether one of this kind runs or waits."""
        return any(order.kind is kind for order in (*self.running, *self._waiting))

    def start(self, order: JobRequest) -> None:
        """Run it now, or as soon as the archive is free. What runs or waits already is not wanted a second time."""
        if any((known.kind, known.arguments) == (order.kind, order.arguments) for known in self._wanted()):
            return
        self._waiting.append(order)
        self._go_on()

    def stop(self, order: JobRequest) -> None:
        """Ask this one to end at a safe place, or take it out of the queue."""
        if any(order is entry for entry in self._waiting):
            self._waiting = [entry for entry in self._waiting if entry is not order]
            tidy(order)
            self.ended.emit(JobOutcome(order, 1, None, None, True))
            self.changed.emit()
        for child in self._running:
            if child.order is order:
                self._giving_way.discard(child)
                child.stop()
                self.changed.emit()

    def stop_all(self) -> None:
        """Ask everything to end."""
        for order in (*self._waiting, *self.running):
            self.stop(order)

    def is_stopping(self, order: JobRequest) -> bool:
        return any(child.order is order and child.stopping for child in self._running)

    def close(self) -> None:
        """End everything before the window goes: asked first, then ended; every job goes on from there next time."""
        self._is_closing = True  # whoever hears of an end may want something begun
        for child in self._running:
            child.stop()
        for child in tuple(self._running):
            child.end_now(_STOP_PATIENCE_MS)
            tidy(child.order)
        for order in self._waiting:
            tidy(order)
        self._waiting.clear()
        self._is_closing = False

    def _wanted(self) -> list[JobRequest]:
        """What is to be done still; what was asked to stop may be wanted again."""
        return [*self._waiting, *(child.order for child in self._running if not child.stopping)]

    def _go_on(self) -> None:
        from confere.desktop.jobs.child_process import Child

        if self._is_closing:
            return
        for order in tuple(self._waiting):
            if not any(order is entry for entry in self._waiting):
                continue  # a child that cannot start ends at once, and what came after it has begun meanwhile
            if order.writes and (writing := [child for child in self._running if child.order.writes]):
                self._make_way(writing, order)
                continue
            self._waiting = [entry for entry in self._waiting if entry is not order]
            child = Child(order, self._home, self)
            child.progressed.connect(lambda progress, order=order: self.progressed.emit(order, progress))
            child.noted.connect(lambda note, order=order: self.noted.emit(order, note))
            child.ended.connect(lambda outcome, child=child: self._ended(child, outcome))
            self._running.append(child)
            child.start()
        self.changed.emit()

    def _make_way(self, writing: list[Child], order: JobRequest) -> None:
        """What nobody asked for stops for what somebody asks for, and goes on after it."""
        for child in writing:
            if child.order.quiet and not order.quiet and not child.stopping:
                self._giving_way.add(child)
                child.stop()

    def _ended(self, child: Child, outcome: JobOutcome) -> None:
        if child in self._running:
            self._running.remove(child)
            child.deleteLater()
        if child in self._giving_way:
            self._giving_way.remove(child)
            if outcome.stopped:
                self._waiting.append(child.order)
                self.gave_way.emit(outcome)
                self._go_on()
                return
        tidy(child.order)
        self.ended.emit(outcome)
        self._go_on()
