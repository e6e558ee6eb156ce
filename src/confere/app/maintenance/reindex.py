"""The use case "read everything again": a newer reader over the vault, in worker processes, a batch a transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from confere.app.context import Workspace
from confere.archive import message_encoding
from confere.archive.accounts import accounts
from confere.archive.accounts.recorded_run import booked
from confere.archive.documents import reindex as archived_reindex
from confere.archive.documents.reindex import ReindexedContents, Reread
from confere.archive.documents.search import full_text
from confere.archive.store import Archive
from confere.archive.vault.bulk_reader import by_weight
from confere.archive.vault.reader import VaultReader
from confere.archive.vault.vault import digest_of, digests
from confere.errors import ArchiveCorrupt, Cancelled, message
from confere.fiscal.model import Paper
from confere.fiscal.reading.reader_version import READER
from confere.intake.isolated_reading import CONTENTS, Reading, Received, read_guarded, read_safely
from confere.intake.orders.order_rereading import reread_orders
from confere.system.processes import worker_pool
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent

ALONE: Final = 3000
"""Up to so many contents starting other processes (a third of a second) takes longer than it saves."""
_TASK: Final = 64  # contents of a task
_WRITE: Final = 500  # contents written at once: what a kill loses at most
_WRITE_BYTES: Final = 16 * 1024 * 1024
_LOOK: Final = 4000  # contents looked up at once


@dataclass(frozen=True, slots=True)
class ReindexTask:
    """Contents to read; tasks are numbered in the order of their contents."""

    number: int
    content_ids: tuple[int, ...]
    size: int


@dataclass(frozen=True, slots=True)
class ReindexResult:
    """What reading them gave. The bytes of `damaged` contents are no longer what was received.

    Reading those `set_aside` ended a process.
    """

    task: ReindexTask
    found: tuple[Reread, ...]
    damaged: tuple[int, ...]
    set_aside: tuple[int, ...] = ()


@dataclass(slots=True)
class ReindexSummary:
    """`contents` were read again; `adopted` of them could not be read before, `unreadable` ones cannot be now.

    `orders` were read again from their JSON. `set_aside` are the SHA-256 of those with which a process ended that
    read them.
    """

    contents: int = 0
    documents: int = 0
    events: int = 0
    orders: int = 0
    adopted: int = 0
    unreadable: int = 0
    damaged: int = 0
    set_aside: list[str] = field(default_factory=list)
    seconds: float = 0.0
    stopped: bool = False

    def counts(self) -> dict[str, int | float]:
        """The figures alone, as runs and scripts want them."""
        return {
            "contents": self.contents,
            "documents": self.documents,
            "events": self.events,
            "orders": self.orders,
            "adopted": self.adopted,
            "unreadable": self.unreadable,
            "damaged": self.damaged,
            "set_aside": len(self.set_aside),
            "seconds": round(self.seconds, 3),
        }


def reindex(
    workspace: Workspace, *, everything: bool = False, reporter: Reporter | None = None, stop: Stop | None = None
) -> ReindexSummary:
    """Read again what an older reader read, or `everything`; killed or stopped, the next call goes on from there."""
    with workspace.writing("reindex") as archive:
        return reindex_archive(archive, everything=everything, reporter=reporter, stop=stop)


def reindex_archive(
    archive: Archive,
    *,
    everything: bool = False,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
    workers: int | None = None,
) -> ReindexSummary:
    """As `reindex`, with the archive open. `workers`: processes, 0 for this one alone, None for what is best."""
    summary = ReindexSummary()
    with booked(archive, "reindex", None, {"everything": everything, "reader": READER}, "archive", summary) as run:
        _reindex(archive, summary, everything, reporter or Silent(), stop, workers)
        if not summary.stopped:
            _reread_orders(archive, summary, stop)
        left = summary.unreadable or summary.damaged or summary.set_aside
        run.outcome = "stopped" if summary.stopped else "partial" if left else "done"
    return summary


def _reread_orders(archive: Archive, summary: ReindexSummary, stop: Stop | None) -> None:
    with archive.reading() as transaction:
        owners = [account.id for account in accounts.every(transaction)]
    try:
        for account_id in owners:
            summary.orders += reread_orders(archive, account_id, stop=stop)
    except Cancelled:
        summary.stopped = True


def _reindex(
    archive: Archive,
    summary: ReindexSummary,
    everything: bool,
    reporter: Reporter,
    stop: Stop | None,
    workers: int | None,
) -> None:
    if everything:
        archive.in_hand.forget(CONTENTS)
    with archive.reading() as transaction:
        begin = archived_reindex.came_to(transaction) if everything else 0
        total = archived_reindex.count(transaction, begin, everything=everything)
    meter = Meter(reporter, message("Reading the archive again"), total)
    hands = workers
    if hands is None:  # one core is for writing, which is as much work as reading
        hands = worker_pool.cores() - 1 if total > ALONE else 0
    writer = _Writer(archive, summary, everything)
    for done in _done(archive, _tasks(archive, everything, begin), min(hands, -(-total // _TASK))):
        writer.take(done)
        meter.advance(len(done.task.content_ids))
        if stop is not None and stop.is_set:
            summary.stopped = True
            break
    writer.write()
    meter.finish()
    if not summary.stopped and (everything or summary.contents):
        _finish(archive, everything, stop)


def _finish(archive: Archive, everything: bool, stop: Stop | None) -> None:
    begin = more = True
    while more and not (stop is not None and stop.is_set):
        with archive.writing() as transaction:
            more = full_text.merge(transaction, begin=begin)
        begin = False
    with archive.writing() as transaction:
        archived_reindex.finish(transaction, everything=everything)


class _Writer:
    """Gathers what was read, and writes it with how far everything came."""

    def __init__(self, archive: Archive, summary: ReindexSummary, everything: bool) -> None:
        self._archive = archive
        self._summary = summary
        self._everything = everything
        self._waiting: list[ReindexResult] = []
        self._contents = self._bytes = 0
        self._written: dict[int, int] = {}  # of tasks that wait for an earlier one: number to last content
        self._next = 0

    def take(self, done: ReindexResult) -> None:
        self._waiting.append(done)
        self._contents += len(done.found)
        self._bytes += done.task.size
        self._summary.damaged += len(done.damaged)
        with self._archive.reading() as transaction:
            self._summary.set_aside += digests(transaction, done.set_aside)
        if self._contents >= _WRITE or self._bytes >= _WRITE_BYTES:
            self.write()

    def write(self) -> None:
        if not self._waiting:
            return
        batch, self._waiting, self._contents, self._bytes = self._waiting, [], 0, 0
        found = [entry for done in batch for entry in done.found]
        for done in batch:
            self._written[done.task.number] = done.task.content_ids[-1]
        with self._archive.writing() as transaction:
            made = archived_reindex.rewrite(transaction, found, self._read)
            if self._everything:
                mark = self._mark()
                if mark:
                    archived_reindex.come_to(transaction, mark)
        self._add(len(found), made)

    def _mark(self) -> int:
        """The last content before which there is none left."""
        mark = 0
        while self._next in self._written:
            mark = self._written.pop(self._next)
            self._next += 1
        return mark

    def _add(self, contents: int, made: ReindexedContents) -> None:
        self._summary.contents += contents
        self._summary.documents += made.documents
        self._summary.events += made.events
        self._summary.adopted += made.adopted
        self._summary.unreadable += made.unreadable

    def _read(self, content_id: int) -> Paper | None:
        try:
            data = self._archive.content(content_id)
        except ArchiveCorrupt:
            return None
        return read_guarded(Received(data, ""), digest_of(data), self._archive.in_hand).paper


def _tasks(archive: Archive, everything: bool, after: int) -> Iterator[ReindexTask]:
    number = 0
    while True:
        with archive.reading() as transaction:
            found = archived_reindex.waiting(transaction, after, _LOOK, everything=everything)
        if not found:
            return
        sizes = [size for _, size in found]
        for start, stop in by_weight(sizes, _TASK):
            yield ReindexTask(number, tuple(entry[0] for entry in found[start:stop]), sum(sizes[start:stop]))
            number += 1
        after = found[-1][0]


def _done(archive: Archive, tasks: Iterator[ReindexTask], hands: int) -> Iterator[ReindexResult]:
    def guarded(received: Received) -> Reading:
        return read_guarded(received, digest_of(received.data), archive.in_hand)

    def apart(received: Received) -> Reading:
        return read_guarded(received, digest_of(received.data), archive.in_hand, is_suspect=True)

    def one_by_one(task: ReindexTask) -> ReindexResult:
        singles = [replace(task, content_ids=(number,)) for number in task.content_ids]
        parts = list(worker_pool.work(prepare, setup, singles, 1, ahead=1, again=ReindexWorker(archive, apart)))
        return ReindexResult(
            task,
            tuple(entry for part in parts for entry in part.found),
            tuple(number for part in parts for number in part.damaged),
            tuple(number for part in parts for number in part.set_aside),
        )

    if hands < 1:
        return map(ReindexWorker(archive, guarded), tasks)
    setup = (archive.path,)
    return worker_pool.work(prepare, setup, tasks, hands, again=one_by_one)


def prepare(path: Path) -> Callable[[ReindexTask], ReindexResult]:
    """What a worker process does: an archive of its own, opened once."""
    return ReindexWorker(Archive.to_read(path), read_safely)


class ReindexWorker:
    """Does tasks on an archive that is open."""

    def __init__(self, archive: Archive, read: Callable[[Received], Reading]) -> None:
        self._archive = archive
        self._read = read
        self._vault = VaultReader()

    def __call__(self, task: ReindexTask) -> ReindexResult:
        with self._archive.reading() as transaction:
            stored = self._vault.fetch(transaction, task.content_ids)
        found: list[Reread] = []
        damaged: list[int] = []
        aside: list[int] = []
        for packed in stored:
            try:
                data = self._vault.unpack(packed)
            except ArchiveCorrupt:
                damaged.append(packed.content_id)
                continue
            reading = self._read(Received(data, ""))
            problem = message_encoding.kept(reading.problem) if reading.problem is not None else None
            found.append(Reread(packed.content_id, reading.paper, problem))
            if reading.is_set_aside:
                aside.append(packed.content_id)
        return ReindexResult(task, tuple(found), tuple(damaged), tuple(aside))


__all__ = ["ReindexSummary", "reindex", "reindex_archive"]
