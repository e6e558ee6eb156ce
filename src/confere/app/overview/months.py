"""The months that can be chosen: those with documents, and those of which a hub listed some that are not here yet."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from confere.app.accounts.brasilia_time import clock, moment
from confere.app.archive_session import OpenArchive
from confere.app.context import EMBEDDED
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.documents.search import facets
from confere.archive.hub import completeness
from confere.archive.transaction import Transaction


class KnownMonth(NamedTuple):
    """A month (`YYYY-MM`): how many documents are here, and how many files were listed and are to be downloaded."""

    month: str
    documents: int
    missing: int = 0


class KnownMonths(NamedTuple):
    """Newest first. `newest_full` is the newest of them that is over; where none is, the newest; None without any."""

    months: tuple[KnownMonth, ...] = ()
    newest_full: str | None = None


def known_months(opened: OpenArchive, company: str | None, *, now: datetime | None = None) -> KnownMonths:
    """The months of a company, or of all; raises what opening raises."""
    with opened.reading() as transaction:
        here = {entry.month: entry.documents for entry in facets.months(transaction, company)}
        missing = completeness.months_waiting(transaction, company)
        current = today(transaction, accounts.every(transaction), now or clock())
    this_month = f"{current.year:04d}-{current.month:02d}"
    names = sorted({*here, *missing}, reverse=True)
    full = next((name for name in names if name < this_month and name in here), None)
    return KnownMonths(
        tuple(KnownMonth(name, here.get(name, 0), missing.get(name, 0)) for name in names),
        full or next(iter(here or names), None),
    )


def today(transaction: Transaction, every: Sequence[Account], now: datetime) -> datetime:
    """Now; with nothing but demonstrations, whose calendar is their own, the newest time that they spoke of."""
    if every and all(account.environment == EMBEDDED for account in every):
        newest = completeness.newest_hub_moment(transaction)
        if newest is not None:
            return moment(newest)
    return now
