"""Goods at the marketplaces' warehouses and the pivot of taxes, from the archive as it stands now."""

from __future__ import annotations

from datetime import date
from typing import Final
from weakref import WeakKeyDictionary

from confere.app.archive_session import OpenArchive, Stamp
from confere.app.labels import labels
from confere.app.reconciliation.reconcile import now_of
from confere.app.reconciliation.values import StockChain, StockMove, StockRow, TaxLine
from confere.archive.accounts import accounts, preferences
from confere.archive.accounts.accounts import Account
from confere.archive.documents import total_parts
from confere.archive.reconciliation import input_reader, links, tax_groups
from confere.archive.transaction import Transaction
from confere.errors import NotInArchive, message
from confere.fiscal.periods import BRASILIA
from confere.reconcile import tax_pivot
from confere.reconcile.context import View
from confere.reconcile.goods import stock as goods
from confere.sales.links import Linked
from confere.sales.reconciliation_input import PaperEntry
from confere.system.processes.garbage_collection import collecting_later

TAX_AMOUNTS: Final = tax_pivot.AMOUNTS
"""The sums of a line of `taxes`, in their order."""

_COLUMNS: Final = {
    goods.Move.SENT: "sent",
    goods.Move.SENT_SYMBOLICALLY: "symbolic",
    goods.Move.SOLD: "sold",
    goods.Move.REMOVED: "removed",
    goods.Move.RETURNED: "returned",
    goods.Move.LOST: "lost",
}


class _Kept:
    """The table of one account as an archive had it: its chains come from the same reading."""

    def __init__(self, stamp: Stamp, account: str, lines: tuple[StockRow, ...], chains: dict[str, StockChain]) -> None:
        self.stamp = stamp
        self.account = account
        self.lines = lines
        self.chains = chains


_KEPT: WeakKeyDictionary[OpenArchive, _Kept] = WeakKeyDictionary()


def stock(opened: OpenArchive, account: str) -> tuple[StockRow, ...]:
    """The goods at the marketplaces' warehouses: what fell below zero first, then what stands longest (R16)."""
    return _table(opened, account).lines


def stock_chain(opened: OpenArchive, account: str, subject: str) -> StockChain:
    """Every document behind the numbers of one line of `stock`. `NotInArchive` where there is no such line."""
    chain = _table(opened, account).chains.get(subject)
    if chain is None:
        raise NotInArchive(
            message("No goods are called {subject}.", subject=subject),
            message("Name them as the table does: company/marketplace/item."),
        )
    return chain


def taxes(opened: OpenArchive, account: str, period: str | None = None) -> tuple[TaxLine, ...]:
    """The pivot by CFOP × CST × state of one month or of all (R20); what is in effect first."""
    with opened.reading() as transaction:
        owner = accounts.named(transaction, account)
        lines = tax_pivot.pivot(tax_groups.of_account(transaction, owner, period))
    return tuple(
        TaxLine(
            cfop=line.cfop or "",
            cst=line.cst or "",
            state=line.uf or "",
            direction=line.direction,
            documents=line.documents,
            amounts={
                name: amount for name, amount in zip(TAX_AMOUNTS, line.amounts, strict=True) if amount is not None
            },
            in_effect=line.in_effect,
            period=line.period,
        )
        for line in lines
    )


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
    ledger = input_reader.load(transaction, account)
    linked = Linked(
        links.every(transaction, account.id), tuple(entry.tie for entry in links.ties(transaction, account.id))
    )
    now = now_of(transaction, account)
    view = View(ledger, linked, preferences.get(transaction, account.id).terms, now)
    names = total_parts.names_of(transaction, ledger.own)
    today = now.astimezone(BRASILIA).date()
    chains: dict[str, StockChain] = {}
    for entry in goods.table(view):
        line = _line(entry, names.get(entry.emitter), today)
        chains[line.subject] = StockChain(
            line, tuple(_move(move, view.papers.get(move.key)) for move in entry.movements)
        )
    lines = sorted(
        (chain.line for chain in chains.values()),
        key=lambda line: (not line.negative_on, not line.standing_old, line.oldest_on or "9", line.subject),
    )
    return _Kept(stamp, account.name, tuple(lines), chains)


def _line(found: goods.StockLine, name: str | None, today: date) -> StockRow:
    since = found.standing_since
    return StockRow(
        subject=found.subject,
        emitter=found.emitter,
        emitter_name=name,
        marketplace=found.marketplace,
        code=found.code,
        description=found.description,
        sent=found.sent,
        symbolic=found.sent_symbolically,
        returned=found.returned,
        sold=found.sold,
        balance=found.balance,
        negative_on="" if found.negative is None else found.negative.on,
        oldest_on=since,
        standing_days=max(0, (today - date.fromisoformat(since)).days) if since else None,
        removed=found.removed,
        lost=found.lost,
        lowest=found.lowest,
        standing_old=found.standing_old,
        standing_value=found.standing_value,
    )


def _move(found: goods.Movement, paper: PaperEntry | None) -> StockMove:
    return StockMove(
        on=found.on,
        key=found.key,
        number="" if paper is None else labels.number_word(paper.series, paper.number),
        operation="" if paper is None else paper.operation,
        pieces=found.quantity,
        balance=found.balance,
        column=_COLUMNS[found.move],
        counted=found.counted,
    )
