"""Whether this machine has a token for where an account is: without one nothing is asked there."""

from __future__ import annotations

from dataclasses import dataclass

from confere.app.context import Workspace
from confere.app.sandbox.sandbox_accounts import world_of
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.store import Archive
from confere.errors import Message, SecretUnavailable, message
from confere.system.secrets import token_store
from confere.system.secrets.token_bindings import TokenBindings


@dataclass(frozen=True, slots=True)
class TokenStanding:
    """Of an account at `address`: `origin` is where a person gave its token for, None where nobody did on this machine.

    `is_disarmed`: nothing is asked at the address until a person gives a token for it. `problem` is why nobody can say
    what was given.
    """

    account: str
    address: str
    origin: str | None
    is_disarmed: bool
    problem: Message | None = None

    @property
    def words(self) -> Message | None:
        """What is missing, where something is."""
        if self.problem is not None or not self.is_disarmed:
            return self.problem
        if self.origin is None:
            return message("no token on this machine for {address}", address=self.address)
        return message(
            "no token on this machine for {address}: the one that is here was given for {origin}",
            address=self.address,
            origin=self.origin,
        )


def is_demonstration(account: Account) -> bool:
    """Whether Confere itself starts the account's hub, and so needs no token of a person."""
    return world_of(account) is not None


def standing(workspace: Workspace, archive: Archive, account: Account) -> TokenStanding:
    """How an account stands; a demonstration is never disarmed."""
    if is_demonstration(account):
        return TokenStanding(account.name, account.address, None, False)
    try:
        origin = TokenBindings().origin_of(archive.id, account.name)
    except SecretUnavailable as error:
        return TokenStanding(account.name, account.address, None, True, error.what)
    try:
        token_store.require_origin(workspace.ask(archive, account.name, account.address))
    except SecretUnavailable:
        return TokenStanding(account.name, account.address, origin, True)
    return TokenStanding(account.name, account.address, origin, False)


def of_archive(workspace: Workspace, archive: Archive) -> dict[str, TokenStanding]:
    """How every account in use stands, by name."""
    with archive.reading() as transaction:
        every = accounts.every(transaction)
    return {account.name: standing(workspace, archive, account) for account in every}
