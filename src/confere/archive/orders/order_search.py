"""Lists of orders: what they are asked for, and the SQL that answers it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from confere.archive.message_encoding import storable
from confere.archive.orders.orders import COLUMNS, NUMBERS, SOURCE, OrderRow
from confere.archive.transaction import Transaction

_MASK = re.compile(r"[.\-/\s]")


@dataclass(frozen=True, slots=True)
class OrderQuery:
    """Which orders. Days are `YYYY-MM-DD` of their creation in America/Sao_Paulo, both included.

    `text` is an id of the hub, a number of the marketplace or of the seller's system, a key, a tax id, or words of
    the buyer's name.
    `without_invoice`: the order names no invoice, and no document is linked to it.
    """

    account_id: int | None = None
    from_day: str | None = None
    to_day: str | None = None
    statuses: tuple[str, ...] = ()
    marketplaces: tuple[str, ...] = ()
    text: str = ""
    without_invoice: bool = False
    descending: bool = True


def page(transaction: Transaction, query: OrderQuery, limit: int, offset: int = 0) -> tuple[OrderRow, ...]:
    """Orders by day and number, the newest first unless `query` says otherwise."""
    where, parameters = _where(query)
    way = "DESC" if query.descending else "ASC"
    return tuple(
        transaction.fetch_as(
            OrderRow,
            f"SELECT {COLUMNS} FROM {SOURCE} WHERE o.id IN (SELECT o.id FROM sales_order o WHERE {where}"
            f" ORDER BY o.created_on {way}, o.id {way} LIMIT ? OFFSET ?) ORDER BY o.created_on {way}, o.id {way}",
            (*parameters, limit, offset),
        )
    )


def count(transaction: Transaction, query: OrderQuery) -> int:
    """How many orders `query` has."""
    where, parameters = _where(query)
    return int(transaction.scalar(f"SELECT count(*) FROM sales_order o WHERE {where}", parameters))


def statuses(transaction: Transaction, account_id: int) -> tuple[str, ...]:
    """The statuses that the account's orders have."""
    rows = transaction.column(
        "SELECT DISTINCT status FROM sales_order WHERE account_id = ? AND status IS NOT NULL ORDER BY status",
        (account_id,),
    )
    return tuple(rows)


def _where(query: OrderQuery) -> tuple[str, tuple[Any, ...]]:
    conditions: list[str] = ["1"]
    parameters: list[Any] = []

    def add(condition: str, *values: object) -> None:
        conditions.append(condition)
        parameters.extend(values)

    if query.account_id is not None:
        add("o.account_id = ?", query.account_id)
    if query.from_day:
        add("o.created_on >= ?", query.from_day)
    if query.to_day:
        add("o.created_on <= ?", query.to_day)
    for column, values in (("status", query.statuses), ("marketplace", query.marketplaces)):
        if values:
            add(f"o.{column} IN ({','.join('?' * len(values))})", *map(storable, values))
    if query.without_invoice:
        add(
            "o.invoice_key IS NULL AND o.invoice_number IS NULL AND NOT EXISTS"
            " (SELECT 1 FROM link l WHERE l.account_id = o.account_id AND l.order_hub_id = o.hub_id)"
        )
    text = storable(query.text.strip())
    if text:
        like = "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        plain = _MASK.sub("", text)
        named = " OR ".join(f"o.{name} = ?" for name in ("hub_id", *NUMBERS))
        add(
            f"({named} OR o.invoice_key = ? OR o.buyer_tax_id = ? OR o.buyer_name LIKE ? ESCAPE '\\')",
            *(text,) * (1 + len(NUMBERS)),
            *(plain, plain, like),
        )
    return " AND ".join(conditions), tuple(parameters)
