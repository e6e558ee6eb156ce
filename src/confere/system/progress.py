"""What a long job says while it runs: how far it is, how long still, and where that is written."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Callable
from typing import NamedTuple, Protocol, TextIO

from confere.errors import Message
from confere.system.messages import render


class Progress(NamedTuple):
    """How far a job is. `total` is None while nobody knows; `remaining` is an estimate, None without one."""

    what: Message
    done: int
    total: int | None
    elapsed: float  # seconds
    remaining: float | None  # seconds


class Reporter(Protocol):
    """Who listens to a job. May be called from any of its threads."""

    def progress(self, progress: Progress) -> None:
        """The job went on; comes at most some ten times a second, and once at the end of each step."""

    def note(self, note: Message) -> None:
        """Something worth telling that is not an error."""


class Silent:
    """A reporter for nobody."""

    def progress(self, progress: Progress) -> None:
        """Ignore it."""

    def note(self, note: Message) -> None:
        """Ignore it."""


class JsonLines:
    """A reporter that writes one JSON object a line, for the window or a script that started the job.

    Each line has `type` (`progress` or `note`), `message` (`id` and `params`, to be rendered in the reader's
    language) and `text` (rendered in the job's). ASCII only, so that no code page can spoil it.

    `encode` says what stands in JSON for a value of `write` that JSON has no kind for.
    """

    def __init__(self, stream: TextIO, encode: Callable[[object], object] | None = None) -> None:
        self._stream = stream
        self._encode = encode
        self._lock = threading.Lock()
        self._broken = False

    def progress(self, progress: Progress) -> None:
        remaining = None if progress.remaining is None else round(progress.remaining, 1)
        self.write(
            {
                "type": "progress",
                "message": as_json(progress.what),
                "text": render(progress.what),
                "done": progress.done,
                "total": progress.total,
                "elapsed": round(progress.elapsed, 1),
                "remaining": remaining,
            }
        )

    def note(self, note: Message) -> None:
        self.write({"type": "note", "message": as_json(note), "text": render(note)})

    def write(self, line: dict[str, object]) -> None:
        """Write any other object in the same stream (a result, an error) without cutting a line in two."""
        text = json.dumps(line, default=self._encode)
        with self._lock:
            if self._broken:
                return
            try:
                self._stream.write(text + "\n")
                self._stream.flush()
            except OSError:
                # The reader is gone. The work goes on: who wants it to end closes our stdin or signals.
                self._broken = True


def as_json(message: Message) -> dict[str, object]:
    """`message` as plain values: what is neither a number, a text nor a message becomes its text."""
    return {"id": message.id, "params": {name: _plain(value) for name, value in message.params.items()}}


def from_json(value: object) -> Message:
    """The message that `as_json` wrote; anything else becomes a message of its own text."""
    match value:
        case {"id": str(id), "params": dict(params)}:
            nested = {str(k): from_json(v) if isinstance(v, dict) else v for k, v in params.items()}
            return Message(id, nested)
    return Message(str(value))


class Meter:
    """Counts a job's steps, estimates what is left and tells the reporter often enough, never too often.

    The rate is an exponentially weighted mean with a half-life in seconds, so that an estimate follows the
    hub's mood within moments and a single slow answer does not throw it. Safe to call from many threads.
    """

    def __init__(
        self,
        reporter: Reporter,
        what: Message,
        total: int | None = None,
        *,
        every: float = 0.1,
        half_life: float = 10.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._reporter = reporter
        self._what = what
        self._total = total
        self._every = every
        self._half_life = half_life
        self._clock = clock
        self._lock = threading.Lock()
        self._done = 0
        self._started = self._told = self._sampled = clock()
        self._sampled_done = 0
        self._rate = 0.0  # steps a second, weighted
        self._weight = 0.0  # of everything in it, 0 to 1: makes the first samples count in full

    def advance(self, steps: int = 1, *, total: int | None = None) -> None:
        """`steps` more are done; `total` replaces the known total."""
        with self._lock:
            self._done += steps
            if total is not None:
                self._total = total
            now = self._clock()
            if now - self._told < self._every:
                return
            self._told = now
            self._sample(now)
            progress = self._progress(now)
        self._reporter.progress(progress)

    def finish(self) -> None:
        """Tell where it ended, whatever was told last."""
        with self._lock:
            progress = self._progress(self._clock())
        self._reporter.progress(progress)

    def _sample(self, now: float) -> None:
        span = now - self._sampled
        if span <= 0:
            return
        keep = math.pow(0.5, span / self._half_life)
        self._rate = keep * self._rate + (1 - keep) * (self._done - self._sampled_done) / span
        self._weight = keep * self._weight + (1 - keep)
        self._sampled, self._sampled_done = now, self._done

    def _progress(self, now: float) -> Progress:
        remaining = None
        if self._total is not None and self._done >= self._total:
            remaining = 0.0
        elif self._total is not None and self._rate > 0:
            remaining = (self._total - self._done) * self._weight / self._rate
        return Progress(self._what, self._done, self._total, now - self._started, remaining)


def sum_told(meter: Meter, before_each: Callable[[], object]) -> Callable[[int, int], None]:
    """For work that tells how much is done of how much: tells the meter, and the last step in any case.

    `before_each` is called first each time; what it raises ends the work.
    """
    told = 0

    def progress(done: int, total: int) -> None:
        nonlocal told
        before_each()
        meter.advance(done - told, total=total)
        told = done
        if done >= total:
            meter.finish()

    return progress


def _plain(value: object) -> object:
    if isinstance(value, Message):
        return as_json(value)
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)
