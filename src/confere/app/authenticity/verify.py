"""The use case "is it authentic": one paper while somebody looks, or all of the archive in worker processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from confere.app.archive_session import OpenArchive
from confere.app.authenticity import judging, learn_authorities, trust, verify_plan
from confere.app.authenticity.judging import JudgingResult, JudgingTask, Worlds, pick
from confere.app.authenticity.stored_verdicts import DocumentVerdicts as DocumentVerdicts
from confere.app.authenticity.stored_verdicts import PaperVerdict as PaperVerdict
from confere.app.authenticity.stored_verdicts import failed as failed
from confere.app.authenticity.stored_verdicts import failed_events
from confere.app.authenticity.stored_verdicts import stored as stored
from confere.app.authenticity.verify_plan import VerifyPlan
from confere.app.context import Workspace
from confere.app.documents import full_document
from confere.app.documents.full_document import FullDocument
from confere.app.sandbox import sandbox_accounts
from confere.archive.accounts.recorded_run import booked
from confere.archive.authenticity import verdicts
from confere.archive.documents import documents, event_history, recompute
from confere.archive.documents.documents import DocumentRow
from confere.archive.documents.search.document_search import NOT_JUDGED, DocumentQuery
from confere.archive.store import Archive
from confere.archive.vault.vault import digests
from confere.errors import message
from confere.fiscal.authenticity.judge import JudgedDocument
from confere.fiscal.authenticity.verdict import ALTERED, Result, SignedKind
from confere.fiscal.model import DocumentType
from confere.system.paths import Home
from confere.system.processes import worker_pool
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent

ALONE: Final = 3000
"""Up to so many contents starting other processes (a third of a second) takes longer than it saves."""
_WRITE: Final = 500  # contents written at once: what a kill loses at most
_ROUNDS: Final = 4  # an authority that is learned may show others that are lacking
_TYPES: Final = tuple(kind.value for kind in DocumentType if kind is not DocumentType.OTHER)
_WORDS: Final = (Result.OK.value, Result.UNCHECKED.value, Result.FAILED.value, Result.TEST.value)


@dataclass(slots=True)
class VerdictCounts:
    """How many papers were found how; `test`: of the test environment, and nothing else against them."""

    ok: int = 0
    unchecked: int = 0
    failed: int = 0
    test: int = 0

    @property
    def all(self) -> int:
        return self.ok + self.unchecked + self.failed + self.test


@dataclass(slots=True)
class VerifySummary:
    """What a check in bulk did. `documents` stand so now, of those asked for; `none` of them were never judged.

    `altered`, `altered_events` and `altered_versions` are those of the failed that were changed after signing.
    `failing_events` are the events of those documents (of the whole archive: all events) that are not authentic now,
    `failing_versions` the contents of their keys that another content has the place of.
    `judged` and `events` are of this run alone: documents with voided ranges, and events. `damaged` contents are no
    longer what was received. `set_aside` are the SHA-256 of contents with which a process ended that judged them.
    """

    documents: VerdictCounts = field(default_factory=VerdictCounts)
    none: int = 0
    altered: int = 0
    altered_events: int = 0
    altered_versions: int = 0
    failing_events: int = 0
    failing_versions: int = 0
    judged: VerdictCounts = field(default_factory=VerdictCounts)
    events: VerdictCounts = field(default_factory=VerdictCounts)
    damaged: int = 0
    set_aside: list[str] = field(default_factory=list)
    seconds: float = 0.0
    stopped: bool = False

    def counts(self) -> dict[str, int | float]:
        """The figures alone, as runs and scripts want them."""
        return {
            "documents": self.documents.all + self.none,
            **_figures(self.documents),
            "none": self.none,
            "altered": self.altered,
            "altered_events": self.altered_events,
            "altered_versions": self.altered_versions,
            "failing_events": self.failing_events,
            "failing_versions": self.failing_versions,
            "judged": self.judged.all,
            **{f"judged_{name}": count for name, count in _figures(self.judged).items()},
            "events_judged": self.events.all,
            **{f"events_{name}": count for name, count in _figures(self.events).items()},
            "damaged": self.damaged,
            "set_aside": len(self.set_aside),
            "seconds": round(self.seconds, 3),
        }


def judge(opened: OpenArchive, full: FullDocument) -> tuple[PaperVerdict, ...]:
    """The verdicts on a document and all of its events, asked now, its schema too; nothing is written.

    What cannot be read has none. Raises `ArchiveCorrupt` where bytes are no longer what was received.
    """
    return judge_in(opened.archive(), opened.workspace.home, full)


def judge_in(
    archive: Archive, home: Home, full: FullDocument, known: dict[int, tuple[JudgedDocument, ...]] | None = None
) -> tuple[PaperVerdict, ...]:
    """As `judge`, for a command with the archive open. `known`: what was found in contents, and is added to."""
    found = known if known is not None else {}
    row = full.row if full.row is not None and full.row.type != DocumentType.OTHER else None
    wanted = {event.content_id for event in full.events} | ({row.content_id} if row is not None else set())
    with archive.reading() as transaction:
        of = verdicts.worlds(transaction, wanted)
        worlds = Worlds(home, judging.roots_of(transaction, set(of.values())))
    schemas = trust.schemas_for(home)
    for number in sorted(wanted - found.keys()):
        found[number] = worlds.judge(archive.content(number), of[number], schemas)
    said: list[PaperVerdict] = []
    if row is not None:
        own = _own(found[row.content_id], row)
        if own is not None:
            said.append(PaperVerdict(own, row.sha256))
    for event in full.events:
        happened = pick(found[event.content_id], SignedKind.EVENT, event.position)
        if happened is not None:
            said.append(PaperVerdict(happened, event.sha256))
    return tuple(said)


def judge_named(workspace: Workspace, names: Sequence[str]) -> Iterator[tuple[FullDocument, tuple[PaperVerdict, ...]]]:
    """As `judge`, for the papers called so: keys, SHA-256 or row numbers. `NotInArchive` where one is not here.

    A SHA-256 calls every paper in that content.
    """
    with workspace.reading() as archive:
        with archive.reading() as transaction:
            found = [full_document.every_named(transaction, name) for name in names]
        for papers in found:
            known: dict[int, tuple[JudgedDocument, ...]] = {}  # the papers of a lot lie in one content
            for full in papers:
                yield full, judge_in(archive, workspace.home, full, known)


def verify(
    workspace: Workspace,
    *,
    query: DocumentQuery | None = None,
    again: bool = False,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> VerifySummary:
    """Judge what was not judged yet by these rules and certificates, or everything `again`.

    Without a query the whole archive, with one its documents and their events. What was judged when it is stopped or
    killed stays so; the next call goes on from there.
    """
    with workspace.writing("verify") as archive:
        sandbox_accounts.learn_lacking_roots(workspace, archive, reporter)
        return verify_archive(archive, workspace.home, query=query, again=again, reporter=reporter, stop=stop)


def judge_events(archive: Archive, home: Home, stop: Stop | None = None) -> None:
    """Judge the events that a state depends on as soon as they are here: until then they would be believed.

    Before that, states that an older release left are settled by today's rules.
    """
    settle_owed(archive, stop)
    after = 0
    while stop is None or not stop.is_set:
        with archive.reading() as transaction:
            waiting = event_history.unjudged(transaction, after, _WRITE)
        if not waiting:
            return
        after = waiting[-1]  # what is damaged stays without a verdict
        plan = VerifyPlan(archive, home)
        plan.take(waiting)
        for done in map(judging.GuardedJudge(archive, home, plan.roots), plan.tasks()):
            with archive.writing() as transaction:
                verdicts.record(transaction, done.judged)
            learn_authorities.learn_met(home, done.met)


def settle_owed(archive: Archive, stop: Stop | None = None) -> None:
    """Settle the states that an older release left, by today's rules."""
    settled = _WRITE
    while settled == _WRITE and not (stop is not None and stop.is_set):
        with archive.writing() as transaction:
            settled = recompute.owed(transaction, _WRITE)


