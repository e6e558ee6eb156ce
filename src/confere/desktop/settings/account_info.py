"""What Settings shows of each account, gathered beside the window: itself, how fresh it is, where its token is kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from confere.app.accounts import accounts
from confere.app.accounts.accounts import Account
from confere.app.archive_session import OpenArchive
from confere.app.overview import overview, token_standing
from confere.app.overview.token_standing import TokenStanding, is_demonstration
from confere.desktop.dialogs.token_place import DEMONSTRATION
from confere.errors import SecretUnavailable
from confere.system.messages import render
from confere.system.secrets import token_store
from confere.system.secrets.token_bindings import TokenBindings


@dataclass(frozen=True, slots=True)
class AccountInfo:
    """`token` is where the account's token is kept, empty where there is none; `problem` is in its way.

    `standing` says which address the token is for; None for a demonstration, which needs none.
    """

    account: Account
    synced_at: datetime | None
    outcome: str | None
    listed_until: datetime | None
    token: str
    problem: str = ""
    standing: TokenStanding | None = None

    @property
    def token_origin(self) -> str | None:
        """Where the account's token was given for; None where nobody gave one on this machine."""
        return None if self.standing is None else self.standing.origin


def gather(opened: OpenArchive) -> tuple[AccountInfo, ...]:
    """Every account in use. May wait for the keyring, so it is asked in a thread."""
    fresh = {entry.account: entry for entry in overview.overview(opened, None, None).accounts}
    found = []
    for account in accounts.every(opened.workspace):
        standing = token_standing.standing(opened.workspace, opened.archive(), account)
        place, problem = _token_place(opened, account, standing)
        known = fresh.get(account.name)
        found.append(
            AccountInfo(
                account,
                known.synced_at if known else None,
                known.outcome if known else None,
                known.listed_until if known else None,
                place,
                problem,
                None if is_demonstration(account) else standing,
            )
        )
    return tuple(found)


def _token_place(opened: OpenArchive, account: Account, standing: TokenStanding) -> tuple[str, str]:
    if is_demonstration(account):
        return DEMONSTRATION, ""
    if standing.words is not None:
        return "", render(standing.words)
    try:
        binding = TokenBindings().of(opened.archive().id, account.name)
    except SecretUnavailable as missing:
        return "", render(missing.what)
    try:
        return token_store.load(opened.workspace.ask(opened.archive(), account.name, account.address)).source.value, ""
    except SecretUnavailable as missing:
        # A file that cannot be used is told; that there is simply none is told by the place itself.
        return "", render(missing.what) if binding is not None and binding.file else ""
