"""The use case "run unattended": sync, verify what is new, reconcile, report; the same for every scheduler.

The archive is held from beginning to end, so that a second run waits for the first. A run that finds everything as it
was writes down nothing but that it ran, and no report.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from confere.app.accounts.account_choice import usual_accounts
from confere.app.accounts.sync import sync_account
from confere.app.authenticity.verify import verify_archive
from confere.app.backups import backup, backup_copies, backup_passphrase
from confere.app.context import Workspace
from confere.app.maintenance import backup_drill
from confere.app.reconciliation.reconcile import now_of, reconcile_account
from confere.app.reconciliation.spreadsheet_report import report
from confere.app.schedule.unattended_result import DONE, PARTIAL, STOPPED, AccountOutcome, UnattendedResult, told
from confere.app.schedule.unattended_runs import KIND
from confere.archive.accounts import accounts, runs
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.recorded_run import booked
from confere.archive.reconciliation import finding_search
from confere.archive.reconciliation.finding_search import FindingFilter
from confere.archive.store import Archive
from confere.errors import (
    ArchiveError,
    ArchiveLocked,
    Bug,
    Cancelled,
    ConfereError,
    DiskFull,
    EnvironmentFault,
    Message,
    UsageFault,
    message,
)
from confere.sales.findings import FindingState
from confere.system.files.atomic_file import storage_fault
from confere.system.files.safe_names import Taken, inside, marked, segment
from confere.system.processes.cancellation import Stop
from confere.system.progress import Reporter, Silent

REPORTED_MONTHS: Final = 3
"""Of an account, the newest months that changed; a first run changes every month there is."""
_OF_ALL: Final = (ArchiveError, DiskFull, Cancelled, Bug)  # what stops one account by these stops the others too
_LOOK_AGAIN: Final = 1.0  # seconds between two looks whether the archive is free


@dataclass(frozen=True, slots=True)
class UnattendedRequest:
    """`accounts` by name, empty for all. `reports` is the folder of the reports, None for none; `backups` whether the
    usual copies of the archive are made where they are due. `wait_seconds` is how long to wait for another process that
    writes."""

    accounts: tuple[str, ...] = ()
    reports: Path | None = None
    backups: bool = False
    wait_seconds: float = 0.0


def run_unattended(
    workspace: Workspace,
    request: UnattendedRequest,
    *,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> UnattendedResult:
    """Sync, verify, reconcile and report; the failure of one account does not keep the others from it.

    Nobody is asked for anything. Raises `ArchiveLocked` where another process writes longer than was to be waited,
    `UsageFault` where there is no account, and what stands in the way of the archive itself.
    """
    reporter, stop = reporter or Silent(), stop or Stop()
    result = UnattendedResult()
    with _free_archive(workspace, request.wait_seconds, reporter, stop) as archive:
        with archive.reading() as transaction:
            chosen = [accounts.named(transaction, name) for name in request.accounts] or usual_accounts(transaction)
        if not chosen:
            raise UsageFault(
                message("There is no account to sync."),
                message("Add one with `confere account add`, or try `confere demo`."),
            )
        asked = {"accounts": list(request.accounts)}
        with booked(archive, KIND, None, asked, ", ".join(request.accounts) or "archive", result) as run:
            result.run = run.id
            _run(workspace, archive, list({account.id: account for account in chosen}.values()), result, reporter, stop)
            if not result.stopped:
                _report(workspace, request.reports, result, stop)
            run.outcome = result.outcome
        if request.backups and not result.stopped:
            _back_up(workspace, archive, result, reporter, stop)
    return result


def _free_archive(workspace: Workspace, wait_seconds: float, reporter: Reporter, stop: Stop) -> Archive:
    """The archive to write, once nobody else does."""
    ends = time.monotonic() + wait_seconds
    is_told = False
    while True:
        left = max(0.0, ends - time.monotonic())
        try:
            return workspace.writing("run", wait_seconds=min(_LOOK_AGAIN, left))
        except ArchiveLocked as error:
            if left <= 0 or stop.is_set:
                raise
            if not is_told:
                reporter.note(message("Waiting: {what}", what=error.what))
                is_told = True


def _run(
    workspace: Workspace,
    archive: Archive,
    chosen: Sequence[Account],
    result: UnattendedResult,
    reporter: Reporter,
    stop: Stop,
) -> None:
    for account in chosen:
        if stop.is_set:
            break
        result.accounts.append(_synced(workspace, archive, account, reporter, stop))
    if not stop.is_set:
        result.verified = verify_archive(archive, workspace.home, reporter=reporter, stop=stop)
    for outcome in result.accounts:
        if stop.is_set:
            break
        if outcome.problem is None:  # what was not asked of its hub would only be held against old orders again
            _reconcile(archive, outcome, reporter, stop)
    result.stopped = stop.is_set


def _synced(workspace: Workspace, archive: Archive, account: Account, reporter: Reporter, stop: Stop) -> AccountOutcome:
    outcome = AccountOutcome(account.name)
    try:
        found = sync_account(workspace, archive, account, reporter=reporter, stop=stop)
    except ConfereError as error:
        if isinstance(error, _OF_ALL):
            raise
        outcome.problem = error
        return outcome
    outcome.sync = found
    orders_failed = found.orders is not None and found.orders.failed > 0
    feeds_failed = found.feeds is not None and found.feeds.failed > 0
    if found.stopped:
        outcome.outcome = STOPPED
    else:
        outcome.outcome = PARTIAL if found.lacking or orders_failed or feeds_failed else DONE
    return outcome


def _reconcile(archive: Archive, outcome: AccountOutcome, reporter: Reporter, stop: Stop) -> None:
    with archive.reading() as transaction:
        account = accounts.named(transaction, outcome.account)  # with what the sync has learned of its hub
        as_of = now_of(transaction, account)
    done = reconcile_account(archive, account, None, as_of, reporter=reporter, stop=stop)
    outcome.reconciled = done
    if done.stopped:
        outcome.outcome = STOPPED
        return
    first = FindingFilter(first_run=done.run, states=(FindingState.OPEN,))
    with archive.reading() as transaction:
        tallies = finding_search.tallies(transaction, account.id, first)
        outcome.months = finding_search.changed_periods(transaction, account.id, done.run)
    new: Counter[str] = Counter()
    for tally in tallies:
        new[tally.severity] += tally.count
    outcome.new_findings = dict(new)


def _report(workspace: Workspace, folder: Path | None, result: UnattendedResult, stop: Stop) -> None:
    """A spreadsheet for each account and month in which something changed, the newest few."""
    if folder is None:
        return
    taken = Taken()
    for outcome in result.accounts:
        for month in outcome.months[:REPORTED_MONTHS]:
            name = segment(f"reconciliation-{outcome.account}-{month}.xlsx")
            if not taken.take(name):
                name = marked(name, str(len(result.reports) + 1))
            try:
                folder.mkdir(parents=True, exist_ok=True)
                path = inside(folder, name)
                result.reports.append(report(workspace, [(outcome.account, month)], path, stop=stop))
            except (EnvironmentFault, OSError) as error:
                result.problems.append(_problem(error, folder))


def _back_up(workspace: Workspace, archive: Archive, result: UnattendedResult, reporter: Reporter, stop: Stop) -> None:
    """Copy the archive once the run has its end in it, and try the newest copy where none was tried for a month; that
    it could not be copied, lacks what an older copy holds, or failed is written to the run after that.

    The second folder may want a passphrase: nobody is asked, so it is the one that is kept.
    """
    problems: list[Message] = []
    try:
        made = backup.back_up_if_due(workspace, backup_passphrase.find, reporter=reporter, stop=stop)
        if made is not None:
            result.backups.extend(made.written)
            problems += [told(problem) for problem in made.problems]
            problems += [made.loss] if made.loss is not None else []
        if backup_drill.is_due(backup_copies.status(workspace, on_step=stop.check)):
            find = backup_passphrase.find
            result.drill = backup_drill.drill(workspace, find, archive=archive, reporter=reporter, stop=stop)
            problems += result.drill.problems
    except (EnvironmentFault, UsageFault, Cancelled) as error:
        problems.append(told(error))
    if problems:
        result.problems.extend(problems)
        with archive.writing() as transaction:
            runs.finish(transaction, result.run, result.outcome, result.counts())


def _problem(error: EnvironmentFault | OSError, folder: Path) -> Message:
    return told(error if isinstance(error, EnvironmentFault) else storage_fault(error, folder))
