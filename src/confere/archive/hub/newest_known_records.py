"""What a listing must show if the hub understood its filter: the newest records that are known."""

from __future__ import annotations

from dataclasses import dataclass

from confere.archive.hub.coverage import CREATED, SCAN
from confere.archive.transaction import Transaction


@dataclass(frozen=True, slots=True)
class Landmark:
    """The newest moment known on an axis (UTC text), and the records that have it."""

    at: str
    hub_document_ids: frozenset[int]


def newest(transaction: Transaction, account_id: int, axis: str) -> Landmark | None:
    """The newest record of an account on an axis; None where no record has such a date.

    Records that the last listing of everything did not show are left out: the hub has forgotten them. So are
    those that it is known to list no longer.
    """
    column = "created_at" if axis == CREATED else "updated_at"
    since = transaction.scalar(
        "SELECT coalesce(max(run_id), 0) FROM coverage WHERE account_id = ? AND axis = ? AND method = ?"
        " AND narrowed = '' AND finished_at IS NOT NULL",
        (account_id, CREATED, SCAN),
    )
    at = transaction.scalar(
        f"SELECT max({column}) FROM hub_document WHERE account_id = ? AND last_run_id >= ? AND gone_since IS NULL",
        (account_id, since),
    )
    if at is None:
        return None
    rows = transaction.column(
        f"SELECT id FROM hub_document WHERE account_id = ? AND last_run_id >= ? AND {column} = ?"
        " AND gone_since IS NULL",
        (account_id, since, at),
    )
    return Landmark(str(at), frozenset(rows))
