"""Reading documents back: rows for lists, what they amount to, and where their bytes are."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial

from confere.archive.authenticity import altered
from confere.archive.authenticity.verdict_codes import verdict_of
from confere.archive.documents.search import (
    document_tags,
    full_text,
    party_conditions,
    tree_conditions,
    value_indexes,
)
from confere.archive.documents.search.document_search import DocumentQuery, Parties, Sql, sql_of, storable_number
from confere.archive.documents.search.document_tags import TagMark
from confere.archive.documents.search.first_rows.list_reading import ListReading
from confere.archive.documents.search.lookups import IdSelect
from confere.archive.documents.state_grounds import ground_of
from confere.archive.hub import no_longer_listed
from confere.archive.message_encoding import storable
from confere.archive.named_rows import NamedRow
from confere.archive.reconciliation import open_findings
from confere.archive.reconciliation.open_findings import FindingMark
from confere.archive.transaction import Ids, Row, Transaction
from confere.fiscal.authenticity.verdict import ALTERED
from confere.fiscal.document_models import VOID, DocumentDescription


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRow(DocumentDescription):
    """One line of a list. Money in centavos; `hub_*` is the hub's word, beside the paper's."""

    id: int
    content_id: int
    sha256: str  # empty where the archive lost the bytes
    type: str
    issued_on: str
    emitter_tax_id: str | None
    emitter_name: str | None
    recipient_tax_id: str | None
    recipient_name: str | None
    nature: str | None
    operation: str | None
    cfops: str | None
    total: int | None
    state: str
    cstat: str | None
    protocol: str | None
    authorized_at: str | None
    warnings: tuple[tuple[str, str], ...]
    hub_subtype: str | None = None
    hub_marketplace: str | None = None
    hub_order_id: str | None = None
    position: int = 0  # among the documents of its content
    hub_account: str | None = None
    state_ground: str | None = None  # `fiscal.state.Ground`; None of what has no state of its own
    verdict: str | None = None  # ok, unchecked, failed, test; None: not checked yet
    altered: bool = False  # it failed because it was changed after signing
    gone_since: str | None = None  # UTC: the hub no longer lists it
    findings: tuple[FindingMark, ...] = ()  # open ones that name it, the gravest first; where `marked` looked for them
    tags: tuple[TagMark, ...] = ()  # by name; as the findings

    @property
    def verdict_word(self) -> str | None:
        """As `verdict`, where "altered" says more."""
        return ALTERED if self.altered else self.verdict

    @property
    def bytes_missing(self) -> bool:
        """Whether the archive lost the bytes that this row was read from."""
        return not self.sha256


@dataclass(frozen=True, slots=True)
class QueryTotals:
    """How many documents a query has and what they are worth, in centavos."""

    count: int
    total: int


@dataclass(frozen=True, slots=True)
class DocumentTotals:
    """What documents amount to, in centavos. `count` is of all; `worth` leaves out what is void.

    Void is paper without effect (`confere.fiscal.model.VOID`); `void_worth` is what it names.
    """

    count: int
    worth: int
    void_count: int
    void_worth: int


_JOINED = {
    "sha256": "c.digest",
    "hub_account": "a.name",
    "gone_since": no_longer_listed.SINCE,
    "altered": altered.ROW,
    "emitter_tax_id": "e.tax_id",
    "emitter_name": "e.name",
    "recipient_tax_id": "r.tax_id",
    "recipient_name": "r.name",
}
_NAMES = tuple(f.name for f in fields(DocumentRow) if f.name not in ("findings", "tags"))
_COLUMNS = ", ".join(f"{_JOINED.get(name, f'd.{name}')} AS {name}" for name in _NAMES)
_SELECT = (
    f"SELECT {_COLUMNS} FROM document d"
    " LEFT JOIN content c ON c.id = d.content_id LEFT JOIN account a ON a.id = d.hub_account_id"
    " LEFT JOIN taxpayer e ON e.id = d.emitter_id LEFT JOIN taxpayer r ON r.id = d.recipient_id"
)
_VOID = "d.state IN (" + ",".join(f"'{state}'" for state in sorted(VOID)) + ")"
# The state of most is compared alone.
_VOID_OF_LIST = f"d.state != 'authorized' AND {_VOID}"
_VOID_OF_ALL = f"document d WHERE d.is_current = 1 AND d.state != 'authorized' AND {_VOID}"
# In two halves: SQLite's sum ends in an error beyond 63 bits, and one absurd paper must not hide all others.
_SUM = ("count(*)", "sum(d.total & 4294967295)", "sum(d.total >> 32)")
_SMALL_SUM = ("count(*)", "sum(d.total)")
_HIGHEST = (
    "SELECT (SELECT min(total) FROM document WHERE is_current = 1), (SELECT max(total) FROM document"
    " WHERE is_current = 1), (SELECT max(id) FROM document)"
)
# From this many documents of a company or a word on, reading the whole list costs less than looking each of them up.
_MANY = 4000
# What one of the list's rows costs in its order is such a part of what it costs to look one up: by its day and id, or
# in the table by ids that follow each other.
_LARGE_PART, _FEW_PART = 8, 25
_KEYS_PART = 16  # as `_FEW_PART`, beside what it costs to try each of a company's documents for them
_MOST_SPELLINGS = 50
_LAST_DAY = "9999-12-31"


def summary(transaction: Transaction, query: DocumentQuery) -> QueryTotals:
    """Count and worth of a query, in one pass."""
    sql = counted(transaction, query)
    ((count, *halves),) = transaction.fetch(f"SELECT {', '.join(_sum(transaction))} {sql.source}", sql.parameters)
    return QueryTotals(count, _worth(*halves))


def totals(transaction: Transaction, query: DocumentQuery) -> DocumentTotals:
    """As `summary`, with what is void told apart."""
    sql = counted(transaction, query)
    columns = _sum(transaction)
    every = ", ".join(columns)
    if query.has_no_filter:  # the index of states has what is void
        of_all = transaction.fetch(f"SELECT {every} {sql.source}", sql.parameters)
        return _totals(of_all, transaction.fetch(f"SELECT {every} FROM {_VOID_OF_ALL}"))
    # In one pass: filters may cost more than all sums. One that groups takes twice the time, as SQLite sorts for it.
    void = ", ".join(f"{column} FILTER (WHERE {_VOID_OF_LIST})" for column in columns)
    (row,) = transaction.fetch(f"SELECT {every}, {void} {sql.source}", sql.parameters)
    return _totals([row[: len(columns)]], [row[len(columns) :]])


def totals_of(transaction: Transaction, wanted: Collection[int]) -> DocumentTotals:
    """What these documents amount to."""
    source = f"SELECT {', '.join(_SUM)} FROM document d WHERE d.id IN {{}}"
    every, void = (list(transaction.fetch_in(source + narrowed, wanted)) for narrowed in ("", f" AND {_VOID}"))
    return _totals(every, void)


def ids(transaction: Transaction, query: DocumentQuery) -> Ids:
    """The ids of a query in its order, eight bytes each: a snapshot to page over by `by_ids`."""
    if query.sort != "issued":  # as in `page`
        from confere.archive.documents.search.first_rows import order_heads

        of_all = order_heads.every(transaction, query)
        if of_all is not None:
            return of_all
    sql = prepared(transaction, query)
    return transaction.integers(f"SELECT d.id {sql.source} {sql.order}", sql.parameters)


def page(transaction: Transaction, query: DocumentQuery, limit: int, offset: int = 0) -> tuple[DocumentRow, ...]:
    """A stretch of a query's rows; for long walks take `ids` first. `limit` -1 for all."""
    storable_number(limit)
    storable_number(offset)
    reading = _reading(transaction, query, stops_early=limit >= 0)
    if limit >= 0 and reading.is_long and query.sort != "issued":
        # A start lists by day and waits for none of it.
        from confere.archive.documents.search.first_rows import first_ids

        first = first_ids.first_ids(transaction, reading, limit + offset)
        if first is not None:
            return by_ids(transaction, first[offset:])
    sql = reading.whole
    wanted = transaction.column(
        f"SELECT d.id {sql.source} {sql.order} LIMIT ? OFFSET ?",
        (*sql.parameters, limit, offset),
    )
    return by_ids(transaction, wanted)


