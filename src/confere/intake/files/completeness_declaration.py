"""A declaration of completeness at the end of an import: checked against what came, and written with its proof."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from confere.archive.accounts.accounts import Account
from confere.archive.hub import completeness
from confere.archive.reconciliation import declarations
from confere.archive.store import Archive
from confere.errors import Message, UsageFault, message
from confere.fiscal.periods import period
from confere.intake.order_files.orders_from_rows import OrderDraft
from confere.sales.declarations import CompleteFor, Declaration, Declared
from confere.system import formatting


def check_orders(drafts: Sequence[OrderDraft], claim: CompleteFor) -> None:
    """Whether a list of orders can be what a person declares it to be.

    Raises `UsageFault` where it has no order of the month, or of the marketplace, that is said to be here whole.
    """
    here = months(drafts)
    for month in claim.months:
        if month not in here:
            raise UsageFault(
                message("No order of {month} is in the file.", month=month),
                message("It has orders of: {months}.", months=", ".join(here) or "-"),
            )
    known = marketplaces(drafts)
    for name in claim.marketplaces:
        if known and name.casefold() not in {entry.casefold() for entry in known}:
            raise UsageFault(
                message("No order of the marketplace {marketplace} is in the file.", marketplace=name),
                message("Its marketplaces are: {known}.", known=", ".join(known)),
            )


def marketplaces(drafts: Iterable[OrderDraft]) -> tuple[str, ...]:
    """The marketplaces that the orders name, each once."""
    return tuple(dict.fromkeys(str(name) for entry in drafts if (name := entry.fields.get("marketPlace"))))


def months(drafts: Iterable[OrderDraft]) -> Mapping[str, int]:
    """How many orders there are of each month, the oldest first."""
    found: dict[str, int] = {}
    for entry in drafts:
        month = period(str(entry.fields.get("createdAt", "")))
        if month is not None:
            found[month] = found.get(month, 0) + 1
    return dict(sorted(found.items()))


def declare(
    archive: Archive, account: Account, run_id: int, what: Declared, claim: CompleteFor, *, file: str, sha256: str
) -> tuple[Declaration, ...]:
    """Write the declaration down."""
    with archive.writing() as transaction:
        return declarations.declare(
            transaction, account.id, run_id, what, claim.months, marketplaces=claim.marketplaces, file=file,
            sha256=sha256,
        )  # fmt: skip


def why_no_documents(archive: Archive, account: Account, claim: CompleteFor) -> Message | None:
    """Why the account's documents of a month cannot be complete: there is none."""
    with archive.reading() as transaction:
        here = {
            entry.month
            for owner in account.establishments
            for entry in completeness.months_of(transaction, owner.tax_id)
        }
    absent = [month for month in claim.months if month not in here]
    if not absent:
        return None
    return message(
        "Nothing was declared complete: the archive holds no document of {month} of the account's establishments.",
        month=", ".join(absent),
    )


def why_not(unreadable: int, *, stopped: bool) -> Message | None:
    """Why what was imported cannot be called complete, whatever a person declares; None where it can."""
    if stopped:
        return message("Nothing was declared complete: the import was stopped.")
    if unreadable:
        return message(
            "Nothing was declared complete: {count} lines or files could not be read.",
            count=formatting.count(unreadable),
        )
    return None
