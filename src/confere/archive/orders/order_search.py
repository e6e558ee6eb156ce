"""Lists of orders: what they are asked for, and the statements that answer it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, func, literal_column, or_, select

from confere.archive.accounts import owning_company
from confere.archive.documents.search import party_conditions
from confere.archive.list_selection import (  # fmt: skip
    ONE,
    VALUES,
    Conditions,
    ListSelection,
    among,
    contains,
    halves,
    unindexed,
    whole,
)
from confere.archive.message_encoding import storable
from confere.archive.named_rows import NamedRow
from confere.archive.orders.orders import IS_LINKED, NUMBERS, ORDER, ROWS, OrderRow
from confere.archive.transaction import Ids, Transaction
from confere.fiscal.periods import MonthSpan
from confere.sales.bridge import NO_MARKETPLACE
from confere.sales.order import TRANSMISSION_ERROR, OrderStatus

_FAILED = ORDER.c.transmission_status == literal_column(f"'{TRANSMISSION_ERROR}'")  # as its index says it
_MASK = re.compile(r"[.\-/\s]")
_CREATED: Final = "created"
_SORTS: Final[dict[str, ColumnElement[Any]]] = {
    _CREATED: ORDER.c.created_on,
    "status": ORDER.c.status,
    "marketplace": ORDER.c.marketplace,
    "number": func.coalesce(ORDER.c.marketplace_number, ORDER.c.marketplace_id),
    "buyer": ORDER.c.buyer_name.collate("NOCASE"),
    "total": ORDER.c.total,
    "shipment": func.coalesce(ORDER.c.delivered_at, ORDER.c.shipped_at),
    "ready_by": ORDER.c.ready_by,
    "expected": ORDER.c.estimated_at,
    "transmission": ORDER.c.transmission_status,
    "order": ORDER.c.hub_id,
    "account": ORDER.c.account_id,
}
SORTS: Final = tuple(_SORTS)
"""What orders can be sorted by."""
_INDEXED: Final = frozenset({_CREATED, "status", "order", "account"})
"""The orders that an index has."""
_OF_NO_COMPANY: Final = literal_column(owning_company.OF_ORDER).is_(None)
_CANCELLED: Final = ORDER.c.status == literal_column(f"'{OrderStatus.CANCELED.value}'")
_WORTH: Final = (
    func.count().label("number"),
    *halves(ORDER.c.total),
    func.count().filter(_CANCELLED).label("void_number"),
    *halves(ORDER.c.total, _CANCELLED, "void_"),
)
_HEAD: Final = 5000  # of the first orders, in which those are looked for that are dear to tell
_MANY: Final = 4000
_LARGE_PART: Final = 8


@dataclass(frozen=True, slots=True)
class OrderQuery:
    """Which orders. Days are `YYYY-MM-DD` of their creation in America/Sao_Paulo, both included.

    `text` is an id of the hub, a number of the marketplace, of the seller's system or of the carrier, a key, a tax id,
    or words of the buyer's name. `marketplaces` may have `NO_MARKETPLACE`: orders that name none.
    `without_invoice`: the order names no invoice, and no document is linked to it. `transmission_failed`: it could
    not be told to its marketplace. `account_ids` are several accounts, empty for all. `sort` is one of `SORTS`.
    `company`: what is of this one (CNPJ), or of none that can be told; `of_no_company`: the latter alone.
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
    sort: str = _CREATED
    company: str | None = None
    of_no_company: bool = False


@dataclass(frozen=True, slots=True)
class OrderTotals:
    """How many orders there are and what they came to, in centavos; the cancelled ones apart from `worth`.

    Of the orders of a company nothing tells whose `of_no_company` of them are.
    """

    count: int = 0
    worth: int = 0
    cancelled: int = 0
    cancelled_worth: int = 0
    of_no_company: int = 0


@dataclass(frozen=True, slots=True)
class OrderChoices:
    """What orders can be narrowed to: statuses and marketplaces with how many there are, and how many failed."""

    statuses: tuple[tuple[str, int], ...]
    marketplaces: tuple[tuple[str, int], ...]
    transmission_failed: int