def by_ids(transaction: Transaction, wanted: Sequence[int]) -> tuple[DocumentRow, ...]:
    """These documents, in the order asked for."""
    found = {row.id: _document(row) for row in transaction.named_in(f"{_SELECT} WHERE d.id IN {{}}", wanted)}
    return tuple(found[number] for number in wanted if number in found)


def marked(transaction: Transaction, rows: Sequence[DocumentRow]) -> tuple[DocumentRow, ...]:
    """The same rows with the open findings that name them, and their tags: looked up for what is shown alone."""
    found = open_findings.marks(transaction, {row.access_key for row in rows if row.access_key is not None})
    if found:
        rows = [replace(row, findings=found[row.access_key]) if row.access_key in found else row for row in rows]
    return tagged(transaction, rows)


def tagged(transaction: Transaction, rows: Sequence[DocumentRow]) -> tuple[DocumentRow, ...]:
    """The same rows with their tags."""
    found = document_tags.marks(transaction, rows)
    if not found:
        return tuple(rows)
    return tuple(replace(row, tags=found[row.id]) if row.id in found else row for row in rows)


def prepared(transaction: Transaction, query: DocumentQuery) -> Sql:
    """The SQL of a query, read in the way that fits how many documents its company and its search have."""
    return _reading(transaction, query, stops_early=False).whole


