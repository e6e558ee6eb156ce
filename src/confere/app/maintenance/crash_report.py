"""Knows whether the window ended without being closed, and what of that can be told without naming anybody.

While a window is open a file in the folder of logs says so, and the interpreter writes there where it stood when a
signal ends it. A file that is found at the next start is of a window that did not end by itself.
"""

from __future__ import annotations

import faulthandler
import json
import logging
import os
import re
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import IO, Final, NamedTuple

from confere.errors import EnvironmentFault
from confere.system.files import own_files
from confere.system.paths import Home
from confere.system.redaction import HIDDEN, redact

_log = logging.getLogger(__name__)
_RUNNING: Final = "window.running"
_FAULT: Final = "window.fault"
_MOST_LINES = 300
_MOST_BYTES: Final = 16 * 1024 * 1024  # a log is turned over at 2 MB
_LONGEST_LINE = 2000  # characters; what takes names out of a line takes four times as long for one twice as long
_TOLD = re.compile(r"^\S+ \S+ (?:WARNING|ERROR|CRITICAL) ")
_OF_TRACE = re.compile(r"Traceback|  File |    |During handling|The above exception|[A-Za-z_][\w.]*(?::|$)")
_LOG_LINE = re.compile(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")
_ALONE, _END = r"(?<![A-Za-z0-9])", r"(?![A-Za-z0-9])"


class EarlierCrash(NamedTuple):
    """A window that ended without being closed. `began` is when it was opened (UTC text), `report` what can be told."""

    began: str
    report: str


class WindowRun:
    """Between `begin` and `end` the window is open; whoever holds the window's lock calls them."""

    def __init__(self, home: Home) -> None:
        self._folder = home.logs
        self._fault: IO[str] | None = None

    def begin(self) -> EarlierCrash | None:
        """Say that a window is open; the one before, where it did not end by itself. A full disk hinders no start."""
        found = None
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            found = self._earlier()
            began = {"pid": os.getpid(), "began": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"}
            own_files.write_own(self._folder / _RUNNING, json.dumps(began).encode())
            fault = own_files.open_own(self._folder / _FAULT, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            self._fault = os.fdopen(fault, "w", encoding="utf-8")
            faulthandler.enable(self._fault)
        except (OSError, EnvironmentFault):
            _log.info("It cannot be kept that a window is open", exc_info=True)
        return found

    def end(self) -> None:
        """The window ends by itself."""
        if self._fault is not None:
            faulthandler.disable()
            self._fault.close()
            self._fault = None
        for name in (_RUNNING, _FAULT):
            with suppress(OSError):
                (self._folder / name).unlink()

    def _earlier(self) -> EarlierCrash | None:
        try:
            kept = json.loads(own_files.read_own(self._folder / _RUNNING, _MOST_BYTES))
            process, began = int(kept["pid"]), impersonal(str(kept["began"]))
        except FileNotFoundError:
            return None
        except (ValueError, TypeError, KeyError, OSError, EnvironmentFault, RecursionError):
            process, began = 0, ""  # cut off while it was written
        return EarlierCrash(began, self._report(process, began))

    def _report(self, process: int, began: str) -> str:
        from confere.system import diagnostics

        trace = _text_of(self._folder / _FAULT)
        logged = "\n".join(_text_of(file) for file in sorted(self._folder.glob(f"confere-*-{process}.log")))
        facts = [f"{name}: {value}" for name, value in diagnostics.describe().items()]
        parts = [
            "Confere: a window that ended without being closed",
            f"opened: {began}",
            "",
            *facts,
            "",
            "where it stood:",
            impersonal(trace).strip() or "(nothing was written)",
            "",
            "what it had logged:",
            impersonal("\n".join(_warnings(logged))).strip() or "(no warning and no error)",
        ]
        return "\n".join(parts) + "\n"


def impersonal(text: str) -> str:
    """`text` without tokens, numbers of persons and documents, names in quotes, addresses and paths.

    Of a very long line the beginning.
    """
    text = "\n".join(map(_shortened, redact(text).split("\n")))
    for pattern, place in _personal():
        text = pattern.sub(place, text)
    return text


def _shortened(line: str) -> str:
    """The beginning of a long line, whose last name or address would not be known for one where it is cut in two."""
    if len(line) <= _LONGEST_LINE:
        return line
    cut = line[:_LONGEST_LINE]
    return (cut.rpartition(" ")[0] or cut) + "'\""  # ends what is quoted


def _warnings(logged: str) -> list[str]:
    """The last warnings and errors of a log, with their traces; of what an exception says no further lines."""
    kept: list[str] = []
    keeps = False
    for line in logged.splitlines():
        if _LOG_LINE.match(line):
            keeps = _TOLD.match(line) is not None
        if keeps and (_LOG_LINE.match(line) or _OF_TRACE.match(line)):
            kept.append(line)
    return kept[-_MOST_LINES:]


def _text_of(file: Path) -> str:
    try:
        return own_files.read_own(file, _MOST_BYTES).decode("utf-8", "replace")
    except (OSError, EnvironmentFault):
        return ""


@cache
def _personal() -> tuple[tuple[re.Pattern[str], str], ...]:
    """What might name a person, a company or a machine, and what stands for it. Our own files keep their names."""
    return (
        (re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+"), "[e-mail]"),
        (re.compile(r"(?:https?|file)://[^\s\"']+"), "[address]"),
        (re.compile(r"(?:[A-Za-z]:)?(?:[\\/][^\\/\s\"':]+(?: [^\\/\s\"':]+)*)+[\\/](\w+\.py)\b"), r"\1"),
        (re.compile(r"(?:[A-Za-z]:)?[\\/][^\s\"']*[\\/][^\"'\n]*"), "[path]"),
        (re.compile(r"^([A-Za-z_][\w.]*): .+$", re.MULTILINE), r"\1"),  # what an exception says
        (re.compile(r"(?<![\w\"])'[^'\n]*'|\"(?!\w+\.py\")[^\"\n]*\""), HIDDEN),
        # An access key, also in its groups of four, or a CNPJ, either of which may have letters.
        (re.compile(r"\d{6}[A-Za-z0-9]{12}\d{26,32}|\d{9}[A-Za-z0-9]{12}\d{29}"), "[number]"),
        (re.compile(rf"{_ALONE}\d{{4}}(?:[ .-][A-Za-z0-9]{{4}}){{4}}(?:[ .-]\d{{4}}){{6}}{_END}"), "[number]"),
        (re.compile(rf"{_ALONE}\w{{2}}\.?\w{{3}}\.?\w{{3}}/\w{{4}}-?\d\d{_END}", re.ASCII), "[number]"),
        (re.compile(rf"{_ALONE}[A-Za-z0-9]{{12}}\d\d{_END}"), "[number]"),
        (re.compile(r"\d[\d./-]{9,}\d|\d{5,}"), "[number]"),
    )
