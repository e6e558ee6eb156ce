"""The one way by which errors reach the person: a sentence with what to do, details to copy, a line in the log."""

from __future__ import annotations

import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal

from confere.errors import ArchiveError, ArchiveLocked, Bug, ConfereError, DiskFull, message
from confere.system.messages import RenderedError, render_error, t
from confere.system.redaction import redact

_log = logging.getLogger(__name__)
_EXPLAINED = 20  # errors whose damage is remembered
_AGAIN_SECONDS = 60.0  # the same fault is logged once in this time: one of painting comes with every picture


class Fault(NamedTuple):
    """An error as it is shown. `details` is what a person copies when asking for help; it holds no token.

    `of_archive`: the archive's file is at fault, so that it holds no more once there is another.
    """

    title: str
    what: str
    remedy: str
    details: str
    is_bug: bool
    of_archive: bool = False


def of_rendered(error: RenderedError) -> Fault:
    """An error that a child process told."""
    details = "\n".join(part for part in (error.title, error.what, error.remedy or "", error.hub_words) if part)
    return Fault(
        error.title, redact(error.what), redact(error.remedy or ""), redact(_with_machine(details)), is_bug=False
    )


def of_exception(error: BaseException) -> Fault:
    """Any exception: ours in its own words, another as a fault of Confere, with its trace in the details only."""
    known = error if isinstance(error, ConfereError) else _as_bug(error)
    said = render_error(known)
    is_bug = isinstance(known, Bug)
    parts = [said.title, said.what, said.remedy or ""]
    if said.hub_words:
        parts.append(t("The hub's own words: {words}", words=said.hub_words))
    if is_bug:
        parts.append("".join(traceback.format_exception(error)))
    details = redact(_with_machine("\n".join(part for part in parts if part)))
    of_archive = isinstance(known, ArchiveError) and not isinstance(known, DiskFull | ArchiveLocked)
    return Fault(said.title, redact(said.what), redact(said.remedy or ""), details, is_bug, of_archive)


class Faults(QObject):
    """Takes every error of the window, from any thread; whoever shows them listens to `told`."""

    told = Signal(Fault)
    _came = Signal(object)

    def __init__(
        self, parent: QObject | None = None, explain: Callable[[BaseException], ConfereError | None] | None = None
    ) -> None:
        """`explain` gives the damage of the archive behind an unexpected error; it may take long."""
        super().__init__(parent)
        self._explain = explain
        self._came.connect(self._tell, Qt.ConnectionType.AutoConnection)
        self._told_at: dict[str, float] = {}
        self._explained: dict[str, BaseException] = {}
        self._looked_behind: set[str] = set()  # at this moment
        self._lock = threading.Lock()
        self._before: tuple[Callable[..., object], Callable[..., object]] | None = None

    def tell(self, error: BaseException) -> None:
        """Show this error; safe from any thread."""
        if isinstance(error, ConfereError) and not isinstance(error, Bug):
            _log.info("Shown to the user: %s", redact(str(error)))
            self._came.emit(error)
            return
        trace = "".join(traceback.format_exception(error))
        is_news = self._is_news(trace)
        if is_news:
            _log.error("Unexpected: %s", redact(trace))
        if self._explain is None:
            self._came.emit(error)
            return
        with self._lock:
            if trace in self._looked_behind:  # its answer is this one's too
                return
            known = None if is_news else self._explained.get(trace)
            if known is None:
                self._looked_behind.add(trace)
        if known is not None:
            self._came.emit(known)
        else:
            threading.Thread(target=self._look_behind, args=(error, trace), daemon=True).start()

    def _look_behind(self, error: BaseException, trace: str) -> None:
        """Tell the damage that explains an error, else the error; in a thread, since the whole archive is read."""
        known: BaseException = error
        try:
            if self._explain is not None:
                known = self._explain(error) or error
        except Exception:  # looking for it must not hide what happened
            _log.info("the archive could not be looked at", exc_info=True)
        with self._lock:
            if len(self._explained) > _EXPLAINED:
                self._explained.clear()
            self._explained[trace] = known
            self._looked_behind.discard(trace)
        with suppress(RuntimeError):  # the window is gone meanwhile
            self._came.emit(known)

    def install(self) -> None:
        """Also take what nobody caught: PySide calls `sys.excepthook` for an exception in a slot and goes on."""
        self._before = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._uncaught
        threading.excepthook = self._uncaught_in_thread

    def uninstall(self) -> None:
        """Leave it to who took them before."""
        if self._before is not None:
            sys.excepthook, threading.excepthook = self._before
            self._before = None

    def _is_news(self, trace: str) -> bool:
        now = time.monotonic()
        with self._lock:
            self._told_at = {known: at for known, at in self._told_at.items() if now - at < _AGAIN_SECONDS}
            if trace in self._told_at:
                return False
            self._told_at[trace] = now
            return True

    def _tell(self, error: BaseException) -> None:
        self.told.emit(of_exception(error))

    def _uncaught(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
        else:
            self.tell(error)

    def _uncaught_in_thread(self, found: threading.ExceptHookArgs) -> None:
        if found.exc_value is not None and not issubclass(found.exc_type, SystemExit):
            self.tell(found.exc_value)


def _as_bug(error: BaseException) -> Bug:
    return Bug(
        message("Something unexpected happened: {kind}. Your documents are safe.", kind=type(error).__name__),
        message("Try again. If it comes back, send the details to whoever looks after Confere."),
    )


def _with_machine(text: str) -> str:
    from confere.system import diagnostics

    facts = ", ".join(f"{name} {value}" for name, value in diagnostics.describe().items())
    return f"{text}\n{facts}"
