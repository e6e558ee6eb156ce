"""What is known of an account in a month, read once for all companies that share it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from confere.app.accounts.account_status import AccountStanding, standing
from confere.app.accounts.freshness import moment, unlisted_days
from confere.app.orders import unowned_orders
from confere.app.orders.unowned_orders import UnownedOrders
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.hub_facts import HAS_LIST, HAS_RETURNS
from confere.archive.hub import completeness, coverage, record_balance, shortfalls
from confere.archive.hub.completeness import Lack, LackingDocument, ListedMonth
from confere.archive.hub.coverage import Span
from confere.archive.hub.events_without_file import RecordLackingFiles, events_without_file
from confere.archive.hub.record_balance import AccountSum
from confere.archive.hub.shortfalls import Shortfall
from confere.archive.reconciliation import declarations
from confere.archive.transaction import Transaction
from confere.export.months import Month
from confere.sales.declarations import Declaration, Declared

_EVERY: Final = 10**9
_KEY: Final = 44


@dataclass(frozen=True, slots=True)
class ListedSpans:
    """How far one list of an account was read. `spans` are the stretches listed whole, `listed_at` when it was last
    read to its end; `declared` is a person's word that what was imported is the whole month."""

    spans: tuple[Span, ...]
    listed_at: datetime | None
    declared: Declaration | None
    holes: tuple[str, ...] = ()  # days of the month, `YYYY-MM-DD`, that no stretch covers

    def covering(self, month: Month) -> Span | None:
        """The stretch that has all of the month."""
        return next((span for span in self.spans if span.from_at <= month.from_at and span.to_at >= month.to_at), None)

    @property
    def until(self) -> datetime | None:
        """The end of the newest stretch."""
        return moment(self.spans[-1].to_at) if self.spans else None


@dataclass(frozen=True, slots=True)
class AccountMonth:
    """An account in a month. `orders` and `returns` are None where its hub has no such list; whether it has one is not
    known before a sync asked (`has_orders`, `has_returns` None)."""

    account: Account
    month: Month
    standing: AccountStanding
    documents: ListedSpans
    orders: ListedSpans | None
    returns: ListedSpans | None
    has_orders: bool | None
    has_returns: bool | None
    balance: AccountSum
    shortfalls: tuple[Shortfall, ...]
    lacking: dict[Lack, tuple[LackingDocument, ...]] = field(default_factory=dict)
    without_file: tuple[RecordLackingFiles, ...] = ()
    of_no_company: UnownedOrders = field(default_factory=UnownedOrders)
    changes_at: datetime | None = None  # up to when changes were listed without a gap since the month began

    @property
    def name(self) -> str:
        return self.account.name

    def is_whose(self, name: str, company: str) -> bool:
        """Whether what a hub named by a key may be of `company`: not what another establishment emitted."""
        others = {entry.tax_id.zfill(14) for entry in self.account.establishments if entry.tax_id != company}
        return len(name) != _KEY or name[6:20] not in others


def account_month(
    transaction: Transaction,
    account: Account,
    month: Month,
    now: datetime,
    records: tuple[int, ...],
    absent: Collection[int],
) -> AccountMonth:
    """What is known of `account` in `month`, at `now`.

    `records` are those of the month, `absent` contents that are missing or damaged.
    """
    listed = ListedMonth(account.id, month.text, month.from_at, month.to_at, records=records)
    declared = declarations.standing(transaction, account.id)
    has_orders, has_returns = account.facts.get(HAS_LIST), account.facts.get(HAS_RETURNS)
    lacking = {entry.lack: entry.first for entry in completeness.lacking(transaction, listed, limit=_EVERY)}
    stands = standing(transaction, account, now)
    documents = _listed(transaction, account.id, coverage.CREATED, month, declared, Declared.DOCUMENTS)
    orders = _listed(transaction, account.id, coverage.ORDERS, month, declared, Declared.ORDERS)
    is_ordered = bool(has_orders) or bool(orders.spans) or orders.declared is not None
    returns = _listed(transaction, account.id, coverage.RETURNS, month, (), None)
    return AccountMonth(
        account=account,
        month=month,
        standing=stands,
        documents=documents,
        orders=orders if is_ordered else None,
        returns=returns if has_returns or returns.spans else None,
        has_orders=has_orders if isinstance(has_orders, bool) else None,
        has_returns=has_returns if isinstance(has_returns, bool) else None,
        balance=record_balance.account_sum(transaction, account.id, listed, absent),
        shortfalls=tuple(
            short
            for short in shortfalls.every(transaction, account.id)
            if short.of != coverage.PRODUCTS and short.from_at <= month.to_at and short.to_at >= month.from_at
        ),
        lacking=lacking,
        without_file=events_without_file(transaction, account.id, listed),
        of_no_company=unowned_orders.of_month(transaction, account.id, month),
        changes_at=_changes(transaction, account.id, month),
    )


def _listed(
    transaction: Transaction,
    account_id: int,
    axis: str,
    month: Month,
    declared: Sequence[Declaration],
    what: Declared | None,
) -> ListedSpans:
    spans = coverage.covered(transaction, account_id, axis)
    standing_word = next(
        (entry for entry in declared if entry.what is what and entry.month == month.text and not entry.marketplaces),
        None,
    )
    end = moment(month.to_at) + timedelta(seconds=1)  # so that its last day is over
    return ListedSpans(
        spans,
        _at(coverage.last_finished(transaction, account_id, axis)),
        standing_word,
        unlisted_days(spans, month, end) if spans else (),
    )


def _changes(transaction: Transaction, account_id: int, month: Month) -> datetime | None:
    spans = coverage.covered(transaction, account_id, coverage.UPDATED)
    if not spans or spans[-1].from_at > month.from_at:
        return None
    return _at(coverage.last_finished(transaction, account_id, coverage.UPDATED))


def _at(text: str | None) -> datetime | None:
    return None if text is None else moment(text)
