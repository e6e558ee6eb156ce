"""The indexes of columns with few values: which values occur, in their order, and the documents of the rare ones.

Each index leaves out the value that most documents have, and what has none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from confere.archive.authenticity import verdict_codes
from confere.archive.documents import state_grounds
from confere.archive.documents.search.document_query import DocumentQuery
from confere.archive.documents.search.lookups import IdSelect
from confere.archive.message_encoding import storable
from confere.archive.transaction import Transaction

FEW: Final = 1500  # documents that are looked up one by one rather than found while the list is read

Value = str | int | None


class ValueIndex(NamedTuple):
    """An index of `column`. It holds what meets `condition`; `common` is the value left out, None where none is."""

    column: str
    condition: str
    common: Value = None

    @property
    def source(self) -> str:
        """What follows `FROM`, with the words by which SQLite knows the index."""
        return f"document WHERE is_current = 1 AND {self.condition}"


VALUE_INDEXES: Final[Mapping[str, ValueIndex]] = {
    "type": ValueIndex("type", "type != 'nfe'", "nfe"),
    "state": ValueIndex("state", "state != 'authorized'", "authorized"),
    "operation": ValueIndex("operation", "operation != 'sale'", "sale"),
    "marketplace": ValueIndex("hub_marketplace", "hub_marketplace IS NOT NULL"),
    "warnings": ValueIndex("warning_count", "warning_count > 0"),
    "verdict": ValueIndex("verdict", "verdict IS NOT NULL"),
    "ground": ValueIndex("state_ground", "state_ground != 2", 2),
}
"""By the order that they serve."""


def values(transaction: Transaction, index: ValueIndex, *, descending: bool) -> Iterator[Value]:
    """The values of a column in their order, each looked for when it is asked for; None, which comes last, always.

    `common` is among them whether it occurs or not.
    """
    pick, sign = ("max", "<") if descending else ("min", ">")
    common, last = index.common, None
    while True:
        beyond = "" if last is None else f" AND {index.column} {sign} ?"
        value: Any = transaction.scalar(
            f"SELECT {pick}({index.column}) FROM {index.source}{beyond}", () if last is None else (last,)
        )
        if common is not None and (value is None or (value < common if descending else value > common)):
            yield common
            common = None
        if value is None:
            break
        yield value
        last = value
    yield None


def documents_of(transaction: Transaction, index: ValueIndex, wanted: Sequence[Value]) -> IdSelect | None:
    """The ids of the documents with one of these values, where they are few and in the index; else None."""
    ids = _ids(index, wanted)
    return None if ids is None or not _are_fewer(transaction, ids, FEW) else ids


def filters_of(query: DocumentQuery) -> list[IdSelect]:
    """The ids of the documents that meet a plain filter of a query, for each whose values an index holds."""
    verdicts = query.verdict if all(word in verdict_codes.RESULTS for word in query.verdict) else ()
    found = [IdSelect(f"SELECT id FROM {VALUE_INDEXES['warnings'].source}", ())] if query.with_warnings else []
    for name, wanted in (
        ("state", query.states),
        ("type", query.types),
        ("operation", query.operations),
        ("verdict", tuple(map(verdict_codes.number_of, verdicts))),
        ("ground", tuple(map(state_grounds.number_of, query.grounds))),
    ):
        ids = _ids(VALUE_INDEXES[name], wanted) if wanted else None
        if ids is not None:
            found.append(ids)
    return found


def picking(transaction: Transaction, filters: Sequence[IdSelect], few: int) -> IdSelect | None:
    """The first of `filters` that fewer than `few` documents meet."""
    return next((ids for ids in filters if _are_fewer(transaction, ids, few)), None)


def _ids(index: ValueIndex, wanted: Sequence[Value]) -> IdSelect | None:
    """The ids of the documents with one of these values; None where the index does not hold them all."""
    if None in wanted or (index.common is not None and index.common in wanted):
        return None
    marks = ",".join("?" * len(wanted))
    values = tuple(storable(value) if isinstance(value, str) else value for value in wanted)
    return IdSelect(f"SELECT id FROM {index.source} AND {index.column} IN ({marks})", values)


def _are_fewer(transaction: Transaction, ids: IdSelect, few: int) -> bool:
    return few > 0 and transaction.scalar(f"{ids.sql} LIMIT 1 OFFSET ?", (*ids.values, few - 1)) is None
