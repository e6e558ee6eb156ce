"""Lists of findings: what they are asked for, and the SQL that answers it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from confere.archive.message_encoding import storable
from confere.archive.orders.orders import NUMBERS
from confere.archive.reconciliation.findings import SELECT, StoredFinding, read
from confere.archive.transaction import Row, Transaction

_SEPARATORS: Final = re.compile(r"[.\-/\s]")
_KEY, _NUMBER, _SERIES = 44, 9, 3  # digits of an access key, and at most of a document's number and series
_SEARCHED: Final = ("orders", "keys", "subject", "evidence", "note")
_ORDER: Final = (
    " ORDER BY CAST(substr(f.rule, 2) AS INTEGER), f.rule,"
    " CASE f.state WHEN 'open' THEN 0 WHEN 'not_checked' THEN 1 WHEN 'resolved' THEN 3 ELSE 2 END,"
    " f.amount IS NULL, f.amount DESC, f.period, f.id"
)


# Amounts in two halves: absurd ones would come to more than SQLite can hold, which is an error there.
TALLIED: Final = "f.rule, f.severity, f.state, count(*), sum(f.amount >> 32), sum(f.amount & 4294967295)"
"""What `tally` is made of, grouped by the first three."""


@dataclass(frozen=True, slots=True)
class FindingFilter:
    """Which findings of an account; empty leaves everything in. `text` is looked for in names, evidence and note.

    A `text` of digits names one thing whole: an order, by the hub's number or the marketplace's, or a document, by
    its key or its number; or what else the finding is about, such as an item by its code.

    `run`: what that run wrote: found first, closed, opened again, or moved. `first_run`: what it found first.
    """

    period: str | None = None
    rules: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    severities: tuple[str, ...] = ()
    text: str = ""
    run: int | None = None
    first_run: int | None = None


@dataclass(frozen=True, slots=True)
class FindingTally:
    """How many findings of one rule, severity and state there are, and what is at stake in them."""

    rule: str
    severity: str
    state: str
    count: int
    amount: int


def page(
    transaction: Transaction, account_id: int, wanted: FindingFilter, limit: int = -1, offset: int = 0
) -> tuple[StoredFinding, ...]:
    """By rule, what is open first, the greatest amount first. `limit` -1 for all."""
    where, parameters = _where(account_id, wanted)
    # Chosen by what the index holds; evidence is read of the page alone.
    chosen = f"SELECT f.id FROM finding f WHERE {where}{_ORDER} LIMIT ? OFFSET ?"
    rows = transaction.named(f"{SELECT} WHERE f.id IN ({chosen}){_ORDER}", (*parameters, limit, offset))
    return tuple(read(row) for row in rows)


def count(transaction: Transaction, account_id: int, wanted: FindingFilter) -> int:
    """How many there are."""
    where, parameters = _where(account_id, wanted)
    return int(transaction.scalar(f"SELECT count(*) FROM finding f WHERE {where}", parameters))


def tallies(transaction: Transaction, account_id: int, wanted: FindingFilter) -> tuple[FindingTally, ...]:
    """How many there are of each rule, severity and state."""
    where, parameters = _where(account_id, wanted)
    rows = transaction.fetch(
        f"SELECT {TALLIED} FROM finding f WHERE {where} GROUP BY 1, 2, 3 ORDER BY 1, 2, 3", parameters
    )
    return tuple(map(tally, rows))


def tally(row: Row) -> FindingTally:
    """A row of `TALLIED`."""
    rule, severity, state, count, high, low = row
    return FindingTally(rule, severity, state, count, ((high or 0) << 32) + (low or 0))


def periods(transaction: Transaction, account_id: int) -> tuple[str, ...]:
    """The months that have findings, newest first."""
    rows = transaction.column(
        "SELECT DISTINCT period FROM finding WHERE account_id = ? AND period != '' ORDER BY 1 DESC", (account_id,)
    )
    return tuple(rows)


def _where(account_id: int, wanted: FindingFilter) -> tuple[str, tuple[Any, ...]]:
    conditions: list[str] = ["f.account_id = ?"]
    parameters: list[Any] = [account_id]
    if wanted.period is not None:
        conditions.append("f.period = ?")
        parameters.append(storable(wanted.period))
    for name, values in (("rule", wanted.rules), ("state", wanted.states), ("severity", wanted.severities)):
        if values:
            conditions.append(f"f.{name} IN ({','.join('?' * len(values))})")
            parameters += map(storable, values)
    if wanted.run is not None:
        conditions.append("(f.first_run_id = ? OR f.resolved_run_id = ? OR f.last_run_id = ?)")
        parameters += [wanted.run] * 3
    if wanted.first_run is not None:
        conditions.append("f.first_run_id = ?")
        parameters.append(wanted.first_run)
    text = storable(wanted.text.strip())
    if text:
        plain = _SEPARATORS.sub("", text)
        if plain.isascii() and plain.isdigit():
            named, sought = _named(account_id, {text, plain}, plain)
        else:
            named = " OR ".join(f"f.{name} LIKE ? ESCAPE '\\'" for name in _SEARCHED)
            sought = [_like(text)] * len(_SEARCHED)
        conditions.append(f"({named})")
        parameters += sought
    return " AND ".join(conditions), tuple(parameters)


def _named(account_id: int, forms: Collection[str], digits: str) -> tuple[str, list[Any]]:
    """What names this order, document or subject whole: within others the digits stand by chance."""
    orders = (
        "SELECT x.finding_id FROM finding_order x WHERE x.account_id = ? AND x.order_hub_id = ?",
        *(
            "SELECT x.finding_id FROM sales_order o JOIN finding_order x"
            f" ON x.account_id = o.account_id AND x.order_hub_id = o.hub_id WHERE o.account_id = ? AND o.{name} = ?"
            for name in NUMBERS
        ),
    )
    found: list[tuple[str, Row]] = [
        (f"f.id IN ({sql})", (account_id, form)) for form in sorted(forms) for sql in orders
    ]
    number = digits.lstrip("0")
    if len(digits) == _KEY:
        found.append(("f.id IN (SELECT finding_id FROM finding_key WHERE access_key = ?)", (digits,)))
    elif 0 < len(number) <= _NUMBER:
        numbered = "SELECT finding_id FROM finding_key WHERE length(access_key) = ? AND substr(access_key, 26, 9) = ?"
        found.append((f"f.id IN ({numbered})", (_KEY, number.zfill(_NUMBER))))
    if len(digits) > _SERIES:
        about = "'/' || replace(f.subject, ',', '/') || '/'"
        found += [(f"instr({about}, ?) > 0", (f"/{form}/",)) for form in sorted(forms)]
    return " OR ".join(sql for sql, _ in found), [value for _, values in found for value in values]


def _like(text: str) -> str:
    return "%" + text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
