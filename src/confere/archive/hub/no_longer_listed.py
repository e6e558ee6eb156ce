"""Documents that the hub no longer lists: marked by a listing that had to show them, kept with all that is here.

A mark is a moment (UTC text). Only the end of a listing that was read whole sets it, and being listed again takes it
away; nothing is ever deleted. A document is gone where every record of it is.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from confere.archive.clock import utc_now
from confere.archive.transaction import Transaction

_FEW = 5
_MUCH = 0.1  # of what was known

SINCE = (
    "(SELECT CASE WHEN count(*) = count(h.gone_since) THEN min(h.gone_since) END FROM hub_document h"
    " WHERE h.access_key = d.access_key)"
)
"""SQL for since when document `d` is not listed any more; NULL where it is, or never was."""
DOCUMENTS = (
    "SELECT x.id FROM hub_document h CROSS JOIN document x ON x.access_key = h.access_key"
    " WHERE h.gone_since IS NOT NULL AND NOT EXISTS (SELECT 1 FROM hub_document o WHERE o.access_key = h.access_key"
    " AND o.gone_since IS NULL)"
)
"""SQL for the ids of documents that are not listed any more."""


class GoneDocument(NamedTuple):
    """A document that the hub no longer lists; `since` is UTC text."""

    access_key: str
    since: str


def mark(transaction: Transaction, account_id: int, run_id: int, created_from: str | None = None) -> int:
    """Mark the account's records that run `run_id` did not see; how many more are gone by that.

    The run has listed everything, or everything created at `created_from` (UTC text) or later. A record with neither
    id nor key is known by its bytes alone: it may be listed, with others. Where much is missing at once the hub may
    only lag behind itself: then a record is marked when the listing before did not show it either.
    """
    created = "" if created_from is None else " AND created_at >= ?"
    values = (account_id,) if created_from is None else (account_id, created_from)
    where = f"account_id = ? AND coalesce(hub_id, access_key) IS NOT NULL{created} AND gone_since IS NULL"
    known, unseen = transaction.fetch(
        f"SELECT count(*), coalesce(sum(last_run_id < ?), 0) FROM hub_document WHERE {where}", (run_id, *values)
    )[0]
    before = count(transaction, account_id)
    agreed = run_id
    if unseen > _FEW and unseen > known * _MUCH:
        from confere.archive.hub import coverage

        agreed = coverage.whole_listing_before(transaction, account_id, run_id)
    transaction.execute(
        f"UPDATE hub_document SET gone_since = ? WHERE {where} AND last_run_id < ?", (utc_now(), *values, agreed)
    )
    return max(0, count(transaction, account_id) - before)


def listed_again(transaction: Transaction, records: Collection[int]) -> None:
    """The hub's list shows these records (the archive's numbers): they are not gone."""
    marked = [
        (value,)
        for value in transaction.column_in(
            "SELECT id FROM hub_document WHERE gone_since IS NOT NULL AND id IN {}", records
        )
    ]
    transaction.execute_many("UPDATE hub_document SET gone_since = NULL WHERE id = ?", marked)


def count(transaction: Transaction, account_id: int) -> int:
    """How many documents of the account the hub no longer lists, those without XML here among them."""
    return int(
        transaction.scalar(
            "SELECT count(DISTINCT coalesce(h.access_key, h.id)) FROM hub_document h WHERE h.account_id = ?"
            " AND h.gone_since IS NOT NULL AND NOT EXISTS (SELECT 1 FROM hub_document o"
            " WHERE o.access_key = h.access_key AND o.gone_since IS NULL)",
            (account_id,),
        )
    )


def of_company(transaction: Transaction, company: str, first_day: str, last_day: str) -> tuple[GoneDocument, ...]:
    """The company's documents issued on these days (`YYYY-MM-DD`, both included) that are not listed any more."""
    return tuple(
        transaction.fetch_as(
            GoneDocument,
            f"SELECT d.access_key, {SINCE} AS since FROM document d JOIN belonging b ON b.document_id = d.id"
            f" WHERE d.id IN ({DOCUMENTS}) AND b.tax_id = ? AND b.issued_on BETWEEN ? AND ? ORDER BY d.access_key",
            (company, first_day, last_day),
        )
    )