def verify_archive(
    archive: Archive,
    home: Home,
    *,
    query: DocumentQuery | None = None,
    again: bool = False,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
    workers: int | None = None,
) -> VerifySummary:
    """As `verify`, with the archive open. `workers`: processes, 0 for this one alone, None for what is best."""
    summary = VerifySummary()
    asked = {"again": again, "whole": query is None}
    with booked(archive, "verify", None, asked, "archive" if query is None else "documents", summary) as run:
        _verify(archive, home, summary, query, again, reporter or Silent(), stop, workers)
        run.outcome = "stopped" if summary.stopped else "partial" if summary.damaged or summary.set_aside else "done"
    return summary


def _verify(
    archive: Archive,
    home: Home,
    summary: VerifySummary,
    query: DocumentQuery | None,
    again: bool,
    reporter: Reporter,
    stop: Stop | None,
    workers: int | None,
) -> None:
    settle_owed(archive, stop)
    if again:
        archive.in_hand.forget(judging.JUDGING)
    for _ in range(_ROUNDS):
        learn_authorities.await_learned(archive, home)
        met = _judge_waiting(archive, home, summary, query, again, reporter, stop, workers)
        if summary.stopped or not learn_authorities.learn_met(home, met):
            break
        again = False  # an authority came along in a signature: what lacked it is judged again, and nothing else
    _count(archive, summary, query)


