"""Which account a command means that works with one."""

from __future__ import annotations

from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.transaction import Transaction
from confere.errors import UsageFault, message


def one_account(transaction: Transaction, name: str | None) -> Account:
    """The account of this name, or the only one there is. Raises `UsageFault` where it is not clear."""
    if name is not None:
        return accounts.named(transaction, name)
    every = accounts.every(transaction)
    if len(every) != 1:
        raise UsageFault(
            message("It is not clear which account is meant."),
            message("Name one of them: {known}.", known=", ".join(account.name for account in every) or "-"),
        )
    return every[0]
