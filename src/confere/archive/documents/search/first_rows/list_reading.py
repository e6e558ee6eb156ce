"""How a list is read in part: what it has among some documents, and what is newest or oldest in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from confere.archive.documents.search.document_query import DocumentQuery
from confere.archive.documents.search.document_search import LIST_DAY, Sql
from confere.archive.documents.search.lookups import IdSelect
from confere.archive.message_encoding import storable
from confere.archive.transaction import Transaction

_STRETCHES: Final = (5_000, 100_000)  # of the newest or oldest documents, in which some are looked for


class ListReading(NamedTuple):
    """A query with its SQL in three ways, and whether its first rows are worth looking for.

    `by_day` reads it along its days, `whole` all of it in its order; `among` what it has of other documents, given the
    SELECT of their ids. `is_long` where so many documents may be in it that it pays.
    """

    query: DocumentQuery
    by_day: Sql
    whole: Sql
    among: Callable[[IdSelect], Sql]
    is_long: bool

    @property
    def way(self) -> str:
        """The direction of the order."""
        return way_of(self.query)

    def first_of(self, transaction: Transaction, ids: IdSelect, limit: int) -> list[int]:
        """The first of the list that are among `ids`, in its order."""
        sql = self.among(ids)
        return transaction.column(f"SELECT d.id {sql.source} {sql.order} LIMIT ?", (*sql.parameters, limit))

    def first_by_day(
        self, transaction: Transaction, condition: str, values: Sequence[Any], limit: int
    ) -> list[int] | None:
        """The newest that meet `condition` too, or the oldest as the order has it; all where they are fewer.

        None where they are so far apart that all of the list may have to be read for them.
        """
        sql, way = self.by_day, self.way
        walked, of = (
            ("document d WHERE d.is_current = 1", ())
            if sql.day == LIST_DAY
            else ("belonging b WHERE b.tax_id = ?", (storable(self.query.company or ""),))
        )
        for place, size in enumerate(_STRETCHES):
            day: str | None = transaction.scalar(
                f"SELECT {sql.day} FROM {walked} ORDER BY {sql.day} {way} LIMIT 1 OFFSET ?", (*of, size)
            )
            if day is None and place > 0:
                return None
            until = "" if day is None else f" AND {sql.day} {'>=' if self.query.descending else '<='} ?"
            found: list[int] = transaction.column(
                f"SELECT d.id {sql.source} AND {condition}{until} ORDER BY {sql.day} {way}, d.id {way} LIMIT ?",
                (*sql.parameters, *values, *(() if day is None else (day,)), limit),
            )
            if len(found) == limit or day is None:
                return found
        return None


def way_of(query: DocumentQuery) -> str:
    """The SQL word for the direction of a query's order."""
    return "DESC" if query.descending else "ASC"
