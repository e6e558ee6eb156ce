"""The rate limit: a bucket that fills at a fixed rate and holds about a second's worth."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from email.utils import format_datetime

from sandbox_hub.options import RetryAfter


class Bucket:
    """One token's allowance; `rate` None never runs dry."""

    def __init__(self, rate: float | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._room = max(1.0, rate or 0.0)
        self._level = self._room
        self._seen = clock()

    def take(self) -> float:
        """Take one: 0 when it was there, else the seconds until it will be."""
        if self._rate is None:
            return 0.0
        now = self._clock()
        self._level = min(self._room, self._level + (now - self._seen) * self._rate)
        self._seen = now
        if self._level >= 1:
            self._level -= 1
            return 0.0
        return (1 - self._level) / self._rate


def retry_after(style: RetryAfter, seconds: float, now: datetime) -> dict[str, str]:
    """The header that says when to come back, in the deployment's style and by the hub's clock `now`.

    Whole seconds, at least one.
    """
    whole = max(1, math.ceil(seconds))
    if style == "seconds":
        return {"Retry-After": str(whole)}
    if style == "date":
        return {"Retry-After": format_datetime(now + timedelta(seconds=whole), usegmt=True)}
    return {}
