"""A listener in a thread of the test's process, and what it said."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from confere.app.context import Workspace
from confere.app.listening.listen import ListenRequest, ListenResult, listen
from confere.errors import Message
from confere.system.processes.cancellation import Stop
from confere.system.progress import Progress
from tests.app.listening.test_notification import body
from tests.callback_receiver import eventually
from tests.loopback import LOOPBACK

ACCOUNT = "shop"
PATH = "/callbacks/0123456789abcdef"


class Listening:
    """A reporter, and a client of the address that it was noted. `result` is set when it has ended."""

    def __init__(self) -> None:
        self.notes: list[Message] = []
        self.stop = Stop()
        self.result: ListenResult | None = None
        self.error: BaseException | None = None

    def progress(self, progress: Progress) -> None:
        """Ignore it."""

    def note(self, note: Message) -> None:
        self.notes.append(note)

    @property
    def address(self) -> str:
        """Where notifications are taken."""
        return str(self.notes[0].params["address"]) + PATH

    def noted(self, beginning: str, times: int = 1) -> list[Message]:
        """The notes that begin so, once there are so many."""
        assert eventually(lambda: len(self._noted(beginning)) >= times), self.notes
        return self._noted(beginning)

    def announce(self, hub_id: str) -> int:
        """The status of a well-formed notification about this document."""
        return httpx.post(self.address, content=body(content={"id": hub_id}), **LOOPBACK).status_code

    def _noted(self, beginning: str) -> list[Message]:
        return [note for note in self.notes if str(note).startswith(beginning)]


@contextmanager
def listening(workspace: Workspace, sync_minutes: float | None = None) -> Iterator[Listening]:
    """A listener of the account that has synced once; stopped at the end, where its `result` is."""
    listener = Listening()
    request = ListenRequest(ACCOUNT, port=0, path=PATH, sync_minutes=sync_minutes)

    def work() -> None:
        try:
            listener.result = listen(workspace, request, reporter=listener, stop=listener.stop)
        except BaseException as error:
            listener.error = error

    thread = threading.Thread(target=work)
    thread.start()
    try:
        listener.noted("Synced")
        yield listener
    finally:
        listener.stop.set()
        thread.join()
    assert listener.error is None, listener.error
