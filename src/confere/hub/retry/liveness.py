"""Notices that a hub says nothing while requests wait for it, and tells once; and tells when it speaks again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress

from confere.errors import Message, message

Tell = Callable[[Message], None]

_SECONDS = 1.5  # of silence before anybody is told
_QUIET_SECONDS = 30.0  # between two notes: a slow hub is not news at every request
_LOOK_SECONDS = 0.25


class Silence:
    """Requests say when they went out (`asked`), were answered (`heard`) and ended (`gone`); `tell` gets the notes.

    Any answer but a fault of the hub counts for all requests: one that is slow among others is no silence.
    """

    def __init__(self, tell: Tell | None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._tell = tell
        self._clock = clock
        self._lock = threading.Lock()
        self._open: set[int] = set()
        self._since = 0.0
        self._told_at: float | None = None
        self._silent = False
        self._closed = threading.Event()
        self._watcher: threading.Thread | None = None

    def asked(self, who: int) -> None:
        """Request `who` has been sent, for the first time or again."""
        if self._tell is None:
            return
        with self._lock:
            if not self._open:
                self._since = self._clock()
            self._open.add(who)
            if self._watcher is None:
                self._watcher = threading.Thread(target=self._watch, name="silence", daemon=True)
                self._watcher.start()

    def heard(self, who: int) -> None:
        """The hub answered `who`."""
        if self._tell is None:
            return
        with self._lock:
            self._open.discard(who)
            self._since = self._clock()
            back, self._silent = self._silent, False
        if back:
            self._say(message("The hub answers again."))

    def gone(self, who: int) -> None:
        """Nobody waits for `who` any more."""
        with self._lock:
            self._open.discard(who)

    def close(self) -> None:
        """Watch no longer."""
        self._closed.set()

    def _watch(self) -> None:
        while not self._closed.wait(_LOOK_SECONDS):
            self.look()

    def look(self) -> None:
        """Tell, if it has been silent for too long and that was not told already."""
        with self._lock:
            now = self._clock()
            if self._silent or not self._open or now - self._since < _SECONDS:
                return
            if self._told_at is not None and now - self._told_at < _QUIET_SECONDS:
                return
            self._silent, self._told_at = True, now
        self._say(message("The hub does not answer; still trying…"))

    def _say(self, what: Message) -> None:
        with suppress(Exception):  # whoever listens must not end a request
            assert self._tell is not None
            self._tell(what)
