"""Recording what was read, in one transaction: content, documents, items, events, relations, search, state.

A key can have several contents (other bytes under the same key): all are kept, one is current. Events arrive in
any order, before or after their document, so the state of every key touched is computed again at the end.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from confere.archive import hub_words, rows, search, taxpayers
from confere.archive.schema import arrival, belonging, document, event, item, party, relation, voiding
from confere.archive.transaction import Row, Transaction
from confere.archive.vault import Blob, VaultWriter
from confere.fiscal.model import Document, Paper
from confere.fiscal.state import effective_state

CLAIMED_BY_XML = 1
CLAIMED_BY_HUB = 2
UNSPECIFIED = "related"  # the hub claims a relation without saying which


@dataclass(frozen=True, slots=True)
class NewPaper:
    """Bytes new to the vault with what was read of them; `paper` is None where they cannot be read."""

    blob: Blob
    paper: Paper | None


@dataclass(frozen=True, slots=True)
class Recorded:
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


def record(transaction: Transaction, vault: VaultWriter, batch: Sequence[NewPaper]) -> Recorded:
    """Store a batch whose blobs are distinct and new to the vault."""
    content_ids = vault.put(transaction, [entry.blob for entry in batch])
    return _record_read(
        transaction, [(i, e.paper) for i, e in zip(content_ids, batch, strict=True)], tuple(content_ids)
    )


def _record_read(
    transaction: Transaction, read: Sequence[tuple[int, Paper | None]], content_ids: tuple[int, ...]
) -> Recorded:
    batch = _Batch(transaction)
    for content_id, paper in read:
        if paper is not None:
            batch.add(content_id, paper)
    batch.write()
    _settle_documents(transaction, batch.document_keys)
    _settle_events(transaction, batch.event_keys)
    settle_states(transaction, {*batch.event_keys, *batch.document_keys})
    hub_words.settle_keys(transaction, batch.document_keys)
    hub_words.settle_contents(transaction, batch.keyless_contents)
    return Recorded(content_ids, len(batch.documents), len(batch.events))


class _Batch:
    """Rows of one batch, gathered so that each table is written once."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self.documents: list[Row] = []
        self.events: list[Row] = []
        self.papers: dict[int, Document] = {}
        self._parties: list[tuple[int, int, str, Row]] = []
        self._items: list[Row] = []
        self._voidings: list[Row] = []
        self._relations: dict[tuple[str, str, str], None] = {}
        self._words: list[tuple[int, str]] = []
        self._belongings: list[Row] = []
        self._voiders: dict[int, Row] = {}

    @property
    def document_keys(self) -> set[str]:
        return {paper.access_key for paper in self.papers.values() if paper.access_key}

    @property
    def keyless_contents(self) -> set[int]:
        """Contents with a document that has no key: only by its download does a hub speak of it."""
        return {row[1] for row in self.documents if not row[5]}

    @property
    def event_keys(self) -> set[str]:
        return {row[4] for row in self.events if row[4]}

    def add(self, content_id: int, paper: Paper) -> None:
        position = 0
        for entry in paper.documents:
            number = self._new_document()
            self.documents.append(rows.document_row(number, content_id, position, entry))
            self.papers[number] = entry
            self._parties += [
                (number, place, party.role, rows.taxpayer_row(party)) for place, party in enumerate(entry.parties)
            ]
            self._items += rows.item_rows(number, entry)
            self._belongings += rows.belonging_rows(number, entry)
            self._words.append((number, rows.search_words(entry)))
            if entry.access_key:
                for reference in entry.references:
                    self._relations[(entry.access_key, reference.access_key, str(reference.kind))] = None
            position += 1
        for voided in paper.voidings:
            number = self._new_document()
            self.documents.append(rows.voiding_document_row(number, content_id, position, voided))
            self._voidings.append(rows.voiding_row(number, voided))
            if voided.emitter:
                self._voiders[number] = rows.emitter_row(voided.emitter)
                day = self.documents[-1][11]
                self._belongings.append((voided.emitter, day, number, "out"))
            position += 1
        if not paper.recognised:
            number = self._new_document()
            self.documents.append(rows.other_document_row(number, content_id, paper))
            self._words.append((number, f"{paper.root} {paper.text}"))
        for place, happened in enumerate(paper.events):
            number = self._transaction.new_ids(event, 1)[0]
            self.events.append(rows.event_row(number, content_id, place, happened))

    def write(self) -> None:
        wanted = dict.fromkeys((*(entry[3] for entry in self._parties), *self._voiders.values()))
        known = taxpayers.numbers(self._transaction, list(wanted))
        owners = {(number, "emitter"): known[entry] for number, entry in self._voiders.items()}
        for number, _, role, entry in self._parties:
            owners.setdefault((number, role), known[entry])
        self._transaction.insert(
            document,
            [rows.with_owners(row, *(owners.get((row[0], role)) for role in rows.OWNERS)) for row in self.documents],
        )
        self._transaction.insert(party, [(*entry[:3], known[entry[3]]) for entry in self._parties])
        self._transaction.insert(item, self._items)
        self._transaction.insert(belonging, self._belongings)
        self._transaction.insert(voiding, self._voidings)
        self._transaction.insert(event, self.events)
        search.add(self._transaction, self._words)
        claim_relations(self._transaction, self._relations, CLAIMED_BY_XML)

    def _new_document(self) -> int:
        return self._transaction.new_ids(document, 1)[0]


