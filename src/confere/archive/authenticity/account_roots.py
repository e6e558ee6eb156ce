"""Certificates that an account's papers may end at beside ICP-Brasil: the test authority of a sandbox."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from confere.archive.accounts import audit
from confere.archive.accounts.accounts import Account
from confere.archive.clock import utc_now
from confere.archive.message_encoding import storable
from confere.archive.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Root:
    """What one account's papers may chain to, as given: certificates in PEM or DER. `added_at` is UTC text."""

    account_id: int
    certificate: bytes
    name: str
    added_at: str


def of(transaction: Transaction, account_id: int) -> tuple[Root, ...]:
    """The roots of an account, in the order in which they were added."""
    return of_accounts(transaction, [account_id])


def of_accounts(transaction: Transaction, account_ids: Collection[int]) -> tuple[Root, ...]:
    """The roots of these accounts together."""
    rows = transaction.named_in(
        "SELECT id, account_id, certificate, name, added_at FROM account_root WHERE account_id IN {}",
        account_ids,
    )
    return tuple(Root(row.account_id, row.certificate, row.name, row.added_at) for row in sorted(rows))


def add(transaction: Transaction, account: Account, certificate: bytes, name: str) -> bool:
    """Trust certificates (PEM or DER) for this account's papers; False where they were trusted already.

    Whoever calls has made sure that the account is a sandbox's.
    """
    written = transaction.execute(
        "INSERT OR IGNORE INTO account_root (account_id, certificate, name, added_at) VALUES (?, ?, ?, ?)",
        (account.id, certificate, storable(name), utc_now()),
    )
    if written:
        audit.write(transaction, "account trust", account.name, name)
    return bool(written)


def remove(transaction: Transaction, account: Account, certificate: bytes) -> bool:
    """Trust it no longer; False where it was not trusted."""
    removed = transaction.execute(
        "DELETE FROM account_root WHERE account_id = ? AND certificate = ?", (account.id, certificate)
    )
    if removed:
        audit.write(transaction, "account distrust", account.name)
    return bool(removed)
