"""What closing a month, or opening it again, changes of the findings that hold it against its closing (R20, R23).

They are judged in the same transaction, at the newest run's "now", as a whole run would judge them. An account that
was not reconciled yet by these rules, or not in that month, has nothing to go on from: its next run judges it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from confere.app.reconciliation.matching.group_judgement import MovedFinding, moved, newest_run
from confere.app.reconciliation.review.signoffs import withdraw_outgrown
from confere.archive.accounts import accounts, preferences
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.runs import Run
from confere.archive.reconciliation import findings, input_reader, last_run
from confere.archive.reconciliation.findings import FindingMove
from confere.archive.transaction import Transaction
from confere.errors import Message
from confere.reconcile import run_rules
from confere.sales.findings import AFTER_CLOSING, Finding
from confere.system.processes.garbage_collection import collecting_later


@dataclass(frozen=True, slots=True)
class ClosingJudgement:
    """`reworded` findings say otherwise which companies of their account are still to be closed. `not_judged` are
    accounts that wait for their next run; `withdrawn` says of reviewers' signatures that they no longer stand."""

    changes: tuple[MovedFinding, ...] = ()
    reworded: int = 0
    not_judged: tuple[str, ...] = ()
    withdrawn: tuple[Message, ...] = ()


def judge_month(transaction: Transaction, companies: Collection[str], month: str, at: str) -> ClosingJudgement:
    """Judge a month (`YYYY-MM`) anew in the accounts of these companies, for which it was closed or opened again at
    `at` (UTC text)."""
    changes: list[MovedFinding] = []
    not_judged: list[str] = []
    reworded = 0
    for account in accounts.every(transaction):
        if not {entry.tax_id for entry in account.establishments}.intersection(companies):
            continue
        run = newest_run(transaction, account.id)
        covered = last_run.periods_covered(transaction, account.id)
        if run is None or (covered is not None and month not in covered):
            not_judged.append(account.name)
            continue
        with collecting_later():
            moves, other_words = _judged(transaction, account, run, month, at)
        changes += moved(transaction, account.id, moves)
        reworded += other_words
    withdrawn = withdraw_outgrown(transaction) if changes else ()
    return ClosingJudgement(tuple(changes), reworded, tuple(not_judged), withdrawn)


def _judged(transaction: Transaction, account: Account, run: Run, month: str, at: str) -> tuple[list[FindingMove], int]:
    """What moved, and how many findings only say otherwise what they said."""
    terms = preferences.get(transaction, account.id).terms
    ledger = input_reader.load(transaction, account, lines=False)
    ledger = replace(ledger, closed=input_reader.closed_months(transaction, ledger, month))
    found = run_rules.closing_findings(ledger, terms, datetime.fromisoformat(run.parameters["as_of"]))
    moves: list[FindingMove] = []

    def of_month(entry: Finding) -> bool:
        return entry.rule in AFTER_CLOSING and entry.period == month

    counts = findings.store(
        transaction, account.id, run.id, found, period=None, at=at, tolerance=terms.tolerance, only=of_month,
        moves=moves,
    )  # fmt: skip
    return moves, counts.new + counts.resolved + counts.reopened + counts.changed + counts.rewritten - len(moves)
