"""The use cases of the window's page Orders: a long list to scroll through, what it can be narrowed to, one in full.

`first`, `snapshot` and `rows` are what a list in a window is made of.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from confere.app.accounts.account_status import FEED_KEPT_DAYS as FEED_KEPT_DAYS
from confere.app.accounts.account_status import standing
from confere.app.accounts.freshness import may_hold
from confere.app.archive_session import OpenArchive
from confere.app.orders import order_changes, order_moves, order_trail, orders
from confere.app.orders.order_changes import FieldChange as FieldChange
from confere.app.orders.order_moves import OrderMoveKind as OrderMoveKind
from confere.app.orders.orders import OrderRow as OrderRow
from confere.app.orders.orders import ShownOrder as ShownOrder
from confere.app.reconciliation import findings as findings_use_case
from confere.app.reconciliation.values import FindingHistoryLine as FindingHistoryLine
from confere.app.reconciliation.values import FindingRow as FindingRow
from confere.archive.accounts import accounts, owning_company
from confere.archive.accounts.accounts import Account
from confere.archive.orders import order_counts, order_search
from confere.archive.orders import orders as stored_orders
from confere.archive.orders.order_search import SORTS as SORTS
from confere.archive.orders.order_search import OrderChoices as OrderChoices
from confere.archive.orders.order_search import OrderQuery as OrderQuery
from confere.archive.orders.order_search import OrderTotals as OrderTotals
from confere.archive.reconciliation.open_findings import FindingMark as FindingMark
from confere.archive.transaction import Transaction
from confere.errors import NotInArchive, message
from confere.fiscal.periods import MonthSpan

_TRAIL = 200


@dataclass(frozen=True, slots=True)
class OrdersScope:
    """Whose orders: a company's and those of none that can be told (None for all), of one `account` (None for each).

    `query` says which of them; `sort` is one of `SORTS`.
    """

    company: str | None = None
    account: str | None = None
    query: OrderQuery = field(default_factory=OrderQuery)
    sort: str = "created"
    descending: bool = True


@dataclass(frozen=True, slots=True)
class BrowsedOrder:
    """An order of a list, with how many documents it has and its open findings, the gravest first."""

    row: OrderRow
    documents: int
    findings: tuple[FindingMark, ...]

    @property
    def id(self) -> int:
        """The archive's number of it."""
        return self.row.id


@dataclass(frozen=True, slots=True)
class EndingFeed:
    """A feed of orders that was last read `days` ago: what is older than `FEED_KEPT_DAYS` the hub has forgotten."""

    account: str
    days: int

    @property
    def is_over(self) -> bool:
        """Whether the hub may have forgotten changes that nobody has read."""
        return self.days >= FEED_KEPT_DAYS


@dataclass(frozen=True, slots=True)
class OrderAccounts:
    """The accounts that may hold a company's orders, and those of their feeds that were not read for too long."""

    names: tuple[str, ...]
    ending: tuple[EndingFeed, ...]


@dataclass(frozen=True, slots=True)
class OrderLocation:
    """Where an order is found: the archive's number of it, its month (`YYYY-MM`), whether a company's list has it."""

    id: int
    month: str | None
    is_of_company: bool


@dataclass(frozen=True, slots=True)
class OrderDetail:
    """An order with all that is known of it. `trail` is what was sent to it.

    `moves` are all that it may make, in the order of its life; `usual` those that are expected from where it is.
    """

    shown: ShownOrder
    findings: tuple[FindingRow, ...]
    trail: tuple[FindingHistoryLine, ...]
    moves: tuple[OrderMoveKind, ...]
    usual: tuple[OrderMoveKind, ...] = ()


def first(opened: OpenArchive, scope: OrdersScope, limit: int = 60) -> tuple[BrowsedOrder, ...]:
    """The first orders of a scope, at once; all of it is a `snapshot`."""
    with opened.reading() as transaction:
        query = _narrowed(transaction, scope)
        return () if query is None else _counted(transaction, order_search.page(transaction, query, limit))


def snapshot(opened: OpenArchive, scope: OrdersScope) -> array[int]:
    """The archive's numbers of all orders of a scope in its order, as they are now."""
    with opened.reading() as transaction:
        query = _narrowed(transaction, scope)
        return array("q") if query is None else order_search.ids(transaction, query)


def rows(opened: OpenArchive, ids: Sequence[int]) -> tuple[BrowsedOrder, ...]:
    """These orders, in the order asked for; one that is not there is left out."""
    with opened.reading() as transaction:
        return _counted(transaction, order_search.by_ids(transaction, ids))


def totals(opened: OpenArchive, scope: OrdersScope) -> OrderTotals:
    """What the orders of a scope came to."""
    with opened.reading() as transaction:
        query = _narrowed(transaction, scope)
        return OrderTotals() if query is None else order_search.totals(transaction, query)


