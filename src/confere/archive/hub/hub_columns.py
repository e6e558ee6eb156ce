"""What the hub says of a document, copied to its row for lists to be filtered and ordered by, whichever came first.

The record that was listed first speaks, as it stands now. Where further records of the same key (another account's)
have another subtype or marketplace, the row says that they disagree, and a filter asks them too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from confere.archive.transaction import Row, Transaction
from confere.fiscal.operations import Operation, adjustment_of, hub_word

_CLASSES = {entry.value for entry in Operation} - {Operation.OTHER.value, Operation.UNKNOWN.value}
_NOTHING: Row = (None, None, None, None, None)
_RECORD = "h.id, h.account_id, h.subtype, h.marketplace, h.order_id"
_UPDATE = (
    "UPDATE document SET hub_account_id = ?, hub_subtype = ?, hub_marketplace = ?, hub_order_id = ?,"
    " hub_disagrees = ?, operation = ? WHERE id = ?"
)


def settle_keys(transaction: Transaction, keys: Collection[str], *, forsaken: Collection[str] = ()) -> None:
    """Copy the hub's word to the documents of these keys; `forsaken` ones may have no record any more.

    A subtype that the hub names decides the operation too: it is the strongest evidence, but for what a credit or
    debit note says of itself.
    """
    said: dict[str, list[Row]] = defaultdict(list)
    for key, *record in transaction.fetch_in(
        f"SELECT h.access_key, {_RECORD} FROM hub_document h WHERE h.access_key IN {{}}", {*keys, *forsaken}
    ):
        said[key].append(tuple(record))
    if said or forsaken:
        _settle(transaction, "access_key", said, {*said, *forsaken})


def settle_contents(transaction: Transaction, content_ids: Collection[int]) -> None:
    """Copy the hub's word to the documents without a key in these contents, by their downloads, if there are any."""
    if not content_ids:
        return
    keyless = set(
        transaction.column_in(
            "SELECT content_id FROM document WHERE access_key IS NULL AND content_id IN {}", content_ids
        )
    )
    said: dict[int, list[Row]] = defaultdict(list)
    for content_id, *record in transaction.fetch_in(
        f"SELECT w.content_id, {_RECORD} FROM download w JOIN hub_document h ON h.id = w.hub_document_id"
        " WHERE w.content_id IN {}",
        keyless,
    ):
        said[content_id].append(tuple(record))
    _settle(transaction, "access_key IS NULL AND content_id", said, keyless)


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


def _settle(
    transaction: Transaction, condition: str, said: Mapping[Any, Sequence[Row]], named: Collection[Any]
) -> None:
    """Write what `said` has by the document's key or content; the same row is not written again."""
    column = condition.rpartition(" ")[2]
    changed: list[Row] = []
    for row in transaction.fetch_in(
        f"SELECT id, {column}, operation, type, purpose, credit_type, debit_type, cfops,"
        " hub_account_id, hub_subtype, hub_marketplace, hub_order_id, hub_disagrees"
        f" FROM document WHERE {condition} IN {{}}",
        named,
    ):
        number, name, operation = row[:3]
        records = sorted(said.get(name, ()))
        decided = next((record[2] for record in records if record[2] in _CLASSES), None)
        if column != "access_key":
            decided = None
        adjustment = None if decided is None else adjustment_of(*row[3:7])
        if decided is not None and adjustment is not None:
            decided = hub_word(Operation(decided), adjustment, tuple((row[7] or "").split(",")))
        settled: Row = (*_word(records), decided or operation)
        if settled != (*row[8:], operation):
            changed.append((*settled, number))
    transaction.execute_many(_UPDATE, changed)


def _word(records: Sequence[Row]) -> Row:
    if not records:
        return _NOTHING
    _, account_id, subtype, marketplace, order_id = records[0]
    disagrees = any(record[2:4] != (subtype, marketplace) for record in records[1:])
    return (account_id, subtype, marketplace, order_id, 1 if disagrees else None)
