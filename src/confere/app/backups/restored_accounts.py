"""Which accounts a backup brings, at which addresses, and how they differ from the present ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from confere.app.sandbox.sandbox_accounts import world_of
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.copy_accounts import accounts_in
from confere.archive.maintenance.backups.backup_check import copy_uri
from confere.errors import SecretUnavailable
from confere.system.secrets import token_store


class RestoredChange(StrEnum):
    """What a restore makes of an account."""

    SAME = "same"
    NEW = "new"
    MOVED = "moved"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class RestoredAccount:
    """An account by name. `address` is the backup's, None where it lacks the account; `present_address` that of the
    archive that is here, None where that has no such account.

    `is_disarmed`: this machine has no token for the backup's address, so that nothing is asked there after the restore.
    """

    name: str
    address: str | None
    present_address: str | None
    is_disarmed: bool

    @property
    def change(self) -> RestoredChange:
        if self.address is None:
            return RestoredChange.REMOVED
        if self.present_address is None:
            return RestoredChange.NEW
        return RestoredChange.SAME if self.address == self.present_address else RestoredChange.MOVED


def compared(backup: Path, archive_id: str, present: Path | None) -> tuple[RestoredAccount, ...]:
    """The accounts of the copy at `backup`, which is of the archive of this id, beside those of the archive `present`
    (None for none); those that it lacks last. Demonstrations are left out: their hubs are Confere's own."""
    there = _by_name(present) if present is not None else {}
    return tuple(_compared(_by_name(backup), archive_id, there))


def _compared(brought: dict[str, Account], archive_id: str, there: dict[str, Account]) -> Iterator[RestoredAccount]:
    for name, account in brought.items():
        before = there.get(name)
        is_disarmed = _is_disarmed(account, archive_id, alone=len(brought) == 1)
        yield RestoredAccount(name, account.address, None if before is None else before.address, is_disarmed)
    for name, account in there.items():
        if name not in brought:
            yield RestoredAccount(name, None, account.address, False)


def _by_name(path: Path) -> dict[str, Account]:
    return {account.name: account for account in accounts_in(copy_uri(path)) if world_of(account) is None}


def _is_disarmed(account: Account, archive_id: str, *, alone: bool) -> bool:
    try:
        token_store.require_origin(token_store.Ask(account.name, archive_id, account.address, alone=alone))
    except SecretUnavailable:
        return True
    return False
