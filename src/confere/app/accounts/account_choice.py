"""Which account a command means that works with one, and which those that work with all."""

from __future__ import annotations

from confere.app.context import EMBEDDED
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.transaction import Transaction
from confere.errors import UsageFault, message
from confere.system.processes.command_text import arguments


def one_account(transaction: Transaction, name: str | None) -> Account:
    """The account of this name, or the only one there is. Raises `UsageFault` where it is not clear."""
    if name is not None:
        return accounts.named(transaction, name)
    every = accounts.every(transaction)
    if len(every) != 1:
        raise UsageFault(
            message("It is not clear which account is meant."),
            message("Name one of them: {known}.", known=arguments(account.name for account in every) or "-"),
        )
    return every[0]


def usual_accounts(transaction: Transaction) -> list[Account]:
    """Every account; a demonstration's invented ones only where there is no other."""
    every = accounts.every(transaction)
    return [account for account in every if account.environment != EMBEDDED] or list(every)
