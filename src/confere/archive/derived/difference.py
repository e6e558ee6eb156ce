"""A stored value that is not what computing it anew gives, named by table, key and column."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from confere.archive.transaction import Row

WHOLE_ROW: Final = "*"
"""In place of a column: the row is missing, or there is one too many."""


class ValueDifference(NamedTuple):
    """`key` is what people call the thing: an access key, the hub's id, the number of a content."""

    table: str
    key: str
    column: str


def compared(
    table: str, key: str, columns: Sequence[str], due: Mapping[Any, Row], stored: Mapping[Any, Row]
) -> Iterator[ValueDifference]:
    """Where `stored` rows are not the ones that are `due`; both by what tells the rows of this table apart.

    A row that is missing and one that is too many are taken for one whose own place was changed.
    """
    if due == stored:
        return
    for name, row in due.items():
        other = stored.get(name)
        if other is not None and row != other:
            yield from _columns(table, key, columns, row, other)
    missing = [row for name, row in due.items() if name not in stored]
    extra = [row for name, row in stored.items() if name not in due]
    for row, other in zip(missing, extra, strict=False):
        yield from _columns(table, key, columns, row, other)
    if len(missing) != len(extra):
        yield ValueDifference(table, key, WHOLE_ROW)


def _columns(table: str, key: str, columns: Sequence[str], due: Row, stored: Row) -> Iterator[ValueDifference]:
    for column, wanted, value in zip(columns, due, stored, strict=True):
        if wanted != value or type(wanted) is not type(value):
            yield ValueDifference(table, key, column)
