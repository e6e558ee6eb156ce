"""Open findings as lists and overviews mark them: counted by rule, and by the documents that they name."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final, NamedTuple

from confere.archive.message_encoding import storable
from confere.archive.transaction import Transaction

if TYPE_CHECKING:
    from confere.archive.reconciliation.finding_search import FindingTally

# The index of what waits for a person is used where a question repeats its condition word for word.
_WAITING: Final = "f.state IN ('open', 'not_checked')"
_IN_USE: Final = "f.account_id IN (SELECT id FROM account WHERE removed_at IS NULL)"
NAMED: Final = (
    "SELECT x.id FROM finding_key k CROSS JOIN document x ON x.access_key = k.access_key"
    f" WHERE k.finding_id IN (SELECT f.id FROM finding f WHERE {_WAITING} AND f.state = 'open' AND {_IN_USE})"
)
"""SQL for the ids of all documents that an open finding names."""

NAMING: Final = (
    "EXISTS (SELECT 1 FROM finding_key k CROSS JOIN finding f ON f.id = k.finding_id WHERE k.access_key = d.access_key"
    f" AND {_WAITING} AND f.state = 'open' AND {_IN_USE})"
)
"""SQL that is true of a document `d` that an open finding names: for a list in which many are."""


class FindingMark(NamedTuple):
    """An open finding of a document: its rule (`R3`) and how severe it is (`high`, `medium`, `low`)."""

    rule: str
    severity: str


def tallies(
    transaction: Transaction, account_ids: Collection[int], period: str | None
) -> dict[int, tuple[FindingTally, ...]]:
    """What waits for a person, open or not checked, by account: in one question for all of them.

    `period` is a month (`YYYY-MM`), None for every one. An account without any is left out.
    """
    # A list of documents marks its rows without them, and without what they are put together with.
    from sqlalchemy import ColumnElement, literal_column, select

    from confere.archive.reconciliation.finding_search import TALLIED, TALLY, tally
    from confere.archive.reconciliation.findings import FINDING

    is_waiting: ColumnElement[bool] = literal_column(_WAITING)
    listed = tuple(account_ids)
    by = (FINDING.c.account_id, *TALLIED)
    rows = select(FINDING.c.account_id, *TALLY).where(FINDING.c.account_id.in_(listed), is_waiting).group_by(*by)
    if period is not None:
        rows = rows.where(FINDING.c.period == storable(period))
    of_account: dict[int, list[FindingTally]] = {}
    for row in transaction.named(rows):
        of_account.setdefault(row.account_id, []).append(tally(row))
    return {account_id: tuple(tallies) for account_id, tallies in of_account.items()}


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
