"""Lists of orders: what they are asked for, and the statements that answer it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, func, literal_column, or_, select

from confere.archive.accounts import owning_company
from confere.archive.documents.search import party_conditions
from confere.archive.list_selection import VALUES, ListSelection, among, contains, halves, whole
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
_WORTH: Final = (func.count().label("number"), *halves(ORDER.c.total))
_OF_NO_COMPANY: Final = literal_column(owning_company.OF_ORDER).is_(None)
_CANCELLED: Final = ORDER.c.status == OrderStatus.CANCELED.value


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
    selection = _selection(transaction, query)
    chosen = selection.page(ORDER.c.id, limit=limit, offset=offset)
    rows = ROWS.where(ORDER.c.id.in_(chosen)).order_by(*selection.order)
    return tuple(transaction.fetch_as(OrderRow, rows))


def count(transaction: Transaction, query: OrderQuery) -> int:
    """How many orders `query` has."""
    return int(transaction.scalar(_selection(transaction, query).count()))


def ids(transaction: Transaction, query: OrderQuery) -> Ids:
    """The archive's numbers of all orders of `query` in its order, eight bytes each."""
    return transaction.integers(_selection(transaction, query).ordered(ORDER.c.id))


def by_ids(transaction: Transaction, wanted: Sequence[int]) -> tuple[OrderRow, ...]:
    """These orders, by the archive's numbers of them, in the order asked for; one that is not there is left out."""
    rows = transaction.fetch_in_as(OrderRow, ROWS.where(ORDER.c.id.in_(VALUES)), wanted)
    known = {row.id: row for row in rows}
    return tuple(known[number] for number in wanted if number in known)


def totals(transaction: Transaction, query: OrderQuery) -> OrderTotals:
    """What the orders of `query` came to."""
    selection = _selection(transaction, query)
    every = selection.select(*_WORTH)
    summed = _totals(transaction.named(every), transaction.named(every.where(_CANCELLED)))
    if query.company is None or not owning_company.owned_by(transaction, query.company, query.account_id).is_told:
        return summed
    alone = selection.count().where(_OF_NO_COMPANY)
    return replace(summed, of_no_company=int(transaction.scalar(alone)))


def months(transaction: Transaction, query: OrderQuery) -> MonthSpan:
    """The months that the orders of `query` are of."""
    day = func.nullif(ORDER.c.created_on, "")
    found = _selection(transaction, query).select(func.count(), func.min(day), func.max(day))
    count, first, last = transaction.first(found) or (0, None, None)
    return MonthSpan(count, first and first[:7], last and last[:7])


def totals_of(transaction: Transaction, wanted: Collection[int]) -> OrderTotals:
    """What these orders came to, by the archive's numbers of them."""
    of_these = select(*_WORTH).select_from(ORDER).where(ORDER.c.id.in_(VALUES))
    return _totals(transaction.named_in(of_these, wanted), transaction.named_in(of_these.where(_CANCELLED), wanted))


def choices(transaction: Transaction, query: OrderQuery) -> OrderChoices:
    """What the orders of `query` have, the most frequent first; orders without a status or marketplace are left out."""

    def counted(column: ColumnElement[str]) -> tuple[tuple[str, int], ...]:
        grouped = selection.select(column, func.count()).where(column.is_not(None)).group_by(column)
        return tuple(sorted(transaction.fetch(grouped), key=lambda pair: (-pair[1], pair[0])))

    selection = _selection(transaction, query)
    failed = _selection(transaction, replace(query, transmission_failed=True))
    return OrderChoices(counted(ORDER.c.status), counted(ORDER.c.marketplace), int(transaction.scalar(failed.count())))


def statuses(transaction: Transaction, account_id: int) -> tuple[str, ...]:
    """The statuses that the account's orders have."""
    rows = transaction.column(
        "SELECT DISTINCT status FROM sales_order WHERE account_id = ? AND status IS NOT NULL ORDER BY status",
        (account_id,),
    )
    return tuple(rows)


def _selection(transaction: Transaction, query: OrderQuery) -> ListSelection:
    conditions: list[ColumnElement[bool]] = []
    if query.company is not None:
        owned = owning_company.owned_by(transaction, query.company, query.account_id)
        conditions.append(owned.condition(owning_company.OF_ORDER, ORDER.c.account_id))
    if query.of_no_company:
        conditions.append(_OF_NO_COMPANY)
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


def _totals(every: Iterable[NamedRow], cancelled: Iterable[NamedRow]) -> OrderTotals:
    (count, worth), (void, lost) = map(_sums, (every, cancelled))
    return OrderTotals(count, worth - lost, void, lost)


def _sums(rows: Iterable[NamedRow]) -> tuple[int, int]:
    count = worth = 0
    for row in rows:
        count += row.number
        worth += whole(row.high, row.low)
    return count, worth


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
