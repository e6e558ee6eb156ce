"""Linking and judging once more what the newest run of each account judged, in memory, to compare what is stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Final, NamedTuple

from confere.app.reconciliation.matching.group_judgement import newest_run, same_terms
from confere.app.reconciliation.reconcile import reconcile_account
from confere.archive.accounts import accounts, preferences
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.runs import Run
from confere.archive.derived import judgement_check
from confere.archive.derived.judgement_check import JudgedAccount
from confere.archive.reconciliation import decisions, input_reader, last_run, run_inputs
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import ArchiveError
from confere.reconcile import linker, run_rules
from confere.reconcile.run_rules import Review
from confere.sales.links import Linked
from confere.system.processes.garbage_collection import collecting_later

_UNEXPECTED: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What reading a row raises in which another program left a value of another type."""


class _UnreadableInput(Exception):
    """A row that linking or the rules look at cannot be read."""


class _Judgement(NamedTuple):
    linked: Linked
    review: Review


def judged_accounts(archive: Archive, step: Callable[[], None]) -> tuple[JudgedAccount, ...]:
    """Every account that was reconciled, each with what differs; nothing is written. `step` is called now and then,
    and may raise.

    An account with values that nobody wrote is not compared: they are named with the rows that do not fit their seals.
    """
    judged: list[JudgedAccount] = []
    for account in _reconciled(archive):
        try:
            with archive.reading() as transaction:
                judged.append(_compared(transaction, account, step))
        except (ArchiveError, _UnreadableInput):
            judged.append(JudgedAccount(account.id, account.name, is_compared=False, is_readable=False))
    return tuple(judged)


def not_compared(archive: Archive) -> tuple[JudgedAccount, ...]:
    """Every account that was reconciled, none compared."""
    return tuple(JudgedAccount(account.id, account.name, is_compared=False) for account in _reconciled(archive))


def _reconciled(archive: Archive) -> tuple[Account, ...]:
    try:
        with archive.reading() as transaction:
            return tuple(
                account
                for account in accounts.every(transaction)
                if last_run.newest(transaction, account.id) is not None
            )
    except ArchiveError:
        return ()


def reconcile_again(archive: Archive, judged: JudgedAccount) -> None:
    """Make the account's links and findings anew, as its newest run would; what people decided and wrote stands.

    Where inputs changed meanwhile, nothing is done.
    """
    with archive.writing() as transaction:
        account = accounts.named(transaction, judged.name)
        run = _current_run(transaction, account)
        if run is None:
            return
        judgement_check.write_due(
            transaction, account.id, _judge(transaction, account, run, lambda: None).review.findings
        )
        highest = judgement_check.highest_finding(transaction)
    reconcile_account(archive, account, run.parameters.get("period"), datetime.fromisoformat(run.parameters["as_of"]))
    with archive.writing() as transaction:
        judgement_check.write_notes(transaction, account.id, highest)


def _compared(transaction: Transaction, account: Account, step: Callable[[], None]) -> JudgedAccount:
    run = _current_run(transaction, account)
    if run is None:
        return JudgedAccount(account.id, account.name, is_compared=False)
    with collecting_later():
        linked, review = _judge(transaction, account, run, step)
        period = run.parameters.get("period")
        differences = (
            *judgement_check.link_differences(transaction, account.id, linked),
            *judgement_check.finding_differences(transaction, account.id, review.findings, period),
            *judgement_check.explained_differences(transaction, account.id, review.explained, period),
        )
    step()
    return JudgedAccount(account.id, account.name, is_compared=True, differences=differences)


def _current_run(transaction: Transaction, account: Account) -> Run | None:
    """The newest run, if running again by today's rules, terms and inputs would find the same."""
    run = newest_run(transaction, account.id)
    if run is None or not same_terms(run, preferences.get(transaction, account.id).terms):
        return None
    return None if run_inputs.came_since(transaction, account.id, account.name, run) else run


def _judge(transaction: Transaction, account: Account, run: Run, step: Callable[[], None]) -> _Judgement:
    """What the run gives of the inputs as they stand, at its own "now"."""
    step()
    try:
        now = datetime.fromisoformat(run.parameters["as_of"])
        terms = preferences.get(transaction, account.id).terms
        ledger = input_reader.load(transaction, account)
        ledger = replace(ledger, closed=input_reader.closed_months(transaction, ledger))
        standing = decisions.standing(transaction, account.id)
    except _UNEXPECTED as error:
        raise _UnreadableInput from error
    step()
    linked = linker.link(ledger, terms, standing)
    step()
    review = run_rules.review(ledger, linked, terms, now)
    return _Judgement(linked, review)
