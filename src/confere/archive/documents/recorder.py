"""Recording what was read, in one transaction: content, documents, items, events, relations, search, state.

A key can have several contents (other bytes under the same key): all are kept, one is current. Every key that a
batch touched is settled at its end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from confere.archive.documents import document_rows, lone_protocols, recompute, taxpayers
from confere.archive.documents.relations import claims_of
from confere.archive.documents.search import full_text
from confere.archive.hub import hub_columns
from confere.archive.named_rows import NamedRow
from confere.archive.schema.schema import (
    arrival,
    belonging,
    document,
    event,
    item,
    item_reference,
    party,
    relation,
    tax_group,
    voiding,
)
from confere.archive.transaction import Row, Transaction
from confere.archive.vault.vault import Blob, VaultWriter
from confere.fiscal.model import Document, Event, Paper, Voiding
from confere.fiscal.reading.reader_version import READER

REFUSED = -1  # in place of a reader's version: no reader was given these bytes, nor will one be
CLAIMED_BY_XML = 1
CLAIMED_BY_HUB = 2
UNSPECIFIED = "related"  # the hub claims a relation without saying which

_PARTS = tuple((name, "document_id") for name in ("party", "item", "item_reference", "tax_group", "voiding"))

Claim = tuple[str, str, str]
"""Source key, target key, kind."""


@dataclass(frozen=True, slots=True)
class NewPaper:
    """Bytes new to the vault with what was read of them; `paper` is None where they cannot be read.

    `refused` are those that no reader was given, for the place they lay in.
    """

    blob: Blob
    paper: Paper | None
    refused: bool = False


@dataclass(frozen=True, slots=True)
class RecordedBatch:
    """What a batch added. `content_ids` follows the order of the batch."""

    content_ids: tuple[int, ...]
    documents: int
    events: int


@dataclass(frozen=True, slots=True)
class Arrival:
    """Where a content came from: a file's name, or `hub:account/item`."""

    content_id: int
    source: str


def arrive(transaction: Transaction, run_id: int, arrivals: Iterable[Arrival]) -> None:
    """Remember the sources; a content may arrive many times, each source is kept once."""
    transaction.insert_or_ignore(arrival, [(entry.content_id, entry.source, run_id) for entry in arrivals])


def record(transaction: Transaction, vault: VaultWriter, batch: Sequence[NewPaper]) -> RecordedBatch:
    """Store a batch whose blobs are distinct and new to the vault."""
    content_ids = vault.put(
        transaction,
        [entry.blob for entry in batch],
        [REFUSED if entry.refused else READER for entry in batch],
    )
    return _record_read(
        transaction, [(i, e.paper) for i, e in zip(content_ids, batch, strict=True)], tuple(content_ids)
    )


def adopt(transaction: Transaction, read: Sequence[tuple[int, Paper]]) -> RecordedBatch:
    """Write the rows of contents that were kept unread until now and can be read after all."""
    recorded = _record_read(transaction, list(read), tuple(content_id for content_id, _ in read))
    transaction.execute_many(
        "UPDATE content SET problem = NULL, reader = ? WHERE id = ?", [(READER, content_id) for content_id, _ in read]
    )
    return recorded


def _record_read(
    transaction: Transaction, read: Sequence[tuple[int, Paper | None]], content_ids: tuple[int, ...]
) -> RecordedBatch:
    batch = Batch(transaction)
    for content_id, paper in read:
        if paper is not None:
            batch.add(content_id, paper)
    batch.write()
    claim_relations(transaction, batch.claims, CLAIMED_BY_XML)
    written = dict.fromkeys((row.id for row in batch.documents), False)
    settle(transaction, batch.document_keys, batch.event_keys, batch.keyless_contents, written)
    return RecordedBatch(content_ids, len(batch.documents), len(batch.events))


