"""What the hub says of a document, copied to its row for lists to be filtered and ordered by, whichever came first.

The record that was listed first speaks, as it stands now. Where further records of the same key (another account's)
have another subtype or marketplace, the row says that they disagree, and a filter asks them too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final, NamedTuple

from confere.archive.named_rows import NamedRow
from confere.archive.transaction import Row, Transaction
from confere.fiscal.operations import Operation, adjustment_of, hub_word

_CLASSES = {entry.value for entry in Operation} - {Operation.OTHER.value, Operation.UNKNOWN.value}
_NOTHING: Row = (None, None, None, None, None)
_RECORD = "h.id, h.account_id, h.subtype, h.marketplace, h.order_id"
HUB_COLUMNS: Final = ("hub_account_id", "hub_subtype", "hub_marketplace", "hub_order_id", "hub_disagrees")
"""The columns of `document` with the hub's word."""
_hub_columns = attrgetter(*HUB_COLUMNS)
_UPDATE = (
    "UPDATE document SET hub_account_id = ?, hub_subtype = ?, hub_marketplace = ?, hub_order_id = ?,"
    " hub_disagrees = ?, operation = ? WHERE id = ?"
)


class SettledHubWord(NamedTuple):
    """What hubs say of the document in `row`: `columns` as `HUB_COLUMNS`, and the operation where they decide it."""

    row: NamedRow
    columns: Row
    operation: str | None


def settle_keys(transaction: Transaction, keys: Collection[str], *, forsaken: Collection[str] = ()) -> None:
    """Copy the hub's word to the documents of these keys; `forsaken` ones may have no record any more.

    A subtype that the hub names decides the operation too: it is the strongest evidence, but for what a credit or
    debit note says of itself.
    """
    records = _records_of(transaction, {*keys, *forsaken})
    if records or forsaken:
        _write(transaction, _words(transaction, "access_key", records, {*records, *forsaken}))


def settle_contents(transaction: Transaction, content_ids: Collection[int]) -> None:
    """Copy the hub's word to the documents without a key in these contents, by their downloads, if there are any."""
    if content_ids:
        _write(transaction, of_contents(transaction, content_ids))


def of_keys(transaction: Transaction, keys: Collection[str]) -> Iterator[SettledHubWord]:
    """What hubs say of each document of these keys."""
    return _words(transaction, "access_key", _records_of(transaction, keys), keys)


def of_contents(transaction: Transaction, content_ids: Collection[int]) -> Iterator[SettledHubWord]:
    """What hubs say of each document without a key in these contents, by their downloads."""
    keyless = set(
        transaction.column_in(
            "SELECT content_id FROM document WHERE access_key IS NULL AND content_id IN {}", content_ids
        )
    )
    records: dict[int, list[NamedRow]] = defaultdict(list)
    for record in transaction.named_in(
        f"SELECT {_RECORD}, w.content_id FROM download w JOIN hub_document h ON h.id = w.hub_document_id"
        " WHERE w.content_id IN {}",
        keyless,
    ):
        records[record.content_id].append(record)
    return _words(transaction, "access_key IS NULL AND content_id", records, keyless)


def settle_downloads(transaction: Transaction, hub_document_ids: Iterable[int]) -> None:
    """As `settle_contents`, of what was downloaded for these records."""
    settle_contents(
        transaction,
        set(
            transaction.column_in(
                "SELECT content_id FROM download WHERE content_id IS NOT NULL AND hub_document_id IN {}",
                set(hub_document_ids),
            )
        ),
    )


def _records_of(transaction: Transaction, keys: Collection[str]) -> dict[str, list[NamedRow]]:
    records: dict[str, list[NamedRow]] = defaultdict(list)
    for record in transaction.named_in(
        f"SELECT {_RECORD}, h.access_key FROM hub_document h WHERE h.access_key IN {{}}", keys
    ):
        records[record.access_key].append(record)
    return records


def _write(transaction: Transaction, words: Iterable[SettledHubWord]) -> None:
    """Write what hubs say; the same row is not written again."""
    changed: list[Row] = []
    for word in words:
        settled: Row = (*word.columns, word.operation or word.row.operation)
        if settled != (*_hub_columns(word.row), word.row.operation):
            changed.append((*settled, word.row.id))
    transaction.execute_many(_UPDATE, changed)


def _words(
    transaction: Transaction, condition: str, records: Mapping[Any, Sequence[NamedRow]], named: Collection[Any]
) -> Iterator[SettledHubWord]:
    """What `records` say by the document's key or content."""
    column = condition.rpartition(" ")[2]
    for row in transaction.named_in(
        f"SELECT id, {column} AS name, operation, type, purpose, credit_type, debit_type, cfops,"
        f" {', '.join(HUB_COLUMNS)} FROM document WHERE {condition} IN {{}}",
        named,
    ):
        of_row = sorted(records.get(row.name, ()), key=attrgetter("id"))
        decided = next((record.subtype for record in of_row if record.subtype in _CLASSES), None)
        if column != "access_key":
            decided = None
        adjustment = None if decided is None else adjustment_of(row.type, row.purpose, row.credit_type, row.debit_type)
        if decided is not None and adjustment is not None:
            decided = hub_word(Operation(decided), adjustment, tuple((row.cfops or "").split(",")))
        yield SettledHubWord(row, _word(of_row), decided)


def _word(records: Sequence[NamedRow]) -> Row:
    if not records:
        return _NOTHING
    first, *others = records
    disagrees = any((other.subtype, other.marketplace) != (first.subtype, first.marketplace) for other in others)
    return (first.account_id, first.subtype, first.marketplace, first.order_id, 1 if disagrees else None)
