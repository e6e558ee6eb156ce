"""Orders of few values: those that come first are taken one after the other, each by day."""

from __future__ import annotations

from typing import Final

from confere.archive.documents.search import value_indexes
from confere.archive.documents.search.first_rows.list_reading import ListReading
from confere.archive.documents.search.value_indexes import ValueIndex
from confere.archive.transaction import Transaction

_MOST: Final = 6  # rare values that are tried


def first(transaction: Transaction, reading: ListReading, until: int, *, index: ValueIndex) -> list[int] | None:
    """The first rows, all where there are fewer; None where too many values have too little of the list."""
    found: list[int] = []
    rare = 0
    for value in value_indexes.values(transaction, index, descending=reading.query.descending):
        few = value_indexes.documents_of(transaction, index, (value,))
        if few is not None:
            rare += 1
            found += reading.first_of(transaction, few, until - len(found))
        else:
            # The plus keeps SQLite from the index of the value: it is the day that is walked along.
            of_value = reading.first_by_day(transaction, f"+d.{index.column} IS ?", (value,), until - len(found))
            if of_value is None:
                return None
            found += of_value
        if len(found) == until:
            return found
        if rare == _MOST:
            return None
    return found
