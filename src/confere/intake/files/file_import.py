"""File import: XML, folders and ZIPs into the archive, batch by batch; a kill loses at most the batch at hand."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from confere.archive.accounts.accounts import Account
from confere.archive.accounts.recorded_run import booked
from confere.archive.message_encoding import storable
from confere.archive.store import Archive
from confere.archive.vault import damage
from confere.archive.vault.vault import digest_of
from confere.errors import Message, message
from confere.intake.files import completeness_declaration, file_sources
from confere.intake.import_figures import ImportFigures
from confere.intake.isolated_reading import Received
from confere.intake.recorder import BATCH_BYTES, BATCH_COUNT, record
from confere.sales.declarations import CompleteFor, Declared
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent

MOST_PROBLEMS_TOLD = 1000
_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class ImportProblem:
    """One file that was not read, and why."""

    source: str
    reason: Message


MOST_CERTIFICATES: Final = 20_000_000
"""Bytes of certificates that one import looks at."""


@dataclass(slots=True)
class ImportResult(ImportFigures):
    """`files` is `recorded + duplicates + unreadable`; members of a ZIP count as files, a lot as one.

    `certificates` are files of certificates as they are, of which nothing is kept here; `authorities` says how many
    were learned of them. `tried_again` counts files that had been set aside and were read once more.
    """

    files: int = 0
    recorded: int = 0
    duplicates: int = 0
    ignored: int = 0
    documents: int = 0
    events: int = 0
    problems: list[ImportProblem] = field(default_factory=list)
    certificates: list[bytes] = field(default_factory=list)
    authorities: int = 0
    tried_again: int = 0

    def counts(self) -> dict[str, int | float]:
        """The figures alone, as runs and scripts want them."""
        return {
            "files": self.files,
            "recorded": self.recorded,
            "duplicates": self.duplicates,
            "unreadable": self.unreadable,
            "ignored": self.ignored,
            "documents": self.documents,
            "events": self.events,
            "seconds": round(self.seconds, 3),
        }


def import_files(
    archive: Archive,
    paths: Sequence[Path],
    *,
    complete: tuple[Account, CompleteFor] | None = None,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> ImportResult:
    """Bring everything under `paths` in. Once asked to stop, what was recorded stays and the result says so.

    `complete`: declare that these are all documents of an account of some months.
    """
    result = ImportResult()
    digests: set[str] | None = None if complete is None else set()
    names = [storable(str(path)) for path in paths]
    with booked(archive, "import", None, {"paths": names}, ", ".join(names), result) as run:
        meter = Meter(reporter or Silent(), message("Importing files"))
        with archive.writing() as transaction:
            damage.note_missing(transaction)  # what the vault lost may be among them
        try:
            _import(archive, run.id, paths, result, meter, stop, digests)
        finally:
            meter.finish()
        if complete is not None and digests is not None:
            _declare(archive, run.id, paths, result, complete, digests)
        run.outcome = "stopped" if result.stopped else "partial" if result.unreadable else "done"
    return result


def _declare(
    archive: Archive,
    run_id: int,
    paths: Sequence[Path],
    result: ImportResult,
    complete: tuple[Account, CompleteFor],
    digests: Collection[str],
) -> None:
    account, claim = complete
    result.not_declared = completeness_declaration.why_not(
        result.unreadable, stopped=result.stopped
    ) or completeness_declaration.why_no_documents(archive, account, claim)
    if result.not_declared is not None:
        return
    (digest, *more) = sorted(digests) or [""]
    if more:
        digest = hashlib.sha256("\n".join((digest, *more)).encode()).hexdigest()
    names = ", ".join(path.name for path in paths[:_MOST_NAMED]) + (" …" if len(paths) > _MOST_NAMED else "")
    result.declared = completeness_declaration.declare(
        archive, account, run_id, Declared.DOCUMENTS, claim, file=names, sha256=digest
    )


def _import(
    archive: Archive,
    run_id: int,
    paths: Sequence[Path],
    result: ImportResult,
    meter: Meter,
    stop: Stop | None,
    digests: set[str] | None,
) -> None:
    waiting: list[Received] = []
    size = 0
    try:
        for found in file_sources.find(paths):
            if stop is not None and stop.is_set:
                result.stopped = True
                break
            match found:
                case file_sources.Ignored():
                    result.ignored += 1
                case file_sources.Certificates():
                    if sum(map(len, result.certificates)) < MOST_CERTIFICATES:
                        result.certificates.append(found.data)
                case file_sources.Unkept():
                    result.files += 1
                    result.unreadable += 1
                    _tell(result, found.source, found.reason)
                    meter.advance()
                case Received():
                    if digests is not None:
                        digests.add(digest_of(found.data).hex())
                    waiting.append(found)
                    size += len(found.data)
                    if len(waiting) >= BATCH_COUNT or size >= BATCH_BYTES:
                        # A batch that failed is not tried again on the way out.
                        batch, waiting, size = waiting, [], 0
                        _record(archive, run_id, batch, result, meter)
    finally:
        if waiting:  # also where the search for more failed: what came before is kept
            _record(archive, run_id, waiting, result, meter)


def _record(archive: Archive, run_id: int, batch: list[Received], result: ImportResult, meter: Meter) -> None:
    for received, outcome in zip(batch, record(archive, run_id, batch, again=True), strict=True):
        result.files += 1
        result.documents += outcome.documents
        result.events += outcome.events
        result.tried_again += outcome.tried_again
        if outcome.problem is not None:
            result.unreadable += 1
            _tell(result, received.source, outcome.problem)
        elif outcome.new:
            result.recorded += 1
        else:
            result.duplicates += 1
    meter.advance(len(batch))


def _tell(result: ImportResult, source: str, reason: Message) -> None:
    if len(result.problems) < MOST_PROBLEMS_TOLD:
        result.problems.append(ImportProblem(source, reason))
