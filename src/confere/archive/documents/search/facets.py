"""What occurs among documents: kinds, states, operations, marketplaces, states of Brazil; companies; months."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from confere.archive.authenticity import altered
from confere.archive.authenticity.verdict_codes import number_of, verdict_of
from confere.archive.documents.documents import counted
from confere.archive.documents.search import value_indexes
from confere.archive.documents.search.document_search import NOT_JUDGED, DocumentQuery
from confere.archive.documents.search.file_companies import file_companies
from confere.archive.documents.state_grounds import ground_of
from confere.archive.hub.completeness import MonthCount, months_of
from confere.archive.message_encoding import storable
from confere.archive.transaction import Row, Transaction
from confere.fiscal.authenticity.verdict import ALTERED, Result
from confere.fiscal.law import states
from confere.fiscal.periods import MonthSpan

_MOST_COMPANIES = 200
_AT_ONCE = 100  # values counted in one pass
_FAILED = number_of(Result.FAILED)
_NOT_JUDGED = -1
_VOIDING = "voiding"
_DISAGREEING = "count(*) FILTER (WHERE d.hub_disagrees = 1)"
_ALTERED = 100  # no number of a verdict: a part of what failed
_COLUMNS = {
    "types": "d.type",
    "states": "d.state",
    "operations": "d.operation",
    "marketplaces": "d.hub_marketplace",
    "verdicts": f"CASE WHEN d.verdict = 2 AND d.id IN ({altered.DOCUMENTS}) THEN {_ALTERED}"
    f" ELSE coalesce(d.verdict, {_NOT_JUDGED}) END",
    "grounds": "d.state_ground",
}
_INDEXED = {
    "types": "type",
    "states": "state",
    "operations": "operation",
    "marketplaces": "marketplace",
    "verdicts": "verdict",
    "grounds": "ground",
}
_ALTERED_DOCUMENTS = (
    f"SELECT count(*) FROM document d WHERE d.is_current = 1 AND d.verdict = 2 AND d.id IN ({altered.DOCUMENTS})"
)
_UFS = (
    "SELECT e.uf, r.uf, sum(f.documents) FROM (SELECT d.emitter_id, d.recipient_id, count(*) AS documents"
    " {source} GROUP BY 1, 2) f LEFT JOIN taxpayer e ON e.id = f.emitter_id"
    " LEFT JOIN taxpayer r ON r.id = f.recipient_id GROUP BY 1, 2"
)
# Of all documents: the first ones along the index of emitters, in which they are grouped already.
_EMITTED = "FROM document d WHERE d.is_current = 1 AND d.emitter_id > 0"
_OF_NOBODY = "FROM document d WHERE d.is_current = 1 AND d.emitter_id IS NULL"


@dataclass(frozen=True, slots=True)
class Choice:
    """A value that occurs, and in how many documents."""

    value: str
    documents: int


@dataclass(frozen=True, slots=True)
class Choices:
    """For each filter what could be chosen beside all other filters of a query; most documents first."""

    types: tuple[Choice, ...]
    states: tuple[Choice, ...]
    operations: tuple[Choice, ...]
    marketplaces: tuple[Choice, ...]
    ufs: tuple[Choice, ...]
    verdicts: tuple[Choice, ...] = ()
    grounds: tuple[Choice, ...] = ()


@dataclass(frozen=True, slots=True)
class Company:
    """Somebody whose documents these are; `account` is the one that has it as an establishment, None where none has."""

    tax_id: str
    name: str | None
    account: str | None


class _Counts(NamedTuple):
    """The choices of some filters; whether further records of any of the documents say another marketplace."""

    choices: dict[str, tuple[Choice, ...]]
    disagree: bool


def choices(transaction: Transaction, query: DocumentQuery) -> Choices:
    """What occurs among the documents of a query, each filter seen as if it were not set itself."""
    asked: dict[DocumentQuery, list[str]] = defaultdict(list)
    asked[replace(query, types=())].append("types")
    asked[replace(query, states=())].append("states")
    asked[replace(query, operations=())].append("operations")
    asked[replace(query, marketplaces=())].append("marketplaces")
    asked[replace(query, verdict=())].append("verdicts")
    asked[replace(query, grounds=())].append("grounds")
    found: dict[str, tuple[Choice, ...]] = {}
    disagree = False
    for without, names in asked.items():
        counts = _of_all(transaction, names) if without.has_no_filter else _counted(transaction, without, names)
        found |= counts.choices
        disagree = disagree or ("marketplaces" in names and counts.disagree)
    found["verdicts"] = _verdicts(found["verdicts"])
    found["grounds"] = tuple(
        Choice(word, entry.documents) for entry in found["grounds"] if (word := ground_of(int(entry.value)))
    )
    if disagree:
        found["marketplaces"] = _as_records_say(transaction, replace(query, marketplaces=()), found["marketplaces"])
    # Kinds are counted with the state that is asked for, states without it.
    documents = sum(choice.documents for choice in found["types"]) if query.uf is None else None
    return Choices(**found, ufs=_ufs(transaction, replace(query, uf=None), documents))


def _verdicts(counted: Sequence[Choice]) -> tuple[Choice, ...]:
    """By their words; what was altered is counted among what failed too, as the filter has it."""
    documents = {int(entry.value): entry.documents for entry in counted}
    changed = documents.pop(_ALTERED, 0)
    if changed:
        documents[_FAILED] = documents.get(_FAILED, 0) + changed
    found = [Choice(verdict_of(number) or NOT_JUDGED, count) for number, count in documents.items()]
    found += [Choice(ALTERED, changed)] if changed else []
    return tuple(sorted(found, key=lambda choice: -choice.documents))


def companies(transaction: Transaction) -> tuple[Company, ...]:
    """The establishments of the accounts in use, then who is known from files alone; at most 200.

    Of those the ones with most documents first, of these the ones that emitted most.
    """
    rows = transaction.named(
        "SELECT e.tax_id, max(e.name) AS name, min(a.name) AS account,"
        " (SELECT count(*) FROM belonging b WHERE b.tax_id = e.tax_id) AS documents"
        " FROM establishment e JOIN account a ON a.id = e.account_id WHERE a.removed_at IS NULL"
        " GROUP BY e.tax_id ORDER BY documents DESC, e.tax_id LIMIT ?",
        (_MOST_COMPANIES,),
    )
    of_files = file_companies(transaction, _MOST_COMPANIES - len(rows))
    names: dict[str, str] = dict(
        transaction.fetch_in(
            "SELECT tax_id, max(name) FROM taxpayer WHERE name IS NOT NULL AND tax_id IN {} GROUP BY tax_id",
            [*(row.tax_id for row in rows), *of_files],
        )
    )
    return (
        *(Company(row.tax_id, row.name or names.get(row.tax_id), row.account) for row in rows),
        *(Company(tax_id, names.get(tax_id), None) for tax_id in of_files),
    )


def month_span(transaction: Transaction, query: DocumentQuery) -> MonthSpan:
    """The months that the documents of a query are of."""
    sql = counted(transaction, query)
    days = "min(nullif(d.issued_on, '')), max(nullif(d.issued_on, ''))"
    count, first, last = transaction.first(f"SELECT count(*), {days} {sql.source}", sql.parameters) or (0, None, None)
    return MonthSpan(count, first and first[:7], last and last[:7])


def months(transaction: Transaction, company: str | None) -> tuple[MonthCount, ...]:
    """The months with documents, of one company or of all, newest first; documents without a date are in none."""
    if company is not None:
        return tuple(reversed(months_of(transaction, company)))
    return tuple(
        transaction.fetch_as(
            MonthCount,
            "SELECT substr(issued_on, 1, 7) AS month, count(*) AS documents FROM document"
            " WHERE is_current = 1 AND issued_on > ''"
            " GROUP BY 1 ORDER BY 1 DESC",
        )
    )


def _counted(transaction: Transaction, query: DocumentQuery, names: Sequence[str]) -> _Counts:
    """In two passes, first which and then how many: to group, SQLite would sort all documents for each column."""
    sql = counted(transaction, query)
    columns = [_COLUMNS[name] for name in names]
    rows = transaction.fetch(f"SELECT DISTINCT {', '.join(columns)} {sql.source}", sql.parameters)
    values = [
        (column, value) for place, column in enumerate(columns) for value in {row[place] for row in rows} - {None}
    ]
    numbers: list[int] = []
    disagree = False
    for start in range(0, len(values), _AT_ONCE):
        part = values[start : start + _AT_ONCE]
        sums = "".join(f", count(*) FILTER (WHERE {column} = ?)" for column, _ in part)
        row = transaction.first(
            f"SELECT {_DISAGREEING}{sums} {sql.source}", (*(value for _, value in part), *sql.parameters)
        )
        disagreeing, *counts = row or (0,)
        disagree = disagree or disagreeing > 0
        numbers += counts
    found = sorted(zip(numbers, values, strict=True), key=lambda entry: (-entry[0], entry[1]))
    return _Counts(
        {
            name: tuple(Choice(value, number) for number, (of, value) in found if of == column)
            for name, column in zip(names, columns, strict=True)
        },
        disagree,
    )


def _of_all(transaction: Transaction, names: Sequence[str]) -> _Counts:
    """As `_counted`, of all documents: their indexes hold the values of each column but for the common one.

    All that have a value and are not in the index have that one: a single pass counts for every column.
    """
    found: dict[str, tuple[Choice, ...]] = {}
    indexes = [value_indexes.VALUE_INDEXES[_INDEXED[name]] for name in names]
    valued = "".join(", 0" if index.common is None else f", count(d.{index.column})" for index in indexes)
    row = transaction.first(f"SELECT count(*), {_DISAGREEING}{valued} FROM document d WHERE d.is_current = 1")
    documents, disagreeing, *with_value = row or (0, 0, *(0 for _ in names))
    for name, index, having in zip(names, indexes, with_value, strict=True):
        counts: dict[Any, int] = dict(
            transaction.fetch(f"SELECT {index.column}, count(*) FROM {index.source} GROUP BY {index.column}")
        )
        if index.common is not None:
            counts[index.common] = having - sum(counts.values())
        if name == "verdicts":
            counts[_NOT_JUDGED] = documents - sum(counts.values())
            counts[_ALTERED] = int(transaction.scalar(_ALTERED_DOCUMENTS))
            counts[_FAILED] = counts.get(_FAILED, 0) - counts[_ALTERED]
        listed = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
        found[name] = tuple(Choice(value, count) for value, count in listed if count)
    return _Counts(found, disagreeing > 0)


def _as_records_say(
    transaction: Transaction, query: DocumentQuery, counted_by_row: Sequence[Choice]
) -> tuple[Choice, ...]:
    """Marketplaces, where further records of a document name others: it counts for each that the filter would find."""
    sql = counted(transaction, query)
    met, values = "", []
    for condition, value in (
        ("h.subtype = ?", query.subtype),
        ("h.order_id = ?", query.order_id),
        ("h.account_id IN (SELECT id FROM account WHERE name = ?)", query.account),
    ):
        if value is not None:
            met += f" AND {condition}"
            values.append(storable(value))
    disagreeing = f"d.id IN (SELECT d.id {sql.source} AND d.hub_disagrees = 1){met}"
    columns = "SELECT d.id, d.hub_marketplace AS shown, h.marketplace AS said FROM document d"
    rows = transaction.named(
        f"{columns} JOIN hub_document h ON h.access_key = d.access_key WHERE {disagreeing} UNION {columns}"
        " JOIN download w ON w.content_id = d.content_id JOIN hub_document h ON h.id = w.hub_document_id"
        f" WHERE d.access_key IS NULL AND {disagreeing}",
        (*sql.parameters, *values) * 2,
    )
    found = Counter({entry.value: entry.documents for entry in counted_by_row})
    found.subtract(shown for _, shown in {(row.id, row.shown) for row in rows} if shown is not None)
    found.update(row.said for row in rows if row.said is not None)
    return tuple(
        Choice(value, number)
        for value, number in sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))
        if number > 0
    )


def _ufs(transaction: Transaction, query: DocumentQuery, every: int | None) -> tuple[Choice, ...]:
    """A document counts for its emitter's state and for its recipient's; once where they are the same.

    A voiding names nobody's state but has the code of one. `every` is how many documents there are,
    None where that was not counted.
    """
    sql = counted(transaction, query)
    found: Counter[str] = Counter()
    if query.has_no_filter:
        rows = transaction.fetch(_UFS.format(source=_EMITTED))
        if every is None or sum(documents for _, _, documents in rows) < every:
            rows = [*rows, *transaction.fetch(_UFS.format(source=_OF_NOBODY))]
    else:
        rows = transaction.fetch(_UFS.format(source=sql.source), sql.parameters)
    for emitter, recipient, documents in rows:
        for uf in {emitter, recipient} - {None, ""}:
            found[uf] += documents
    voidings: Sequence[Row] = ()
    if not query.types or _VOIDING in query.types:
        # By the index of kinds: they are few.
        of_voidings = counted(transaction, replace(query, types=(_VOIDING,)))
        voidings = transaction.fetch(
            f"SELECT v.uf_code, count(*) FROM voiding v WHERE v.document_id IN (SELECT d.id {of_voidings.source})"
            " GROUP BY 1",
            of_voidings.parameters,
        )
    for code, documents in voidings:
        uf = states.uf_of_ibge_code(code)
        if uf is not None:
            found[uf] += documents
    return tuple(Choice(*entry) for entry in sorted(found.items(), key=lambda entry: (-entry[1], entry[0])))
