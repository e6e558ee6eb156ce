"""The file that a process logs to: closed to other users, and turned over once before it grows too long."""

from __future__ import annotations

from io import TextIOWrapper
from logging import LogRecord
from logging.handlers import RotatingFileHandler
from pathlib import Path

from confere.system.files.own_files import open_own


class LogFile(RotatingFileHandler):
    """One file of one process: nobody else holds it open, so it can be renamed on Windows too."""

    def _open(self) -> TextIOWrapper:
        """Create it closed to other users, also where the data folder is not."""
        return open(
            self.baseFilename,
            self.mode,
            encoding=self.encoding,
            errors="backslashreplace",
            opener=lambda name, flags: open_own(Path(name), flags),
        )  # type: ignore[return-value]

    def handleError(self, record: LogRecord) -> None:
        """Say nothing: a log that cannot be written (full disk) must not stop or litter the work."""