def _reading(transaction: Transaction, query: DocumentQuery, *, stops_early: bool) -> ListReading:
    """As `prepared`; `stops_early` where only the first rows are read."""
    spelling = full_text.spelling(transaction)
    is_month = query.from_day is not None and query.to_day is not None

    def are_few(ids: IdSelect, many: int | None = None) -> bool:
        return not _are_many(transaction, f"({ids.sql})", *ids.values, many=many)

    plan = tree_conditions.planned(
        query,
        are_few,
        spelling,
        are_few_of_all=None if is_month else lambda ids: are_few(ids, _part_of_all(transaction, _KEYS_PART)),
    )
    long = large = False
    # A company's own tree, by date, needs no document to know which have the words: the first are there soonest.
    if query.company is not None and not (stops_early and query.sort == "issued" and plan.reads_words):
        scope = (storable(query.company), storable(query.from_day or ""), storable(query.to_day or _LAST_DAY))
        source = "belonging WHERE tax_id = ? AND issued_on >= ? AND issued_on <= ?"
        long = _are_many(transaction, source, *scope)
        is_known = is_month or plan.picking is not None  # what picks few documents walks along no company
        large = long and (
            is_known or _are_many(transaction, source, *scope, many=_part_of_all(transaction, _LARGE_PART))
        )
    named = query.with_findings is True and _are_many(transaction, f"({open_findings.NAMED})")
    items = spelling(query.item_words) if query.item_words is not None else None
    # All of them are read faster one after the other than by date; the first, or those of a month, are not.
    is_short = (stops_early and query.sort == "issued") or is_month
    goods = items is not None and is_short and _are_many(transaction, "search WHERE search MATCH ?", items)
    spellings = _spellings(transaction, query.company) if long and query.company is not None else ()
    may_pick = plan.picking is None and not is_month and (long or query.company is None)
    known = partial(
        sql_of,
        query,
        plan,
        company_is_long=long,
        company_is_large=large,
        spellings=spellings,
        findings_are_many=named,
        items_are_many=goods,
        parties=_parties(transaction, query),
    )
    filters = value_indexes.filters_of(query) if may_pick else ()
    few = value_indexes.picking(transaction, filters, value_indexes.FEW)
    by_day = known(few=few)
    if filters and few is None and not (stops_early and query.sort == "issued"):
        few = value_indexes.picking(transaction, filters, _part_of_all(transaction, _FEW_PART))
    is_long = not is_month and (long or query.company is None)
    return ListReading(query, by_day, known(few=few), lambda among: known(among=among), is_long)


def _parties(transaction: Transaction, query: DocumentQuery) -> Parties:
    """Who is meant by the names of emitter and recipient, where they are not too many to be named."""
    known: dict[str, tuple[int, ...]] = {}
    for role, wanted in (("emitter", query.emitter), ("recipient", query.recipient)):
        if wanted is not None:
            sql, values = party_conditions.parties(wanted)
            ids = transaction.column(f"{sql} LIMIT ?", (*map(storable, values), _MOST_SPELLINGS))
            if len(ids) < _MOST_SPELLINGS:
                known[role] = tuple(ids)
    return known


def _spellings(transaction: Transaction, company: str) -> tuple[int, ...]:
    """The taxpayers that are this company; none where they are too many to be named."""
    found = transaction.column("SELECT id FROM taxpayer WHERE tax_id = ? LIMIT ?", (storable(company), _MOST_SPELLINGS))
    return tuple(found) if len(found) < _MOST_SPELLINGS else ()