def page(transaction: Transaction, query: OrderQuery, limit: int, offset: int = 0) -> tuple[OrderRow, ...]:
    """Orders as `query` sorts them: by day and the archive's number, the newest first, unless it says otherwise."""
    if limit >= 0 and (query.text.strip() or (query.company is not None and query.sort != _CREATED)):
        first = _first_of_head(transaction, query, limit + offset)
        if len(first) == limit + offset:
            return by_ids(transaction, first[offset:])
    if query.sort in _INDEXED and not query.text.strip() and (query.company is None or query.sort == _CREATED):
        selection = _selection(transaction, query)  # few of them are read
    else:
        selection = _whole(transaction, query, reads_rows=True)
    chosen = selection.page(ORDER.c.id, limit=limit, offset=offset)
    rows = ROWS.where(ORDER.c.id.in_(chosen)).order_by(*selection.order)
    return tuple(transaction.fetch_as(OrderRow, rows))


def count(transaction: Transaction, query: OrderQuery) -> int:
    """How many orders `query` has."""
    return int(transaction.scalar(_whole(transaction, query).count()))


def ids(transaction: Transaction, query: OrderQuery) -> Ids:
    """The archive's numbers of all orders of `query` in its order, eight bytes each."""
    selection = _whole(transaction, query, reads_rows=query.sort not in _INDEXED)
    return transaction.integers(selection.ordered(ORDER.c.id))


def by_ids(transaction: Transaction, wanted: Sequence[int]) -> tuple[OrderRow, ...]:
    """These orders, by the archive's numbers of them, in the order asked for; one that is not there is left out."""
    rows = transaction.fetch_in_as(OrderRow, ROWS.where(ORDER.c.id.in_(VALUES)), wanted)
    known = {row.id: row for row in rows}
    return tuple(known[number] for number in wanted if number in known)


def totals(transaction: Transaction, query: OrderQuery) -> OrderTotals:
    """What the orders of `query` came to."""
    selection = _whole(transaction, query, reads_rows=True)
    if query.company is None or not owning_company.owned_by(transaction, query.company, query.account_id).is_told:
        return _totals(transaction.named(selection.select(*_WORTH)))
    alone = func.count().filter(_OF_NO_COMPANY).label("alone")
    rows = transaction.named(selection.select(*_WORTH, alone))
    return replace(_totals(rows), of_no_company=sum(row.alone for row in rows))


def months(transaction: Transaction, query: OrderQuery) -> MonthSpan:
    """The months that the orders of `query` are of."""
    day = func.nullif(ORDER.c.created_on, "")
    found = _whole(transaction, query).select(func.count(), func.min(day), func.max(day))
    count, first, last = transaction.first(found) or (0, None, None)
    return MonthSpan(count, first and first[:7], last and last[:7])


def totals_of(transaction: Transaction, wanted: Collection[int]) -> OrderTotals:
    """What these orders came to, by the archive's numbers of them."""
    of_these = select(*_WORTH).select_from(ORDER).where(ORDER.c.id.in_(VALUES))
    return _totals(transaction.named_in(of_these, wanted))


def choices(transaction: Transaction, query: OrderQuery) -> OrderChoices:
    """What the orders of `query` have, the most frequent first; orders without a status or marketplace are left out."""

    counted: dict[str, Counter[str]] = {"status": Counter(), "marketplace": Counter()}
    columns = (ORDER.c.status, ORDER.c.marketplace)
    pairs = _whole(transaction, query, reads_rows=True).select(*columns, func.count().label("number"))
    for row in transaction.named(pairs.group_by(*columns)):
        for name, values in counted.items():
            values[getattr(row, name)] += row.number
    statuses, marketplaces = (
        tuple(sorted(((value, number) for value, number in values.items() if value is not None), key=_most_first))
        for values in counted.values()
    )
    failed = _whole(transaction, replace(query, transmission_failed=True))
    return OrderChoices(statuses, marketplaces, int(transaction.scalar(failed.count())))


def statuses(transaction: Transaction, account_id: int) -> tuple[str, ...]:
    """The statuses that the account's orders have."""
    rows = transaction.column(
        "SELECT DISTINCT status FROM sales_order WHERE account_id = ? AND status IS NOT NULL ORDER BY status",
        (account_id,),
    )
    return tuple(rows)


def _whole(transaction: Transaction, query: OrderQuery, *, reads_rows: bool = False) -> ListSelection:
    """As `_selection`, where all of it is read; `reads_rows` where more is asked of an order than its list has.

    Most of all orders are read one after the other: looked up by an index of their accounts they take eight times as
    long.
    """
    rows = reads_rows or query.text.strip() or query.marketplaces or query.without_invoice or query.company is not None
    return _selection(transaction, query, along_table=bool(rows) and _are_most(transaction, query))


