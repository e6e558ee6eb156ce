"""What the overview tells of reconciliation: each account's open findings by rule, and how far its last run reaches."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from confere.app.accounts.freshness import moment
from confere.app.reconciliation.values import FindingGroup
from confere.archive.accounts.accounts import Account
from confere.archive.reconciliation import last_run, open_findings
from confere.archive.reconciliation.finding_search import FindingTally
from confere.archive.transaction import Transaction
from confere.sales.findings import FindingState, Severity, is_undecided

_GRAVEST: Final = tuple(Severity)


@dataclass(frozen=True, slots=True)
class AccountFindings:
    """How one account stands, as the Reconcile screen has it for the same company and month.

    `groups` are the rules with open findings, the gravest first, then the greatest amount; `not_checked` counts those
    of all rules that are not decided for it, `grave` the open ones of high severity. `run_at` and `run_period` are of
    the newest run that looked at the month (None: at all of them), or, where `covered` is False, of the newest of any
    month; `run_at` None: it was never reconciled. `stale`: documents or orders came after that run.
    """

    account: str
    groups: tuple[FindingGroup, ...] = ()
    not_checked: int = 0
    grave: int = 0
    run_at: datetime | None = None
    run_period: str | None = None
    covered: bool = False
    stale: bool = False

    @property
    def open(self) -> int:
        return sum(group.open for group in self.groups)

    @property
    def amount(self) -> int:
        """What is at stake in the open ones, in centavos."""
        return sum(group.amount for group in self.groups)


def by_account(
    transaction: Transaction, accounts: Collection[Account], period: str | None, company: str | None = None
) -> tuple[AccountFindings, ...]:
    """How these accounts stand in a month (`YYYY-MM`), or in all of them; of one company or of all."""
    found = open_findings.waiting(transaction, [account.id for account in accounts], period)
    return tuple(_of(transaction, account, found.of(account.id, company), period) for account in accounts)


def _of(
    transaction: Transaction, account: Account, tallies: Sequence[FindingTally], period: str | None
) -> AccountFindings:
    covering = last_run.covering(transaction, account.id, period)
    run = covering or last_run.newest(transaction, account.id)
    still_open = [entry for entry in tallies if entry.state == FindingState.OPEN.value]
    undecided = sum(entry.count for entry in tallies if is_undecided(entry.rule, entry.state))
    return AccountFindings(
        account=account.name,
        groups=_groups(still_open),
        not_checked=undecided - sum(entry.count for entry in still_open),
        grave=sum(entry.count for entry in still_open if entry.severity == Severity.HIGH.value),
        run_at=None if run is None else moment(run.at),
        run_period=None if run is None else run.period,
        covered=covering is not None,
        stale=run is not None and last_run.came_after(transaction, account.id, run.run),
    )


def _groups(tallies: Sequence[FindingTally]) -> tuple[FindingGroup, ...]:
    if not tallies:
        return ()
    from confere.app.reconciliation import (
        findings,  # with every rule: not before there is a finding, so that a start is quick
    )

    return tuple(
        sorted(
            findings.groups(tallies),
            key=lambda group: (_GRAVEST.index(group.severity), -group.amount, findings.place_of(group.rule)),
        )
    )