def counted(transaction: Transaction, query: DocumentQuery) -> Sql:
    """As `prepared`, where the order does not matter: some need more tables."""
    return prepared(transaction, replace(query, sort="issued"))


def current(transaction: Transaction, access_key: str) -> int | None:
    """The current document of a key."""
    found = versions(transaction, access_key)
    return found[0] if found else None


def versions(transaction: Transaction, access_key: str) -> tuple[int, ...]:
    """All documents of a key, the current one first."""
    return tuple(
        transaction.column(
            "SELECT id FROM document WHERE access_key = ? ORDER BY is_current DESC, id", (storable(access_key),)
        )
    )


def numbered(transaction: Transaction, number: int) -> tuple[int, ...]:
    """The rows of all documents with this number (nNF, nCT), whatever their series."""
    return tuple(transaction.column("SELECT id FROM document WHERE number = ? AND is_current = 1", (number,)))


def mentioning(transaction: Transaction, word: str) -> tuple[int, ...]:
    """Papers of a kind that is not read in whose text `word` stands, oldest first."""
    expression = full_text.expression(word)
    if expression is None:
        return ()
    document_ids = transaction.column(
        "SELECT id FROM document WHERE type = 'other' AND id IN (SELECT rowid FROM search WHERE search MATCH ?)"
        " ORDER BY id",
        (expression,),
    )
    return tuple(document_ids)


def of_digest(transaction: Transaction, digest: bytes) -> tuple[int | None, tuple[int, ...]]:
    """The content with this SHA-256 (None if there is none) and the documents in it."""
    content_id: int | None = transaction.scalar(
        "SELECT id FROM content WHERE digest_head = ? AND digest = ?",
        (int.from_bytes(digest[:8], "big", signed=True), digest),
    )
    if content_id is None:
        return None, ()
    document_ids = transaction.column("SELECT id FROM document WHERE content_id = ? ORDER BY position", (content_id,))
    return content_id, tuple(document_ids)


def walk(transaction: Transaction, query: DocumentQuery, step: int = 500) -> Iterator[DocumentRow]:
    """All rows of a query, in its order, a step at a time."""
    wanted = ids(transaction, query)
    for start in range(0, len(wanted), step):
        yield from by_ids(transaction, wanted[start : start + step])


def _document(row: NamedRow) -> DocumentRow:
    values = row._asdict()
    values["sha256"] = (values["sha256"] or b"").hex()
    values["verdict"] = verdict_of(values["verdict"])
    values["altered"] = bool(values["altered"])
    values["state_ground"] = ground_of(values["state_ground"])
    values["warnings"] = tuple((code, detail) for code, detail in json.loads(values["warnings"] or "[]"))
    return DocumentRow(**values)


def signed_digest(transaction: Transaction, document_id: int) -> str | None:
    """The DigestValue of a document's signature, which is kept where no answer of the authority stands beside it."""
    found = transaction.scalar("SELECT signed_digest FROM document WHERE id = ?", (document_id,))
    return None if found is None else str(found)


def _are_many(transaction: Transaction, source: str, *values: object, many: int | None = None) -> bool:
    most = _MANY if many is None else many
    return most < 1 or transaction.scalar(f"SELECT 1 FROM {source} LIMIT 1 OFFSET ?", (*values, most - 1)) is not None


def _part_of_all(transaction: Transaction, part: int) -> int:
    """How many documents are such a part of all; some thousands at least."""
    return max(int(transaction.scalar("SELECT max(id) FROM document") or 0) // part, _MANY)


def _totals(every: Sequence[Row], void: Sequence[Row]) -> DocumentTotals:
    worth, void_worth = (sum(_worth(*halves) for _, *halves in rows) for rows in (every, void))
    count, void_count = (sum(row[0] for row in rows) for rows in (every, void))
    return DocumentTotals(count, worth - void_worth, void_count, void_worth)


def _sum(transaction: Transaction) -> tuple[str, ...]:
    """The columns of a count and sum, which is in one where no sum of what the archive holds can be too large."""
    lowest, highest, documents = transaction.fetch(_HIGHEST)[0]
    most = max(abs(lowest or 0), abs(highest or 0)) * (documents or 0)
    return _SMALL_SUM if most < 2**63 else _SUM


def _worth(low: int | None, high: int | None = None) -> int:
    return ((high or 0) << 32) + (low or 0)
