"""The use cases "what does not agree, and why": runs, findings, both sides of one, goods and taxes, to read.

For a window with the archive open, and for commands; what a person decides is `confere.app.deciding`.
"""

from __future__ import annotations

from typing import Final

from confere.app import desk_findings, desk_sides
from confere.app.desk_goods import TAX_AMOUNTS as TAX_AMOUNTS
from confere.app.desk_goods import stock as stock
from confere.app.desk_goods import stock_chain as stock_chain
from confere.app.desk_goods import taxes as taxes
from confere.app.desk_near import explained as explained
from confere.app.desk_near import suggested as suggested
from confere.app.desk_near import suggestions as suggestions
from confere.app.desk_sides import side_by_side as side_by_side
from confere.app.desk_sides import side_by_side_of as side_by_side_of
from confere.app.desk_values import Compared as Compared
from confere.app.desk_values import Difference as Difference
from confere.app.desk_values import ExplainedLine as ExplainedLine
from confere.app.desk_values import FindingQuery as FindingQuery
from confere.app.desk_values import FindingRow as FindingRow
from confere.app.desk_values import FindingState as FindingState
from confere.app.desk_values import Group as Group
from confere.app.desk_values import HistoryLine as HistoryLine
from confere.app.desk_values import LinkKind as LinkKind
from confere.app.desk_values import LinkLine as LinkLine
from confere.app.desk_values import OrderLine as OrderLine
from confere.app.desk_values import OrderSide as OrderSide
from confere.app.desk_values import PaperSide as PaperSide
from confere.app.desk_values import RuleChange as RuleChange
from confere.app.desk_values import RunLine as RunLine
from confere.app.desk_values import Scope as Scope
from confere.app.desk_values import Severity as Severity
from confere.app.desk_values import SideBySide as SideBySide
from confere.app.desk_values import StockChain as StockChain
from confere.app.desk_values import StockLine as StockLine
from confere.app.desk_values import StockMove as StockMove
from confere.app.desk_values import SuggestionLine as SuggestionLine
from confere.app.desk_values import TaxLine as TaxLine
from confere.app.desk_values import TieLine as TieLine
from confere.app.open_archive import OpenArchive
from confere.archive import accounts, documents, finding_list, order_list, sides
from confere.archive import links as link_records
from confere.archive import orders as orders_of
from confere.archive import runs as run_records
from confere.archive.order_list import OrderQuery
from confere.errors import UsageFault, message
from confere.export.months import month_of
from confere.reconcile.rules.registry import BY_ID

RULES: Final = tuple(BY_ID)
"""The ids of all rules that find something, in their order."""


def accounts_and_periods(opened: OpenArchive) -> tuple[Scope, ...]:
    """Every account in use, with the months that can be reconciled."""
    if not opened.exists:
        return ()
    with opened.reading() as transaction:
        found: list[Scope] = []
        for account in accounts.every(transaction):
            periods = {*sides.periods_of(transaction, account.id), *finding_list.periods(transaction, account.id)}
            ran = bool(run_records.of_kind(transaction, desk_findings.KIND, account.id, 1))
            found.append(Scope(account.name, account.environment, tuple(sorted(periods, reverse=True)), ran))
    return tuple(found)


def account_named(opened: OpenArchive, name: str | None) -> str:
    """The account of that name, or the only one in use; `UsageFault` where nobody can tell which is meant."""
    with opened.reading() as transaction:
        if name is not None:
            return accounts.named(transaction, name).name
        every = accounts.every(transaction)
    if len(every) != 1:
        raise UsageFault(
            message("There are {count} accounts, and none was named.", count=len(every)),
            message("Name one with --account: {known}.", known=", ".join(entry.name for entry in every) or "-"),
        )
    return every[0].name


def runs(opened: OpenArchive, account: str | None = None, limit: int = 50) -> tuple[RunLine, ...]:
    """The newest runs first, of one account or of all."""
    return desk_findings.run_lines_of(opened, account, limit) if opened.exists else ()


def groups(opened: OpenArchive, query: FindingQuery) -> tuple[Group, ...]:
    """The findings of a query by rule, in the order of the rules; those without any are left out."""
    with opened.reading() as transaction:
        return desk_findings.groups(finding_list.tallies(transaction, desk_findings.filter_of(transaction, query)))


def findings(opened: OpenArchive, query: FindingQuery, offset: int = 0, limit: int = 100) -> tuple[FindingRow, ...]:
    """A stretch of the findings of a query: by rule, what is open first, then the greatest amount. -1 for all."""
    with opened.reading() as transaction:
        wanted = desk_findings.filter_of(transaction, query)
        found = finding_list.page(transaction, wanted, limit, offset)
        return desk_findings.rows(transaction, wanted.account_id, found)


def count(opened: OpenArchive, query: FindingQuery) -> int:
    """How many findings a query has."""
    with opened.reading() as transaction:
        return finding_list.count(transaction, desk_findings.filter_of(transaction, query))


def finding(opened: OpenArchive, finding_id: int) -> FindingRow:
    """One finding. `NotInArchive` where there is none."""
    with opened.reading() as transaction:
        return desk_findings.one(transaction, finding_id)


def links(
    opened: OpenArchive, account: str, *, order_id: str | None = None, key: str | None = None
) -> tuple[LinkLine, ...]:
    """The links of an order or a document, or all of the account."""
    with opened.reading() as transaction:
        owner = accounts.named(transaction, account)
        order_ids = () if order_id is None else (order_id,)
        return desk_sides.link_lines(transaction, owner.id, order_ids, () if key is None else (key,))


def ties(opened: OpenArchive, account: str, period: str | None = None) -> tuple[TieLine, ...]:
    """What is ambiguous: of the whole account, or where one of its orders or documents is of that month."""
    with opened.reading() as transaction:
        owner = accounts.named(transaction, account)
        found = desk_sides.tie_lines(transaction, owner.id)
        if period is None:
            return found
        known = orders_of.named(transaction, owner.id, {name for entry in found for name in entry.orders})
        numbers = sides.current_of(transaction, {key for entry in found for key in entry.keys})
        days = {row.access_key: row.issued_on for row in documents.by_ids(transaction, list(numbers.values()))}
        days |= {name: row.created_on for name, row in known.items()}
    return tuple(
        entry for entry in found if any(days.get(name, "")[:7] == period for name in (*entry.orders, *entry.keys))
    )


def orders(
    opened: OpenArchive, account: str, *, text: str = "", period: str | None = None, offset: int = 0, limit: int = 100
) -> tuple[OrderLine, ...]:
    """Orders to choose from, newest first; `text` is an id, a key, a tax id, or words of the buyer's name."""
    with opened.reading() as transaction:
        owner = accounts.named(transaction, account)
        month = None if period is None else month_of(period)
        query = OrderQuery(
            account_id=owner.id,
            from_day=None if month is None else month.first_day,
            to_day=None if month is None else month.last_day,
            text=text,
        )
        found = order_list.page(transaction, query, limit, offset)
        linked: dict[str, list[str]] = {}
        for entry in link_records.of(transaction, owner.id, orders=[row.hub_id for row in found]):
            linked.setdefault(entry.order_id, []).append(entry.key)
    return tuple(
        OrderLine(
            row.hub_id,
            row.created_on,
            row.status or "",
            row.marketplace,
            row.marketplace_id,
            row.total,
            row.buyer_tax_id,
            row.buyer_name,
            tuple(linked.get(row.hub_id, ())),
        )
        for row in found
    )
