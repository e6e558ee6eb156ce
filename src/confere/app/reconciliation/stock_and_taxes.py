"""Goods at the marketplaces' warehouses and the pivot of taxes, from the archive as it stands now."""

from __future__ import annotations

from datetime import date
from typing import Final
from weakref import WeakKeyDictionary

from confere.app.archive_session import OpenArchive, Stamp
from confere.app.labels import labels
from confere.app.reconciliation.reconcile import now_of, stored_view
from confere.app.reconciliation.values import StockChain, StockMove, StockRow
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.documents import total_parts
from confere.archive.reconciliation import tax_groups
from confere.archive.transaction import Transaction
from confere.errors import NotInArchive, message
from confere.fiscal.periods import BRASILIA
from confere.reconcile import tax_pivot
from confere.reconcile.goods import stock as goods
from confere.reconcile.tax_pivot import PivotLine
from confere.sales.reconciliation_input import PaperEntry
from confere.system.processes.garbage_collection import collecting_later

TAX_AMOUNTS: Final = tax_pivot.AMOUNTS
"""The sums of a line of `taxes`, in their order."""


class _Kept:
    """The table of one account as an archive had it: its chains come from the same reading."""

    def __init__(self, stamp: Stamp, account: str, rows: tuple[StockRow, ...], chains: dict[str, StockChain]) -> None:
        self.stamp = stamp
        self.account = account
        self.rows = rows
        self.chains = chains


_KEPT: WeakKeyDictionary[OpenArchive, _Kept] = WeakKeyDictionary()


def stock(opened: OpenArchive, account: str) -> tuple[StockRow, ...]:
    """The goods at the marketplaces' warehouses: what fell below zero first, then what stands longest (R16)."""
    return _table(opened, account).rows


def stock_chain(opened: OpenArchive, account: str, subject: str) -> StockChain:
    """Every document behind the numbers of one line of `stock`. `NotInArchive` where there is no such line."""
    chain = _table(opened, account).chains.get(subject)
    if chain is None:
        raise NotInArchive(
            message("No goods are called {subject}.", subject=subject),
            message("Name them as the table does: company/marketplace/item."),
        )
    return chain


def taxes(
    opened: OpenArchive, account: str, period: str | None = None, company: str | None = None
) -> tuple[PivotLine, ...]:
    """The pivot by CFOP × CST × state of one month or of all (R20); what is in effect first.

    Of a `company`, a tax id, those of its own documents, in and out as it sees them: with an empty `account` of all.
    """
    with opened.reading() as transaction:
        owner = accounts.named(transaction, account) if account or company is None else None
        if company is not None:
            return tax_pivot.pivot(tax_groups.of_company(transaction, company, owner, period))
        assert owner is not None
        return tax_pivot.pivot(tax_groups.of_account(transaction, owner, period))


def _table(opened: OpenArchive, account: str) -> _Kept:
    """Reading a whole ledger takes a while: what was read stays until somebody writes to the archive."""
    stamp = opened.stamp()
    kept = _KEPT.get(opened)
    if kept is not None and kept.stamp == stamp and kept.account == account:
        return kept
    with opened.reading() as transaction, collecting_later():
        made = _read(transaction, accounts.named(transaction, account), stamp)
    _KEPT[opened] = made
    return made


def _read(transaction: Transaction, account: Account, stamp: Stamp) -> _Kept:
    now = now_of(transaction, account)
    view = stored_view(transaction, account, now)
    names = total_parts.names_of(transaction, view.ledger.own)
    today = now.astimezone(BRASILIA).date()
    chains: dict[str, StockChain] = {}
    for line in goods.table(view):
        row = StockRow(line, names.get(line.emitter), _days_standing(line, today))
        chains[line.subject] = StockChain(
            row, tuple(_move(movement, view.papers.get(movement.key)) for movement in line.movements)
        )
    rows = sorted(
        (chain.row for chain in chains.values()),
        key=lambda row: (not row.negative_on, not row.line.standing_old, row.line.standing_since or "9", row.subject),
    )
    return _Kept(stamp, account.name, tuple(rows), chains)


def _days_standing(line: goods.StockLine, today: date) -> int | None:
    since = line.standing_since
    return max(0, (today - date.fromisoformat(since)).days) if since else None


def _move(movement: goods.Movement, paper: PaperEntry | None) -> StockMove:
    if paper is None:
        return StockMove(movement, "", "")
    return StockMove(movement, labels.number_word(paper.series, paper.number), paper.operation)
