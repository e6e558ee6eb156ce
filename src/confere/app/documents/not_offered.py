"""The use case "what did the hub list without any XML": only whoever emitted these documents can give them."""

from __future__ import annotations

from dataclasses import dataclass

from confere.app.archive_session import OpenArchive
from confere.archive.accounts import accounts
from confere.archive.hub import completeness
from confere.archive.hub.completeness import Lack, ListedEver


@dataclass(frozen=True, slots=True)
class NotOffered:
    """A document that the hub of `account` listed and has no file for; without a key it is called by the hub's id."""

    account: str
    access_key: str


def not_offered(opened: OpenArchive, limit: int = 1000) -> tuple[NotOffered, ...]:
    """Those of every account in use, of all months, oldest first; at most `limit` of each account."""
    if not opened.exists:
        return ()
    found: list[NotOffered] = []
    with opened.reading() as transaction:
        for account in accounts.every(transaction):
            for lacking in completeness.lacking(transaction, ListedEver(account.id), limit):
                if lacking.lack is Lack.NOT_OFFERED:
                    found += [NotOffered(account.name, entry.name) for entry in lacking.first]
    return tuple(found)
