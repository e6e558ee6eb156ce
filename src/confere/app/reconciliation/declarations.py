"""The use cases on declarations of completeness: show them, and take one back. Imports make them."""

from __future__ import annotations

from confere.app.context import Workspace
from confere.archive.accounts import accounts
from confere.archive.reconciliation import declarations
from confere.sales.declarations import Declaration as Declaration
from confere.sales.declarations import Declared as Declared
from confere.system.messages import t


def every(workspace: Workspace, account: str | None = None) -> tuple[Declaration, ...]:
    """All declarations, of one account or of every account; none where there is no archive yet."""
    if not workspace.has_archive:
        return ()
    with workspace.reading() as archive, archive.reading() as transaction:
        owner = None if account is None else accounts.named(transaction, account).id
        return declarations.every(transaction, owner)


def revoke(workspace: Workspace, number: int) -> Declaration:
    """Let a declaration stand no longer. Raises `NotInArchive` and, where it was revoked before, `UsageFault`."""
    with workspace.writing("declaration revoked") as archive, archive.writing() as transaction:
        return declarations.revoke(transaction, number)


def what_word(entry: Declaration) -> str:
    """What it speaks of."""
    return t("orders") if entry.what is Declared.ORDERS else t("documents")


def sentence(entry: Declaration) -> str:
    """What was declared, as one sentence."""
    facts = {"month": entry.month, "file": entry.file}
    if entry.what is Declared.DOCUMENTS:
        return t("All documents of {month} are in {file}.", **facts)
    if entry.marketplaces:
        names = ", ".join(entry.marketplaces)
        return t("All orders of {month} of {marketplaces} are in {file}.", **facts, marketplaces=names)
    return t("All orders of {month} are in {file}.", **facts)
