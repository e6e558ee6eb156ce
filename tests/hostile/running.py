"""One command in a process of its own: how it ended, how long it took, how much memory, and what it had to say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tests.cli.running import ENVIRONMENT

MOST_MEMORY = 512_000_000
MOST_SECONDS = 60.0
_MOST_SECONDS_TO_STOP = 5.0
_LONGEST = 400.0  # then it is ended: no case may come near
_FAULTS = ("Traceback (most recent call last)", "This is a fault of Confere", "fault of Confere")
_BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
_ACTING = {*map(chr, range(32)), *map(chr, range(0x7F, 0xA0)), *_BIDI} - {*"\n\t\r"}


@dataclass(frozen=True)
class Ended:
    """How a case ended. `peak` is in bytes; `sentence` is the first thing the program had to say.

    `wrong` is what must not be: a fault of the program, something written elsewhere, a command to the terminal.
    """

    name: str
    seconds: float
    peak: int
    code: int | None
    sentence: str
    most_seconds: float = MOST_SECONDS
    is_signalled: bool = False
    wrong: str = ""
    out: str = ""

    @property
    def is_well(self) -> bool:
        if self.wrong:
            return False
        if self.is_signalled:
            return self.code is not None and self.seconds <= _MOST_SECONDS_TO_STOP
        said = bool(self.sentence) or self.code == 0
        return self.code in (0, 1, 2, 3) and said and self.peak <= MOST_MEMORY and self.seconds <= self.most_seconds

    @property
    def json(self) -> dict[str, Any]:
        told = json.loads(self.out)
        assert isinstance(told, dict)
        return told


def confere(
    name: str,
    home: Path,
    *arguments: str,
    stdin: str = "",
    signal_after: float | None = None,
    is_json: bool = True,
    folder: Path | None = None,
    **environment: str,
) -> Ended:
    """Run one command; with `signal_after` it is asked to end (SIGTERM) after so many seconds, which then count."""
    given = ["--home", str(home), *(["--json"] if is_json else []), *arguments]
    return process(
        name, "tests.hostile.child", given, home / "peak", stdin, signal_after, folder, environment, is_json=is_json
    )


def process(
    name: str,
    module: str,
    arguments: list[str],
    report: Path,
    stdin: str = "",
    signal_after: float | None = None,
    folder: Path | None = None,
    environment: dict[str, str] | None = None,
    *,
    is_json: bool = True,
) -> Ended:
    """Run a module that writes its peak of memory to `report`."""
    started = time.monotonic()
    child = subprocess.Popen(
        [sys.executable, "-m", module, str(report), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        cwd=folder,
        env=ENVIRONMENT | {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))} | (environment or {}),
    )
    try:
        if signal_after is not None:
            time.sleep(signal_after)
            started = time.monotonic()
            child.terminate()
        out, err = child.communicate(stdin, timeout=_LONGEST)
    except subprocess.TimeoutExpired:
        child.kill()
        out, err = child.communicate()
        return Ended(name, time.monotonic() - started, 0, None, "still running")
    seconds = time.monotonic() - started
    peak = int(report.read_text(encoding="ascii")) if report.exists() else 0
    wrong = next((fault for fault in _FAULTS if fault in out + err), "")
    wrong = wrong or ("acts on the terminal" if _ACTING & {*out, *err} else "")
    sentence = _sentence(out, err) if is_json else (err.strip().splitlines() or out.strip().splitlines() or [""])[-1]
    return Ended(name, seconds, peak, child.returncode, sentence, wrong=wrong, out=out)


def all_of(name: str, *ended: Ended) -> Ended:
    """Several commands as one case: the last one's words, and the worst of everything."""
    bad = next((entry for entry in ended if not entry.is_well), ended[-1])
    return replace(
        bad, name=name, seconds=sum(entry.seconds for entry in ended), peak=max(entry.peak for entry in ended)
    )


def _sentence(out: str, err: str) -> str:
    try:
        told = json.loads(out)
    except ValueError:
        return err.strip().splitlines()[-1] if err.strip() else ""
    problems = told.get("problems") or told.get("failures") or []
    first = problems[0] if problems else told.get("error") or told
    words = first.get("reason") or first.get("what") or first.get("message") if isinstance(first, dict) else first
    return " ".join(str(words or err.strip() or "told in its JSON").split())
