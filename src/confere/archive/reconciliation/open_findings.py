"""Open findings as lists and overviews mark them: counted by rule, and by the documents that they name."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from confere.archive.message_encoding import storable
from confere.archive.reconciliation.finding_search import TALLIED, FindingTally, tally
from confere.archive.transaction import Transaction

# The index of what waits for a person is used where a question repeats its condition word for word.
_WAITING: Final = "f.state IN ('open', 'not_checked')"
_IN_USE: Final = "f.account_id IN (SELECT id FROM account WHERE removed_at IS NULL)"
NAMED: Final = (
    "SELECT x.id FROM finding_key k CROSS JOIN document x ON x.access_key = k.access_key"
    f" WHERE k.finding_id IN (SELECT f.id FROM finding f WHERE {_WAITING} AND f.state = 'open' AND {_IN_USE})"
)
"""SQL for the ids of all documents that an open finding names."""


@dataclass(frozen=True, slots=True)
class FindingMark:
    """An open finding of a document: its rule (`R3`) and how severe it is (`high`, `medium`, `low`)."""

    rule: str
    severity: str


def tallies(
    transaction: Transaction, account_ids: Collection[int], period: str | None
) -> dict[int, tuple[FindingTally, ...]]:
    """What waits for a person, open or not checked, by account: in one question for all of them.

    `period` is a month (`YYYY-MM`), None for every one. An account without any is left out.
    """
    listed = tuple(account_ids)
    month = "" if period is None else " AND f.period = ?"
    rows = transaction.fetch(
        f"SELECT f.account_id, {TALLIED} FROM finding f"
        f" WHERE f.account_id IN ({','.join('?' * len(listed))}) AND {_WAITING}{month} GROUP BY 1, 2, 3, 4",
        listed if period is None else (*listed, storable(period)),
    )
    found: dict[int, list[FindingTally]] = {}
    for account_id, *told in rows:
        found.setdefault(account_id, []).append(tally(tuple(told)))
    return {account_id: tuple(told) for account_id, told in found.items()}


def marks(transaction: Transaction, keys: Collection[str]) -> dict[str, tuple[FindingMark, ...]]:
    """The open findings that name the documents of these keys, by key, the gravest first."""
    found: dict[str, list[FindingMark]] = {}
    for key, rule, severity in transaction.fetch_in(
        "SELECT k.access_key, f.rule, f.severity FROM finding_key k CROSS JOIN finding f ON f.id = k.finding_id"
        f" WHERE k.access_key IN {{}} AND f.state = 'open' AND {_IN_USE}"
        " ORDER BY CASE f.severity WHEN 'high' THEN 0 WHEN 'medium' THEN 1 ELSE 2 END, f.rule, f.id",
        keys,
    ):
        found.setdefault(key, []).append(FindingMark(rule, severity))
    return {key: tuple(told) for key, told in found.items()}
