"""The use case "from orders taken to invoices authorized": the page of a month, a company and a marketplace.

It stands on the links of the last reconciliation with what a person decided since, and on that run's "now".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final
from weakref import WeakKeyDictionary

from confere.app.archive_session import OpenArchive, Stamp
from confere.app.labels import labels
from confere.app.orders import unowned_orders
from confere.app.reconciliation import queries
from confere.app.reconciliation.reconcile import KIND, now_of, stored_view
from confere.app.reconciliation.review import signoffs
from confere.archive.accounts import accounts, runs
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.runs import Run
from confere.archive.clock import utc_now
from confere.archive.documents import total_parts
from confere.archive.reconciliation import decisions
from confere.archive.transaction import Transaction
from confere.errors import Message, NotInArchive, UsageFault, message
from confere.export.months import month_of
from confere.export.pdf import bridge_paper
from confere.export.pdf.bridge_paper import BridgeFacts
from confere.fiscal import access_keys
from confere.fiscal.periods import BRASILIA
from confere.reconcile.bridge import page as pages
from confere.reconcile.bridge.page import BridgePage
from confere.reconcile.bridge.placement import Placement
from confere.reconcile.coverage import listed_periods
from confere.sales.bridge import (
    NO_MARKETPLACE,
    BridgeCode,
    BridgeLine,
    BridgeScope,
    BridgeShare,
    BridgeSignature,
)
from confere.sales.bridge import NONE_NAMED as NONE_NAMED
from confere.sales.reconciliation_input import OrderEntry, PaperEntry
from confere.system.files.atomic_file import write_bytes
from confere.system.processes.command_text import argument, arguments
from confere.system.processes.garbage_collection import collecting_later
from confere.system.settings import PREPARER, REVIEWER, Settings

_ABOUT_LINKS: Final = frozenset({"link", "unlink", "confirm", "split", "merge"})


@dataclass(frozen=True, slots=True)
class BridgeShareRow:
    """A share of a line with the order and the document it is about; None where it names none."""

    share: BridgeShare
    order: OrderEntry | None
    paper: PaperEntry | None


@dataclass(frozen=True, slots=True)
class MonthBridge:
    """A page with what it stands on. `marketplaces` are those that have a page of their own in the month."""

    page: BridgePage
    facts: BridgeFacts
    marketplaces: tuple[str, ...]
    placement: Placement

    @property
    def shown(self) -> tuple[BridgeLine, ...]:
        """The lines that have anything, and those that every page has."""
        return tuple(bridge_paper.shown(self.page.lines))

    @property
    def standing(self) -> list[Message]:
        """What the page stands on, in sentences."""
        return bridge_paper.standing(self.facts)

    @property
    def no_company_command(self) -> str:
        """The command that lists the orders of no company; empty where there is none."""
        scope = self.page.scope
        if not self.facts.of_no_company[0]:
            return ""
        return unowned_orders.command(self.facts.account, scope.period, scope.marketplace)

    def label(self, code: BridgeCode) -> str:
        """A line's label, with the rule whose findings are about the same."""
        return bridge_paper.label(code)

    def rows(self, code: BridgeCode) -> Iterator[BridgeShareRow]:
        """The orders and documents of a line, the greatest amounts first; their amounts add up to it."""
        view = self.placement.view
        for share in sorted(self.page.shares(code), key=_greatest):
            yield BridgeShareRow(share, view.orders.get(share.order_id or ""), view.papers.get(share.key or ""))


@dataclass(frozen=True, slots=True)
class BridgeSheetRow:
    """A line of a spreadsheet: the marketplace (None: all of them together), and the line's label, count and amount.

    `amount` is in centavos; `orders` and `documents` count what the line is about.
    """

    marketplace: str | None
    code: BridgeCode
    label: str
    orders: int
    documents: int
    amount: int


class _Kept:
    """The placement of an account as an archive had it: pages of any month are made of it."""

    def __init__(self, stamp: Stamp, account: Account, run: Run, decided: int, placement: Placement) -> None:
        self.stamp = stamp
        self.account = account
        self.run = run
        self.decided = decided
        self.placement = placement
        self.names: dict[str, str] = {}


