"""The pace of one session, shared by its threads: who may send when, and a sleep that a stop can end."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

from confere.errors import Cancelled, message
from confere.hub.retry.rate_adjustment import Pace


class StopSignal(Protocol):
    """What tells a worker to stop (`threading.Event`): `wait` sleeps at most that long, True once it was asked to."""

    def wait(self, seconds: float, /) -> bool: ...


def stopped() -> Cancelled:
    """What ends the work when `StopSignal` was set."""
    return Cancelled(
        message("The work was stopped; what was done so far is kept."),
        message("Start it again to go on from there."),
    )


class RateLimiter:
    """Threads ask `acquire` before a request and tell `accepted` or `refused` after it.

    `ceiling` is the most requests a second that the account allows itself, None for as many as the hub bears.
    `clock` is monotonic; `sleep` stands in for a wait on the stop where time is simulated.
    """

    def __init__(
        self,
        ceiling: float | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] | None = None,
    ) -> None:
        self._pace = Pace(ceiling)
        self._lock = threading.Lock()
        self._clock = clock
        self._sleep = sleep
        self._never = threading.Event()

    @property
    def rate(self) -> float | None:
        """The pace in requests a second, None while nothing limits it."""
        with self._lock:
            return self._pace.rate

    def acquire(self, stop: StopSignal | None = None, not_before: float = float("-inf")) -> float:
        """Wait for a slot, from `not_before` on, and return when it came; raises `Cancelled` when stopped."""
        self._wait_until(not_before, stop)
        while True:
            with self._lock:
                slot = self._pace.reserve(self._clock())
                generation = self._pace.generation
            self._wait_until(slot, stop)
            with self._lock:
                now = self._clock()
                self._pace.settle(now)
                if generation == self._pace.generation:
                    return now

    def accepted(self, sent_at: float) -> None:
        """The hub answered a request of `sent_at` with something else than 429."""
        with self._lock:
            self._pace.accepted(self._clock(), sent_at)

    def refused(self, sent_at: float, retry_after: float | None) -> float:
        """The hub answered 429; returns the moment before which that request must not be sent again."""
        with self._lock:
            now = self._clock()
            return now + self._pace.refused(now, sent_at, retry_after)

    def _wait_until(self, moment: float, stop: StopSignal | None) -> None:
        waiter = stop if stop is not None else self._never
        left = 0.0
        while True:
            if waiter.wait(left):
                raise stopped()
            left = max(0.0, moment - self._clock())
            if left == 0.0:
                return
            if self._sleep is not None:
                self._sleep(left)
                left = 0.0
