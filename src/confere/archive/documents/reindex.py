"""Reading again: what a newer reader finds in bytes that are here takes the place of the rows that an older one made.

Documents and events keep their numbers, by content and position. What other papers, hubs and verdicts say of them is
settled anew, so that the archive ends as if everything had come to this reader at first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from confere.archive.authenticity import verdicts
from confere.archive.documents import lone_protocols, recompute, recorder
from confere.archive.documents.recorder import (
    CLAIMED_BY_HUB,
    CLAIMED_BY_XML,
    UNSPECIFIED,
    Batch,
    Claim,
    Numbers,
    claims_in,
)
from confere.archive.schema.schema import relation
from confere.archive.transaction import Row, Transaction
from confere.fiscal.model import Paper
from confere.fiscal.reading.reader_version import READER

_CAME_TO = "reread to"  # in `info`: how far an interrupted run came
# One look each into the index of readers, whose rows of one reader stand in the order of contents.
_OLDER = ("reader IS NULL", *(f"reader = {version}" for version in range(READER)))
_ANY = ("reader IS NULL", "reader >= 0")
_INDEXED = "FROM content INDEXED BY ix_content_reader WHERE family = 0 AND"

Read = Callable[[int], Paper | None]
"""The paper in a content, by its number, read now."""


@dataclass(frozen=True, slots=True)
class Reread:
    """What reading a content again gave: the paper, or the sentence (`sentences.kept`) that says why there is none."""

    content_id: int
    paper: Paper | None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class ReindexedContents:
    """`adopted` contents could not be read before; `unreadable` cannot be read now."""

    documents: int = 0
    events: int = 0
    adopted: int = 0
    unreadable: int = 0


def waiting(
    transaction: Transaction, after_id: int, limit: int, *, everything: bool = False
) -> tuple[tuple[int, int], ...]:
    """The next contents to read again, by number, each with its size in bytes."""
    if everything:  # all of them: along the contents themselves
        rows = transaction.fetch(
            "SELECT id, size FROM content WHERE family = 0 AND reader IS NOT -1 AND id > ? ORDER BY id LIMIT ?",
            (after_id, limit),
        )
    else:
        rows = [
            row
            for condition in _OLDER
            for row in transaction.fetch(
                f"SELECT id, size {_INDEXED} {condition} AND id > ? ORDER BY id LIMIT ?", (after_id, limit)
            )
        ]
    return tuple((content_id, size) for content_id, size in sorted(rows)[:limit])


def count(transaction: Transaction, after_id: int = 0, *, everything: bool = False) -> int:
    """How many contents with numbers above `after_id` wait to be read again."""
    found = 0
    for condition in _ANY if everything else _OLDER:
        sql = f"SELECT count(*) {_INDEXED} {condition} AND id > ?"
        found += int(transaction.scalar(sql, (after_id,)))
    return found


def came_to(transaction: Transaction) -> int:
    """The last content that an interrupted reading of everything, by this reader, has behind it; 0 for none."""
    said = str(transaction.scalar("SELECT value FROM info WHERE name = ?", (_CAME_TO,)) or "")
    reader, _, content_id = said.partition(":")
    return int(content_id) if reader == str(READER) and content_id.isdigit() else 0


def come_to(transaction: Transaction, content_id: int) -> None:
    """Write down how far a reading of everything came; what `came_to` gives."""
    transaction.execute(
        "INSERT INTO info (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (_CAME_TO, f"{READER}:{content_id}"),
    )


def finish(transaction: Transaction, *, everything: bool) -> None:
    """All that waited was gone through: let go of what no paper says any longer.

    After a reading of `everything` the next one begins anew.
    """
    if everything:
        transaction.execute("DELETE FROM info WHERE name = ?", (_CAME_TO,))
    forget_taxpayers(transaction)


def forget_taxpayers(transaction: Transaction) -> None:
    """Take away the taxpayers that no document names."""
    transaction.memory("taxpayers").clear()
    transaction.execute(
        "DELETE FROM taxpayer WHERE id NOT IN (SELECT taxpayer_id FROM party UNION"
        " SELECT emitter_id FROM document WHERE emitter_id IS NOT NULL)"
    )


def rewrite(transaction: Transaction, batch: Sequence[Reread], read: Read) -> ReindexedContents:
    """Put the rows of these contents anew; `read` gives further ones, where a relation must be looked up in them."""
    problems: dict[int, str | None] = dict(
        transaction.fetch_in("SELECT id, problem FROM content WHERE id IN {}", [entry.content_id for entry in batch])
    )
    readable = {entry.content_id: entry.paper for entry in batch if entry.paper is not None}
    before = _Before(transaction, readable)
    made = Batch(transaction, Numbers(transaction, before.documents, before.events))
    for content_id, paper in readable.items():
        made.add(content_id, paper)
    before.remove(made.belongings)
    made.write()
    documents = before.document_keys | made.document_keys
    events = before.event_keys | made.event_keys
    loose = _relate(transaction, documents, set(made.claims), set(readable), read)
    written = {row.id: before.were_current.get(row.id, False) for row in made.documents}
    recorder.settle(transaction, documents, events, made.keyless_contents, written, again=True)
    recompute.states(transaction, loose, again=True)
    verdicts.settle(transaction, readable)
    _mark(transaction, batch, problems)
    return ReindexedContents(
        documents=len(made.documents),
        events=len(made.events),
        adopted=sum(problems.get(content_id) is not None for content_id in readable),
        unreadable=len(batch) - len(readable),
    )


def heal(transaction: Transaction, batch: Sequence[Reread], read: Read) -> ReindexedContents:
    """As `rewrite`, where rows may be lost or wrong: nothing that they say now is relied on, however slow that is."""
    contents = [entry.content_id for entry in batch]
    ids = list(transaction.column_in("SELECT id FROM document WHERE content_id IN {}", contents))
    # A wrong row may stand under any taxpayer and day, so the whole table is looked through.
    list(transaction.fetch_in("DELETE FROM belonging WHERE document_id IN {} RETURNING document_id", ids))
    transaction.memory("taxpayers").clear()
    return rewrite(transaction, batch, read)


def drop_strays(transaction: Transaction) -> None:
    """Take away what belongs to documents, orders, returns, products and records of hubs that are no longer there."""
    # Of a content that nothing else speaks of, beside one of the same key that is there: its number was changed.
    for table in ("document", "event"):
        transaction.execute(
            f"DELETE FROM {table} AS x WHERE content_id NOT IN (SELECT id FROM content)"
            " AND content_id NOT IN (SELECT content_id FROM arrival)"
            f" AND EXISTS (SELECT 1 FROM {table} y JOIN content c ON c.id = y.content_id"
            " WHERE y.access_key = x.access_key AND y.id != x.id)"
        )
    for table in ("party", "item", "item_reference", "tax_group", "voiding", "belonging"):
        transaction.execute(f"DELETE FROM {table} WHERE document_id NOT IN (SELECT id FROM document)")
    for table in ("hub_record", "hub_history", "hub_metadata", "download"):
        transaction.execute(f"DELETE FROM {table} WHERE hub_document_id NOT IN (SELECT id FROM hub_document)")
    for table in ("order_item", "order_version"):
        transaction.execute(f"DELETE FROM {table} WHERE order_id NOT IN (SELECT id FROM sales_order)")
    transaction.execute("DELETE FROM feed_record_version WHERE record_id NOT IN (SELECT id FROM feed_record)")
    transaction.execute("DELETE FROM return_item WHERE return_id NOT IN (SELECT id FROM hub_return)")
    for table in ("catalog_sku", "catalog_version"):
        transaction.execute(f"DELETE FROM {table} WHERE product_id NOT IN (SELECT id FROM catalog_product)")


class _Before:
    """The rows that contents had: their numbers, and what belongs to them in other tables."""

    def __init__(self, transaction: Transaction, content_ids: Collection[int]) -> None:
        self._transaction = transaction
        self.documents: dict[tuple[int, int], int] = {}
        self.events: dict[tuple[int, int], int] = {}
        self.document_keys: set[str] = set()
        self.event_keys: set[str] = set()
        self._days: dict[int, str] = {}
        self.were_current: dict[int, bool] = {}
        for row in transaction.named_in(
            "SELECT id, content_id, position, access_key, issued_on, is_current FROM document WHERE content_id IN {}",
            content_ids,
        ):
            self.documents[row.content_id, row.position] = row.id
            self.were_current[row.id] = bool(row.is_current)
            self._days[row.id] = row.issued_on
            self.document_keys |= {row.access_key} if row.access_key else set()
        for number, content_id, position, key in transaction.fetch_in(
            "SELECT id, content_id, position, access_key FROM event WHERE content_id IN {}", content_ids
        ):
            self.events[content_id, position] = number
            self.event_keys |= {key} if key else set()
        self._contents = content_ids
        self.event_keys |= lone_protocols.keys_of(transaction, content_ids)

    def remove(self, belongings: Collection[Row]) -> None:
        """Take the rows out; `belongings` are those that will be written, which may be there under another day."""
        execute_many = self._transaction.execute_many
        ids = [(number,) for number in self.documents.values()]
        execute_many(
            "DELETE FROM belonging WHERE tax_id = ? AND issued_on = ? AND document_id = ?", self._owned(belongings)
        )
        execute_many("DELETE FROM party WHERE document_id = ?", ids)
        execute_many("DELETE FROM item WHERE document_id = ?", ids)
        execute_many("DELETE FROM item_reference WHERE document_id = ?", ids)
        execute_many("DELETE FROM tax_group WHERE document_id = ?", ids)
        execute_many("DELETE FROM voiding WHERE document_id = ?", ids)
        execute_many("DELETE FROM document WHERE id = ?", ids)
        lone_protocols.remove(self._transaction, self._contents)
        execute_many("DELETE FROM event WHERE id = ?", [(number,) for number in self.events.values()])

    def _owned(self, belongings: Collection[Row]) -> list[Row]:
        owners: dict[int, set[str]] = defaultdict(set)
        days: dict[int, set[str]] = defaultdict(set)
        for number, tax_id in self._transaction.fetch_in(
            "SELECT p.document_id, t.tax_id FROM party p JOIN taxpayer t ON t.id = p.taxpayer_id"
            " WHERE t.tax_id IS NOT NULL AND p.document_id IN {}",
            self._days,
        ):
            owners[number].add(tax_id)
        for number, tax_id in self._transaction.fetch_in(
            "SELECT document_id, emitter FROM voiding WHERE emitter IS NOT NULL AND document_id IN {}", self._days
        ):
            owners[number].add(tax_id)
        for tax_id, day, number, _ in belongings:
            if number in self._days:
                owners[number].add(tax_id)
                days[number].add(day)
        return [
            (tax_id, day, number)
            for number, found in owners.items()
            for tax_id in found
            for day in days[number] | {self._days[number]}
        ]


def claimed_elsewhere(transaction: Transaction, claim: Claim, said_in: dict[int, set[Claim]], read: Read) -> set[Claim]:
    """What the contents claim that may speak of `claim`; those not in `said_in` yet are read, and added to it."""
    source, target, _ = claim
    rows = transaction.fetch(
        "SELECT content_id FROM document WHERE access_key = ?"
        " UNION SELECT content_id FROM event WHERE access_key IN (?, ?)",
        (source, source, target),
    )
    found: set[Claim] = set()
    for (content_id,) in rows:
        if content_id not in said_in:
            paper = read(content_id)
            said_in[content_id] = set(claims_in(paper)) if paper is not None else set()
        found |= said_in[content_id]
    return found


def _relate(
    transaction: Transaction, keys: Collection[str], claims: set[Claim], content_ids: set[int], read: Read
) -> set[str]:
    """Let the relations of these keys be what the XML claims now, with what hubs claim; the targets that lost one.

    A claim that none of these contents makes may be another's, a further version of the document or an event of
    either side: those are read before it is dropped.
    """
    sources = set(keys) | {source for source, _, _ in claims}
    known: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for source, target, kind, said in transaction.fetch_in(
        "SELECT source_key, target_key, kind, claims FROM relation WHERE source_key IN {}", sources
    ):
        known[source, target][kind] = said
    wanted = set(claims)
    # Each content is read once, however many claims it may make.
    said_in: dict[int, set[Claim]] = {number: set() for number in content_ids}
    for (source, target), kinds in known.items():
        for kind, said in kinds.items():
            claim = (source, target, kind)
            if not said & CLAIMED_BY_XML or claim in claims:
                continue
            if source not in keys or claim in claimed_elsewhere(transaction, claim, said_in, read):
                wanted.add(claim)
    by_hub = {pair for pair, kinds in known.items() if any(said & CLAIMED_BY_HUB for said in kinds.values())}
    pairs = {(source, target) for source, target, _ in wanted}
    rows = {
        (source, target, kind): CLAIMED_BY_XML | (CLAIMED_BY_HUB if (source, target) in by_hub else 0)
        for source, target, kind in wanted
    } | {(*pair, UNSPECIFIED): CLAIMED_BY_HUB for pair in by_hub - pairs}
    now = {(*pair, kind): said for pair, kinds in known.items() for kind, said in kinds.items()}
    gone = [claim for claim in now if rows.get(claim) != now[claim]]
    transaction.execute_many("DELETE FROM relation WHERE source_key = ? AND target_key = ? AND kind = ?", gone)
    transaction.insert(relation, [(*claim, said) for claim, said in rows.items() if now.get(claim) != said])
    return {target for _, target, _ in gone}


def _mark(transaction: Transaction, batch: Sequence[Reread], problems: dict[int, str | None]) -> None:
    """Which reader it was; what an older one could read and this one cannot keeps its rows."""
    transaction.execute_many(
        "UPDATE content SET problem = NULL, reader = ? WHERE id = ?",
        [(READER, entry.content_id) for entry in batch if entry.paper is not None],
    )
    transaction.execute_many(
        "UPDATE content SET problem = ?, reader = ? WHERE id = ?",
        [
            (entry.problem if problems.get(entry.content_id) is not None else None, READER, entry.content_id)
            for entry in batch
            if entry.paper is None
        ],
    )