_KEPT: WeakKeyDictionary[OpenArchive, _Kept] = WeakKeyDictionary()


def accounts_with(opened: OpenArchive, company: str | None) -> tuple[str, ...]:
    """The accounts in use, or those that hold a company."""
    with opened.reading() as transaction:
        return tuple(
            each.name
            for each in accounts.every(transaction)
            if company is None or company in {establishment.tax_id for establishment in each.establishments}
        )


def account_of(opened: OpenArchive, account: str | None, company: str | None) -> str:
    """The account that is named, else the only one that holds the company, else the only one in use.

    Raises `UsageFault` where nobody can tell, `NotInArchive` where no account holds the company.
    """
    if account is None and company is not None:
        holding = accounts_with(opened, company)
        if len(holding) == 1:
            return holding[0]
        if not holding:
            raise NotInArchive(
                message("No account has the establishment {company}.", company=company),
                message("Name one of the account's own establishments (CNPJ)."),
            )
    return queries.account_named(opened, account)


def month_bridge(
    opened: OpenArchive,
    account: str,
    period: str,
    company: str | None = None,
    marketplace: str | None = None,
    signature: BridgeSignature | None = None,
) -> MonthBridge:
    """The page of a month (`YYYY-MM`), of one establishment and one marketplace or of all.

    `marketplace` is written as its orders do, in any case; `NONE_NAMED` for what names none. Raises `UsageFault`
    where the account was never reconciled, `NotInArchive` for a company or marketplace that has nothing there, and
    `BridgeApart` where the page does not tie.
    """
    month = month_of(period)
    kept = _placement(opened, account)
    placement = kept.placement
    if company is not None and company not in placement.view.ledger.own:
        raise NotInArchive(
            message("The establishment {company} is not one of account {account}.", company=company, account=account),
            message("Name one of the account's own establishments (CNPJ)."),
        )
    known = pages.marketplaces(placement, period, company)
    scope = BridgeScope(period, company, _named(marketplace, known, period))
    start, end = listed_periods.day_begins(month.text) or 0.0, listed_periods.month_ends(month.text) or 0.0
    end = max(start, min(end, placement.view.now))
    view = placement.view
    signed, signed_by = _signed(opened, (company,) if company is not None else tuple(sorted(view.ledger.own)), period)
    made = pages.page(placement, scope)
    unowned = made.line(BridgeCode.NO_COMPANY)
    facts = BridgeFacts(
        month=labels.month_word(period),
        account=account,
        company_name=kept.names.get(company or ""),
        run=kept.run.id,
        run_at=kept.run.finished_at or kept.run.started_at,
        decided_since=kept.decided,
        orders_listed=view.orders_listed.part(start, end, scope.marketplace),
        documents_listed=view.documents_listed.part(start, end),
        not_downloaded=sum(_is_of(key, period) for key in view.ledger.undownloaded),
        of_no_company=(unowned.orders, unowned.amount),
        signature=signature or BridgeSignature("", "", today()),
        signed=signed,
        signed_by=signed_by,
    )
    return MonthBridge(made, facts, known, placement)


def months(opened: OpenArchive, account: str) -> tuple[str, ...]:
    """The months that have a page, newest first."""
    return _placement(opened, account).placement.months


def sheet_rows(
    opened: OpenArchive, account: str, period: str, company: str | None = None
) -> tuple[BridgeSheetRow, ...]:
    """The lines of a month for a spreadsheet: of all marketplaces together, then of each where there are several.

    Lines without anything are left out, but for the first and the last of each page.
    """
    whole = month_bridge(opened, account, period, company)
    scopes = [None, *whole.marketplaces] if len(whole.marketplaces) > 1 else [None]
    rows: list[BridgeSheetRow] = []
    for name in scopes:
        made = whole.page if name is None else pages.page(whole.placement, BridgeScope(period, company, name))
        rows += (
            BridgeSheetRow(name, line.code, bridge_paper.label(line.code), line.orders, line.documents, line.amount)
            for line in bridge_paper.shown(made.lines)
        )
    return tuple(rows)


