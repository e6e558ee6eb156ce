"""The use case "is the month complete": every line for one company, or for all of the office, worst first.

What several companies share (an account's lists, the archive's bytes, findings) is read once; what is of one company
is read by its month alone, so an office costs little more than its documents of the month.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime

from confere.app.accounts.freshness import clock, may_hold, moment
from confere.app.archive_session import OpenArchive
from confere.app.closing import archive_lines, listing_lines, paper_lines
from confere.app.closing.account_month import AccountMonth, account_month
from confere.app.closing.archive_lines import OfficeFacts, office_facts
from confere.app.closing.authenticity_line import authenticity_lines
from confere.app.closing.checklist_line import ChecklistLine, CompanyChecklist, OfficeChecklist
from confere.app.closing.number_lines import number_gap_line
from confere.app.closing.paper_lines import CompanyMonth
from confere.app.context import EMBEDDED
from confere.archive.accounts import accounts
from confere.archive.closing import month_papers
from confere.archive.documents.search import facets
from confere.archive.hub import completeness
from confere.archive.reconciliation.open_findings import WaitingFindings
from confere.archive.transaction import Transaction
from confere.export.months import Month, month_of
from confere.system.plain_text import folded
from confere.system.settings import EVENT_DAYS


def check_month(
    opened: OpenArchive, month: str, company: str | None = None, *, now: datetime | None = None
) -> OfficeChecklist:
    """The checklist of `month` (`YYYY-MM`) for `company`, or for every company of the office, worst first.

    Companies are the establishments of the accounts in use; without one, everybody who emitted a document.
    Raises `UsageFault` for what is no month, and what opening the archive raises.
    """
    wanted = month_of(month)
    at = now or clock()
    days = opened.workspace.settings.get(EVENT_DAYS)
    archive = opened.archive()
    with archive.reading() as transaction:
        facts = office_facts(archive, transaction)
        known = {entry.tax_id: entry.name for entry in facets.companies(transaction)}
        chosen = list(known) if company is None else [company]
        every = _Accounts(transaction, wanted, at, facts.absent)
        found = archive_lines.waiting(transaction, every.of_any(chosen), wanted.text)
        companies = [
            _company(transaction, tax_id, known.get(tax_id), every, facts, found, days, at) for tax_id in chosen
        ]
    companies.sort(key=lambda entry: (*entry.weight, folded(entry.name or entry.tax_id)))
    return OfficeChecklist(wanted.text, tuple(companies))


def company_month(transaction: Transaction, company: str, month: Month) -> CompanyMonth:
    """The papers of `company` in the month, and the accounts that may hold its documents."""
    every = _Accounts(transaction, month, clock(), ())
    papers = month_papers.papers(transaction, company, month.first_day, month.last_day)
    return CompanyMonth(company, month, papers, every.of(company))


class _Accounts:
    """The accounts in use, each read once, and only where a company needs it."""

    def __init__(self, transaction: Transaction, month: Month, now: datetime, absent: Collection[int]) -> None:
        self._transaction, self.month, self._now, self._absent = transaction, month, now, absent
        self._every = accounts.every(transaction)
        self._records = completeness.records_of_month(transaction, month.text, month.from_at, month.to_at)
        self._read: dict[int, AccountMonth] = {}

    def of(self, company: str) -> tuple[AccountMonth, ...]:
        """Those that may hold documents of `company`."""
        return tuple(self._account(place) for place, one in enumerate(self._every) if may_hold(one, company))

    def of_any(self, companies: list[str]) -> tuple[AccountMonth, ...]:
        """Those that may hold documents of any of these."""
        return tuple(
            self._account(place)
            for place, one in enumerate(self._every)
            if any(may_hold(one, company) for company in companies)
        )

    def _account(self, place: int) -> AccountMonth:
        if place not in self._read:
            account = self._every[place]
            records = self._records.get(account.id, ())
            self._read[place] = account_month(self._transaction, account, self.month, self._now, records, self._absent)
        return self._read[place]


def _company(
    transaction: Transaction,
    tax_id: str,
    name: str | None,
    every: _Accounts,
    facts: OfficeFacts,
    found: WaitingFindings,
    days: int,
    now: datetime,
) -> CompanyChecklist:
    month = every.month
    papers = month_papers.papers(transaction, tax_id, month.first_day, month.last_day)
    of = CompanyMonth(tax_id, month, papers, every.of(tax_id))
    lines = tuple(_lines(transaction, of, facts, found, days, now))
    closed = facts.closed.get((tax_id, month.text))
    return CompanyChecklist(
        tax_id,
        name,
        month.text,
        len(papers),
        lines,
        facts.exported.get((tax_id, month.text)),
        None if closed is None else moment(closed.at),
    )


def _lines(
    transaction: Transaction,
    of: CompanyMonth,
    facts: OfficeFacts,
    found: WaitingFindings,
    days: int,
    now: datetime,
) -> Iterator[ChecklistLine]:
    if not of.accounts:
        yield listing_lines.without_account(of.company)
    for account in of.accounts:
        yield from listing_lines.of_lists(account)
        yield from listing_lines.of_records(account, of.company)
    yield from archive_lines.of_bytes(transaction, of, facts)
    yield from paper_lines.undated(transaction, of)
    yield number_gap_line(transaction, of, _hubs_now(of, now))
    yield paper_lines.references(transaction, of)
    yield from authenticity_lines(transaction, of)
    yield paper_lines.events_fresh(transaction, of, days, now)
    for account in of.accounts:
        yield from listing_lines.of_no_company(account)
    yield archive_lines.findings(transaction, of, found)
    yield from archive_lines.signed(transaction, of)
    yield from archive_lines.handed_over(transaction, of, facts)


def _hubs_now(of: CompanyMonth, now: datetime) -> datetime:
    """The calendar of a demonstration ends where it was listed last."""
    ends = [found.documents.until for found in of.accounts if found.account.environment == EMBEDDED]
    return max((end for end in ends if end is not None), default=now)
