"""The use cases "what does not agree, and why": runs, findings, both sides of one, goods and taxes, to read.

For a window with the archive open, and for commands; what a person decides is `confere.app.reconciliation.decisions`.
"""

from __future__ import annotations

from array import array
from dataclasses import replace
from typing import Final

from confere.app.accounts.freshness import may_hold
from confere.app.archive_session import OpenArchive
from confere.app.reconciliation import compare
from confere.app.reconciliation import findings as findings_use_case
from confere.app.reconciliation.compare import side_by_side as side_by_side
from confere.app.reconciliation.compare import side_by_side_of as side_by_side_of
from confere.app.reconciliation.near_misses import explained as explained
from confere.app.reconciliation.near_misses import suggested as suggested
from confere.app.reconciliation.near_misses import suggestions as suggestions
from confere.app.reconciliation.stock_and_taxes import TAX_AMOUNTS as TAX_AMOUNTS
from confere.app.reconciliation.stock_and_taxes import stock as stock
from confere.app.reconciliation.stock_and_taxes import stock_chain as stock_chain
from confere.app.reconciliation.stock_and_taxes import taxes as taxes
from confere.app.reconciliation.values import Compared as Compared
from confere.app.reconciliation.values import Difference as Difference
from confere.app.reconciliation.values import FindingGroup as FindingGroup
from confere.app.reconciliation.values import FindingHistoryLine as FindingHistoryLine
from confere.app.reconciliation.values import FindingQuery as FindingQuery
from confere.app.reconciliation.values import FindingRow as FindingRow
from confere.app.reconciliation.values import FindingState as FindingState
from confere.app.reconciliation.values import ItemPrices as ItemPrices
from confere.app.reconciliation.values import LinkKind as LinkKind
from confere.app.reconciliation.values import LinkLine as LinkLine
from confere.app.reconciliation.values import OrderLine as OrderLine
from confere.app.reconciliation.values import OrderSide as OrderSide
from confere.app.reconciliation.values import PaperSide as PaperSide
from confere.app.reconciliation.values import ReconciliationScope as ReconciliationScope
from confere.app.reconciliation.values import RuleChange as RuleChange
from confere.app.reconciliation.values import RunLine as RunLine
from confere.app.reconciliation.values import Severity as Severity
from confere.app.reconciliation.values import SideBySide as SideBySide
from confere.app.reconciliation.values import StockChain as StockChain
from confere.app.reconciliation.values import StockMove as StockMove
from confere.app.reconciliation.values import StockRow as StockRow
from confere.app.reconciliation.values import SuggestionLine as SuggestionLine
from confere.app.reconciliation.values import TieLine as TieLine
from confere.archive.accounts import accounts, owning_company
from confere.archive.accounts import runs as run_records
from confere.archive.documents import documents, total_parts
from confere.archive.orders import order_search
from confere.archive.orders import orders as orders_of
from confere.archive.orders.order_search import OrderQuery
from confere.archive.reconciliation import finding_search
from confere.archive.reconciliation import links as link_records
from confere.archive.reconciliation.finding_search import FindingFilter as FindingFilter
from confere.errors import UsageFault, message
from confere.export.months import month_of
from confere.fiscal.periods import MonthSpan
from confere.reconcile.goods.stock import StockLine as StockLine
from confere.reconcile.rules.registry import BY_ID
from confere.reconcile.tax_pivot import PivotLine as PivotLine
from confere.sales.findings import ExplainedDifference as ExplainedDifference
from confere.system.processes.command_text import arguments

RULES: Final = tuple(BY_ID)
"""The ids of all rules that find something, in their order."""


def accounts_and_periods(opened: OpenArchive) -> tuple[ReconciliationScope, ...]:
    """Every account in use, with the months that can be reconciled."""
    if not opened.exists:
        return ()
    with opened.reading() as transaction:
        found: list[ReconciliationScope] = []
        for account in accounts.every(transaction):
            periods = {
                *total_parts.periods_of(transaction, account.id),
                *finding_search.periods(transaction, account.id),
            }
            ran = bool(run_records.of_kind(transaction, findings_use_case.KIND, account.id, 1))
            found.append(
                ReconciliationScope(account.name, account.environment, tuple(sorted(periods, reverse=True)), ran)
            )
    return tuple(found)


def account_named(opened: OpenArchive, name: str | None, company: str | None = None) -> str:
    """The account of that name, or the only one in use; `UsageFault` where nobody can tell which is meant.

    With a `company` (CNPJ), without a name: the only one that may hold what is of it, where any does.
    """
    with opened.reading() as transaction:
        if name is not None:
            return accounts.named(transaction, name).name
        every = accounts.every(transaction)
    every = tuple(account for account in every if may_hold(account, company)) or every
    if len(every) != 1:
        raise UsageFault(
            message("There are {count} accounts, and none was named.", count=len(every)),
            message("Name one with --account: {known}.", known=arguments(entry.name for entry in every) or "-"),
        )
    return every[0].name


def runs(opened: OpenArchive, account: str | None = None, limit: int = 50) -> tuple[RunLine, ...]:
    """The newest runs first, of one account or of all."""
    return findings_use_case.run_lines_of(opened, account, limit) if opened.exists else ()


