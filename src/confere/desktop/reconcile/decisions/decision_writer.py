"""What a person decides here: each act written beside the window, one after the other, with undo and redo."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from confere.app.archive_session import OpenArchive
from confere.app.reconciliation import decisions
from confere.app.reconciliation.decisions import Acted, Steps
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.reconcile.decisions.act_history import ActHistory
from confere.desktop.services import Services
from confere.errors import NotInArchive

Work = Callable[[], Acted]
_NOTHING = Steps(None, None)


class DecisionWriter(QObject):
    """`done` tells what an act did, and whether it can be taken back by undo; `steps_changed` what undo would do.

    `begun`: an act is asked for, and what undo would take back is another one by and by.
    """

    begun = Signal()
    done = Signal(object, bool)
    steps_changed = Signal(object)

    def __init__(self, services: Services, reader: TopicReader, parent: QObject) -> None:
        super().__init__(parent)
        self._services, self._reader = services, reader
        self._writing = 0
        self._account: str | None = None
        self._history = ActHistory(services.workspace)

    @property
    def busy(self) -> bool:
        return self._writing > 0

    def use(self, account: str | None) -> None:
        """Whose acts undo and redo are about where this window made none."""
        self._account = account
        self.ask_steps()

    def do(self, work: Work) -> None:
        """Write this act as soon as those before it are written."""
        self._write(partial(self._history.do, work), True)

    def undo(self) -> None:
        """Take the newest act back."""
        self._write(partial(self._history.undo, self._account), False)

    def redo(self) -> None:
        """Do again what was taken back."""
        self._write(partial(self._history.redo, self._account), False)

    def ask_steps(self) -> None:
        """Look what undo and redo would do now."""
        opened, (back, again) = self._services.opened, self._history.accounts(self._account)
        if back is None and again is None:
            self._reader.forget("steps")
            self.steps_changed.emit(_NOTHING)
        else:
            self._reader.ask("steps", lambda: _next_steps(opened, back, again), self._know_steps)

    def _know_steps(self, steps: Steps) -> None:
        self.steps_changed.emit(steps)

    def _write(self, work: Work, can_be_undone: bool) -> None:
        self._writing += 1
        self.begun.emit()
        self._reader.write(work, partial(self._written, can_be_undone), self._failed)

    def _written(self, can_be_undone: bool, acted: Acted) -> None:
        self._writing -= 1
        self.done.emit(acted, can_be_undone and acted.act is not None and not self.busy)
        self.ask_steps()

    def _failed(self, error: Exception) -> None:
        self._writing -= 1
        self._services.faults.tell(error)
        self.ask_steps()


def _next_steps(opened: OpenArchive, back: str | None, again: str | None) -> Steps:
    """What undo would take back in one account and redo do again in another."""
    return Steps(_steps(opened, back).undo, _steps(opened, again).redo)


def _steps(opened: OpenArchive, account: str | None) -> Steps:
    try:
        return _NOTHING if account is None else decisions.steps(opened, account)
    except NotInArchive:  # removed since the act
        return _NOTHING