def settle(
    transaction: Transaction,
    document_keys: Collection[str],
    event_keys: Collection[str],
    keyless_contents: Collection[int],
    written: Mapping[int, bool],
    *,
    again: bool = False,
) -> None:
    """Settle everything that rows depend on beside their own paper; `again` where the rows were there before.

    `written` are the rows of documents that were put there, each with whether it was current before.
    """
    recompute.documents(transaction, document_keys, written)
    recompute.events(transaction, event_keys)
    recompute.states(transaction, {*event_keys, *document_keys}, again=again)
    hub_columns.settle_keys(transaction, document_keys)
    hub_columns.settle_contents(transaction, keyless_contents)


class Numbers:
    """The row numbers of documents and events: those that a content had before, new ones otherwise."""

    def __init__(
        self,
        transaction: Transaction,
        documents: Mapping[tuple[int, int], int] | None = None,
        events: Mapping[tuple[int, int], int] | None = None,
    ) -> None:
        self._transaction = transaction
        self._documents = documents or {}
        self._events = events or {}

    def document(self, content_id: int, position: int) -> int:
        known = self._documents.get((content_id, position))
        if known is not None:
            return known
        if not self._transaction.has_counted(document):  # parts of a document that was lost keep its number
            self._transaction.count_from(document, self._transaction.highest(_PARTS))
        return self._transaction.new_ids(document, 1)[0]

    def event(self, content_id: int, position: int) -> int:
        known = self._events.get((content_id, position))
        return self._transaction.new_ids(event, 1)[0] if known is None else known


class Batch:
    """Rows of one batch, gathered so that each table is written once."""

    def __init__(self, transaction: Transaction, numbers: Numbers | None = None) -> None:
        self._transaction = transaction
        self._numbers = numbers or Numbers(transaction)
        self.documents: list[NamedRow] = []
        self.events: list[NamedRow] = []
        self.papers: dict[int, Document] = {}
        self.claims: dict[Claim, None] = {}
        self._parties: list[tuple[int, int, str, NamedRow]] = []
        self._items: list[Row] = []
        self._named_items: list[Row] = []
        self._taxes: list[Row] = []
        self._voidings: list[Row] = []
        self._words: list[tuple[int, str]] = []
        self._belongings: list[Row] = []
        self._voiders: dict[int, NamedRow] = {}
        self._answers: list[NamedRow] = []

    @property
    def document_keys(self) -> set[str]:
        return {paper.access_key for paper in self.papers.values() if paper.access_key}

    @property
    def keyless_contents(self) -> set[int]:
        """Contents with a document that has no key: only by its download does a hub speak of it."""
        return {row.content_id for row in self.documents if not row.access_key}

    @property
    def event_keys(self) -> set[str]:
        """The documents that events and answers of the batch are about."""
        return {row.access_key for row in (*self.events, *self._answers) if row.access_key}

    @property
    def belongings(self) -> list[Row]:
        return self._belongings

    def add(self, content_id: int, paper: Paper) -> None:
        for position, entry in enumerate(paper.documents):
            self._add_document(content_id, position, entry)
        for position, voided in enumerate(paper.voidings, len(paper.documents)):
            self._add_voiding(content_id, position, voided)
        if not paper.recognised:
            number = self._numbers.document(content_id, 0)
            self.documents.append(document_rows.other_document_row(number, content_id, paper))
            self._words.append((number, f"{paper.root} {paper.text}"))
        for position, happened in enumerate(paper.events):
            self._add_event(content_id, position, happened)
        self._answers += lone_protocols.rows(content_id, paper)
        self.claims.update(dict.fromkeys(claims_in(paper)))

    def _add_document(self, content_id: int, position: int, entry: Document) -> None:
        number = self._numbers.document(content_id, position)
        self.documents.append(document_rows.document_row(number, content_id, position, entry))
        self.papers[number] = entry
        self._parties += [
            (number, place, party.role, document_rows.taxpayer_row(party)) for place, party in enumerate(entry.parties)
        ]
        self._items += document_rows.item_rows(number, entry)
        self._named_items += document_rows.item_reference_rows(number, entry)
        self._taxes += document_rows.tax_rows(number, entry)
        owned = document_rows.belonging_rows(number, entry)
        self._belongings += owned
        owners = (owner for owner, *_ in owned)
        self._words.append((number, full_text.with_owners(document_rows.search_words(entry), owners)))

    def _add_voiding(self, content_id: int, position: int, voided: Voiding) -> None:
        number = self._numbers.document(content_id, position)
        self.documents.append(document_rows.voiding_document_row(number, content_id, position, voided))
        self._voidings.append(document_rows.voiding_row(number, voided))
        if voided.emitter:
            self._voiders[number] = document_rows.emitter_row(voided.emitter)
            self._belongings.append((voided.emitter, self.documents[-1].issued_on, number, "out"))
            self._words.append((number, full_text.owner_word(voided.emitter)))

    def _add_event(self, content_id: int, position: int, happened: Event) -> None:
        number = self._numbers.event(content_id, position)
        self.events.append(document_rows.event_row(number, content_id, position, happened))

    def write(self) -> None:
        """Write everything but the relations."""
        wanted = dict.fromkeys((*(written for _, _, _, written in self._parties), *self._voiders.values()))
        known = taxpayers.numbers(self._transaction, list(wanted))
        owners = {(number, "emitter"): known[written] for number, written in self._voiders.items()}
        for number, _, role, written in self._parties:
            owners.setdefault((number, role), known[written])
        self._transaction.insert(
            document,
            [
                document_rows.with_owners(row, *(owners.get((row.id, role)) for role in document_rows.OWNERS))
                for row in self.documents
            ],
        )
        self._transaction.insert(
            party, [(number, position, role, known[written]) for number, position, role, written in self._parties]
        )
        self._transaction.insert(item, self._items)
        self._transaction.insert(item_reference, self._named_items)
        self._transaction.insert(tax_group, self._taxes)
        self._transaction.insert(belonging, self._belongings)
        self._transaction.insert(voiding, self._voidings)
        self._transaction.insert(event, self.events)
        lone_protocols.add(self._transaction, self._answers)
        full_text.add(self._transaction, self._words)