def totals_of(opened: OpenArchive, ids: Collection[int]) -> OrderTotals:
    """What these orders came to."""
    with opened.reading() as transaction:
        return order_search.totals_of(transaction, ids)


def in_any_month(opened: OpenArchive, scope: OrdersScope) -> MonthSpan:
    """How many orders `scope` would have if it were of every day, and of which months."""
    wider = replace(scope, query=replace(scope.query, from_day=None, to_day=None))
    with opened.reading() as transaction:
        query = _narrowed(transaction, wider)
        return MonthSpan() if query is None else order_search.months(transaction, query)


def choices(opened: OpenArchive, scope: OrdersScope) -> OrderChoices:
    """What the orders of a scope can be narrowed to by status, marketplace and transmission."""
    with opened.reading() as transaction:
        query = _narrowed(transaction, scope)
        if query is None:
            return OrderChoices((), (), 0)
        of_all = replace(query, statuses=(), marketplaces=(), transmission_failed=False)
        return order_search.choices(transaction, of_all)


def accounts_of(opened: OpenArchive, company: str | None) -> OrderAccounts:
    """The accounts of a company (None for all), and whose feed of orders must be read soon."""
    with opened.reading() as transaction:
        own = _own(transaction, company)
        feeds = [(account.name, standing(transaction, account).order_feed) for account in own]
    ending = [EndingFeed(name, feed.days or 0) for name, feed in feeds if feed is not None and feed.is_ending]
    ending.sort(key=lambda feed: -feed.days)
    return OrderAccounts(tuple(account.name for account in own), tuple(ending))


def place_of(opened: OpenArchive, account: str, hub_id: str, company: str | None) -> OrderLocation:
    """Where an account's order is found, by the hub's id of it. `NotInArchive` where there is none."""
    with opened.reading() as transaction:
        owner = accounts.named(transaction, account)
        row = stored_orders.named(transaction, owner.id, [hub_id]).get(hub_id)
        if row is None:
            raise NotInArchive(
                message("There is no order {name} in the archive.", name=hub_id),
                message("Sync the account: it may have come since."),
            )
        companies = owning_company.of_orders(transaction, [row.id]).get(row.id, ())
    is_of_company = may_hold(owner, company) and (company is None or owning_company.is_concerned(company, companies))
    return OrderLocation(row.id, row.created_on[:7] or None, is_of_company)


def detail(opened: OpenArchive, order_id: int) -> OrderDetail:
    """One order, by the archive's number of it. `NotInArchive` where there is none."""
    archive = opened.archive()
    with opened.reading() as transaction:
        shown = orders.shown_by_id(archive, transaction, order_id)
        findings = findings_use_case.rows(transaction, shown.row.account_id, shown.findings)
    trail = order_trail.history(opened, shown.row.account, order_id=shown.row.hub_id, limit=_TRAIL)
    moves, usual = order_moves.fitting_kinds(shown.row), order_moves.usual_kinds(shown.row)
    return OrderDetail(shown, findings, trail, moves, usual)


def version_changes(opened: OpenArchive, older: int | None, newer: int) -> tuple[FieldChange, ...]:
    """What changed between two versions of an order, each by the number of its content; all of it without `older`."""
    archive = opened.archive()
    before = b"" if older is None else archive.content(older)
    return order_changes.changes(before, archive.content(newer))


def version_text(opened: OpenArchive, content_id: int) -> str:
    """The JSON of a version, as it was received."""
    return opened.archive().content(content_id).decode("utf-8", "replace")


def _own(transaction: Transaction, company: str | None) -> list[Account]:
    return [account for account in accounts.every(transaction) if may_hold(account, company)]


def _narrowed(transaction: Transaction, scope: OrdersScope) -> OrderQuery | None:
    """The query of the accounts that are wanted; None where there is no such account."""
    wanted = [account.id for account in _own(transaction, scope.company) if scope.account in (None, account.name)]
    if not wanted:
        return None
    return replace(
        scope.query, account_ids=tuple(wanted), company=scope.company, sort=scope.sort, descending=scope.descending
    )


def _counted(transaction: Transaction, chosen: Sequence[OrderRow]) -> tuple[BrowsedOrder, ...]:
    documents: dict[int, dict[str, int]] = {}
    findings: dict[int, dict[str, tuple[FindingMark, ...]]] = {}
    for account_id in {row.account_id for row in chosen}:
        names = [row.hub_id for row in chosen if row.account_id == account_id]
        documents[account_id] = order_counts.documents(transaction, account_id, names)
        findings[account_id] = order_counts.open_findings(transaction, account_id, names)
    return tuple(
        BrowsedOrder(row, documents[row.account_id].get(row.hub_id, 0), findings[row.account_id].get(row.hub_id, ()))
        for row in chosen
    )