def _judge_waiting(
    archive: Archive,
    home: Home,
    summary: VerifySummary,
    query: DocumentQuery | None,
    again: bool,
    reporter: Reporter,
    stop: Stop | None,
    workers: int | None,
) -> set[bytes]:
    """Judge what waits; the authorities that were met in signatures and are not known."""
    plan = VerifyPlan(archive, home)
    plan.look(query, again, stop)
    met: set[bytes] = set()
    meter = Meter(reporter, message("Checking authenticity"), plan.contents)
    hands = workers
    if hands is None:
        hands = worker_pool.cores() if plan.contents > ALONE and worker_pool.cores() > 1 else 0
    waiting: list[verdicts.JudgedContent] = []
    try:
        for done in _done(archive, home, plan, hands):
            waiting += done.judged
            met.update(done.met)
            summary.damaged += len(done.damaged)
            with archive.reading() as transaction:
                summary.set_aside += digests(transaction, done.set_aside)
            meter.advance(len(done.judged) + len(done.damaged))
            if len(waiting) >= _WRITE:
                batch, waiting = waiting, []
                _write(archive, summary, batch)
            if stop is not None and stop.is_set:
                summary.stopped = True
                break
    finally:
        if waiting:
            _write(archive, summary, waiting)
    meter.finish()
    return met


def _done(archive: Archive, home: Home, plan: VerifyPlan, hands: int) -> Iterator[JudgingResult]:
    if hands < 1:
        return map(judging.GuardedJudge(archive, home, plan.roots), plan.tasks())
    setup = (home, archive.path, plan.roots)
    hands = min(hands, -(-plan.contents // verify_plan.TASK))
    alone = judging.GuardedJudge(archive, home, plan.roots, are_suspects=True)

    def one_by_one(task: JudgingTask) -> JudgingResult:
        singles = [replace(task, content_ids=(number,)) for number in task.content_ids]
        parts = list(worker_pool.work(judging.prepare, setup, singles, 1, ahead=1, again=alone))
        return JudgingResult(
            tuple(entry for part in parts for entry in part.judged),
            tuple(number for part in parts for number in part.damaged),
            tuple(number for part in parts for number in part.set_aside),
            tuple(data for part in parts for data in part.met),
        )

    return worker_pool.work(judging.prepare, setup, plan.tasks(), hands, again=one_by_one)


def _write(archive: Archive, summary: VerifySummary, batch: Sequence[verdicts.JudgedContent]) -> None:
    with archive.writing() as transaction:
        verdicts.record(transaction, batch)
    found = [one for entry in batch for one in entry.found]
    _add(summary.events, (one.result for one in found if one.kind == verdicts.EVENT))
    _add(summary.judged, (one.result for one in found if one.kind != verdicts.EVENT))


def _add(counts: VerdictCounts, results: Iterable[int]) -> None:
    for number, count in Counter(results).items():
        word = verdicts.verdict_of(number)
        if word is not None:
            setattr(counts, word, getattr(counts, word) + count)


def _count(archive: Archive, summary: VerifySummary, query: DocumentQuery | None) -> None:
    asked = query or DocumentQuery()
    types = tuple(kind for kind in asked.types if kind in _TYPES) if asked.types else _TYPES
    with archive.reading() as transaction:
        failing = failed_events(transaction, query)
        summary.failing_events = len(failing)
        summary.altered_events = len(failed_events(transaction, query, altered=True)) if failing else 0
        wanted = None if query is None else documents.ids(transaction, query)
        summary.failing_versions = verdicts.failed_versions(transaction, wanted)
        if summary.failing_versions:
            summary.altered_versions = verdicts.altered_versions(transaction, wanted)
        if not types:
            return
        for word in (*_WORDS, NOT_JUDGED):
            count = documents.summary(transaction, replace(asked, types=types, verdict=(word,))).count
            setattr(summary.documents if word != NOT_JUDGED else summary, word, count)
        if summary.documents.failed:
            only = replace(asked, types=types, verdict=(ALTERED,))
            summary.altered = documents.summary(transaction, only).count


def _figures(counts: VerdictCounts) -> dict[str, int]:
    return {word: getattr(counts, word) for word in _WORDS}


def unchecked_events(workspace: Workspace, query: DocumentQuery | None = None) -> int:
    """How many current events of these documents, or of the whole archive, could not be checked."""
    with workspace.reading() as archive, archive.reading() as transaction:
        found = verdicts.unchecked_events(transaction)
        if query is None or not found:
            return len(found)
        wanted = set(documents.ids(transaction, query))
        return sum(number in wanted for number in found)


def _own(found: Sequence[JudgedDocument], row: DocumentRow) -> JudgedDocument | None:
    if row.type != DocumentType.VOIDING:
        return pick(found, SignedKind.DOCUMENT, row.position)
    before = sum(entry.kind is SignedKind.DOCUMENT for entry in found)
    return pick(found, SignedKind.VOIDING, row.position - before)


__all__ = [
    "DocumentVerdicts",
    "PaperVerdict",
    "VerdictCounts",
    "VerifySummary",
    "failed",
    "judge",
    "judge_in",
    "judge_named",
    "stored",
    "unchecked_events",
    "verify",
    "verify_archive",
]
