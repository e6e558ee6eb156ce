"""The tries of one request: when the next may start, when there is none, and which error that ends in."""

from __future__ import annotations

import logging
import random
import statistics
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import stamina

from confere.errors import HubError, HubUnreachable, message
from confere.hub.http.error_text import hide, tidy, words_of
from confere.hub.http.exchange import HubAnswer, NoAnswer, Watch
from confere.hub.http.status_errors import PASSING, BadAnswer, refusal, unreadable
from confere.hub.retry.liveness import Silence
from confere.hub.retry.rate import RateLimiter, StopSignal, stopped
from confere.hub.retry.retry_after import date_of, retry_after

T = TypeVar("T")
_log = logging.getLogger(__name__)

_FIRST_WAIT, _LONGEST_WAIT = 0.5, 20.0
_CLOCK_READINGS = 101  # answers by which the hub's clock is told
_FIRST_CONTACT = 3  # tries while the hub has never answered: a wrong address shows in seconds


@dataclass(frozen=True, slots=True)
class Limits:
    """`attempts` of one request where something fails; `seconds` for all of them, 429 included."""

    attempts: int
    seconds: float


class RequestCounts:
    """What a session sent, sent again, and had refused with 429; shared by its threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.requests = self.retries = self.throttled = 0
        self.answered = False
        self.server_time: datetime | None = None
        self._apart: deque[timedelta] = deque(maxlen=_CLOCK_READINGS)

    @property
    def clock_apart(self) -> timedelta | None:
        """How far the hub's clock is ahead of ours, by the `Date` of most of its answers; None for never told."""
        with self._lock:
            return statistics.median_low(self._apart) if self._apart else None

    @property
    def is_clock_agreed(self) -> bool:
        """Whether two answers, or most of three, agree on the time to a day."""
        with self._lock:
            found = sorted(self._apart)
        return len(found) > 2 or (len(found) == 2 and found[1] - found[0] <= timedelta(days=1))

    def told(self, date: datetime | None) -> None:
        """An answer says what time it is."""
        if date is not None:
            with self._lock:
                self.server_time = date
                self._apart.append(date - datetime.now(UTC))

    def add(self, *, requests: int = 0, retries: int = 0, throttled: int = 0) -> None:
        with self._lock:
            self.requests += requests
            self.retries += retries
            self.throttled += throttled


class _Failed(Exception):
    """One try came to nothing; `again` says whether another may help, `wait` how long the host asks for."""

    def __init__(self, error: HubError, *, again: bool, wait: float | None = None) -> None:
        super().__init__(str(error))
        self.error = error
        self.again = again
        self.wait = wait


class Tries:
    """Runs one request until it works or there is no point.

    stamina drives the loop and tells its instrumentation. It cannot be stopped while it sleeps, so it is told
    to wait for nothing, and the waiting happens in the limiter before the next try, where a stop ends it.
    """

    def __init__(
        self,
        request: str,
        limiter: RateLimiter,
        counts: RequestCounts,
        limits: Limits,
        *,
        secret: str,
        host: str,
        stop: StopSignal | None,
        silence: Silence,
    ) -> None:
        self._request = tidy(hide(request, secret))
        self._limiter = limiter
        self._counts = counts
        self._limits = limits
        self._secret = secret
        self._host = host
        self._stop = stop
        self._silence = silence
        self._number = self._failures = 0
        self._started = self._not_before = self._sent_at = self._refused_until = time.monotonic()

    def run(self, exchange: Callable[[Watch], HubAnswer], read: Callable[[HubAnswer], T]) -> T:
        """What `read` makes of the answer. Raises the `HubError` of the last try, or `Cancelled`."""
        failed: HubError
        try:
            for attempt in stamina.retry_context(on=self._again, attempts=None, timeout=None):
                with attempt:
                    return self._one(exchange, read)
        except _Failed as failure:
            failed = failure.error
        finally:
            self._silence.gone(id(self))
        raise failed  # outside of the handler: its context would carry what the network library holds

    def _one(self, exchange: Callable[[Watch], HubAnswer], read: Callable[[HubAnswer], T]) -> T:
        self._number += 1
        watch = Watch(self._turn, self._told, lambda: self._counts.add(requests=1), self._check)
        failed: _Failed
        try:
            answer = exchange(watch)
            self._counts.answered = True
            if not answer.store:
                self._counts.told(date_of(answer.headers))
            _log.debug("%s: %d, %d bytes", self._request, answer.status, len(answer.body))
            if 200 <= answer.status < 300:
                return read(answer)
            failed = self._refusal(answer)
        except NoAnswer as silence:
            failed = _Failed(silence.error, again=silence.again)
        except BadAnswer as bad:
            told = {
                name: hide(value, self._secret) if isinstance(value, str) else value
                for name, value in bad.what.params.items()
            }
            failed = _Failed(unreadable(bad.what.id, {**told, "request": self._request}), again=bad.again)
        raise failed

    def _refusal(self, answer: HubAnswer) -> _Failed:
        words = hide(words_of(answer.body, answer.content_type), self._secret)
        error = refusal(answer.status, self._request, words, tries=self._number, store=answer.store)
        expired = bool(answer.store) and answer.status in (401, 403)  # the hub gives a fresh link
        return _Failed(error, again=answer.status in PASSING or expired, wait=retry_after(answer.headers))

    def _again(self, error: Exception) -> bool | float:
        """stamina's question after a failed try: False to give up, else how long it should sleep (not at all)."""
        if not isinstance(error, _Failed) or not error.again:
            return False
        now = time.monotonic()
        if error.error.status == 429 and self._refused_until > self._sent_at:
            start = self._refused_until  # the pace of all decides about the rest
        else:
            self._failures += 1
            first = isinstance(error.error, HubUnreachable) and not self._counts.answered
            if self._failures >= (min(_FIRST_CONTACT, self._limits.attempts) if first else self._limits.attempts):
                return False
            most = min(_LONGEST_WAIT, _FIRST_WAIT * 2 ** (self._failures - 1))
            start = now + max(error.wait or 0.0, random.uniform(0.0, most))  # noqa: S311 - spreads load, no secret
        if start - self._started > self._limits.seconds:
            return False
        _log.info("%s: again in %.1f s, since %s", self._request, max(0.0, start - now), error.error.what)
        self._not_before = start
        self._counts.add(retries=1)
        return 0.0

    def _turn(self) -> float:
        self._sent_at = self._limiter.acquire(self._stop, self._not_before)
        self._silence.asked(id(self))
        return self._sent_at

    def _told(self, sent_at: float, answer: HubAnswer) -> None:
        if answer.status < 500:  # what stands before a hub that is gone answers 502
            self._silence.heard(id(self))
        if answer.status == 429:
            self._counts.add(throttled=1)
            self._refused_until = self._limiter.refused(sent_at, retry_after(answer.headers))
        else:
            self._limiter.accepted(sent_at)

    def _check(self) -> None:
        """Asked while an answer arrives: ends one that nobody waits for and one that drips for ever."""
        if self._stop is not None and self._stop.wait(0):
            raise stopped()
        if time.monotonic() - self._sent_at > self._limits.seconds:
            what = message("{host} sends its answer too slowly to wait for.", host=self._host)
            raise NoAnswer(HubUnreachable(what, message("Try again later.")), again=False)
