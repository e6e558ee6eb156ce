"""What the rules look at, from the archive as it stands now: an account's ledger with its stored links."""

from __future__ import annotations

from datetime import datetime

from confere.archive.accounts import preferences
from confere.archive.accounts.accounts import Account
from confere.archive.reconciliation import input_reader, links, near_misses
from confere.archive.transaction import Transaction
from confere.reconcile.context import View
from confere.sales.links import Linked


def stored_view(transaction: Transaction, account: Account, now: datetime) -> View:
    """The links, ties and suggestions of the last run, with what a person decided since."""
    ledger = input_reader.load(transaction, account)
    linked = Linked(
        links.every(transaction, account.id),
        tuple(stored.tie for stored in links.ties(transaction, account.id)),
        near_misses.suggestions(transaction, account.id),
    )
    return View(ledger, linked, preferences.get(transaction, account.id).terms, now)
