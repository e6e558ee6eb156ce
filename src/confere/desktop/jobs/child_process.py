"""One child process: the same `confere` command that a scheduler would run, speaking JSON lines of progress."""

from __future__ import annotations

import json
import logging

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

from confere.desktop.jobs import job_results
from confere.desktop.jobs.job import JobOutcome, JobRequest, JobResult
from confere.errors import Message, message
from confere.system.language_choice import LANGUAGE_VARIABLE
from confere.system.messages import RenderedError, language, render, t
from confere.system.paths import HOME_VARIABLE, Home
from confere.system.processes.own_commands import SAFE_PATH_VARIABLE, own_command
from confere.system.progress import Progress, from_json
from confere.system.redaction import redact

_log = logging.getLogger(__name__)
_PATIENCE_MS = 8000  # between asking a child to stop and ending it: every job survives that
_ERROR_TAIL = 4000  # characters of stderr that are kept
_LONGEST = 1e9  # seconds
_LONGEST_LINE = 64_000_000  # bytes; a result with every failure of a year is far below


class Child(QObject):
    """Started once; `ended` comes once, whatever happens. A child ends when its stdin closes, so also when we die."""

    progressed = Signal(Progress)
    noted = Signal(Message)
    ended = Signal(JobOutcome)

    def __init__(self, order: JobRequest, home: Home, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.order = order
        self._result: JobResult | None = None
        self._error: RenderedError | None = None
        self._pending = bytearray()  # the beginning of a line
        self._complaints = ""
        self._asked_to_stop = False
        self._over = False
        self._process = QProcess(self)
        variables = QProcessEnvironment.systemEnvironment()
        variables.insert(LANGUAGE_VARIABLE, language())
        variables.insert(HOME_VARIABLE, str(home.root))
        variables.insert("PYTHONIOENCODING", "utf-8")
        variables.insert(SAFE_PATH_VARIABLE, "1")  # for what it starts in its turn
        self._process.setProcessEnvironment(variables)
        program, *first = own_command(*order.arguments, "--progress-json", "--exit-with-stdin")
        self._process.setProgram(program)
        self._process.setArguments(first)
        self._process.readyReadStandardOutput.connect(self._read)
        self._process.readyReadStandardError.connect(self._read_complaints)
        self._process.errorOccurred.connect(self._failed_to_start)
        self._process.finished.connect(self._finished)
        self._deadline = QTimer(self)
        self._deadline.setSingleShot(True)
        self._deadline.setInterval(_PATIENCE_MS)
        self._deadline.timeout.connect(self._process.kill)

    @property
    def stopping(self) -> bool:
        return self._asked_to_stop

    @property
    def process_id(self) -> int:
        return self._process.processId()

    def start(self) -> None:
        self._process.start()

    def stop(self) -> None:
        """Ask it to end at its next safe place; after some seconds it is ended, which loses nothing either."""
        if not self._over and not self._asked_to_stop:
            self._asked_to_stop = True
            self._process.closeWriteChannel()
            self._deadline.start()

    def end_now(self, patience_ms: int) -> None:
        """Wait so long for it to end of itself, then end it; for a window that closes."""
        self.stop()
        if not self._process.waitForFinished(patience_ms):
            self._process.kill()
            self._process.waitForFinished(2000)

    def _read(self) -> None:
        *ends, rest = bytes(self._process.readAllStandardOutput().data()).split(b"\n")
        for end in ends:
            self._pending += end
            self._take(self._pending)
            self._pending = bytearray()
        self._pending += rest
        if len(self._pending) > _LONGEST_LINE:
            self._pending.clear()

    def _take(self, line: bytes | bytearray) -> None:
        """What is no line of ours is passed over: libraries and systems print where they please."""
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            return
        match said:
            case {"type": "progress", "message": what, "done": int(done)}:
                self.progressed.emit(
                    Progress(
                        from_json(what),
                        done,
                        _whole(said.get("total")),
                        _seconds(said.get("elapsed")) or 0.0,
                        _seconds(said.get("remaining")),
                    )
                )
            case {"type": "note", "message": what}:
                self.noted.emit(from_json(what))
            case {"type": "result", "result": dict(result)}:
                self._result = job_results.read(self.order.kind, result)
            case {"type": "error", "error": dict(error)}:
                self._error = RenderedError(
                    str(error.get("title") or ""),
                    str(error.get("what") or ""),
                    str(error["remedy"]) if error.get("remedy") else None,
                    str(error.get("hub_words") or ""),
                )

    def _read_complaints(self) -> None:
        text = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace")
        self._complaints = (self._complaints + text)[-_ERROR_TAIL:]

    def _failed_to_start(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart and not self._over:
            self._error = _rendered(
                message("The program {path} cannot be started.", path=self._process.program()),
                message("Install Confere again, or start it from where it is installed."),
            )
            self._end(3)

    def _finished(self, exit_code: int, status: QProcess.ExitStatus) -> None:
        if self._over:
            return
        self._read()
        self._read_complaints()
        crashed = status is QProcess.ExitStatus.CrashExit
        if not self._asked_to_stop and self._error is None and (crashed or self._result is None):
            if self._complaints:
                _log.info("A job ended with: %s", redact(self._complaints))
            self._error = _rendered(
                message("{title} ended unexpectedly (code {code}).", title=self.order.title, code=exit_code),
                message("Start it again: it goes on where it stopped."),
                redact(self._complaints),
            )
        self._end(exit_code)

    def _end(self, exit_code: int) -> None:
        self._over = True
        self._deadline.stop()
        stopped = self._asked_to_stop or bool(self._result and self._result.stopped)
        error = None if self._asked_to_stop else self._error
        self.ended.emit(JobOutcome(self.order, exit_code, self._result, error, stopped))


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _seconds(value: object) -> float | None:
    """A figure that can be told; JSON of ours knows neither endless nor absurd ones."""
    return float(value) if isinstance(value, int | float) and abs(value) < _LONGEST else None


def _rendered(what: Message, remedy: Message, words: str = "") -> RenderedError:
    return RenderedError(t("The job did not end well"), render(what), render(remedy), words)
