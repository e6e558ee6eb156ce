"""Orders whose rows an older reader made: which they are, and what the newest reader finds in the same JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from confere.archive.orders.order_rows import SAID, order_said
from confere.archive.transaction import Transaction
from confere.sales.order import READER, Order

_ASSIGNMENTS = ", ".join(f"{name} = ?" for name in SAID)


class OutdatedOrder(NamedTuple):
    """The numbers of an order and of its JSON in the archive."""

    id: int
    content_id: int


def waiting(transaction: Transaction, account_id: int, after_id: int, limit: int) -> tuple[OutdatedOrder, ...]:
    """The next orders to read again after number `after_id`, each with its JSON."""
    rows = transaction.fetch_as(
        OutdatedOrder,
        "SELECT id, content_id FROM sales_order WHERE account_id = ? AND id > ? AND coalesce(reader, 0) < ?"
        " ORDER BY id LIMIT ?",
        (account_id, after_id, READER, limit),
    )
    return tuple(rows)


def rewrite(transaction: Transaction, found: Sequence[tuple[int, Order]]) -> None:
    """Put what each order's JSON says, as it is read now, in the place of its row's fields; items stay."""
    transaction.execute_many(
        f"UPDATE sales_order SET {_ASSIGNMENTS} WHERE id = ?",
        [(*order_said(order), number) for number, order in found],
    )
