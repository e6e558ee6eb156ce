"""What a person should do next, told by plain rules from what is known of the archive."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from confere.app.accounts.account_status import FEED_KEPT_DAYS
from confere.app.accounts.freshness import AccountFreshness
from confere.app.labels import labels
from confere.app.labels.feed_labels import feed_word
from confere.errors import Message, message, nmessage
from confere.system import formatting
from confere.system.settings import BACKUP_ALARM


class StepKind(StrEnum):
    """What there is to do; stable, for icons and actions."""

    CONNECT = "connect"  # add an account
    TRY = "try"  # run the demo
    IMPORT = "import"  # bring files in
    TOKEN = "token"  # this machine has none for the account's address  # noqa: S105 - a step, not a token
    FIRST_SYNC = "first_sync"
    RESUME = "resume"  # a listing was cut off: sync
    LOOK_AT_SYNC = "look_at_sync"  # the newest sync failed
    SYNC = "sync"  # the newest sync is old, or days were never listed
    SHORT = "short"  # a list of the hub is short of what the hub has: sync, or ask the hub
    DOWNLOAD = "download"  # the queue waits: sync
    RETRY = "retry"  # downloads failed
    ASK = "ask"  # the hub has no file: ask the emitter
    REPAIR = "repair"  # bytes are missing or damaged: sync
    LOOK = "look"  # files that cannot be read
    REREAD = "reread"  # files that an older release read
    NOT_AUTHENTIC = "not_authentic"  # documents that failed their check
    FINDINGS = "findings"  # of high severity, open
    EXPORT = "export"  # a month is over and was not handed over
    BACKUP = "backup"
    BACKUP_ALARM = "backup_alarm"  # the newest one holds less than an older one, or could not be restored


@dataclass(frozen=True, slots=True)
class NextStep:
    """One thing to do. `account`, `company` and `month` say for what, where it is one only.

    `is_elsewhere`: it is of other companies or months than the question.
    """

    kind: StepKind
    what: Message
    count: int = 0
    account: str | None = None
    company: str | None = None
    month: str | None = None
    is_elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class Closing:
    """A month that is over, and the companies that have documents in it which were not handed over."""

    month: str
    pending: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything that the rules look at.

    `broken` contents are missing or damaged. `documents`, `unreadable` and `read_by_older` (files that this release's
    reader has not read yet) count over the whole archive; `not_authentic` documents are of the question's company and
    time, `false_elsewhere` of others.

    `began_at` is since when there is something to lose, `backed_up_at` when the newest whole copy was made,
    `backup_days` after how many days without one a person is warned (0: never). `backup_alarm` is what else is wrong
    with the backups: a loss, or a trial restore that failed.

    `grave_findings` are open, of high severity and of the `month` that the question is about (None: of every month).
    `connected` says that there is an account at all; `accounts` are those that the question is about.
    """

    now: datetime
    connected: bool = False
    accounts: tuple[AccountFreshness, ...] = ()
    documents: int = 0
    broken: int = 0
    unreadable: int = 0
    read_by_older: int = 0
    not_authentic: int = 0
    false_elsewhere: int = 0
    grave_findings: int = 0
    month: str | None = None
    closing: Closing | None = None
    began_at: datetime | None = None
    backed_up_at: datetime | None = None
    backup_days: int = BACKUP_ALARM.default
    backup_alarm: Message | None = None


def next_steps(situation: Situation) -> tuple[NextStep, ...]:
    """What to do, the most pressing first; of nothing to do `calm_text` says what that means."""
    return (
        *_beginning(situation),
        *([NextStep(StepKind.BACKUP_ALARM, situation.backup_alarm)] if situation.backup_alarm is not None else []),
        *(step for account in situation.accounts for step in _of_account(account)),
        *_of_files(situation),
        *_of_findings(situation),
        *(_of_closing(situation.closing) if all(map(_is_in, situation.accounts)) else ()),
        *_of_backup(situation),
    )


