"""Which commands can be done while jobs run; and the keyboard comes back to a button that a job had disabled."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget

from confere.desktop.core.actions import Action, Actions
from confere.desktop.jobs.job import JobKind
from confere.desktop.services import Services


class JobCommands(QObject):
    """Belongs to one window."""

    def __init__(self, services: Services, actions: Actions, window: QWidget) -> None:
        super().__init__(window)
        self._services, self._actions, self._window = services, actions, window
        self._lost: tuple[QWidget, QWidget | None] | None = None  # what lost the keyboard to a job, and to what
        services.jobs.changed.connect(self.refresh)

    def refresh(self) -> None:
        """Enable what can be done now; whoever stood on a button that was disabled stands there again afterwards."""
        before = self._window.focusWidget()
        self._enable()
        now = self._window.focusWidget()
        if before is not None and before is not now and not before.isEnabled():
            self._lost = (before, now)
        elif self._lost is not None and not (shiboken6.isValid(self._lost[0]) and not self._lost[0].isEnabled()):
            lost, landed = self._lost
            self._lost = None
            if shiboken6.isValid(lost) and now is landed:  # nobody has gone elsewhere meanwhile
                lost.setFocus(Qt.FocusReason.OtherFocusReason)

    def _enable(self) -> None:
        jobs, act, exists = self._services.jobs, self._actions, self._services.opened.exists
        act[Action.STOP].setEnabled(jobs.busy)
        act[Action.VERIFY].setEnabled(exists)
        act[Action.RECONCILE_NOW].setEnabled(exists and not jobs.has(JobKind.RECONCILE))
        act[Action.SYNC].setEnabled(not jobs.has(JobKind.SYNC) and not jobs.has(JobKind.DEMO))
        act[Action.RETRY].setEnabled(not jobs.has(JobKind.SYNC))