def signature_of(settings: Settings, preparer: str | None = None, reviewer: str | None = None) -> BridgeSignature:
    """The names that were given, else those that the settings keep, with today's day."""
    return BridgeSignature(
        settings.get(PREPARER) if preparer is None else preparer,
        settings.get(REVIEWER) if reviewer is None else reviewer,
        today(),
    )


def write_pdf(made: MonthBridge, file: Path) -> int:
    """Write the page as a PDF, in place of what is there; its size in bytes."""
    data = bridge_paper.paper(made.page.scope, made.page.lines, made.facts)
    write_bytes(file, data)
    return len(data)


def write_signed(made: MonthBridge, signature: BridgeSignature, file: Path) -> int:
    """As `write_pdf`, with these names."""
    return write_pdf(replace(made, facts=replace(made.facts, signature=signature)), file)


def today() -> str:
    """This day in Brasília, `YYYY-MM-DD`."""
    return datetime.fromisoformat(utc_now()).astimezone(BRASILIA).strftime("%Y-%m-%d")


def _placement(opened: OpenArchive, account: str) -> _Kept:
    """Placing a whole ledger takes seconds: it stays until somebody writes to the archive."""
    stamp = opened.stamp()
    kept = _KEPT.get(opened)
    if kept is not None and kept.stamp == stamp and kept.account.name == account:
        return kept
    with opened.reading() as transaction, collecting_later():
        kept = _placed(transaction, accounts.named(transaction, account), stamp)
    _KEPT[opened] = kept
    return kept


def _placed(transaction: Transaction, account: Account, stamp: Stamp) -> _Kept:
    done = [run for run in runs.of_kind(transaction, KIND, account.id) if run.outcome == "done"]
    if not done:
        raise UsageFault(
            message("Account {account} was never reconciled, so no order has its invoice yet.", account=account.name),
            message("Reconcile it first: `confere reconcile --account {account}`.", account=argument(account.name)),
        )
    run = done[0]
    at = run.finished_at or run.started_at
    told = run.parameters.get("as_of")
    now = datetime.fromisoformat(told) if isinstance(told, str) else now_of(transaction, account)
    acts = decisions.history(transaction, account.id, limit=-1)
    decided = sum(act.kind in _ABOUT_LINKS and max(act.at, act.undone_at or "") > at for act in acts)
    kept = _Kept(stamp, account, run, decided, Placement(stored_view(transaction, account, now)))
    names = total_parts.names_of(transaction, kept.placement.view.ledger.own)
    kept.names = {tax_id: name for tax_id, name in names.items() if name}
    return kept


def _signed(opened: OpenArchive, companies: tuple[str, ...], period: str) -> tuple[tuple[Message, ...], str]:
    """What stands signed of these companies' month, and by whom, where every one is signed."""
    with opened.reading() as transaction:
        known = [signoffs.of_month(transaction, company, period) for company in companies]
    standing = [entry for entry in known if entry is not None and entry.stands]
    names = ", ".join(dict.fromkeys(entry.reviewer for entry in standing)) if len(standing) == len(companies) else ""
    if not standing:
        return (), names
    if len(companies) == 1:
        return (message("Findings of the month: {what}", what=signoffs.sentence(standing[0])),), names
    many = message(
        "Companies whose month a reviewer signed: {count} of {total}.", count=len(standing), total=len(companies)
    )
    return (many,), names


def _named(marketplace: str | None, known: tuple[str, ...], period: str) -> str | None:
    if marketplace is None:
        return None
    if marketplace in (NONE_NAMED, NO_MARKETPLACE):
        return NO_MARKETPLACE
    for name in known:
        if name.casefold() == marketplace.casefold():
            return name
    raise NotInArchive(
        message("Nothing in {month} is of the marketplace {name}.", month=period, name=marketplace),
        message("Name one of these: {known}.", known=arguments(name or NONE_NAMED for name in known) or NONE_NAMED),
    )


def _is_of(key: str, period: str) -> bool:
    parts = access_keys.parse(key)
    return parts is not None and parts.period == period


def _greatest(share: BridgeShare) -> tuple[int, str, str]:
    return -abs(share.amount), share.order_id or "", share.key or ""
