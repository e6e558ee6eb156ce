"""Open findings as lists and overviews mark them: counted by rule, and by the documents that they name."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Final, NamedTuple

from confere.archive.accounts import owning_company
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


class WaitingFindings:
    """What waits for a person, open or not checked, by account; of an account that was not asked for there is none."""

    def __init__(self) -> None:
        self._counted: dict[int, list[tuple[tuple[str, ...], FindingTally]]] = {}

    def add(self, account_id: int, companies: tuple[str, ...], counted: FindingTally) -> None:
        """These are of an account, and of these companies of it."""
        self._counted.setdefault(account_id, []).append((companies, counted))

    def of(self, account_id: int, company: str | None = None) -> tuple[FindingTally, ...]:
        """Those of the account; with a company those of it and those that are of none that can be told."""
        summed: dict[tuple[str, str, str], FindingTally] = {}
        for companies, entry in self._counted.get(account_id, ()):
            if company is None or owning_company.is_concerned(company, companies):
                place = (entry.rule, entry.severity, entry.state)
                known = summed.get(place)
                summed[place] = entry if known is None else known.plus(entry)
        return tuple(summed.values())

    def of_none(self, account_id: int) -> int:
        """How many open ones are of the account and of no company of it that can be told."""
        counted = self._counted.get(account_id, ())
        return sum(entry.count for companies, entry in counted if not companies and entry.state == "open")


def waiting(transaction: Transaction, account_ids: Collection[int], period: str | None) -> WaitingFindings:
    """What waits for a person in these accounts: in one question for all of them.

    `period` is a month (`YYYY-MM`), None for every one.
    """
    # A list of documents marks its rows without them, and without what they are put together with.
    from sqlalchemy import ColumnElement, literal_column, select

    from confere.archive.reconciliation.finding_search import TALLIED, TALLY, tally
    from confere.archive.reconciliation.findings import FINDING

    # Of one month its own index has them; the one of what waits has those of all months.
    is_waiting: ColumnElement[bool] = literal_column(_WAITING if period is None else f"+{_WAITING}")
    companies: ColumnElement[str] = literal_column(owning_company.OF_FINDING).label("companies")
    listed = tuple(account_ids)
    rows = (
        select(FINDING.c.account_id, companies, *TALLY)
        .where(FINDING.c.account_id.in_(listed), is_waiting)
        .group_by(FINDING.c.account_id, literal_column("companies"), *TALLIED)
    )
    if period is not None:
        rows = rows.where(FINDING.c.period == storable(period))
    found = WaitingFindings()
    for row in transaction.named(rows):
        found.add(row.account_id, owning_company.companies_in(row.companies), tally(row))
    return found


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
