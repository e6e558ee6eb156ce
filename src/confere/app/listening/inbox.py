"""The documents that wait to be fetched: a bounded set between the server that takes notifications and the worker."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from confere.app.listening.notification import RefusedBecause

RATE: Final = 5.0  # notifications a second in the long run that may turn out to be about nothing
BURST: Final = 500  # and at once
MOST_WAITING: Final = 2_000


class Inbox:
    """Ids by their arrival, each once. Safe to use from many threads; its memory has a bound whatever comes.

    What costs is the question to the hub, so an id that waits already costs nothing, and one that the hub knew is
    given back (`give_back`): only what brought nothing uses up the pace. A refused one may have been real: see
    `take_overflow`.
    """

    def __init__(
        self,
        *,
        rate: float = RATE,
        burst: int = BURST,
        most: int = MOST_WAITING,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._rate = rate
        self._burst = burst
        self._most = most
        self._clock = clock
        self._level = float(burst)
        self._filled = clock()
        self._waiting: dict[str, None] = {}
        self._changed = threading.Condition()
        self._refused: Counter[RefusedBecause] = Counter()
        self._received = self._merged = 0
        self._overflowed = False

    def offer(self, hub_id: str) -> bool:
        """Whether the document will be fetched; one that waits already is not put in twice."""
        with self._changed:
            self._received += 1
            if hub_id in self._waiting:
                self._merged += 1
                return True
            if len(self._waiting) >= self._most or not self._has_room():
                self._refused[RefusedBecause.TOO_MANY] += 1
                self._overflowed = True
                return False
            self._waiting[hub_id] = None
            self._changed.notify()
            return True

    def refuse(self, why: RefusedBecause) -> None:
        """Count a request that is no notification."""
        with self._changed:
            self._received += 1
            self._refused[why] += 1
            self._overflowed = self._overflowed or why is RefusedBecause.TOO_MANY

    def take_overflow(self) -> bool:
        """Whether something was refused since the last call because it was too much at a time."""
        with self._changed:
            overflowed, self._overflowed = self._overflowed, False
            return overflowed

    def give_back(self, number: int) -> None:
        """So many of the taken ids were worth their question."""
        with self._changed:
            self._level = min(self._burst, self._level + number)

    def wait(self, seconds: float) -> bool:
        """Whether something waits, at the latest after so many seconds."""
        with self._changed:
            return bool(self._waiting) or bool(self._changed.wait(seconds))

    def take(self, most: int) -> list[str]:
        """The ids that wait longest, which wait no more."""
        with self._changed:
            taken = list(self._waiting)[:most]
            for hub_id in taken:
                del self._waiting[hub_id]
            return taken

    def put_back(self, hub_ids: Iterable[str]) -> None:
        """Let ids that were taken wait again, before all others."""
        with self._changed:
            self._waiting = dict.fromkeys(hub_ids) | self._waiting

    @property
    def received(self) -> int:
        """How many requests came in all."""
        with self._changed:
            return self._received

    @property
    def merged(self) -> int:
        """How many notifications were about a document that waited already."""
        with self._changed:
            return self._merged

    @property
    def refused(self) -> dict[str, int]:
        """How many requests were refused, by every reason there is."""
        with self._changed:
            return {why.value: self._refused[why] for why in RefusedBecause}

    def _has_room(self) -> bool:
        now = self._clock()
        self._level = min(self._burst, self._level + (now - self._filled) * self._rate)
        self._filled = now
        if self._level < 1:
            return False
        self._level -= 1
        return True