def calm_text(accounts: Sequence[AccountFreshness]) -> tuple[Message, bool]:
    """What is said where there is no step for these accounts, and whether that is that all is well.

    It is not while a sync runs, since it may bring anything, nor where no account covers what is looked at.
    """
    if any(account.syncing for account in accounts):
        return message("A sync is running; what there is to do is known when it ends."), False
    if not accounts:
        return message("Nothing that Confere knows of: no account covers this company."), False
    if not all(map(_is_in, accounts)):
        return message("Nothing, but what the hub listed is not all here yet."), False
    return message("Nothing: all is well."), True


def _is_in(account: AccountFreshness) -> bool:
    """Whether what the hub listed is here, so that a package would not be half of one."""
    return not (account.syncing or account.interrupted or account.queue_waiting or account.short)


def _beginning(situation: Situation) -> Iterator[NextStep]:
    if situation.connected:
        return
    yield NextStep(StepKind.CONNECT, message("Connect an account at a hub, to fetch its documents by itself."))
    if not situation.documents:
        yield NextStep(StepKind.IMPORT, message("Or drop XML files, ZIP files or folders on this window."))
        yield NextStep(StepKind.TRY, message("Or look around first, with the invented documents of the demonstration."))


def _of_account(account: AccountFreshness) -> Iterator[NextStep]:
    name = account.account
    if account.no_token is not None:
        what = message("Give {account} its token: {what}.", account=name, what=account.no_token)
        yield NextStep(StepKind.TOKEN, what, account=name)
    elif not account.syncing:
        yield from _sync(account)
    for short in account.short:
        yield NextStep(StepKind.SHORT, message("Sync {account}: {what}", account=name, what=short), account=name)
    if account.queue_failed:
        yield NextStep(
            StepKind.RETRY,
            message(
                "Try the failed downloads of {account} again: {count}.",
                account=name,
                count=formatting.count(account.queue_failed),
            ),
            account.queue_failed,
            name,
        )
    if account.lacks.not_offered:
        count = account.lacks.not_offered
        yield NextStep(
            StepKind.ASK,
            message(
                "Ask whoever emitted them for the XML that the hub of {account} does not have: {count}.",
                account=name,
                count=formatting.count(count),
            ),
            count,
            name,
        )


def _sync(account: AccountFreshness) -> Iterator[NextStep]:
    """At most one reason to sync, since one sync answers them all."""
    name = account.account
    if account.outcome == "failed":
        yield NextStep(
            StepKind.LOOK_AT_SYNC, message("Look at why the last sync of {account} failed.", account=name), account=name
        )
    elif account.interrupted:
        yield NextStep(
            StepKind.RESUME, message("Sync {account}: its last sync was interrupted.", account=name), account=name
        )
    elif account.synced_at is None:
        yield NextStep(StepKind.FIRST_SYNC, message("Sync {account} for the first time.", account=name), account=name)
    elif account.listed_at is None:
        # It may be another hub by now, or the sync was stopped, or asked for one order.
        yield NextStep(
            StepKind.SYNC,
            message("Sync {account}: what its hub has was never listed whole.", account=name),
            account=name,
        )
    elif account.ending_feeds:
        oldest = account.ending_feeds[0]
        days = oldest.days or 0
        what = (
            message(
                "Sync {account}: its feed of {feed} was last read {days} days ago, and the hub keeps it for {kept}.",
                account=name,
                feed=feed_word(oldest.feed),
                days=formatting.count(days),
                kept=FEED_KEPT_DAYS,
            )
            if not oldest.is_over
            else message(
                "Sync {account} whole: its feed of {feed} was last read {days} days ago, and what the hub keeps for"
                " {kept} may be lost.",
                account=name,
                feed=feed_word(oldest.feed),
                days=formatting.count(days),
                kept=FEED_KEPT_DAYS,
            )
        )
        yield NextStep(StepKind.SYNC, what, days, name)
    elif account.listed_days is not None:
        days = account.listed_days
        yield NextStep(
            StepKind.SYNC,
            nmessage(
                "Sync {account}: its hub was last listed {count} day ago.",
                "Sync {account}: its hub was last listed {count} days ago.",
                days,
                account=name,
            ),
            days,
            name,
        )
    elif account.unlisted_days:
        count = len(account.unlisted_days)
        yield NextStep(
            StepKind.SYNC,
            message(
                "Sync {account}: days of this month that were never listed: {count}.",
                account=name,
                count=formatting.count(count),
            ),
            count,
            name,
        )
    elif account.queue_waiting:
        count = account.queue_waiting
        yield NextStep(
            StepKind.DOWNLOAD,
            message(
                "Sync {account}: files that wait to be downloaded: {count}.",
                account=name,
                count=formatting.count(count),
            ),
            count,
            name,
        )


