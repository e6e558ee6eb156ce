"""Fetching what is queued: worker threads ask the hub, the one writing thread records what they bring.

The queue is in the archive, so a kill forgets nothing. A failure of one item keeps it queued with the reason; a
failure of the hub itself (token refused, unreachable again and again) ends the run.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from confere.archive import downloads
from confere.archive.downloads import Queued
from confere.archive.store import Archive
from confere.archive.vault import digest_of
from confere.errors import (
    HubAnswerUnreadable,
    HubError,
    HubNotFound,
    HubRefusedRequest,
    HubRefusedToken,
    message,
)
from confere.hub import documents
from confere.hub.contract import HubDocument
from confere.hub.session import HubSession
from confere.intake.recorder import Reading, Received, read_safely
from confere.system.stopping import Stop

T = TypeVar("T")

WORKERS = 8
IN_FLIGHT = 4 * WORKERS
BATCH = 100
TRIES_OF_BROKEN = 5  # downloads of an item whose bytes are not whole XML
FAILURES_IN_A_ROW = 12  # then it is the hub, not the item
LARGE = 250_000  # bytes of a file that is read, held and recorded alone: its tree may be a hundred times as large
_LOOK_SECONDS = 0.25


@dataclass(frozen=True, slots=True)
class Fetched:
    """One item that came: a detail's record, or bytes with what was read of them.

    `broken` is set where the hub gave the same unreadable bytes twice: that is what it holds.
    """

    queued: Queued
    detail: HubDocument | None = None
    data: bytes = b""
    reading: Reading | None = None
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Failed:
    """One item that did not come, and the sentence why."""

    queued: Queued
    error: HubError


@dataclass(frozen=True, slots=True)
class _File:
    data: bytes
    reading: Reading

    @property
    def is_large(self) -> bool:
        return len(self.data) > LARGE


class Fetcher:
    """Keeps the workers busy with the account's queue; `wait` gives what they brought."""

    def __init__(self, archive: Archive, session: HubSession, account_id: int, stop: Stop | None) -> None:
        self._archive = archive
        self._session = session
        self._account_id = account_id
        self._stop = stop
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="download")
        self._flying: dict[Future[HubDocument | _File], Queued] = {}
        self._landed: SimpleQueue[Future[Any]] = SimpleQueue()
        self._tried: set[int] = set()
        self._seen_broken: dict[int, list[bytes]] = {}  # digests
        self._room_for_large = threading.Semaphore(1)
        self._holds_large = self._closed = False
        self._ready: list[Queued] = []
        self._after = 0
        self._exhausted = False
        self._gave_up: set[int] = set()
        self._in_a_row = 0

    def close(self) -> None:
        """Wait for what is in flight and forget it; it stays queued."""
        self._closed = True
        self._pool.shutdown(wait=True, cancel_futures=True)

    def in_background(self, work: Callable[[], T]) -> Future[T]:
        """Run a listing request beside the downloads; `wait` also returns when it is done."""
        future = self._pool.submit(work)
        future.add_done_callback(self._landed.put)
        return future

    def busy(self) -> bool:
        """Whether something is on its way."""
        return bool(self._flying)

    @property
    def holds_large(self) -> bool:
        """Whether `wait` gave a large file that keeps others waiting until it is `recorded`."""
        return self._holds_large

    def recorded(self) -> None:
        """What `wait` gave is written down, and nobody holds it any longer."""
        if self._holds_large:
            self._holds_large = False
            self._room_for_large.release()

    def again(self) -> None:
        """Look at the whole queue once more: a record may have put an older entry back.

        To be called with nothing on its way and everything written down.
        """
        self._tried = set(self._gave_up)
        self._after = 0
        self._exhausted = False

    def expect(self) -> None:
        """Something was queued: the end of the queue is not where it was."""
        self._exhausted = False

    def fill(self) -> None:
        """Give the workers what waits, each entry once a run."""
        while len(self._flying) < IN_FLIGHT:
            if not self._ready:
                if self._exhausted:
                    return
                with self._archive.reading() as transaction:
                    found = downloads.open_items(transaction, self._account_id, self._after, 500)
                if not found:
                    self._exhausted = True
                    return
                self._after = found[-1].id
                self._ready = [entry for entry in reversed(found) if entry.id not in self._tried]
                continue
            self._submit(self._ready.pop())

    def wait(self, timeout: float = 0.25) -> tuple[list[Fetched], list[Failed]]:
        """What came within `timeout` seconds; raises `HubError` where the hub itself has failed."""
        fetched: list[Fetched] = []
        failed: list[Failed] = []
        for future in self._landings(timeout):
            queued = self._flying.pop(future, None)
            if queued is None:
                continue  # a page of the list: who asked for it looks itself
            try:
                answer = future.result()
            except HubError as error:
                self._gave_up.add(queued.id)
                self._note_failure(error)
                failed.append(Failed(queued, error))
                continue
            self._in_a_row = 0
            outcome = self._judge(queued, answer)
            if isinstance(answer, _File) and answer.is_large:
                self._holds_large = True
                if not isinstance(outcome, Fetched):
                    self.recorded()
            if isinstance(outcome, Fetched):
                fetched.append(outcome)
                if outcome.broken:
                    self._gave_up.add(queued.id)
            elif outcome is not None:
                self._gave_up.add(queued.id)
                failed.append(outcome)
        return fetched, failed

    def _landings(self, timeout: float) -> Iterator[Future[Any]]:
        """What is done by now, at least one thing if it comes within `timeout`."""
        with suppress(Empty):
            yield self._landed.get(timeout=timeout)
            for _ in range(BATCH):
                yield self._landed.get_nowait()

    def _submit(self, queued: Queued) -> None:
        self._tried.add(queued.id)
        future = self._pool.submit(self._fetch, queued)
        self._flying[future] = queued
        future.add_done_callback(self._landed.put)

    def _fetch(self, queued: Queued) -> HubDocument | _File:
        """One answer, read where it came: the reading of one file overlaps with the waiting for the others."""
        if self._stop is not None:
            self._stop.check()
        if queued.kind == downloads.DETAIL_KIND:
            return documents.fetch(self._session, queued.item_id)
        data = documents.download(self._session, queued.item_id)
        if len(data) > LARGE:
            self._wait_for_room()
        try:
            return _File(data, read_safely(Received(data, queued.item_id)))
        except BaseException:
            if len(data) > LARGE:
                self._room_for_large.release()
            raise

    def _wait_for_room(self) -> None:
        while not self._room_for_large.acquire(timeout=_LOOK_SECONDS):
            if self._stop is not None:
                self._stop.check()
            if self._closed:
                raise CancelledError

    def _judge(self, queued: Queued, answer: HubDocument | _File) -> Fetched | Failed | None:
        """A file cut short on its way is fetched again; one that is broken at the hub is taken as it is."""
        if not isinstance(answer, _File):
            return Fetched(queued, detail=answer)
        data, reading = answer.data, answer.reading
        if reading.problem is None:
            return Fetched(queued, data=data, reading=reading)
        seen = self._seen_broken.setdefault(queued.id, [])
        if (digest := digest_of(data)) in seen:
            return Fetched(queued, data=data, reading=reading, broken=True)
        seen.append(digest)
        if len(seen) < TRIES_OF_BROKEN:
            self._submit(queued)
            return None
        return Failed(
            queued,
            HubAnswerUnreadable(
                message("The hub gave {item} cut short or broken: {why}", item=queued.item_id, why=reading.problem),
                message("It stays in the queue; the next sync tries again."),
            ),
        )

    def _note_failure(self, error: HubError) -> None:
        """Decide whether the item failed or the hub did, which then ends the run."""
        if isinstance(error, HubNotFound | HubRefusedRequest | HubAnswerUnreadable):
            self._in_a_row = 0  # it answers, if not as we like
            return
        if isinstance(error, HubRefusedToken) and error.status != 403:
            raise error  # a 403 may be about one item only
        self._in_a_row += 1
        if self._in_a_row >= FAILURES_IN_A_ROW:
            raise error
