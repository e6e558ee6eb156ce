"""What Settings shows of each account, gathered beside the window: itself, how fresh it is, where its token is kept."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from confere.app.accounts import accounts
from confere.app.accounts.accounts import Account
from confere.app.archive_session import OpenArchive
from confere.app.context import EMBEDDED
from confere.app.overview import overview
from confere.desktop.dialogs.token_place import EMBEDDED_TOKEN
from confere.errors import SecretUnavailable
from confere.system import token_store
from confere.system.messages import render


@dataclass(frozen=True, slots=True)
class AccountInfo:
    """`token` is where the account's token is kept, empty where there is none; `problem` is in its way."""

    account: Account
    synced_at: datetime | None
    outcome: str | None
    listed_until: datetime | None
    token: str
    problem: str = ""


def gather(opened: OpenArchive) -> tuple[AccountInfo, ...]:
    """Every account in use. May wait for the keyring, so it is asked in a thread."""
    fresh = {entry.account: entry for entry in overview.overview(opened, None, None).accounts}
    found = []
    for account in accounts.every(opened.workspace):
        place, problem = _token_place(opened, account)
        known = fresh.get(account.name)
        found.append(
            AccountInfo(
                account,
                known.synced_at if known else None,
                known.outcome if known else None,
                known.listed_until if known else None,
                place,
                problem,
            )
        )
    return tuple(found)


def _token_place(opened: OpenArchive, account: Account) -> tuple[str, str]:
    if account.environment == EMBEDDED:
        return EMBEDDED_TOKEN, ""
    ask = opened.workspace.ask(opened.archive(), account.name)
    try:
        return token_store.load(ask).source.value, ""
    except SecretUnavailable as missing:
        # A file that cannot be used is told; that there is simply none is told by the place itself.
        return "", render(missing.what) if ask.token_file is not None else ""
