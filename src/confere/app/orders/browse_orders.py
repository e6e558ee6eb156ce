"""The use cases of the window's page Orders: lists to scroll through, what they can be narrowed to, one in full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

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
from confere.archive.accounts import accounts
from confere.archive.orders import order_counts, order_search
from confere.archive.orders.order_search import OrderChoices as OrderChoices
from confere.archive.orders.order_search import OrderQuery as OrderQuery
from confere.archive.transaction import Transaction

_TRAIL = 200


@dataclass(frozen=True, slots=True)
class OrdersScope:
    """Whose orders: of the accounts of a company (None for all), of one `account` (None for each), and which."""

    company: str | None = None
    account: str | None = None
    query: OrderQuery = field(default_factory=OrderQuery)


@dataclass(frozen=True, slots=True)
class ListedOrder:
    """An order of a list, with how many documents and open findings it has."""

    row: OrderRow
    documents: int
    findings: int

    @property
    def identity(self) -> tuple[int, str]:
        """What tells it from every other one."""
        return self.row.account_id, self.row.hub_id


@dataclass(frozen=True, slots=True)
class OrderList:
    """A stretch of a list from `offset` on; `total` counts all of it. `accounts` are those it could be narrowed to."""

    rows: tuple[ListedOrder, ...]
    total: int
    accounts: tuple[str, ...]
    choices: OrderChoices
    offset: int = 0


@dataclass(frozen=True, slots=True)
class OrderDetail:
    """An order with all that is known of it, and the moves that it may make. `trail` is what was sent to it."""

    shown: ShownOrder
    findings: tuple[FindingRow, ...]
    trail: tuple[FindingHistoryLine, ...]
    moves: tuple[OrderMoveKind, ...]


def listing(opened: OpenArchive, scope: OrdersScope, *, offset: int = 0, limit: int = 100) -> OrderList:
    """The orders of a scope, newest first, and what they can be narrowed to by status, marketplace and transmission."""
    with opened.reading() as transaction:
        names, query = _narrowed(transaction, scope)
        if not query.account_ids:
            return OrderList((), 0, names, OrderChoices((), (), 0), offset)
        rows = order_search.page(transaction, query, limit, offset)
        of_all = replace(query, statuses=(), marketplaces=(), transmission_failed=False)
        return OrderList(
            _counted(transaction, rows),
            order_search.count(transaction, query),
            names,
            order_search.choices(transaction, of_all),
            offset,
        )


def detail(opened: OpenArchive, account_id: int, hub_id: str) -> OrderDetail:
    """One order. `NotInArchive` where there is none."""
    archive = opened.archive()
    with opened.reading() as transaction:
        shown = orders.shown_by_id(archive, transaction, account_id, hub_id)
        findings = findings_use_case.rows(transaction, account_id, shown.findings)
    trail = order_trail.history(opened, shown.row.account, order_id=hub_id, limit=_TRAIL)
    return OrderDetail(shown, findings, trail, order_moves.fitting_kinds(shown.row))


def version_changes(opened: OpenArchive, older: int, newer: int) -> tuple[FieldChange, ...]:
    """What changed between two versions of an order, each by the number of its content."""
    archive = opened.archive()
    return order_changes.changes(archive.content(older), archive.content(newer))


def _narrowed(transaction: Transaction, scope: OrdersScope) -> tuple[tuple[str, ...], OrderQuery]:
    """The names of the company's accounts (all where it has none), and the query of those that are wanted."""
    every = accounts.every(transaction)
    own = [account for account in every if may_hold(account, scope.company)] or list(every)
    wanted = [account.id for account in own if scope.account in (None, account.name)]
    return tuple(account.name for account in own), replace(scope.query, account_ids=tuple(wanted))


def _counted(transaction: Transaction, rows: Sequence[OrderRow]) -> tuple[ListedOrder, ...]:
    documents: dict[tuple[int, str], int] = {}
    findings: dict[tuple[int, str], int] = {}
    for account_id in {row.account_id for row in rows}:
        names = [row.hub_id for row in rows if row.account_id == account_id]
        for counts, found in (
            (documents, order_counts.documents(transaction, account_id, names)),
            (findings, order_counts.open_findings(transaction, account_id, names)),
        ):
            counts |= {(account_id, name): number for name, number in found.items()}
    return tuple(
        ListedOrder(row, documents.get((row.account_id, row.hub_id), 0), findings.get((row.account_id, row.hub_id), 0))
        for row in rows
    )
