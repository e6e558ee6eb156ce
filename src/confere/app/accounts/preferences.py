"""The use case "how this account wants it": terms of its reconciliation and what it allows at the hub."""

from __future__ import annotations

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.archive.accounts import accounts, preferences
from confere.archive.accounts.preferences import Preferences as Preferences
from confere.sales.terms import Terms as Terms


def every(opened: OpenArchive) -> tuple[tuple[str, Preferences], ...]:
    """Every account in use by name, with what it wants."""
    if not opened.exists:
        return ()
    with opened.reading() as transaction:
        return tuple(
            (account.name, preferences.get(transaction, account.id)) for account in accounts.every(transaction)
        )


def keep(workspace: Workspace, account: str, wanted: Preferences) -> Preferences:
    """Keep these from now on, and give back what holds; `UsageFault` for what makes no sense, `NotInArchive`."""
    with workspace.writing("account preferences") as archive, archive.writing() as transaction:
        number = accounts.named(transaction, account).id
        preferences.set(transaction, number, wanted)
        return preferences.get(transaction, number)