def _are_most(transaction: Transaction, query: OrderQuery) -> bool:
    """Whether the accounts and days of `query` have a large part of all orders."""
    orders = int(transaction.scalar(select(func.max(ORDER.c.id)).select_from(ORDER)) or 0)
    scope = ListSelection(ORDER, _scope(query, ORDER.c.account_id)).select(ONE)
    return transaction.scalar(scope.limit(1).offset(max(orders // _LARGE_PART, _MANY) - 1)) is not None


def _first_of_head(transaction: Transaction, query: OrderQuery, limit: int) -> list[int]:
    """The first orders, where they are among the first of all those that the cheap conditions leave."""
    easy = replace(query, text="", company=None, of_no_company=False)
    head = (_selection if query.sort in _INDEXED else partial(_whole, reads_rows=True))(transaction, easy)
    tried = _selection(transaction, query, along_table=True)
    among_first = ORDER.c.id.in_(head.page(ORDER.c.id, limit=_HEAD, offset=0))
    first = select(ORDER.c.id).select_from(ORDER).where(among_first, *tried.conditions).order_by(*tried.order)
    return transaction.column(first.limit(limit))


def _scope(query: OrderQuery, account: ColumnElement[int]) -> Conditions:
    """The accounts and days of `query`."""
    conditions: list[ColumnElement[bool]] = []
    if query.account_id is not None:
        conditions.append(account == query.account_id)
    if query.account_ids:
        conditions.append(among(account, query.account_ids))
    if query.from_day:
        conditions.append(ORDER.c.created_on >= query.from_day)
    if query.to_day:
        conditions.append(ORDER.c.created_on <= query.to_day)
    return tuple(conditions)


def _selection(transaction: Transaction, query: OrderQuery, *, along_table: bool = False) -> ListSelection:
    """The orders of `query`; `along_table` where no index of their accounts is to find them."""
    account = unindexed(ORDER.c.account_id) if along_table else ORDER.c.account_id
    conditions = list(_scope(query, account))
    if query.company is not None:
        owned = owning_company.owned_by(transaction, query.company, query.account_id)
        conditions.append(owned.condition(owning_company.OF_ORDER, account))
    if query.of_no_company:
        conditions.append(_OF_NO_COMPANY)
    if query.statuses:
        conditions.append(among(ORDER.c.status, query.statuses))
    if NO_MARKETPLACE in query.marketplaces:
        conditions.append(among(func.coalesce(ORDER.c.marketplace, NO_MARKETPLACE), query.marketplaces))
    elif query.marketplaces:
        conditions.append(among(ORDER.c.marketplace, query.marketplaces))
    if query.transmission_failed:
        conditions.append(_FAILED)
    if query.without_invoice:
        conditions += [ORDER.c.invoice_key.is_(None), ORDER.c.invoice_number.is_(None), ~IS_LINKED]
    text = storable(query.text.strip())
    if text:
        conditions.append(_named(text))
    return ListSelection(ORDER, tuple(conditions), _order(query.sort, descending=query.descending))


def _order(sort: str, *, descending: bool) -> tuple[ColumnElement[Any], ...]:
    """What has no value comes last, whichever way: nobody sorts by numbers to read the orders without one."""
    columns = dict.fromkeys((_SORTS[sort], ORDER.c.created_on, ORDER.c.id))
    ways = [column.desc() if descending else column.asc() for column in columns]
    if sort != _CREATED:
        ways[0] = ways[0].nulls_last()
    return tuple(ways)


def _totals(rows: Iterable[NamedRow]) -> OrderTotals:
    count = worth = void = lost = 0
    for row in rows:
        count, void = count + row.number, void + row.void_number
        worth, lost = worth + whole(row.high, row.low), lost + whole(row.void_high, row.void_low)
    return OrderTotals(count, worth - lost, void, lost)


def _most_first(pair: tuple[str, int]) -> tuple[int, str]:
    return -pair[1], pair[0]


def _named(text: str) -> ColumnElement[bool]:
    """The order is called so by one of its numbers, or by words of its buyer's name, whatever their accents."""
    plain = _MASK.sub("", text)
    words = party_conditions.patterns(text)
    return or_(
        *(ORDER.c[name] == text for name in ("hub_id", *NUMBERS, "tracking_number")),
        ORDER.c.invoice_key == plain,
        ORDER.c.buyer_tax_id == plain,
        and_(*(ORDER.c.buyer_name.op("GLOB")(word) for word in words)) if words else contains(ORDER.c.buyer_name, text),
    )
