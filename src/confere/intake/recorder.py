"""The one way in: bytes from any source become vault content and rows, a batch a transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from confere.archive import papers, sentences, vault
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import Message, PaperError
from confere.fiscal.model import Paper
from confere.fiscal.reading import read

BATCH_COUNT = 500
BATCH_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Received:
    """Bytes with the name of where they came from. `refused` tells why they are not to be read at all."""

    data: bytes
    source: str
    refused: Message | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one `Received`, in the order they were given."""

    content_id: int
    new: bool
    problem: Message | None  # why it is kept unread
    documents: int
    events: int


@dataclass(frozen=True, slots=True)
class Reading:
    """What reading gave: the paper, or why there is none."""

    paper: Paper | None
    problem: Message | None


def read_safely(received: Received) -> Reading:
    """Read, and make a sentence of what cannot be read."""
    if received.refused is not None:
        return Reading(None, received.refused)
    try:
        return Reading(read(received.data), None)
    except PaperError as error:
        return Reading(None, error.what)


def record(
    archive: Archive,
    run_id: int,
    batch: Sequence[Received],
    *,
    readings: Sequence[Reading] | None = None,
    also: Callable[[Transaction, Sequence[Outcome]], None] | None = None,
) -> list[Outcome]:
    """Record a batch in one transaction; `also` runs in it, with the outcomes.

    `readings` may carry what was read already, so that nothing is read twice. The same bytes within the batch
    or in the vault are a duplicate: only their source is added.
    """
    digests = [vault.digest_of(entry.data) for entry in batch]
    with archive.writing() as transaction:
        held = vault.find(transaction, set(digests))
        new: dict[bytes, tuple[int, papers.NewPaper]] = {}
        problems: dict[bytes, Message | None] = {}
        for place, (entry, digest) in enumerate(zip(batch, digests, strict=True)):
            if digest in held or digest in new:
                continue
            reading = readings[place] if readings is not None else read_safely(entry)
            problems[digest] = reading.problem
            reason = sentences.kept(reading.problem) if reading.problem else None
            new[digest] = (place, papers.NewPaper(vault.Blob(entry.data, digest, problem=reason), reading.paper))
        recorded = papers.record(transaction, archive.vault_writer, [paper for _, paper in new.values()])
        held.update(zip(new, recorded.content_ids, strict=True))
        papers.arrive(
            transaction,
            run_id,
            [papers.Arrival(held[digest], entry.source) for entry, digest in zip(batch, digests, strict=True)],
        )
        outcomes = []
        for place, digest in enumerate(digests):
            fresh = digest in new and new[digest][0] == place
            paper = new[digest][1].paper if fresh else None
            outcomes.append(
                Outcome(
                    content_id=held[digest],
                    new=fresh,
                    problem=problems[digest] if fresh else None,
                    documents=_documents(paper),
                    events=len(paper.events) if paper else 0,
                )
            )
        if also is not None:
            also(transaction, outcomes)
    return outcomes


def _documents(paper: Paper | None) -> int:
    if paper is None:
        return 0
    return len(paper.documents) + len(paper.voidings) if paper.recognised else 1
