"""The use case "which client is worst": every company of the office in a row, from figures that the archive adds up.

Unlike a checklist it looks at no document of its own, so that the rows of an office are there at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from confere.app.accounts.account_status import AccountStanding, standing
from confere.app.accounts.freshness import clock, may_hold, moment
from confere.app.archive_session import OpenArchive
from confere.app.closing.checklist_line import WORST_FIRST, LineState
from confere.app.closing.company_row import OpenFindings
from confere.archive.accounts import accounts
from confere.archive.accounts import overview as sums
from confere.archive.accounts.accounts import Account
from confere.archive.closing import closings
from confere.archive.documents.search import facets
from confere.archive.hub import completeness
from confere.archive.hub.completeness import ListedEver, ListedMonth
from confere.archive.reconciliation import last_run, open_findings
from confere.archive.reconciliation.finding_search import FindingTally
from confere.archive.transaction import Transaction
from confere.export.months import Month, month_of
from confere.export.package.cancelled_profiles import Profile
from confere.sales.findings import FindingState, Severity
from confere.system.settings import STALE_AFTER


@dataclass(frozen=True, slots=True)
class ClientRow:
    """A company and how it stands in a month, or in all of them.

    `accounts` are those that may hold its documents; none: it is known from files alone. `listed_at` is when the list
    of the one that was left longest was last read to its newest end (in the zone of Brasília), None where one never
    was; `days` how many days ago, None where nothing grows old. `missing` are XML that its hubs listed and that are not
    here, None where nothing was listed; `is_short`: a hub's list was shorter than what the hub has. `findings` are its
    open ones, None where the month was not reconciled; `of_no_company` of them are of its accounts, and nothing tells
    of which of their companies. `is_outdated`: documents or orders came after the last reconciliation. `packaged_at`
    and `closed_at` are of the month, or of the newest such act where no month was asked for; None for never.
    """

    tax_id: str
    name: str | None
    accounts: tuple[str, ...]
    listed_at: datetime | None
    days: int | None
    is_stale: bool
    documents: int
    missing: int | None
    is_short: bool
    findings: OpenFindings | None
    is_outdated: bool
    packaged_at: datetime | None
    closed_at: datetime | None
    of_no_company: int = 0

    @property
    def high(self) -> int:
        """Open findings of high severity."""
        return 0 if self.findings is None else self.findings.high

    @property
    def lower(self) -> int:
        """Open findings of medium and low severity."""
        return 0 if self.findings is None else self.findings.medium + self.findings.low

    @property
    def is_never_listed(self) -> bool:
        """Whether it has an account and the list of one was never read."""
        return bool(self.accounts) and self.listed_at is None

    @property
    def state(self) -> LineState:
        """`problem` where something lacks or disagrees gravely, `not_checked` where nobody can say."""
        if self.missing or self.high or self.is_short:
            return LineState.PROBLEM
        if self.is_never_listed or self.is_stale or (self.accounts and self.findings is None):
            return LineState.NOT_CHECKED
        return LineState.WARNING if self.lower or self.is_outdated or not self.accounts else LineState.OK

    @property
    def has_problem(self) -> bool:
        """Whether there is something to look at."""
        return self.state is not LineState.OK and bool(self.accounts)

    @property
    def weight(self) -> tuple[int, int, int, int, int]:
        """The worse, the smaller: by state, by what lacks and disagrees, by days; then what is not done yet."""
        return (
            WORST_FIRST.index(self.state),
            -(self.missing or 0) - self.high,
            -(self.days or 0) if self.listed_at is not None or not self.accounts else -(10**6),
            -self.lower,
            (self.closed_at is not None) + (self.packaged_at is not None),
        )


@dataclass(frozen=True, slots=True)
class Clients:
    """The companies of the office in `month` (`YYYY-MM`, None for all of them)."""

    month: str | None
    rows: tuple[ClientRow, ...]


def clients(opened: OpenArchive, month: str | None, *, now: datetime | None = None) -> Clients:
    """Every company of the office: the establishments of the accounts in use, and who is known from files alone.

    Raises `UsageFault` for what is no month. Where nothing was ever stored there is none.
    """
    wanted = None if month is None else month_of(month)
    if not opened.exists:
        return Clients(month, ())
    stale_after = opened.workspace.settings.get(STALE_AFTER)
    with opened.reading() as transaction:
        known = facets.companies(transaction)
        facts = _Facts(transaction, wanted, now or clock(), stale_after)
        documents = sums.documents_of(
            transaction,
            [company.tax_id for company in known],
            None if wanted is None else wanted.first_day,
            None if wanted is None else wanted.last_day,
        )
        rows = [facts.row(company.tax_id, company.name, documents.get(company.tax_id, 0)) for company in known]
    return Clients(month, tuple(rows))


class _Facts:
    """What is read once for all companies; of an account only what is its own."""

    def __init__(self, transaction: Transaction, month: Month | None, now: datetime, stale_after: int) -> None:
        self._transaction, self._month = transaction, month
        period = None if month is None else month.text
        self._every = accounts.every(transaction)
        self._records = (
            {} if month is None else completeness.records_of_month(transaction, month.text, month.from_at, month.to_at)
        )
        self._stands = {one.id: standing(transaction, one, now, stale_after=stale_after) for one in self._every}
        self._waiting = open_findings.waiting(transaction, [one.id for one in self._every], period)
        self._reconciled: set[int] = set()
        self._outdated: set[int] = set()
        for one in self._every:
            run = last_run.covering(transaction, one.id, period) or (
                last_run.newest(transaction, one.id) if period is None else None
            )
            if run is not None:
                self._reconciled.add(one.id)
                if last_run.came_after(transaction, one.id, run.run):
                    self._outdated.add(one.id)
        self._exported: dict[str, datetime] = {}
        for entry in sums.exports(transaction):  # the newest first
            if entry.profile != Profile.CANCELLATIONS and period in (None, entry.month):
                self._exported.setdefault(entry.company, moment(entry.at))
        self._closed: dict[str, datetime] = {}
        for act in closings.closed_months(transaction):  # by month
            if period in (None, act.month):
                self._closed[act.company] = moment(act.at)

    def row(self, tax_id: str, name: str | None, documents: int) -> ClientRow:
        """How the company stands."""
        owners = [one for one in self._every if may_hold(one, tax_id)]
        stands = [self._stands[one.id] for one in owners]
        reconciled = [one.id for one in owners if one.id in self._reconciled]
        counts: Counter[str] = Counter()
        for account_id in reconciled:
            counts.update(_by_severity(self._waiting.of(account_id, tax_id)))
        is_known = bool(owners) and len(reconciled) == len(owners)
        return ClientRow(
            tax_id=tax_id,
            name=name,
            accounts=tuple(one.name for one in owners),
            listed_at=_oldest(stands),
            days=max((stand.days for stand in stands if stand.days is not None), default=None),
            is_stale=any(stand.is_stale for stand in stands),
            documents=documents,
            missing=self._missing(tax_id, owners, stands),
            is_short=any(stand.short for stand in stands),
            findings=OpenFindings(*(counts[severity] for severity in Severity)) if is_known or counts else None,
            of_no_company=sum(self._waiting.of_none(account_id) for account_id in reconciled),
            is_outdated=any(one.id in self._outdated for one in owners),
            packaged_at=self._exported.get(tax_id),
            closed_at=self._closed.get(tax_id),
        )

    def _missing(self, tax_id: str, owners: Sequence[Account], stands: Sequence[AccountStanding]) -> int | None:
        """XML of the company that are not here; whose a listed one is, only the emitter in its key tells."""
        count = 0
        for one in owners:
            others = tuple(entry.tax_id for entry in one.establishments if entry.tax_id != tax_id)
            asked: ListedMonth | ListedEver = ListedEver(one.id, others)
            if self._month is not None:
                records = self._records.get(one.id, ())
                if not records:
                    continue
                month = self._month
                asked = ListedMonth(one.id, month.text, month.from_at, month.to_at, others, records)
            count += sum(entry.count for entry in completeness.lacking(self._transaction, asked, limit=0))
        was_listed = any(stand.listed_at is not None for stand in stands)
        return count if count or was_listed else None


def _oldest(stands: Sequence[AccountStanding]) -> datetime | None:
    """When the list that was left longest was read; None where one never was."""
    times = [stand.listed_at for stand in stands]
    return None if None in times else min((at for at in times if at is not None), default=None)


def _by_severity(tallies: Sequence[FindingTally]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for entry in tallies:
        if entry.state == FindingState.OPEN.value:
            counts[entry.severity] += entry.count
    return counts
