"""What could be the partner of an order or a document: what shares its buyer or its total, or is of about its day."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from confere.archive.accounts.accounts import Account
from confere.archive.message_encoding import storable
from confere.archive.reconciliation.input_documents import in_ledger
from confere.archive.transaction import Transaction

_MOST = 400
"""Candidates that share one thing."""
_WIDER = 20
_SALES = "d.type IN ('nfe', 'nfce') AND d.operation = 'sale' AND d.access_key IS NOT NULL"


@dataclass(frozen=True, slots=True)
class Sought:
    """What a partner may share: a tax id, a total within centavos from `least` to `most`, days between these two."""

    tax_id: str | None
    least: int | None
    most: int | None
    from_day: str
    to_day: str
    day: str


def sales(transaction: Transaction, account: Account, sought: Sought) -> list[int]:
    """The numbers of sales of the account's ledger that share something with what is sought, the nearest days first.

    At most `_MOST` for each thing shared: in a busy shop the days alone would push out the one with the very total.
    """
    own = [entry.tax_id for entry in account.establishments]
    condition, values = in_ledger(account.id, own)
    return _nearest(
        transaction,
        "SELECT d.id, d.id AS name, r.tax_id AS tax_id, d.total AS total, d.issued_on AS day"
        f" FROM document d LEFT JOIN taxpayer r ON r.id = d.recipient_id WHERE {_SALES} AND {condition}"
        " AND (r.tax_id = ? OR d.total BETWEEN ? AND ? OR d.issued_on BETWEEN ? AND ?)",
        values,
        sought,
    )


def of_ledger(transaction: Transaction, account: Account, numbers: Sequence[int], most: int) -> list[int]:
    """The first `most` of these numbers of documents that are of the account's ledger, in their order."""
    condition, values = in_ledger(account.id, [entry.tax_id for entry in account.establishments])
    kept: list[int] = []
    first, step = 0, most
    while first < len(numbers) and len(kept) < most:
        part = numbers[first : first + step]
        # As one value: a page of numbers and the account's tax ids together may be more than SQLite takes.
        own = set(
            transaction.column(
                f"SELECT d.id FROM document d WHERE d.id IN (SELECT value FROM json_each(?)) AND {condition}",
                (json.dumps(list(part)), *values),
            )
        )
        kept += [number for number in part if number in own]
        first, step = first + step, step * _WIDER  # each look costs about the same: few of them are enough
    return kept[:most]


def orders(transaction: Transaction, account_id: int, sought: Sought) -> list[str]:
    """The hub's ids of the account's orders, as `sales`."""
    return _nearest(
        transaction,
        "SELECT id, hub_id AS name, buyer_tax_id AS tax_id, total, created_on AS day FROM sales_order"
        " WHERE account_id = ? AND (buyer_tax_id = ? OR total BETWEEN ? AND ? OR created_on BETWEEN ? AND ?)",
        (account_id,),
        sought,
    )


def issue_moments(transaction: Transaction, keys: Collection[str]) -> dict[str, str | None]:
    """When the current documents of these keys were issued, as written, by key."""
    rows = transaction.fetch_in(
        "SELECT access_key, issued_at FROM document WHERE is_current = 1 AND access_key IN {}",
        {storable(key) for key in keys},
    )
    return dict(rows)


def _nearest(transaction: Transaction, sharing: str, values: Sequence[int | str], sought: Sought) -> list[Any]:
    """The names of what shares the tax id, the total or the days, of each the nearest by day."""
    shared = {
        "tax_id = ?": (sought.tax_id,),
        "total BETWEEN ? AND ?": (sought.least, sought.most),
        "day BETWEEN ? AND ?": (sought.from_day, sought.to_day),
    }
    chosen = " UNION ALL ".join(
        f"SELECT id FROM (SELECT id FROM sharing WHERE {condition} ORDER BY away, id LIMIT ?)" for condition in shared
    )
    return transaction.column(
        f"WITH shares AS ({sharing}),"
        " sharing AS (SELECT id, name, tax_id, total, day, abs(julianday(day) - julianday(?)) AS away FROM shares)"
        f" SELECT name FROM sharing WHERE id IN ({chosen}) ORDER BY tax_id IS ? DESC, away, id",
        (
            *values,
            *(value for given in shared.values() for value in given),
            sought.day or None,
            *(value for given in shared.values() for value in (*given, _MOST)),
            sought.tax_id,
        ),
    )
