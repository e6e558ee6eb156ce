"""The items of orders that sell a product: an account's, by the codes of its SKUs."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import select

from confere.archive.list_selection import among
from confere.archive.orders import order_search
from confere.archive.orders.order_rows import item_of
from confere.archive.orders.orders import OrderRow
from confere.archive.schema.schema import order_item, sales_order
from confere.archive.transaction import Transaction
from confere.sales.order import OrderItem


class SoldItem(NamedTuple):
    """An item of an order; `place` is its number there, from 0."""

    order: OrderRow
    place: int
    item: OrderItem


def sold(transaction: Transaction, account_id: int, codes: Collection[str], limit: int) -> tuple[SoldItem, ...]:
    """The newest items of these codes, at most `limit`. Every item of the account is looked at: no index has codes."""
    wanted = [code for code in codes if code]
    if not wanted:
        return ()
    rows = transaction.named(
        select(order_item)
        .select_from(order_item.join(sales_order, sales_order.c.id == order_item.c.order_id))
        .where(sales_order.c.account_id == account_id, among(order_item.c.code, wanted))
        .order_by(sales_order.c.created_on.desc(), sales_order.c.id.desc(), order_item.c.position)
        .limit(limit)
    )
    orders = {row.id: row for row in order_search.by_ids(transaction, list({row.order_id for row in rows}))}
    return tuple(SoldItem(orders[row.order_id], row.position, item_of(row)) for row in rows)
