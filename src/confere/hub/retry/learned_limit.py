"""What the hub let through and what it refused, and what that tells about a limit it does not name.

Refusals (429) with no success between them are one *series*. From the start of a series to the start of a later one a
hub of any common kind (token bucket, fixed or sliding window) lets through what its limit allows, if we were always
asking: the count over that time is the limit. Times are seconds of one monotonic clock, rates requests a second.
"""

from __future__ import annotations

import math
from collections import deque

_WINDOW = 1.0
_ENOUGH = 10
_CLOSED = 3.0  # a hub that lets nothing through for this long counts in windows longer than a second
_LONG_AGO = 6.0


class RateTally:
    """The counts of one session. Not thread-safe."""

    def __init__(self) -> None:
        self.series_at = 0.0
        self.series_length = 0  # 0: never refused
        self.accepted_since = 0  # requests sent and accepted since the newest series began
        self._reopened_at: float | None = None
        self._accepted: deque[float] = deque(maxlen=8192)
        self._outcomes: deque[bool] = deque(maxlen=40)
        self._total = 0
        self._starts: deque[tuple[float, int]] = deque(maxlen=16)  # of the newest series, with the total then

    def accept(self, now: float, *, echo: bool) -> None:
        """Count a success; an echo was sent before the newest series began, so it says nothing about after it."""
        self._accepted.append(now)
        self._outcomes.append(True)
        if not echo:
            self._total += 1
            self.accepted_since += 1
            if self._reopened_at is None:
                self._reopened_at = now

    def refuse(self) -> None:
        """Count a refusal."""
        self._outcomes.append(False)

    def begin_series(self, now: float) -> None:
        """Note a refusal after a success, or the first of all."""
        self.series_at, self.series_length = now, 1
        self.accepted_since, self._reopened_at = 0, None
        self._starts.append((now, self._total))

    def last_second(self, now: float) -> int:
        """Successes in the second before `now`, echoes included."""
        return sum(1 for moment in self._accepted if now - _WINDOW < moment <= now)

    def measured(self, now: float) -> float:
        """Best guess of the limit at a refusal; infinite where too little was let through to guess."""
        known = [(start, total) for start, total in self._starts if self._total - total >= _ENOUGH]
        if not known:
            return math.inf
        start, total = known[-1]
        elapsed = max(now - start, 1e-3)
        average = (self._total - total + 0.5) / elapsed
        if self.was_shut():
            return average
        latest = (self.last_second(now) + 0.5) / _WINDOW if elapsed >= _WINDOW else average
        if latest <= average or elapsed > _LONG_AGO:  # long ago: the average holds times when we asked for less
            return max(average, latest)
        return math.sqrt(average * latest)

    def was_shut(self) -> bool:
        """Whether the hub let nothing through for so long that it seems to count in long windows."""
        return self._reopened_at is not None and self._reopened_at - self.series_at >= _CLOSED

    def often_refused(self) -> bool:
        """Whether more than a quarter of the last 40 requests were refused."""
        return len(self._outcomes) == self._outcomes.maxlen and 4 * sum(self._outcomes) < 3 * len(self._outcomes)

    def forget(self) -> None:
        """Drop what was concluded from refusals so far: another view of the hub begins."""
        self._outcomes.clear()
        self._starts.clear()
