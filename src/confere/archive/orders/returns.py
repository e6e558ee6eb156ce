"""Returns that the hub has booked: the newest version as rows, its JSON in the vault."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from confere.archive.message_encoding import storable
from confere.archive.orders.order_rows import ReceivedReturn, canonical_digest, item_of, item_rows, return_said
from confere.archive.orders.orders import Contents, RecordedOrders, SaleRow
from confere.archive.schema.schema import hub_return, return_item
from confere.archive.transaction import Row, Transaction
from confere.archive.vault.vault import VaultWriter, digest_of
from confere.sales.order import OrderItem

SAID: Final = ("order_hub_id", "kind", "status", "created_at", "created_on", "access_key", "total")
"""The columns of `hub_return` that `return_said` gives."""
_ROW = (
    "id, hub_id, content_id, created_at, created_on, status, total, first_run_id, last_run_id, seen_at, order_hub_id,"
    " kind, access_key"
)


@dataclass(frozen=True, slots=True)
class ReturnRow(SaleRow):
    """A return as it stands. `order_hub_id` is the hub's id of its order."""

    order_hub_id: str | None
    kind: str | None
    access_key: str | None


def record(
    transaction: Transaction, vault: VaultWriter, account_id: int, run_id: int, received: Sequence[ReceivedReturn]
) -> RecordedOrders:
    """Write these returns down; of several versions of one in a batch the last one counts."""
    latest = {storable(entry.entry.hub_id): entry for entry in received}
    known = {
        name: (number, digest, first_run_id)
        for name, number, digest, first_run_id in transaction.fetch_in(
            f"SELECT hub_id, id, digest, first_run_id FROM hub_return WHERE account_id = {int(account_id)}"
            " AND hub_id IN {}",
            latest,
        )
    }
    contents = Contents(transaction, vault)
    written: list[tuple[int, str, ReceivedReturn, bytes, int]] = []
    seen: list[Row] = []
    for name, entry in latest.items():
        digest = canonical_digest(entry.raw)
        before = known.get(name)
        if before is not None and before[1] == digest:
            seen.append((run_id, entry.seen_at, before[0]))
            continue
        number = transaction.new_ids(hub_return, 1)[0] if before is None else before[0]
        written.append((number, name, entry, digest, run_id if before is None else before[2]))
        contents.want(entry.raw)
    held = contents.put()
    replaced = [(number,) for number, name, *_ in written if name in known]
    transaction.execute_many("DELETE FROM hub_return WHERE id = ?", replaced)
    # A new return may get the number of one whose row was lost, and whose items are still here.
    transaction.execute_many("DELETE FROM return_item WHERE return_id = ?", [(number,) for number, *_ in written])
    transaction.insert(
        hub_return,
        [
            (number, account_id, name, held[digest_of(entry.raw)], digest, *return_said(entry.entry), first, run_id,
             entry.seen_at)
            for number, name, entry, digest, first in written
        ],
    )  # fmt: skip
    transaction.insert(
        return_item, [row for number, _, entry, _, _ in written for row in item_rows(number, entry.entry.items)]
    )
    transaction.execute_many("UPDATE hub_return SET last_run_id = ?, seen_at = ? WHERE id = ?", seen)
    return RecordedOrders(new=len(written) - len(replaced), changed=len(replaced), same=len(seen))


def of_order(transaction: Transaction, account_id: int, order_hub_id: str) -> tuple[ReturnRow, ...]:
    """The returns of an order, oldest first."""
    return tuple(
        transaction.fetch_as(
            ReturnRow,
            f"SELECT {_ROW} FROM hub_return WHERE account_id = ? AND order_hub_id = ? ORDER BY created_at, id",
            (account_id, storable(order_hub_id)),
        )
    )


def items(transaction: Transaction, return_id: int) -> tuple[OrderItem, ...]:
    """What came back, by the archive's number of the return."""
    rows = transaction.named(
        "SELECT code, ean, description, quantity, unit, discount, gross, total FROM return_item"
        " WHERE return_id = ? ORDER BY position",
        (return_id,),
    )
    return tuple(map(item_of, rows))
