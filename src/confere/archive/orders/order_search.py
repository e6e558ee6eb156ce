"""Lists of orders: what they are asked for, and the statements that answer it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, func, literal_column, or_

from confere.archive.list_selection import ListSelection, among, contains
from confere.archive.message_encoding import storable
from confere.archive.orders.orders import IS_LINKED, NUMBERS, ORDER, ROWS, OrderRow
from confere.archive.transaction import Transaction
from confere.sales.order import TRANSMISSION_ERROR

_FAILED = ORDER.c.transmission_status == literal_column(f"'{TRANSMISSION_ERROR}'")  # as its index says it
_MASK = re.compile(r"[.\-/\s]")


@dataclass(frozen=True, slots=True)
class OrderQuery:
    """Which orders. Days are `YYYY-MM-DD` of their creation in America/Sao_Paulo, both included.

    `text` is an id of the hub, a number of the marketplace or of the seller's system, a key, a tax id, or words of
    the buyer's name.
    `without_invoice`: the order names no invoice, and no document is linked to it. `transmission_failed`: it could
    not be told to its marketplace. `account_ids` are several accounts, empty for all.
    """

    account_id: int | None = None
    from_day: str | None = None
    to_day: str | None = None
    statuses: tuple[str, ...] = ()
    marketplaces: tuple[str, ...] = ()
    text: str = ""
    without_invoice: bool = False
    descending: bool = True
    transmission_failed: bool = False
    account_ids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderChoices:
    """What orders can be narrowed to: statuses and marketplaces with how many there are, and how many failed."""

    statuses: tuple[tuple[str, int], ...]
    marketplaces: tuple[tuple[str, int], ...]
    transmission_failed: int


def page(transaction: Transaction, query: OrderQuery, limit: int, offset: int = 0) -> tuple[OrderRow, ...]:
    """Orders by day and number, the newest first unless `query` says otherwise."""
    selection = _selection(query)
    chosen = selection.page(ORDER.c.id, limit=limit, offset=offset)
    rows = ROWS.where(ORDER.c.id.in_(chosen)).order_by(*selection.order)
    return tuple(transaction.fetch_as(OrderRow, rows))


def count(transaction: Transaction, query: OrderQuery) -> int:
    """How many orders `query` has."""
    return int(transaction.scalar(_selection(query).count()))


def choices(transaction: Transaction, query: OrderQuery) -> OrderChoices:
    """What the orders of `query` have, the most frequent first; orders without a status or marketplace are left out."""

    def counted(column: ColumnElement[str]) -> tuple[tuple[str, int], ...]:
        grouped = selection.select(column, func.count()).where(column.is_not(None)).group_by(column)
        return tuple(sorted(transaction.fetch(grouped), key=lambda pair: (-pair[1], pair[0])))

    selection = _selection(query)
    failed = _selection(replace(query, transmission_failed=True))
    return OrderChoices(counted(ORDER.c.status), counted(ORDER.c.marketplace), int(transaction.scalar(failed.count())))


def statuses(transaction: Transaction, account_id: int) -> tuple[str, ...]:
    """The statuses that the account's orders have."""
    rows = transaction.column(
        "SELECT DISTINCT status FROM sales_order WHERE account_id = ? AND status IS NOT NULL ORDER BY status",
        (account_id,),
    )
    return tuple(rows)


def _selection(query: OrderQuery) -> ListSelection:
    conditions: list[ColumnElement[bool]] = []
    if query.account_id is not None:
        conditions.append(ORDER.c.account_id == query.account_id)
    if query.account_ids:
        conditions.append(among(ORDER.c.account_id, query.account_ids))
    if query.from_day:
        conditions.append(ORDER.c.created_on >= query.from_day)
    if query.to_day:
        conditions.append(ORDER.c.created_on <= query.to_day)
    if query.statuses:
        conditions.append(among(ORDER.c.status, query.statuses))
    if query.marketplaces:
        conditions.append(among(ORDER.c.marketplace, query.marketplaces))
    if query.transmission_failed:
        conditions.append(_FAILED)
    if query.without_invoice:
        conditions += [ORDER.c.invoice_key.is_(None), ORDER.c.invoice_number.is_(None), ~IS_LINKED]
    text = storable(query.text.strip())
    if text:
        conditions.append(_named(text))
    order = (ORDER.c.created_on, ORDER.c.id)
    return ListSelection(
        ORDER, tuple(conditions), tuple(column.desc() if query.descending else column.asc() for column in order)
    )


def _named(text: str) -> ColumnElement[bool]:
    """The order is called so by one of its numbers, or by a part of its buyer's name."""
    plain = _MASK.sub("", text)
    return or_(
        *(ORDER.c[name] == text for name in ("hub_id", *NUMBERS)),
        ORDER.c.invoice_key == plain,
        ORDER.c.buyer_tax_id == plain,
        contains(ORDER.c.buyer_name, text),
    )
