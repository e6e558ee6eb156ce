"""The first rows of a long list in another order than that of its days, without reading all of it for them.

What is tried first is much less work and almost always enough; where it is not, the whole list is read as ever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from confere.archive.documents.search import sort_orders
from confere.archive.documents.search.document_query import DocumentQuery
from confere.archive.documents.search.document_search import Sql
from confere.archive.transaction import Transaction

_HEAD: Final = 4000  # documents at the beginning of an order, of which the first rows are looked for
_MOST: Final = 1000  # rows up to which they are the first
# Orders that have an index of their own, which says nothing of the filters.
_HEADS: Final = {
    "total": "SELECT id FROM document WHERE is_current = 1 AND total IS NOT NULL ORDER BY total {way}, id {way}",
    "number": "SELECT id FROM document WHERE number IS NOT NULL ORDER BY number {way}, id {way}",
}
# Orders of few values, which most documents may not have: of equals SQLite would sort every one.
_FEW_VALUES: Final = {
    "marketplace": "d.hub_marketplace",
    "warnings": "d.warning_count",
    "verdict": "d.verdict",
    "ground": "d.state_ground",
}
# Orders of many names.
_MANY_NAMES: Final = frozenset({"counterparty", "recipient"})
_SPARE: Final = 4  # times as many documents as rows are wanted belong, on average, to the names that are tried
_FEWEST_NAMES, _MOST_NAMES = 4, 500


class ListReading(NamedTuple):
    """The SQL of a query, and that of what it finds among other documents, given the SELECT of their ids."""

    sql: Sql
    among: Callable[[str], Sql]


def first_ids(transaction: Transaction, query: DocumentQuery, reading: ListReading, until: int) -> list[int] | None:
    """The ids of the first `until` rows; None where they have to be sorted out of all."""
    is_month = query.from_day is not None and query.to_day is not None
    if not reading.sql.reads_all or is_month or not 0 < until <= _MOST:
        return None
    found: list[int] = []
    if query.sort in _HEADS:
        found = _of_head(transaction, query, reading, until)
    elif query.sort in _FEW_VALUES:
        found = _of_best_value(transaction, query, reading.sql, until)
    elif query.sort in _MANY_NAMES:
        found = _of_first_names(transaction, query, reading.sql, until)
    return found if len(found) == until else None


def _of_head(transaction: Transaction, query: DocumentQuery, reading: ListReading, until: int) -> list[int]:
    head = _HEADS[query.sort].format(way=_way(query))
    sql = reading.among(f"{head} LIMIT {_HEAD}")
    return transaction.column(f"SELECT d.id {sql.source} {sql.order} LIMIT ?", (*sql.parameters, until))


def _of_best_value(transaction: Transaction, query: DocumentQuery, sql: Sql, until: int) -> list[int]:
    """Those with the value that comes first, in the order of the list's own index."""
    column, way = _FEW_VALUES[query.sort], _way(query)
    best: Any = transaction.scalar(
        f"SELECT {'max' if query.descending else 'min'}({column}) {sql.source}", sql.parameters
    )
    return transaction.column(
        f"SELECT d.id {sql.source} AND {column} IS ? ORDER BY d.issued_on {way}, d.id {way} LIMIT ?",
        (*sql.parameters, best, until),
    )


def _of_first_names(transaction: Transaction, query: DocumentQuery, sql: Sql, until: int) -> list[int]:
    """Those of the names that come first: the names of all others need not be looked up."""
    sizes = transaction.first("SELECT (SELECT max(id) FROM taxpayer), (SELECT max(id) FROM document)") or (0, 0)
    taxpayers, documents = sizes
    names = min(max(until * _SPARE * (taxpayers or 0) // (documents or 1), _FEWEST_NAMES), _MOST_NAMES)
    last: Any = transaction.scalar(
        f"SELECT name FROM taxpayer WHERE name IS NOT NULL ORDER BY name COLLATE NOCASE {_way(query)} LIMIT 1 OFFSET ?",
        (names,),
    )
    if last is None:
        return []
    party, values = sort_orders.party_of(query.sort, query.company)
    among = f"(SELECT id FROM taxpayer WHERE name COLLATE NOCASE {'>=' if query.descending else '<='} ?)"
    return transaction.column(
        f"SELECT d.id {sql.source} AND {party} IN {among} {sql.order} LIMIT ?", (*sql.parameters, *values, last, until)
    )


def _way(query: DocumentQuery) -> str:
    return "DESC" if query.descending else "ASC"
