"""Linking and judging once more what the newest run of each account judged, in memory, to compare what is stored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

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
from confere.reconcile import linker, run_rules
from confere.reconcile.run_rules import Review
from confere.sales.links import Linked
from confere.system.processes.garbage_collection import collecting_later


class _Judgement(NamedTuple):
    linked: Linked
    review: Review


def judged_accounts(archive: Archive, step: Callable[[], None]) -> tuple[JudgedAccount, ...]:
    """Every account that was reconciled, each with what differs; nothing is written. `step` is called now and then,
    and may raise."""
    judged: list[JudgedAccount] = []
    with archive.reading() as transaction:
        for account in accounts.every(transaction):
            if last_run.newest(transaction, account.id) is not None:
                judged.append(_compared(transaction, account, step))
    return tuple(judged)


def not_compared(archive: Archive) -> tuple[JudgedAccount, ...]:
    """Every account that was reconciled, none compared."""
    with archive.reading() as transaction:
        return tuple(
            JudgedAccount(account.id, account.name, is_compared=False)
            for account in accounts.every(transaction)
            if last_run.newest(transaction, account.id) is not None
        )


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
    terms = preferences.get(transaction, account.id).terms
    step()
    ledger = input_reader.load(transaction, account)
    ledger = replace(ledger, closed=input_reader.closed_months(transaction, ledger))
    step()
    linked = linker.link(ledger, terms, decisions.standing(transaction, account.id))
    step()
    review = run_rules.review(ledger, linked, terms, datetime.fromisoformat(run.parameters["as_of"]))
    return _Judgement(linked, review)