def _of_files(situation: Situation) -> Iterator[NextStep]:
    if situation.broken:
        yield NextStep(
            StepKind.REPAIR,
            nmessage(
                "Sync to bring back what is missing from the archive or damaged: {count} file."
                " What stays is for `confere doctor --repair`.",
                "Sync to bring back what is missing from the archive or damaged: {count} files."
                " What stays is for `confere doctor --repair`.",
                situation.broken,
            ),
            situation.broken,
        )
    if situation.unreadable:
        yield NextStep(
            StepKind.LOOK,
            message("Look at the files that cannot be read: {count}.", count=formatting.count(situation.unreadable)),
            situation.unreadable,
        )
    if situation.not_authentic:
        count = formatting.count(situation.not_authentic)
        yield NextStep(
            StepKind.NOT_AUTHENTIC,
            message("Look at the documents that are not authentic: {count}.", count=count),
            situation.not_authentic,
        )
    if situation.false_elsewhere:
        count = formatting.count(situation.false_elsewhere)
        yield NextStep(
            StepKind.NOT_AUTHENTIC,
            message("Look at the documents of other companies or months that are not authentic: {count}.", count=count),
            situation.false_elsewhere,
            is_elsewhere=True,
        )
    if situation.read_by_older:
        yield NextStep(
            StepKind.REREAD,
            nmessage(
                "Have this release read again what an older one read: {count} file.",
                "Have this release read again what an older one read: {count} files.",
                situation.read_by_older,
            ),
            situation.read_by_older,
        )


def _of_findings(situation: Situation) -> Iterator[NextStep]:
    count = situation.grave_findings
    if not count:
        return
    told = formatting.count(count)
    if situation.month is None:
        what = message("Look at the open findings of high severity: {count}.", count=told)
    else:
        what = message(
            "Look at the open findings of high severity in {month}: {count}.",
            month=labels.month(situation.month),
            count=told,
        )
    yield NextStep(StepKind.FINDINGS, what, count, month=situation.month)


def _of_closing(closing: Closing | None) -> Iterator[NextStep]:
    if closing is None or not closing.pending:
        return
    if len(closing.pending) == 1:
        company = closing.pending[0]
        what = message(
            "Export {month} of {company}: the month is over.",
            month=labels.month(closing.month),
            company=labels.tax_id_word(company),
        )
        yield NextStep(StepKind.EXPORT, what, 1, company=company, month=closing.month)
    else:
        count = len(closing.pending)
        what = message(
            "Export {month}, which is over; companies without a package: {count}.",
            month=labels.month(closing.month),
            count=formatting.count(count),
        )
        yield NextStep(StepKind.EXPORT, what, count, month=closing.month)


def _of_backup(situation: Situation) -> Iterator[NextStep]:
    newest = situation.backed_up_at
    since = newest or situation.began_at
    limit = timedelta(days=situation.backup_days)
    if not (situation.documents and limit) or since is None or situation.now - since < limit:
        return
    if newest is None:
        yield NextStep(StepKind.BACKUP, message("Make a first backup of the archive."))
    else:
        days = (situation.now - newest).days
        yield NextStep(
            StepKind.BACKUP,
            nmessage(
                "Make a backup: the newest one is {count} day old.",
                "Make a backup: the newest one is {count} days old.",
                days,
            ),
            days,
        )