def claim_relations(transaction: Transaction, found: Collection[tuple[str, str, str]], claim: int) -> None:
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


def _settle_documents(transaction: Transaction, keys: Collection[str]) -> None:
    """Where a key has several versions, make the best one current: authorized, then with protocol, then oldest."""
    versions: dict[str, list[tuple[int, str | None, str | None, int]]] = defaultdict(list)
    for number, key, cstat, protocol, current in transaction.fetch_in(
        "SELECT id, access_key, cstat, protocol, is_current FROM document WHERE access_key IN {}", keys
    ):
        versions[key].append((number, cstat, protocol, current))
    demoted: list[int] = []
    promoted: list[int] = []
    for found in versions.values():
        if len(found) == 1:
            continue
        best = min(found, key=lambda entry: (entry[1] not in ("100", "150"), entry[1] is None, entry[0]))
        demoted += [entry[0] for entry in found if entry[3] and entry is not best]
        if not best[3]:
            promoted.append(best[0])
    transaction.execute_many("UPDATE document SET is_current = 0 WHERE id = ?", [(number,) for number in demoted])
    transaction.execute_many("UPDATE document SET is_current = 1 WHERE id = ?", [(number,) for number in promoted])
    for number in demoted:
        for tax_id, day in transaction.fetch(
            "SELECT t.tax_id, d.issued_on FROM party p JOIN document d ON d.id = p.document_id"
            " JOIN taxpayer t ON t.id = p.taxpayer_id WHERE p.document_id = ? AND t.tax_id IS NOT NULL",
            (number,),
        ):
            transaction.execute(
                "DELETE FROM belonging WHERE tax_id = ? AND issued_on = ? AND document_id = ?", (tax_id, day, number)
            )


def _settle_events(transaction: Transaction, keys: Collection[str]) -> None:
    """The same event can come alone and inside its document: the registered, separate, oldest one is current."""
    versions: dict[Row, list[Row]] = defaultdict(list)
    for row in transaction.fetch_in(
        "SELECT id, access_key, code, sequence, registered, embedded, is_current FROM event WHERE access_key IN {}",
        keys,
    ):
        versions[row[1:4]].append(row)
    changed: list[Row] = []
    for found in versions.values():
        if len(found) > 1:
            best = min(found, key=lambda row: (not row[4], row[5], row[0]))
            changed += [(int(row is best), row[0]) for row in found if row[6] != int(row is best)]
    transaction.execute_many("UPDATE event SET is_current = ? WHERE id = ?", changed)


def settle_states(transaction: Transaction, keys: Collection[str]) -> None:
    """Compute the effective state of these keys again from their protocols and events."""
    happened: dict[str, list[tuple[str | None, bool]]] = defaultdict(list)
    for key, code, registered in transaction.fetch_in(
        "SELECT access_key, code, registered FROM event WHERE access_key IN {}", keys
    ):
        happened[key].append((code, bool(registered)))
    changed: list[Row] = []
    for number, key, model, cstat, state in transaction.fetch_in(
        "SELECT id, access_key, model, cstat, state FROM document WHERE access_key IN {}", happened
    ):
        now = effective_state(cstat, happened[key], model=model).value
        if now != state:
            changed.append((now, number))
    transaction.execute_many("UPDATE document SET state = ? WHERE id = ?", changed)


def adopt(transaction: Transaction, read: Sequence[tuple[int, Paper]]) -> Recorded:
    """Write the rows of contents that were kept unread until now and can be read after all."""
    recorded = _record_read(transaction, list(read), tuple(content_id for content_id, _ in read))
    transaction.execute_many(
        "UPDATE content SET problem = NULL WHERE id = ?", [(content_id,) for content_id, _ in read]
    )
    return recorded
