"""Whether an item failed or the hub did: many failures in a row, by whichever worker, are the hub's."""

from __future__ import annotations

import threading

from confere.errors import HubAnswerUnreadable, HubError, HubNotFound, HubRefusedRequest, HubRefusedToken

WORKERS = 8
"""Threads that ask a hub at a time: `httpx.Client` answers most requests a second with these."""

FAILURES_IN_A_ROW = 12

_OF_THE_ITEM = (HubNotFound, HubRefusedRequest, HubAnswerUnreadable)  # the hub answers, if not as we like


class FailureStreak:
    """Counts the failures of a run's requests since the last answer. Safe to use from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._length = 0

    @property
    def is_over(self) -> bool:
        """Whether the hub failed so often that nothing more is asked."""
        with self._lock:
            return self._length >= FAILURES_IN_A_ROW

    def note(self, error: HubError | None) -> None:
        """Count an answer: None for a success."""
        with self._lock:
            self._length = 0 if error is None or isinstance(error, _OF_THE_ITEM) else self._length + 1

    def is_the_hubs(self, error: HubError) -> bool:
        """Whether `error`, which was noted, is the hub's; so is a refused token, but for a 403 of one item."""
        if isinstance(error, _OF_THE_ITEM):
            return False
        return (isinstance(error, HubRefusedToken) and error.status != 403) or self.is_over
