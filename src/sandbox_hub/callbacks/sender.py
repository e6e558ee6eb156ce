"""Posting notifications to one address from a thread, each a few times before it is given up."""

from __future__ import annotations

import threading
import time
from collections import Counter
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

import httpx

LONGEST_QUEUE = 2_000
DELAYS = (0.5, 2.0, 8.0)  # seconds before each further try: own choice, the specification shows none
_TIMEOUT = 5.0  # seconds for an answer
_TO_LEAVE = 1.0  # seconds that closing waits for a request on its way


class _Waiting(NamedTuple):
    """`due` is a monotonic time; `number` keeps those of one time in their order."""

    due: float
    number: int
    tries: int
    body: bytes


class CallbackSender:
    """A bounded queue and the thread that empties it; what does not fit is given up at once."""

    def __init__(self, url: str, delays: tuple[float, ...] = DELAYS) -> None:
        self._url = url
        self._delays = delays
        self._counts: Counter[str] = Counter()
        self._waiting: list[_Waiting] = []
        self._on_its_way = 0
        self._numbers = count()
        self._changed = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None

    @property
    def room(self) -> int:
        """How many more would be taken."""
        return LONGEST_QUEUE - len(self._waiting)

    def put(self, body: bytes) -> None:
        """Send this as soon as possible."""
        with self._changed:
            if self.room <= 0:
                self._counts["given_up"] += 1
                return
            heappush(self._waiting, _Waiting(time.monotonic(), next(self._numbers), 0, body))
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="sandbox-callbacks", daemon=True)
                self._thread.start()
            self._changed.notify()

    def give_up(self, number: int) -> None:
        """Count notifications that nobody will be sent."""
        with self._changed:
            self._counts["given_up"] += number

    def counts(self) -> dict[str, int]:
        """`delivered`, `retried` (further tries), `given_up` and `waiting`, what is on its way among them."""
        with self._changed:
            named = {name: self._counts[name] for name in ("delivered", "retried", "given_up")}
            return named | {"waiting": len(self._waiting) + self._on_its_way}

    def close(self) -> None:
        """Send nothing more; what waits is lost."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(_TO_LEAVE)

    def _work(self) -> None:
        # No proxy, no cookies, no redirects: the address is on this machine and gets no credentials.
        with httpx.Client(trust_env=False, timeout=_TIMEOUT) as http:
            while (waiting := self._next()) is not None:
                self._note(waiting, taken=self._post(http, waiting.body))

    def _next(self) -> _Waiting | None:
        with self._changed:
            while not self._closed:
                rest = self._waiting[0].due - time.monotonic() if self._waiting else None
                if rest is not None and rest <= 0:
                    self._on_its_way = 1
                    return heappop(self._waiting)
                self._changed.wait(rest)
        return None

    def _post(self, http: httpx.Client, body: bytes) -> bool:
        try:
            return http.post(self._url, content=body, headers={"Content-Type": "application/json"}).is_success
        except httpx.HTTPError:
            return False

    def _note(self, sent: _Waiting, *, taken: bool) -> None:
        with self._changed:
            self._on_its_way = 0
            if taken:
                self._counts["delivered"] += 1
            elif sent.tries == len(self._delays):
                self._counts["given_up"] += 1
            elif not self._closed:
                self._counts["retried"] += 1
                due = time.monotonic() + self._delays[sent.tries]
                heappush(self._waiting, sent._replace(due=due, tries=sent.tries + 1))
