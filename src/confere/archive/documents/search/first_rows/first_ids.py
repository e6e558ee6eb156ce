"""The ids of a list's first rows, where its order has an index that they can be looked up by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from confere.archive.documents.search.first_rows import order_heads, order_names, order_values
from confere.archive.documents.search.first_rows.list_reading import ListReading
from confere.archive.documents.search.value_indexes import VALUE_INDEXES
from confere.archive.transaction import Transaction

_MOST: Final = 1000  # rows up to which they are the first
_WAYS: Final[Mapping[str, Callable[[Transaction, ListReading, int], list[int] | None]]] = {
    **dict.fromkeys(order_heads.HEADS, order_heads.first),
    **{sort: partial(order_values.first, index=index) for sort, index in VALUE_INDEXES.items()},
    **dict.fromkeys(order_names.PARTIES, order_names.first),
}


def first_ids(transaction: Transaction, reading: ListReading, until: int) -> list[int] | None:
    """The first `until` rows, or all where there are fewer; None where they have to be sorted out of all."""
    query = reading.query
    if not (reading.is_long and reading.by_day.reads_all) or not 0 < until <= _MOST or query.sort not in _WAYS:
        return None
    return _WAYS[query.sort](transaction, reading, until)