def claims_in(paper: Paper) -> Iterator[Claim]:
    """The relations that the XML claims, of documents and of events."""
    for entry in paper.documents:
        if entry.access_key:
            for reference in entry.references:
                yield entry.access_key, reference.access_key, str(reference.kind)
    for happened in paper.events:
        yield from claims_of(happened)


def claim_relations(transaction: Transaction, found: Collection[Claim], claim: int) -> None:
    """Write `(source key, target key, kind)` as claimed by the XML or the hub; both claims meet in one row.

    A hub often names no kind: its claim then joins the kind that the XML gives, whichever came first.
    """
    if not found:
        return
    pairs = {(source, target) for source, target, _ in found}
    sources = {source for source, _ in pairs}
    known: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for source, target, kind, claims in transaction.fetch_in(
        "SELECT source_key, target_key, kind, claims FROM relation WHERE source_key IN {}", sources
    ):
        known[(source, target)][kind] = claims
    new: list[Row] = []
    changed: list[Row] = []
    gone: list[Row] = []
    for source, target, kind in found:
        kinds = known[(source, target)]
        specific = [name for name in kinds if name != UNSPECIFIED]
        if kind == UNSPECIFIED and specific:
            for name in specific:
                kinds[name] |= claim
                changed.append((kinds[name], source, target, name))
            continue
        if kind in kinds:
            if kinds[kind] | claim != kinds[kind]:
                kinds[kind] |= claim
                changed.append((kinds[kind], source, target, kind))
            continue
        claims = claim
        if kind != UNSPECIFIED:
            # A claim that named no kind holds for each kind that the XML gives, whichever came first.
            for name in kinds:
                claims |= kinds[name] & CLAIMED_BY_HUB
            if UNSPECIFIED in kinds:
                del kinds[UNSPECIFIED]
                gone.append((source, target, UNSPECIFIED))
        kinds[kind] = claims
        new.append((source, target, kind, claims))
    transaction.execute_many("DELETE FROM relation WHERE source_key = ? AND target_key = ? AND kind = ?", gone)
    transaction.insert_or_ignore(relation, new)
    transaction.execute_many(
        "UPDATE relation SET claims = ? WHERE source_key = ? AND target_key = ? AND kind = ?", changed
    )
