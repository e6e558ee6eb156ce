"""Keeps a log file per process in the data folder, without tokens.

What may be logged: counts, times, row ids, hub ids, access keys, HTTP methods, paths and statuses, names of
our own code. What may not: tokens, names, addresses and tax ids of persons, contents of documents or
orders, the query part of addresses. The redaction here is a net under that rule, not a licence.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from confere.system.files.own_files import is_own_folder
from confere.system.redaction import redact, register_secret

__all__ = ["LEVEL_VARIABLE", "LogHandler", "Redacting", "close_log", "open_log", "redact", "register_secret"]

LEVEL_VARIABLE = "CONFERE_LOG_LEVEL"
_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
_BYTES = 2_000_000
_FILES_KEPT = 20
_CHATTY = ("httpcore", "httpx", "urllib3", "keyring", "asyncio", "alembic", "sqlalchemy", "uvicorn")

_log = logging.getLogger(__name__)


class Redacting(logging.Formatter):
    """Redacts the finished line: message, arguments, extras, exception and stack, whoever put them there."""

    def __init__(self) -> None:
        self.converter = time.gmtime
        super().__init__("%(asctime)sZ %(levelname)s %(process)d %(threadName)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return redact(super().format(record))


class LogHandler(logging.Handler):
    """Hands everything to the file, which is made when there is something to say.

    Most runs say nothing, and what keeps the file short (`logging.handlers`) loads sockets and pickles.
    """

    def __init__(self, path: Path, levels_before: Mapping[str, int]) -> None:
        super().__init__()
        self.levels_before = levels_before
        self.path = path
        self._file: logging.Handler | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if self._file is None:
            if not is_own_folder(self.path.parent):  # not there yet, or a link to somebody else's
                return
            from confere.system.files.log_file import LogFile

            self._file = LogFile(self.path, maxBytes=_BYTES, backupCount=1, encoding="utf-8", delay=True)
            self._file.setFormatter(self.formatter)
        self._file.emit(record)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        super().close()


def open_log(folder: Path, environ: Mapping[str, str] | None = None) -> LogHandler:
    """Log from now on to a file of this process in `folder`, made when there is something to say.

    The level is `CONFERE_LOG_LEVEL` (DEBUG, INFO, WARNING, ERROR; INFO without it); libraries only warn. A
    file of 2 MB is renamed once (`.1`), so a process keeps 4 MB at most; of all processes the newest 20 files
    stay. Give the handler to `close_log` at the end.
    """
    variables = os.environ if environ is None else environ
    asked = variables.get(LEVEL_VARIABLE, "").strip().upper()
    level = asked if asked in _LEVELS else "INFO"
    _forget_old(folder)
    name = f"confere-{datetime.now(UTC):%Y%m%dT%H%M%S}-{os.getpid()}.log"
    handler = LogHandler(
        folder / name, {library: logging.getLogger(library).level for library in ("confere", *_CHATTY)}
    )
    handler.setFormatter(Redacting())
    logging.getLogger().addHandler(handler)
    logging.getLogger("confere").setLevel(level)
    for library in _CHATTY:
        logging.getLogger(library).setLevel(logging.WARNING)
    if asked and asked != level:
        _log.warning("%s=%s is no level, using %s", LEVEL_VARIABLE, asked, level)
    return handler


def close_log(handler: LogHandler) -> None:
    """Stop logging to the file of `open_log`, and leave the loggers as they were."""
    logging.getLogger().removeHandler(handler)
    handler.close()
    for library, level in handler.levels_before.items():
        logging.getLogger(library).setLevel(level)


def _forget_old(folder: Path) -> None:
    """Delete all but the newest files. The names sort by time; a file in use on Windows refuses and stays."""
    files: list[Path] = []
    if not is_own_folder(folder):  # what a link leads to is somebody else's
        return
    with suppress(OSError):  # who may not look into it hears of that when it is to be used
        files = sorted(folder.glob("confere-*.log*"), key=lambda path: path.name)
    for path in files[: -(_FILES_KEPT - 1)]:
        with suppress(OSError):
            path.unlink()
