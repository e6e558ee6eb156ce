"""The one way in: bytes from any source become vault content and rows, a batch a transaction."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from confere.archive import message_encoding
from confere.archive.documents import recorder, reindex
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.archive.vault import damage, vault
from confere.errors import ArchiveCorrupt, ArchiveError, Message, PaperError
from confere.fiscal.model import Paper
from confere.fiscal.reading.document import read
from confere.fiscal.reading.reader_version import READER
from confere.intake.isolated_reading import Reading, Received, read_again, read_guarded

BATCH_COUNT = 500
BATCH_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class RecordOutcome:
    """What became of one `Received`, in the order they were given."""

    content_id: int
    new: bool
    problem: Message | None  # why it is kept unread
    documents: int
    events: int
    tried_again: bool = False  # it was set aside before, and read once more


def record(
    archive: Archive,
    run_id: int,
    batch: Sequence[Received],
    *,
    readings: Sequence[Reading] | None = None,
    also: Callable[[Transaction, Sequence[RecordOutcome]], None] | None = None,
    again: bool = False,
) -> list[RecordOutcome]:
    """Record a batch in one transaction; `also` runs in it, with the outcomes.

    `readings` may carry what was read already, so that nothing is read twice. The same bytes within the batch
    or in the vault are a duplicate: only their source is added. Bytes that were kept unread (refused for the
    place they lay in, or by an older reader) are read when they come again; with `again` also those that were set
    aside because they ended the program.
    """
    digests = [vault.digest_of(entry.data) for entry in batch]
    tried_again = {digest for digest in set(digests) if again and read_again(digest, archive.in_hand)}
    with archive.writing() as transaction:
        held = vault.find(transaction, set(digests))
        unread = vault.unread(transaction, set(held.values())) if held else set()
        found: dict[bytes, tuple[int, Reading]] = {}  # the first that can be read, else the first
        for place, (entry, digest) in enumerate(zip(batch, digests, strict=True)):
            if digest in held and held[digest] not in unread:
                continue
            if digest not in found or (found[digest][1].paper is None and entry.refused is None):
                found[digest] = (place, _read(archive, entry, digest) if readings is None else readings[place])
        new = {digest: entry for digest, entry in found.items() if digest not in held}
        broken = damage.known(transaction)
        restored = {} if broken is None else _restore(archive, transaction, batch, new, broken)
        held.update(restored)
        new = {digest: entry for digest, entry in new.items() if digest not in restored}
        late = {
            digest: entry
            for digest, entry in found.items()
            if digest in held and digest not in restored and entry[1].paper is not None
        }
        recorded = recorder.record(
            transaction,
            archive.vault_writer,
            [_new_paper(batch[place], digest, reading) for digest, (place, reading) in new.items()],
        )
        if late:
            recorder.adopt(
                transaction,
                [(held[digest], reading.paper) for digest, (_, reading) in late.items() if reading.paper is not None],
            )
        held.update(zip(new, recorded.content_ids, strict=True))
        recorder.arrive(
            transaction,
            run_id,
            [recorder.Arrival(held[digest], entry.source) for entry, digest in zip(batch, digests, strict=True)],
        )
        fresh = dict((new | late).values())
        still = {digest: reading.problem for digest, (_, reading) in found.items() if reading.paper is None}
        outcomes = [
            replace(
                _outcome(held[digest], fresh.get(place)),
                problem=still.get(digest),
                tried_again=digest in tried_again,
            )
            for place, digest in enumerate(digests)
        ]
        came_again = {held[d]: e.data for e, d in zip(batch, digests, strict=True) if d not in new}
        _mend(archive, transaction, came_again)
        if broken is not None:
            damage.clear(transaction, came_again)
        if also is not None:
            also(transaction, outcomes)
    return outcomes


def _read(archive: Archive, entry: Received, digest: bytes) -> Reading:
    return read_guarded(entry, digest, archive.in_hand)


def _restore(
    archive: Archive,
    transaction: Transaction,
    batch: Sequence[Received],
    new: Mapping[bytes, tuple[int, Reading]],
    broken: damage.DamagedContent,
) -> dict[bytes, int]:
    """Put bytes that the vault lost back under the number that documents know them by; digest to content id."""
    restored: dict[bytes, int] = {}
    for digest, (place, reading) in new.items():
        entry = batch[place]
        number = damage.place_for(broken, entry.source, reading.paper, restored.values())
        if number is None:
            continue
        new_paper = _new_paper(entry, digest, reading)
        archive.vault_writer.restore(
            transaction, number, new_paper.blob, recorder.REFUSED if new_paper.refused else READER
        )
        restored[digest] = number
    read_anew = {restored[digest]: reading.paper for digest, (_, reading) in new.items() if digest in restored}

    def read_again(content_id: int) -> Paper | None:
        try:
            return read(archive.vault.get(transaction, content_id))
        except (PaperError, ArchiveError):
            return None

    # Nobody knows any more what the lost bytes were: the rows say from now on what these say.
    reindex.rewrite(
        transaction,
        [reindex.Reread(number, paper) for number, paper in read_anew.items() if paper is not None],
        read_again,
    )
    return restored


def _mend(archive: Archive, transaction: Transaction, copies: dict[int, bytes]) -> None:
    """Bytes that come again replace the archive's copy where that is damaged."""
    for content_id, data in copies.items():
        try:
            archive.vault.get(transaction, content_id)
        except ArchiveCorrupt:
            archive.vault_writer.replace(transaction, content_id, data)


def _new_paper(entry: Received, digest: bytes, reading: Reading) -> recorder.NewPaper:
    reason = message_encoding.kept(reading.problem) if reading.problem else None
    blob = vault.Blob(entry.data, digest, problem=reason)
    return recorder.NewPaper(blob, reading.paper, refused=entry.refused is not None)


def _outcome(content_id: int, reading: Reading | None) -> RecordOutcome:
    if reading is None:
        return RecordOutcome(content_id, new=False, problem=None, documents=0, events=0)
    paper = reading.paper
    return RecordOutcome(
        content_id,
        new=True,
        problem=reading.problem,
        documents=_documents(paper),
        events=len(paper.events) if paper else 0,
    )


def _documents(paper: Paper | None) -> int:
    if paper is None:
        return 0
    return len(paper.documents) + len(paper.voidings) if paper.recognised else 1
