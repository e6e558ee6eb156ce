"""Fetching what is queued: worker threads ask the hub, the one writing thread records what they bring.

The queue is in the archive, so a kill forgets nothing. A failure of one item keeps it queued with the reason; a
failure of the hub itself (token refused, unreachable again and again) ends the run.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from confere.archive.hub import download_queue
from confere.archive.hub.download_queue import Queued
from confere.archive.store import Archive
from confere.archive.vault.unfinished_reads import SET_ASIDE
from confere.archive.vault.vault import digest_of
from confere.errors import (
    HubAnswerUnreadable,
    HubBroken,
    HubError,
    HubNotFound,
    HubRefusedRequest,
    HubRefusedToken,
    message,
)
from confere.hub.documents import documents
from confere.hub.session import HubSession
from confere.intake.documents.fetch_outcomes import NO_WAY_TO_ASK, Failed, Fetched, File, another_record, of_record
from confere.intake.documents.file_identity import choose
from confere.intake.documents.record_rereading import address_in, is_address, newest_address, other_names_of
from confere.intake.hub_failures import WORKERS, FailureStreak
from confere.intake.isolated_reading import Reading, Received, read_guarded
from confere.sales.hub_document import HubDocument
from confere.system.processes.cancellation import Stop

T = TypeVar("T")

IN_FLIGHT = 4 * WORKERS
BATCH = 100
TRIES_OF_BROKEN = 5  # downloads of an item whose bytes are not whole XML
LARGE = 250_000  # bytes of a file that is read, held and recorded alone: its tree may be a hundred times as large
_LOOK_SECONDS = 0.25


class Fetcher:
    """Keeps the workers busy with the account's queue; `wait` gives what they brought.

    `only`: the archive's numbers of the records whose files are fetched; None for all.
    """

    def __init__(
        self,
        archive: Archive,
        session: HubSession,
        account_id: int,
        stop: Stop | None,
        only: Collection[int] | None = None,
    ) -> None:
        self._only = only
        self._archive = archive
        self._session = session
        self._account_id = account_id
        self._stop = stop
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="download")
        self._flying: dict[Future[HubDocument | File], Queued] = {}
        self._landed: SimpleQueue[Future[Any]] = SimpleQueue()
        self._tried: set[int] = set()
        self._seen_broken: dict[int, list[bytes]] = {}  # digests
        self._room_for_large = threading.Semaphore(1)
        self._holds_large = self._closed = False
        self._ready: list[Queued] = []
        self._suspects: list[Queued] = []  # the program ended while it had one of these in hand
        self._is_alone = False  # one of them is on its way
        self.set_aside: list[Queued] = []  # it did so twice: these are not asked for
        self._after = 0
        self._exhausted = False
        self._gave_up: set[int] = set()
        self._failures = FailureStreak()
        self._listed = False
        self._answered: dict[str, int] = {}  # ids that details call themselves -> the record they were asked for

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
    def has_suspects(self) -> bool:
        """Whether something waits that the program ended with before."""
        return bool(self._suspects)

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
        self._listed = True

    def expect(self) -> None:
        """Something was queued: the end of the queue is not where it was."""
        self._exhausted = False

    def fill(self) -> None:
        """Give the workers what waits, each entry once a run; nothing beside a suspect."""
        while not self._is_alone and len(self._flying) < IN_FLIGHT:
            if not self._ready:
                if self._exhausted:
                    return
                with self._archive.reading() as transaction:
                    found = download_queue.open_items(transaction, self._account_id, self._after, 500)
                if not found:
                    self._exhausted = True
                    return
                self._after = found[-1].id
                self._ready = [entry for entry in reversed(found) if self._is_due(entry)]
                continue
            self._submit(self._ready.pop())

    def fill_with_suspect(self) -> bool:
        """Give the workers one thing that the program ended with before, alone; False where there is none left.

        To be called with nothing on its way and everything written down.
        """
        if not self._suspects:
            return False
        self._is_alone = True
        self._submit(self._suspects.pop())
        return True

    def _is_due(self, entry: Queued) -> bool:
        """Each once a run; an address that failed before waits for the list, which may name a newer one."""
        if self._only is not None and entry.hub_document_id not in self._only:
            return False
        expired = entry.attempts and is_address(entry.item_id) and not self._listed
        if entry.id in self._tried or expired:
            return False
        ends = self._archive.in_hand.ends(download_queue.in_hand_name(self._account_id, entry))
        if ends:
            self._tried.add(entry.id)
            self._gave_up.add(entry.id)
            (self.set_aside if ends >= SET_ASIDE else self._suspects).append(entry)
        return not ends

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
                self._failures.note(error)
                if self._failures.is_the_hubs(error):
                    raise
                failed.append(Failed(queued, of_record(queued, error)))
                continue
            self._failures.note(None)
            outcome = self._judge(queued, answer)
            if isinstance(answer, File) and answer.is_large:
                self._holds_large = True
                if not isinstance(outcome, Fetched):
                    self.recorded()
            if isinstance(outcome, Fetched):
                fetched.append(outcome)
                if outcome.refused is not None:
                    self._gave_up.add(queued.id)
            elif outcome is not None:
                self._gave_up.add(queued.id)
                failed.append(outcome)
        if not self._flying:
            self._is_alone = False
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

    def _fetch(self, queued: Queued) -> HubDocument | File:
        """One answer, read where it came: the reading of one file overlaps with the waiting for the others."""
        self._check()
        with self._archive.in_hand.doing(download_queue.in_hand_name(self._account_id, queued)):
            if queued.kind == download_queue.DETAIL_KIND:
                return documents.fetch(self._session, queued.item_id)
            try:
                return self._read(queued, self._download(queued))
            except (HubNotFound, HubRefusedRequest) as unknown:
                other = self._by_another_name(queued)
                if other is None:
                    raise unknown from None
                return other

    def _check(self) -> None:
        if self._stop is not None:
            self._stop.check()

    def _read(self, queued: Queued, received: bytes) -> File:
        """Read what was received; a large file when no other is held."""
        held = False

        def wait_for_room(size: int) -> None:
            nonlocal held
            if size > LARGE and not held:
                self._wait_for_room()
                held = True

        def read(found: Received) -> Reading:
            also = download_queue.in_hand_name(self._account_id, queued)
            return read_guarded(found, digest_of(found.data), self._archive.in_hand, also=also, check=self._check)

        try:
            return File(received, choose(received, queued.item_id, queued.access_key, wait_for_room, read), held)
        except BaseException:
            if held:
                self._room_for_large.release()
            raise

    def _wait_for_room(self) -> None:
        while not self._room_for_large.acquire(timeout=_LOOK_SECONDS):
            self._check()
            if self._closed:
                raise CancelledError

    def _by_another_name(self, queued: Queued) -> File | None:
        """The file by another of the ids that its record has for it; only one that can be proven to be it counts."""
        if queued.access_key is None or is_address(queued.item_id):
            return None
        with self._archive.reading() as transaction:
            names = other_names_of(transaction, self._archive.vault, queued)
        for name in names:
            try:
                file = self._read(queued, documents.download(self._session, name))
            except (HubNotFound, HubRefusedRequest, HubAnswerUnreadable):
                continue
            if file.chosen.reading.paper is not None and file.chosen.mismatch is None:
                return file
            if file.is_large:
                self._room_for_large.release()
        return None

    def _download(self, queued: Queued) -> bytes:
        if not is_address(queued.item_id):
            return documents.download(self._session, queued.item_id)
        with self._archive.reading() as transaction:
            address = newest_address(transaction, self._archive.vault, queued)
        try:
            return documents.download_from(self._session, address)
        except (HubNotFound, HubBroken, HubRefusedRequest, HubRefusedToken):
            # It may have expired since the hub named it: the detail names it anew.
            name = queued.hub_id or queued.access_key
            if name is None:
                raise
            renewed = address_in(documents.fetch(self._session, name), queued.item_id)
            if renewed is None or renewed == address:
                raise
            return documents.download_from(self._session, renewed)

    def _judge(self, queued: Queued, answer: HubDocument | File) -> Fetched | Failed | None:
        """A file cut short on its way is fetched again; one that is broken at the hub is taken as it is."""
        if not isinstance(answer, File):
            if queued.hub_id is None and answer.access_key not in (None, queued.access_key):
                return Failed(queued, HubNotFound(NO_WAY_TO_ASK))  # it answers keys with whatever it likes
            if self._is_of_another(queued, answer):
                return Failed(queued, another_record(queued.item_id, answer))
            return Fetched(queued, detail=answer)
        received, chosen = answer.received, answer.chosen
        around = received if chosen.layers else b""
        came = Fetched(queued, None, chosen.data, chosen.reading, chosen.mismatch, around, chosen.layers)
        if chosen.reading.problem is None:
            return came
        seen = self._seen_broken.setdefault(queued.id, [])
        if (digest := digest_of(received)) in seen:
            return replace(came, refused=chosen.reading.problem)
        seen.append(digest)
        if len(seen) < TRIES_OF_BROKEN:
            self._submit(queued)
            return None
        return Failed(
            queued,
            HubAnswerUnreadable(
                message(
                    "The hub gave {item} cut short or broken: {why}", item=queued.item_id, why=chosen.reading.problem
                ),
                message("It stays in the queue; the next sync tries again."),
            ),
        )

    def _is_of_another(self, queued: Queued, answer: HubDocument) -> bool:
        """Whether a detail is not of the record that was asked for. Hubs may call it by another id inside, or change
        its key: one of both has to agree, or be said of no other record."""
        if answer.hub_id is not None and answer.hub_id in (queued.hub_id, queued.item_id):
            return False
        if queued.access_key is not None and answer.access_key is not None:
            return queued.access_key != answer.access_key
        own = answer.hub_id or answer.access_key
        return own is not None and self._answered.setdefault(own, queued.hub_document_id) != queued.hub_document_id
