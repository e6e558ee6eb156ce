"""What lists of documents, orders and findings have in common: a source, conditions, an order, and pages of them.

With them what SQLite has and SQLAlchemy's expressions do not: words of its planner, and sums beyond 63 bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    FromClause,
    Select,
    UnaryExpression,
    bindparam,
    func,
    literal_column,
    select,
)
from sqlalchemy.sql.operators import custom_op

from confere.archive.message_encoding import storable
from confere.archive.transaction import VALUES_NAME

ONE: Final[ColumnElement[int]] = literal_column("1")
"""For conditions of partial indexes: SQLite compares these with the words of the question, which a `?` is not."""
NEVER: Final[ColumnElement[bool]] = literal_column("0")
"""The condition that nothing meets."""
VALUES: Final[BindParameter[Any]] = bindparam(VALUES_NAME, expanding=True)
"""In a `select()` the list after `in_`, for the methods of `Transaction` that read it in chunks."""

Conditions = tuple[ColumnElement[bool], ...]
_HALF_BITS: Final[ColumnElement[int]] = literal_column("32")
_LOW_HALF: Final[ColumnElement[int]] = literal_column("4294967295")


@dataclass(frozen=True, slots=True)
class ListSelection:
    """The rows of a list: those of `source` that meet all `conditions`, in `order`, which is total."""

    source: FromClause
    conditions: Conditions
    order: tuple[ColumnElement[Any], ...] = ()

    def select(self, *columns: Any) -> Select[Any]:
        """These columns of every row, in no order. Inside another statement it stands for itself."""
        return select(*columns).select_from(self.source).where(*self.conditions).correlate(None)

    def ordered(self, *columns: Any) -> Select[Any]:
        """These columns of every row, in the list's order."""
        return self.select(*columns).order_by(*self.order)

    def page(self, *columns: Any, limit: int, offset: int) -> Select[Any]:
        """As `ordered`, `limit` rows (-1 for all) after the first `offset`."""
        return self.ordered(*columns).limit(limit).offset(offset)

    def count(self) -> Select[tuple[int]]:
        """How many rows there are."""
        return self.select(func.count())


def among(column: ColumnElement[Any], values: Sequence[Any]) -> ColumnElement[bool]:
    """`column` has one of `values`, of which there is one at least."""
    return column.in_([storable(value) if isinstance(value, str) else value for value in values])


def contains(column: ColumnElement[Any], words: str) -> ColumnElement[bool]:
    """`words` stand in `column` somewhere, in upper or lower case: no character of them is a pattern."""
    escaped = words.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return column.like(f"%{escaped}%", escape="\\")


def unindexed(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """`column` with the plus that keeps SQLite from looking it up in an index."""
    return UnaryExpression(column, operator=custom_op("+"), type_=column.type)


def halves(
    amount: ColumnElement[Any], only: ColumnElement[bool] | None = None, prefix: str = ""
) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
    """Two sums that `whole` makes one: SQLite's sum ends in an error beyond 63 bits, and absurd amounts come to it.

    They are called `high` and `low` behind `prefix`; of the rows that meet `only`, where it is given.
    """
    sums = func.sum(amount.op(">>")(_HALF_BITS)), func.sum(amount.op("&")(_LOW_HALF))
    high, low = sums if only is None else (one.filter(only) for one in sums)
    return high.label(f"{prefix}high"), low.label(f"{prefix}low")


def whole(high: int | None, low: int | None) -> int:
    """The sum of which `halves` are; 0 of none."""
    return ((high or 0) << 32) + (low or 0)