def groups(opened: OpenArchive, query: FindingQuery) -> tuple[FindingGroup, ...]:
    """The findings of a query by rule, in the order of the rules; those without any are left out."""
    with opened.reading() as transaction:
        return findings_use_case.groups(
            finding_search.tallies(transaction, *findings_use_case.asked(transaction, query))
        )


def findings(opened: OpenArchive, query: FindingQuery, offset: int = 0, limit: int = 100) -> tuple[FindingRow, ...]:
    """A stretch of the findings of a query: by rule, what is open first, then the greatest amount. -1 for all."""
    with opened.reading() as transaction:
        account_id, wanted = findings_use_case.asked(transaction, query)
        found = finding_search.page(transaction, account_id, wanted, limit, offset)
        if account_id is None:
            return findings_use_case.rows_of_any(transaction, found)
        return findings_use_case.rows(transaction, account_id, found)


def finding_ids(opened: OpenArchive, query: FindingQuery) -> array[int]:
    """The numbers of all findings of a query, in the order of `findings`."""
    with opened.reading() as transaction:
        return finding_search.ids(transaction, *findings_use_case.asked(transaction, query))


def count(opened: OpenArchive, query: FindingQuery) -> int:
    """How many findings a query has."""
    with opened.reading() as transaction:
        return finding_search.count(transaction, *findings_use_case.asked(transaction, query))


def other_months(opened: OpenArchive, query: FindingQuery) -> MonthSpan | None:
    """What there is of the findings of a query without its month; None where there is none of a month, or none was
    asked for."""
    if query.wanted.period is None:
        return None
    wider = replace(query, wanted=replace(query.wanted, period=None))
    with opened.reading() as transaction:
        found = finding_search.months(transaction, *findings_use_case.asked(transaction, wider))
    return found if found.last is not None else None


def of_no_company(opened: OpenArchive, query: FindingQuery) -> int:
    """How many of a company's findings nothing tells the company of; 0 of every company's."""
    company = query.wanted.company
    if company is None:
        return 0
    with opened.reading() as transaction:
        account_id, wanted = findings_use_case.asked(transaction, query)
        if not owning_company.owned_by(transaction, company, account_id).is_told:
            return 0
        return finding_search.count(transaction, account_id, replace(wanted, of_no_company=True))


def finding(opened: OpenArchive, finding_id: int) -> FindingRow:
    """One finding. `NotInArchive` where there is none."""
    with opened.reading() as transaction:
        return findings_use_case.one(transaction, finding_id)


def links(
    opened: OpenArchive, account: str, *, order_id: str | None = None, key: str | None = None
) -> tuple[LinkLine, ...]:
    """The links of an order or a document, or all of the account."""
    with opened.reading() as transaction:
        owner = accounts.named(transaction, account)
        order_ids = () if order_id is None else (order_id,)
        return compare.link_lines(transaction, owner.id, order_ids, () if key is None else (key,))


def ties(opened: OpenArchive, account: str, period: str | None = None) -> tuple[TieLine, ...]:
    """What is ambiguous: of the whole account, or where one of its orders or documents is of that month."""
    with opened.reading() as transaction:
        owner = accounts.named(transaction, account)
        found = compare.tie_lines(transaction, owner.id)
        if period is None:
            return found
        known = orders_of.named(transaction, owner.id, {name for entry in found for name in entry.orders})
        numbers = total_parts.current_of(transaction, {key for entry in found for key in entry.keys})
        days = {row.access_key: row.issued_on for row in documents.by_ids(transaction, list(numbers.values()))}
        days |= {name: row.created_on for name, row in known.items()}
    return tuple(
        entry for entry in found if any(days.get(name, "")[:7] == period for name in (*entry.orders, *entry.keys))
    )


def orders(
    opened: OpenArchive,
    account: str,
    *,
    text: str = "",
    period: str | None = None,
    company: str | None = None,
    offset: int = 0,
    limit: int = 100,
) -> tuple[OrderLine, ...]:
    """Orders to choose from, newest first; `text` is an id, a key, a tax id, or words of the buyer's name.

    Of a `company` its own, and those that nothing tells the company of.
    """
    with opened.reading() as transaction:
        owner = accounts.named(transaction, account)
        found = order_search.page(transaction, _orders_query(owner.id, text, period, company), limit, offset)
        linked: dict[str, list[str]] = {}
        for entry in link_records.of(transaction, owner.id, orders=[row.hub_id for row in found]):
            linked.setdefault(entry.order_id, []).append(entry.key)
    return tuple(OrderLine(row, tuple(linked.get(row.hub_id, ()))) for row in found)


def orders_of_no_company(
    opened: OpenArchive, account: str, company: str | None, *, text: str = "", period: str | None = None
) -> int:
    """How many of a company's `orders` nothing tells the company of; 0 of every company's."""
    if company is None:
        return 0
    with opened.reading() as transaction:
        query = _orders_query(accounts.named(transaction, account).id, text, period, company)
        return order_search.totals(transaction, query).of_no_company


def _orders_query(account_id: int, text: str, period: str | None, company: str | None) -> OrderQuery:
    month = None if period is None else month_of(period)
    return OrderQuery(
        account_id=account_id,
        from_day=None if month is None else month.first_day,
        to_day=None if month is None else month.last_day,
        text=text,
        company=company,
    )
