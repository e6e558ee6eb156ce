"""How far each account is known: when it was synced, what was listed, and what of that is not here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from confere.app.accounts.account_status import FeedAge, standing
from confere.app.accounts.brasilia_time import clock as clock
from confere.app.accounts.brasilia_time import moment as moment
from confere.app.context import EMBEDDED
from confere.archive.accounts import overview, runs
from confere.archive.accounts.accounts import Account
from confere.archive.clock import utc_text
from confere.archive.hub import completeness, coverage
from confere.archive.hub.completeness import Lack, ListedEver, ListedMonth
from confere.archive.hub.coverage import Span
from confere.archive.lock import Holder
from confere.archive.transaction import Transaction
from confere.errors import Message
from confere.export.months import Month
from confere.fiscal.periods import BRASILIA


@dataclass(frozen=True, slots=True)
class Lacks:
    """What a hub listed and the archive lacks, in four different words; counts of files.

    `waiting` was not asked for yet, `failed` was asked for in vain, `not_offered` has no file at the hub, `unreadable`
    is here as received.
    """

    waiting: int = 0
    failed: int = 0
    not_offered: int = 0
    unreadable: int = 0

    @property
    def count(self) -> int:
        return self.waiting + self.failed + self.not_offered + self.unreadable

    def plus(self, other: Lacks) -> Lacks:
        return Lacks(
            self.waiting + other.waiting,
            self.failed + other.failed,
            self.not_offered + other.not_offered,
            self.unreadable + other.unreadable,
        )


@dataclass(frozen=True, slots=True)
class AccountFreshness:
    """How far an account is known. Moments are in the zone of Brasília, None for never.

    `synced_at` and `outcome` are of the newest sync that ended; `listed_until` is where the listing of new documents
    reaches without a gap (by the hub's clock), `whole` that it reaches back to the beginning, `listed_at` when it was
    last read up to its newest end: a sync of one order, or one that was stopped at once, does not. `listed_days` is how
    many days ago that is where that is too long ago, else None. `short` says what lists of the hub were short of,
    `ending_feeds` which of its feeds were read too long ago, the oldest first.
    `syncing` says that a sync runs now; `interrupted` counts listings that were cut off. `unlisted_days`
    (`YYYY-MM-DD`) and `lacks` are of
    the month that was asked for, `queue_waiting` and `queue_failed` of all months. `no_token` says that this
    machine has no token for the account's address, where it has none.
    """

    account: str
    environment: str
    synced_at: datetime | None
    outcome: str | None
    listed_until: datetime | None
    whole: bool
    syncing: bool = False
    interrupted: int = 0
    unlisted_days: tuple[str, ...] = ()
    lacks: Lacks = field(default_factory=Lacks)
    queue_waiting: int = 0
    queue_failed: int = 0
    listed_at: datetime | None = None
    listed_days: int | None = None
    short: tuple[Message, ...] = ()
    ending_feeds: tuple[FeedAge, ...] = ()
    no_token: Message | None = None

    @property
    def is_whole_here(self) -> bool:
        """Whether everything the hub listed is known to be here: not while it is listed, nor after a failure."""
        listed = self.listed_until is not None and not (self.syncing or self.interrupted)
        return listed and self.outcome != "failed" and not (self.short or self.lacks.count)


def freshness(
    transaction: Transaction,
    account: Account,
    company: str | None,
    month: Month | None,
    *,
    held: Holder | None,
    now: datetime,
    stale_after: int,
) -> AccountFreshness:
    """How far `account` is known, for `company` and `month` where they are given; `held` is who writes just now.

    `stale_after` is how many days ago a listing may be.
    """
    created = coverage.covered(transaction, account.id, coverage.CREATED)
    ended = overview.last_sync(transaction, account.id)
    queue = overview.queue(transaction, account.id)
    syncing = held is not None and runs.begun_since(transaction, account.id, held.since)
    whole = bool(created) and created[0].from_at == coverage.FOREVER
    # Days that were asked for alone may lie beyond a gap: up to them nothing is known.
    until = moment(created[0 if whole else -1].to_at) if created else None
    stands = standing(transaction, account, now, stale_after=stale_after)
    days: tuple[str, ...] = ()
    if month is not None:
        # A demonstration has a calendar of its own, which ends where it was listed last.
        ended_at = moment(created[-1].to_at) if created else None
        days = unlisted_days(created, month, ended_at if account.environment == EMBEDDED else now)
    return AccountFreshness(
        account=account.name,
        environment=account.environment,
        synced_at=moment(ended.at) if ended else None,
        outcome=ended.outcome if ended else None,
        listed_until=until,
        whole=whole,
        syncing=syncing,
        interrupted=0 if syncing else overview.open_windows(transaction, account.id),
        unlisted_days=days,
        lacks=_lacks(transaction, account, company, month),
        queue_waiting=queue.waiting,
        queue_failed=queue.failed,
        listed_at=stands.listed_at,
        listed_days=stands.days if stands.is_stale else None,
        short=stands.short,
        ending_feeds=stands.ending_feeds,
    )


def may_hold(account: Account, company: str | None) -> bool:
    """Whether the account may hold documents of `company`; one whose establishments are not known may hold any's."""
    owners = [entry.tax_id for entry in account.establishments]
    return company is None or not owners or company in owners


def unlisted_days(spans: Sequence[Span], month: Month, until: datetime | None) -> tuple[str, ...]:
    """The days of `month`, over at `until`, that no listing covers whole; none where `until` is not known."""
    if until is None:
        return ()
    found = []
    day = date.fromisoformat(month.first_day)
    while day.isoformat() <= month.last_day:
        after = day + timedelta(days=1)
        begin, end = _midnight(day), _midnight(after) - timedelta(milliseconds=1)
        first, last = utc_text(begin), utc_text(end)
        if end < until and not any(span.from_at <= first and last <= span.to_at for span in spans):
            found.append(day.isoformat())
        day = after
    return tuple(found)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=BRASILIA)


def _lacks(transaction: Transaction, account: Account, company: str | None, month: Month | None) -> Lacks:
    others: tuple[str, ...] = ()
    if company is not None:
        others = tuple(entry.tax_id for entry in account.establishments if entry.tax_id != company)
    asked = (
        ListedEver(account.id, others)
        if month is None
        else ListedMonth(account.id, month.text, month.from_at, month.to_at, others)
    )
    found = {entry.lack: entry for entry in completeness.lacking(transaction, asked, limit=0)}
    count = {lack: found[lack].count if lack in found else 0 for lack in Lack}
    failed = found[Lack.NOT_DOWNLOADED].failed if Lack.NOT_DOWNLOADED in found else 0
    return Lacks(
        waiting=count[Lack.NOT_DOWNLOADED] - failed,
        failed=failed,
        not_offered=count[Lack.NOT_OFFERED],
        unreadable=count[Lack.UNREADABLE],
    )


def now_of(transaction: Transaction, account: Account) -> datetime:
    """The "now" of a run that was given none: the machine's; a demonstration's hub has a calendar of its own."""
    if account.environment == EMBEDDED:
        spans = coverage.covered(transaction, account.id, coverage.CREATED)
        if spans:
            return moment(spans[-1].to_at)
    return clock()
