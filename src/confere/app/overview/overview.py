"""The use case "how do we stand": freshness of every account, the month in figures, and what to do next."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from confere.app.accounts.freshness import AccountFreshness as AccountFreshness
from confere.app.accounts.freshness import Lacks as Lacks
from confere.app.accounts.freshness import clock, freshness, may_hold, moment
from confere.app.archive_session import OpenArchive
from confere.app.backups import backup_copies
from confere.app.overview import token_standing
from confere.app.overview.months import today
from confere.app.overview.suggestions import Closing, Situation, next_steps
from confere.app.overview.suggestions import NextStep as NextStep
from confere.app.overview.suggestions import StepKind as StepKind
from confere.app.reconciliation.open_findings import AccountFindings as AccountFindings
from confere.app.reconciliation.open_findings import by_account
from confere.archive import lock
from confere.archive.accounts import accounts
from confere.archive.accounts import overview as sums
from confere.archive.accounts.overview import Exported, ModelTally
from confere.archive.authenticity import verdicts
from confere.archive.documents import documents, reindex
from confere.archive.documents.documents import DocumentTotals as DocumentTotals
from confere.archive.documents.search.document_query import DocumentQuery
from confere.archive.hub import completeness
from confere.archive.transaction import Transaction
from confere.archive.vault import missing_contents
from confere.errors import UsageFault
from confere.export.months import Month, month_of
from confere.export.package.cancelled_profiles import Profile
from confere.fiscal.authenticity.verdict import Result
from confere.fiscal.model import DocumentType
from confere.system.settings import STALE_AFTER

_ZERO = DocumentTotals(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class TypeTotals:
    """The documents of one type and direction (`in`, `out`, or empty for papers that are not ours)."""

    type: str
    direction: str
    totals: DocumentTotals


@dataclass(frozen=True, slots=True)
class Slice:
    """What the chart shows: a day (`YYYY-MM-DD`), or a month (`YYYY-MM`) where no month was chosen."""

    when: str
    type: str
    totals: DocumentTotals


@dataclass(frozen=True, slots=True)
class Overview:
    """The state of the archive for a company and a month; None for every company, and for all time.

    `lacks` sums up the accounts. `events_without_document` and `undated` are known for one company only. `slices` are
    in order of time. `before` is the whole month before; None without a month. `exported_at` says when the
    month of the company was handed over last. `findings` are the company's in each of its accounts, as the Reconcile
    screen has them.
    """

    company: str | None
    month: str | None
    accounts: tuple[AccountFreshness, ...]
    lacks: Lacks
    unreadable_files: int
    events_without_document: int
    undated: int
    kinds: tuple[TypeTotals, ...]
    slices: tuple[Slice, ...]
    total: DocumentTotals
    before: DocumentTotals | None
    exported_at: datetime | None
    documents_ever: int
    steps: tuple[NextStep, ...]
    findings: tuple[AccountFindings, ...] = ()

    @property
    def empty(self) -> bool:
        """Nothing is here: the moment to teach."""
        return not self.documents_ever and not self.accounts


def overview(
    opened: OpenArchive,
    company: str | None,
    month: str | None,
    *,
    days: tuple[str, str] | None = None,
    now: datetime | None = None,
) -> Overview:
    """How we stand (`now`, where it is given). Raises `UsageFault` for what is no month, and what opening raises.

    `days` narrows the figures to a stretch from one day to another (`YYYY-MM-DD`), by month; then `month` is None.
    Where nothing was ever stored it answers with an empty overview.
    """
    now = now or clock()
    asked = None if month is None else month_of(month)
    if not opened.exists:
        return _nothing(company, month, now)
    archive = opened.archive()
    held = lock.holder(archive.path)
    backups = backup_copies.of_open(opened, everywhere=False)
    stale_after = opened.workspace.settings.get(STALE_AFTER)
    tokens = token_standing.of_archive(opened.workspace, archive)
    with archive.reading() as transaction:
        every = accounts.every(transaction)
        ours = sorted({entry.tax_id for account in every for entry in account.establishments})
        fresh = tuple(
            replace(
                freshness(transaction, account, company, asked, held=held, now=now, stale_after=stale_after),
                no_token=tokens[account.name].words,
            )
            for account in every
            if may_hold(account, company)
        )
        earlier = None if asked is None else _month_before(asked.text)
        current = _tallies(transaction, company, asked) if days is None else _of_days(transaction, company, days)
        previous = _tallies(transaction, company, earlier) if earlier else ()
        # Cancelled documents alone are no month.
        exported = [entry for entry in sums.exports(transaction) if entry.profile != Profile.CANCELLATIONS]
        current_day = today(transaction, every, now)
        span = days or ((None, None) if asked is None else (asked.first_day, asked.last_day))
        false_here = _not_authentic(transaction, company, *span)
        findings = by_account(transaction, [one for one in every if may_hold(one, company)], month, company)
        situation = Situation(
            now=now,
            connected=bool(every),
            accounts=fresh,
            documents=sums.count_documents(transaction),
            broken=len(missing_contents.broken(transaction)),
            unreadable=sums.count_unreadable(transaction),
            read_by_older=reindex.count(transaction),
            not_authentic=false_here,
            false_elsewhere=verdicts.count_failed(transaction) - false_here,
            grave_findings=sum(account.grave for account in findings),
            month=month,
            closing=_closing(
                transaction,
                asked,
                current_day,
                [company] if company else ours,
                exported,
                by_our_clock=current_day == now,
            ),
            began_at=backups.since,
            backed_up_at=None if backups.newest is None else backups.newest.made_at,
            backup_days=backups.alarm_days,
            backup_alarm=next((alarm for alarm in backups.alarms if alarm != backups.age_alarm), None),
        )
        undated = completeness.undated(transaction, company) if company else 0
        alone = completeness.keys_without_document(transaction, company, month) if company and month else ()
    lacks = Lacks()
    for account in fresh:
        lacks = lacks.plus(account.lacks)
    handed_over = next((entry.at for entry in exported if (entry.company, entry.month) == (company, month)), None)
    return Overview(
        company=company,
        month=month,
        accounts=fresh,
        lacks=lacks,
        unreadable_files=situation.unreadable,
        events_without_document=len(alone),
        undated=undated,
        kinds=_kinds(current),
        slices=_slices(current),
        total=_totals(current),
        before=_totals(previous) if earlier else None,
        exported_at=moment(handed_over) if handed_over else None,
        documents_ever=situation.documents,
        steps=next_steps(situation),
        findings=findings,
    )


def _nothing(company: str | None, month: str | None, now: datetime) -> Overview:
    steps = next_steps(Situation(now=now))
    before = None if month is None else _ZERO
    return Overview(company, month, (), Lacks(), 0, 0, 0, (), (), _ZERO, before, None, 0, steps)


def _month_before(month: str) -> Month | None:
    """The month before `month` (`YYYY-MM`); None where the calendar of filings begins."""
    year, number = int(month[:4]), int(month[5:])
    try:
        return month_of(f"{year - 1}-12" if number == 1 else f"{year}-{number - 1:02d}")
    except UsageFault:
        return None


def _closing(
    transaction: Transaction,
    asked: Month | None,
    today: datetime,
    companies: Sequence[str],
    exported: Iterable[Exported],
    *,
    by_our_clock: bool,
) -> Closing | None:
    """The month shown where it is over, else the one before today's; with what of it was not handed over.

    A package that was written before the month was over is not all of it; `by_our_clock` says that this can be told.
    """
    current = f"{today.year:04d}-{today.month:02d}"
    month = asked if asked is not None and asked.text < current else _month_before(current)
    if month is None:
        return None
    over = moment(month.to_at)
    done = {
        entry.company
        for entry in exported
        if entry.month == month.text and not (by_our_clock and moment(entry.at) <= over)
    }
    there = sums.with_documents(transaction, companies, month.text)
    return Closing(month.text, tuple(company for company in there if company not in done))


def _tallies(transaction: Transaction, company: str | None, month: Month | None) -> tuple[ModelTally, ...]:
    first, last = (None, None) if month is None else (month.first_day, month.last_day)
    return sums.tallies(transaction, company, first, last)


def _of_days(transaction: Transaction, company: str | None, days: tuple[str, str]) -> tuple[ModelTally, ...]:
    """As of every month, of these days alone."""
    return tuple(replace(entry, when=entry.when[:7]) for entry in sums.tallies(transaction, company, *days))


def _not_authentic(transaction: Transaction, company: str | None, first: str | None, last: str | None) -> int:
    """How many current documents of the company and these days failed their check."""
    every = verdicts.count_failed(transaction)
    if not every or (company is None and first is None):
        return every
    wanted = DocumentQuery(company=company, from_day=first, to_day=last, verdict=(Result.FAILED,))
    return documents.totals(transaction, wanted).count


def _totals(tallies: Iterable[ModelTally]) -> DocumentTotals:
    count = worth = void_count = void_worth = 0
    for entry in tallies:
        count += entry.count
        if entry.void:
            void_count += entry.count
            void_worth += entry.worth
        else:
            worth += entry.worth
    return DocumentTotals(count, worth, void_count, void_worth)


def _kinds(tallies: Sequence[ModelTally]) -> tuple[TypeTotals, ...]:
    found = sorted({(entry.type, entry.direction) for entry in tallies}, key=lambda kind: (_rank(kind[0]), *kind))
    return tuple(
        TypeTotals(*kind, _totals(entry for entry in tallies if (entry.type, entry.direction) == kind))
        for kind in found
    )


def _slices(tallies: Sequence[ModelTally]) -> tuple[Slice, ...]:
    grouped: dict[tuple[str, str], list[ModelTally]] = {}
    for entry in tallies:
        if entry.when:
            grouped.setdefault((entry.when, entry.type), []).append(entry)
    found = sorted(grouped, key=lambda name: (name[0], _rank(name[1]), name[1]))
    return tuple(Slice(*name, _totals(grouped[name])) for name in found)


def _rank(kind: str) -> int:
    order = tuple(DocumentType)
    return order.index(kind) if kind in order else len(order)
